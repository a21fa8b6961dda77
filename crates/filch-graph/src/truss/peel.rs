//! Removing edges in levels of ascending support.

use super::rows::EdgeRows;
use crate::choose::tuning::{CHUNK, SHARED};
use crate::peeling::{NO_DEGREE, decrement, split};
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch, look_at};
use filch_algorithms::tabulate;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

/// Where an edge is: left, in this round, or removed. It changes between rounds only.
const LEFT: u8 = 0;
const IN_ROUND: u8 = 1;
const REMOVED: u8 = 2;

struct Peel<'e, V, E> {
    rows: EdgeRows<V, E>,
    edges: &'e [(V, V)],
    supports: Vec<AtomicU32>,
    states: Vec<AtomicU8>,
}

/// The trussness of each edge, given its support.
pub(super) fn peel<V: Vertex, E: Vertex>(
    rows: EdgeRows<V, E>,
    edges: &[(V, V)],
    supports: Vec<AtomicU32>,
    watch: &dyn Watch,
) -> Vec<u32> {
    watch.begin(Pass::new("peeling", "edges", edges.len()));
    let states = tabulate(edges.len(), |_| AtomicU8::new(LEFT));
    let mut peel = Peel { rows, edges, supports, states };
    let mut left = tabulate(edges.len(), E::new);
    // The number of edges in the rows.
    let mut kept = edges.len();
    let mut level = 0;
    while level != NO_DEGREE {
        let (mut now, lowest) = split(&peel.supports, &mut left, level);
        if now.is_empty() {
            level = lowest;
            continue;
        }
        while !now.is_empty() {
            watch.advance(now.len());
            now = peel.round(&now, level);
        }
        // What has been removed takes time in every row. Cutting it off when half has gone adds up to little.
        if left.len() < kept / 2 {
            kept = left.len();
            let states = &peel.states;
            peel.rows.retain(|edge| states[edge.index()].load(Ordering::Relaxed) != REMOVED);
        }
        level += 1;
    }
    tabulate(edges.len(), |edge| peel.supports[edge].load(Ordering::Relaxed) + 2)
}

impl<V: Vertex, E: Vertex> Peel<'_, V, E> {
    #[inline(always)]
    fn state(&self, edge: E) -> u8 {
        self.states[edge.index()].load(Ordering::Relaxed)
    }

    /// Removes the edges of a round. Returns those that have to be removed because of that.
    fn round(&self, now: &[E], level: u32) -> Vec<E> {
        let put = |state: u8| {
            let put = |&edge: &E| self.states[edge.index()].store(state, Ordering::Relaxed);
            if now.len() < SHARED { now.iter().for_each(put) } else { filch::for_each(now, |_, edge| put(edge)) }
        };
        // Without triangles there is nothing to decrement.
        if level == 0 {
            put(REMOVED);
            return Vec::new();
        }
        put(IN_ROUND);
        let is_shared = filch::num_workers() > 1 && now.len() >= CHUNK;
        let remove = |edges: &[E]| {
            let mut freed = Vec::new();
            for (step, &edge) in edges.iter().enumerate() {
                look_at(step);
                self.remove(edge, level, is_shared, &mut freed);
            }
            freed
        };
        let freed = if is_shared {
            let append = |mut some: Vec<E>, more: Vec<E>| {
                some.extend(more);
                some
            };
            filch::map_reduce(filch::chunks(now, CHUNK), Vec::new, |_, edges| remove(edges), append)
        } else {
            remove(now)
        };
        put(REMOVED);
        freed
    }

    /// Decrements the supports of the edges that are in a triangle with `edge`, and appends those that become `level`.
    #[inline(always)]
    fn remove(&self, edge: E, level: u32, is_shared: bool, freed: &mut Vec<E>) {
        let (u, v) = self.edges[edge.index()];
        // No more triangles than this are left.
        let mut most = level;
        let _ = common(self.rows.row(u.index()), self.rows.row(v.index()), |to_u, to_v| {
            let states = [self.state(to_u), self.state(to_v)];
            if states.contains(&REMOVED) {
                return ControlFlow::Continue(());
            }
            let is_first = |other: E, state: u8| state == LEFT || edge < other;
            if is_first(to_u, states[0]) && is_first(to_v, states[1]) {
                for (other, state) in [to_u, to_v].into_iter().zip(states) {
                    if state == LEFT && decrement(&self.supports[other.index()], level, is_shared) {
                        freed.push(other);
                    }
                }
            }
            most -= 1;
            if most == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    }
}

/// Calls `visit` with the edges to each vertex that is in both rows. For each vertex of the shorter row, the longer one
/// is searched from the place of the vertex before, by steps that double (Bentley and Yao 1976).
#[inline(always)]
fn common<V: Vertex, E: Vertex>(
    a: (&[V], &[E]),
    b: (&[V], &[E]),
    mut visit: impl FnMut(E, E) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (short, long) = if a.0.len() < b.0.len() { (a, b) } else { (b, a) };
    let mut at = 0;
    for (w, &edge) in short.0.iter().zip(short.1) {
        let mut step = 1;
        while at + step < long.0.len() && long.0[at + step] < *w {
            at += step;
            step *= 2;
        }
        let end = long.0.len().min(at + step + 1);
        at += long.0[at..end].partition_point(|u| u < w);
        match long.0.get(at) {
            None => break,
            Some(u) if u == w => visit(edge, long.1[at])?,
            Some(_) => (),
        }
    }
    ControlFlow::Continue(())
}
