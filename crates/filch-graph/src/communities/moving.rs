//! Moves vertices to communities of neighbors, as long as that increases the modularity.
//!
//! A vertex is looked at again when a neighbor has left its community or joined another one than its own (Traag,
//! Waltman and van Eck 2019, "From Louvain to Leiden: guaranteeing well-connected communities", section "Fast local
//! move"). In each round, the vertices to look at are cut into batches, in a random order. Workers choose for all
//! vertices of a batch, and then the vertices move. So a choice depends on nothing that another worker does, and the
//! result is the same on any number of workers. Neighbors in a batch do not know of each other's moves; there are few
//! of them, since a batch has a small share of the vertices. When few vertices are left, each moves before the next one
//! chooses, so that every move is a gain, and the moves come to an end. Two things can make them go around in circles:
//! an arc and its reverse that differ in weight, and sums of weights of very different sizes, which are rounded. So
//! their number is limited.

use super::net::Net;
use super::workspace::Workspace;
use crate::choose::tuning::CHUNK;
use crate::sets::Bitmap;
use crate::watch::{Watch, look_at};
use filch::PerWorker;
use filch_algorithms::filter;
use std::collections::VecDeque;

/// Batches of a round: more let vertices know of the moves of more others, fewer are shared better.
const BATCHES: usize = 16;
/// Vertices of a round that one worker moves, one after the other.
const FEW: usize = 1 << 10;
/// Rounds after which the rest moves one after the other.
const ROUNDS: usize = 64;
/// Moves one after the other for each vertex of a level, on average, after which the level ends: many times those that
/// gains take.
const MOVES: usize = 64;
/// A gain counts if it is more than this share of the degree, so that rounding is no gain.
const LEAST_GAIN: f64 = 1e-10;

/// A vertex stays where it is.
const STAYS: u32 = u32::MAX;
/// A vertex leaves its community and joins none.
const ALONE: u32 = u32::MAX - 1;

struct Moving<'a> {
    net: &'a Net,
    /// The community of each vertex.
    of: &'a mut [u32],
    /// The sum of the degrees of each community.
    totals: Vec<f64>,
    sizes: Vec<u32>,
    /// The resolution, divided by the total weight.
    scale: f64,
    /// Numbers of communities without vertices.
    free: Vec<u32>,
}

/// Moves vertices between the communities `of`. Each vertex is looked at at least once, in this order.
pub(super) fn move_all(
    net: &Net,
    of: &mut [u32],
    resolution: f64,
    order: &[u32],
    workspaces: &PerWorker<Workspace, impl Fn() -> Workspace + Sync>,
    watch: &dyn Watch,
) {
    let n = net.len();
    if net.total == 0.0 {
        watch.advance(n);
        return;
    }
    let (mut totals, mut sizes) = (vec![0.0; n], vec![0; n]);
    for (v, &set) in of.iter().enumerate() {
        totals[set as usize] += net.degrees[v];
        sizes[set as usize] += 1;
    }
    let free = (0..n as u32).rev().filter(|&set| sizes[set as usize] == 0).collect();
    let mut moving = Moving { net, of, totals, sizes, scale: resolution / net.total, free };

    let (mut active, mut chosen) = (order.to_vec(), Vec::new());
    for round in 0..ROUNDS {
        if active.len() < FEW {
            break;
        }
        let mut moved = Vec::new();
        for batch in active.chunks(active.len().div_ceil(BATCHES)) {
            chosen.clear();
            chosen.resize(batch.len(), STAYS);
            let pieces = (filch::chunks(batch, CHUNK), filch::chunks_mut(&mut chosen, CHUNK));
            filch::for_each(pieces, |_, (batch, chosen)| {
                workspaces.with(|space| {
                    for (&v, chosen) in batch.iter().zip(chosen) {
                        *chosen = moving.best(v, space);
                    }
                });
            });
            for (&v, &to) in batch.iter().zip(&chosen) {
                if to != STAYS {
                    moving.put(v, to);
                    moved.push(v);
                }
            }
            if round == 0 {
                watch.advance(batch.len());
            }
        }
        let again = Bitmap::new(n);
        let is_shared = filch::num_workers() > 1;
        filch::for_each(filch::chunks(&moved, CHUNK), |_, moved| {
            for &v in moved {
                moving.others(v).for_each(|u| _ = again.set(u as usize, is_shared));
            }
        });
        active = filter(order, |&v| again.get(v as usize));
    }
    if n < FEW {
        watch.advance(n);
    }
    workspaces.with(|space| moving.one_by_one(active, space));
}

impl Moving<'_> {
    /// Where a vertex moves.
    #[inline(always)]
    fn best(&self, v: u32, space: &mut Workspace) -> u32 {
        let own = self.of[v as usize];
        self.net.arcs(v).for_each(|(u, weight)| space.add(self.of[u as usize], weight));
        let degree = self.net.degrees[v as usize];
        let stay = space.weight(own) - self.scale * degree * (self.totals[own as usize] - degree);
        // Alone, there is nothing to gain or to lose.
        let is_alone = self.sizes[own as usize] == 1;
        let (mut best, mut most) = if is_alone || stay >= 0.0 { (STAYS, stay) } else { (ALONE, 0.0) };
        most += LEAST_GAIN * degree;
        space.drain(|set, weight| {
            let value = weight - self.scale * degree * self.totals[set as usize];
            if set != own && value > most {
                (best, most) = (set, value);
            }
        });
        best
    }

    fn put(&mut self, v: u32, to: u32) {
        let from = self.of[v as usize];
        let to = if to == ALONE { self.pop_free().unwrap_or(from) } else { to };
        self.of[v as usize] = to;
        let degree = self.net.degrees[v as usize];
        self.totals[from as usize] -= degree;
        self.totals[to as usize] += degree;
        self.sizes[to as usize] += 1;
        self.sizes[from as usize] -= 1;
        if self.sizes[from as usize] == 0 {
            self.totals[from as usize] = 0.0;
            self.free.push(from);
        }
    }

    /// A community without vertices. Others of those that are listed have been joined again.
    fn pop_free(&mut self) -> Option<u32> {
        std::iter::from_fn(|| self.free.pop()).find(|&set| self.sizes[set as usize] == 0)
    }

    /// The neighbors of a vertex that are not in its community.
    #[inline(always)]
    fn others(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        let own = self.of[v as usize];
        self.net.arcs(v).map(|(u, _)| u).filter(move |&u| self.of[u as usize] != own)
    }

    /// Moves these vertices and those that are to be looked at because of that, first come, first served.
    fn one_by_one(&mut self, active: Vec<u32>, space: &mut Workspace) {
        let mut waits = vec![false; self.net.len()];
        active.iter().for_each(|&v| waits[v as usize] = true);
        let (mut queue, mut step) = (VecDeque::from(active), 0);
        let mut moves_left = MOVES * self.net.len();
        while let Some(v) = queue.pop_front() {
            look_at(step);
            step += 1;
            waits[v as usize] = false;
            let to = self.best(v, space);
            if to == STAYS {
                continue;
            }
            if moves_left == 0 {
                return;
            }
            moves_left -= 1;
            self.put(v, to);
            let own = self.of[v as usize];
            for (u, _) in self.net.arcs(v) {
                if self.of[u as usize] != own && !waits[u as usize] {
                    waits[u as usize] = true;
                    queue.push_back(u);
                }
            }
        }
    }
}
