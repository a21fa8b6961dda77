//! The graph of a level: its vertices are those of the user's graph, or sets of them.

use super::error::CommunitiesError;
use super::workspace::Workspace;
use crate::choose::tuning::PIECE;
use crate::graph::WeightedGraph;
use crate::vertex::Vertex;
use crate::watch::look_at;
use crate::weight::Weight;
use filch::PerWorker;
use filch_algorithms::{flatten, tabulate};
use std::ops::Range;

/// A symmetric graph with weights. Rows have no self-loops.
pub(super) struct Net {
    offsets: Vec<usize>,
    targets: Vec<u32>,
    weights: Vec<f64>,
    /// For each vertex, twice the weight of the edges inside of it.
    inside: Vec<f64>,
    /// For each vertex, the weight of the arcs that leave it, and of those inside of it.
    pub(super) degrees: Vec<f64>,
    /// The sum of all degrees, which is twice the weight of all edges.
    pub(super) total: f64,
}

/// The rows of some vertices.
#[derive(Default)]
struct Piece {
    lens: Vec<usize>,
    targets: Vec<u32>,
    weights: Vec<f64>,
    inside: Vec<f64>,
}

impl Net {
    /// A copy of a graph.
    pub(super) fn of<G: WeightedGraph>(graph: &G) -> Result<Self, CommunitiesError> {
        let n = graph.num_vertices();
        let copy = |range: Range<usize>| -> Result<Piece, CommunitiesError> {
            let mut piece = Piece::default();
            for v in range {
                let (before, mut inside) = (piece.targets.len(), 0.0);
                for (u, weight) in graph.arcs(G::Vertex::new(v)) {
                    assert!(u.index() < n, "an arc from vertex {v} leads to {u}: expected a vertex below {n}");
                    let weight = weight.rounded();
                    if weight < 0.0 {
                        return Err(CommunitiesError::NegativeWeight { from: v, to: u.index(), weight });
                    }
                    if u.index() == v {
                        inside += 2.0 * weight;
                    } else if weight > 0.0 {
                        piece.targets.push(u.index() as u32);
                        piece.weights.push(weight);
                    }
                }
                piece.lens.push(piece.targets.len() - before);
                piece.inside.push(inside);
            }
            Ok(piece)
        };
        let pieces = tabulate(n.div_ceil(PIECE), |at| copy(at * PIECE..n.min((at + 1) * PIECE)));
        Ok(Net::assembled(pieces.into_iter().collect::<Result<_, _>>()?))
    }

    /// The graph whose vertices are sets of the vertices of this one.
    pub(super) fn of_sets(
        &self,
        sets: &Sets,
        workspaces: &PerWorker<Workspace, impl Fn() -> Workspace + Sync>,
    ) -> Self {
        let merge = |range: Range<usize>, space: &mut Workspace| {
            let mut piece = Piece::default();
            for set in range {
                let (before, mut inside) = (piece.targets.len(), 0.0);
                for (step, &v) in sets.members(set).iter().enumerate() {
                    look_at(step);
                    inside += self.inside[v as usize];
                    for (u, weight) in self.arcs(v) {
                        space.add(sets.of[u as usize], weight);
                    }
                }
                space.drain(|other, weight| {
                    if other as usize == set {
                        inside += weight;
                    } else {
                        piece.targets.push(other);
                        piece.weights.push(weight);
                    }
                });
                piece.lens.push(piece.targets.len() - before);
                piece.inside.push(inside);
            }
            piece
        };
        /// Sets whose rows a worker merges at a time.
        const SETS: usize = 1 << 5;
        let count = sets.count();
        Net::assembled(tabulate(count.div_ceil(SETS), |at| {
            workspaces.with(|space| merge(at * SETS..count.min((at + 1) * SETS), space))
        }))
    }

    fn assembled(mut pieces: Vec<Piece>) -> Self {
        fn take<T: Send>(pieces: &mut [Piece], field: impl Fn(&mut Piece) -> &mut Vec<T>) -> Vec<T> {
            flatten(pieces.iter_mut().map(|piece| std::mem::take(field(piece))).collect())
        }
        let lens = take(&mut pieces, |piece| &mut piece.lens);
        let targets = take(&mut pieces, |piece| &mut piece.targets);
        let weights = take(&mut pieces, |piece| &mut piece.weights);
        let inside = take(&mut pieces, |piece| &mut piece.inside);
        let mut offsets = Vec::with_capacity(lens.len() + 1);
        offsets.push(0);
        offsets.extend(lens.iter().scan(0, |end, len| {
            *end += len;
            Some(*end)
        }));
        let degree = |v: usize| weights[offsets[v]..offsets[v + 1]].iter().fold(inside[v], |sum, weight| sum + weight);
        let degrees = tabulate(inside.len(), degree);
        let total = degrees.iter().sum();
        Net { offsets, targets, weights, inside, degrees, total }
    }

    pub(super) fn len(&self) -> usize {
        self.degrees.len()
    }

    /// The arcs that leave a vertex, with their weights.
    #[inline(always)]
    pub(super) fn arcs(&self, v: u32) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.offsets[v as usize]..self.offsets[v as usize + 1];
        self.targets[range.clone()].iter().copied().zip(self.weights[range].iter().copied())
    }
}

/// A partition of vertices.
pub(super) struct Sets {
    /// The set of each vertex.
    pub(super) of: Vec<u32>,
    /// Where the members of each set begin, and at the end the number of vertices.
    starts: Vec<usize>,
    members: Vec<u32>,
}

impl Sets {
    /// The sets of vertices that have the same number in `of`, which is below `count`. Each has its members in the
    /// order of `order`.
    pub(super) fn new(of: Vec<u32>, count: usize, order: &[u32]) -> Self {
        let mut starts = vec![0; count + 1];
        of.iter().for_each(|&set| starts[set as usize + 1] += 1);
        for set in 0..count {
            starts[set + 1] += starts[set];
        }
        let (mut next, mut members) = (starts.clone(), vec![0; of.len()]);
        for &v in order {
            let next = &mut next[of[v as usize] as usize];
            members[*next] = v;
            *next += 1;
        }
        Sets { of, starts, members }
    }

    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline(always)]
    pub(super) fn members(&self, set: usize) -> &[u32] {
        &self.members[self.starts[set]..self.starts[set + 1]]
    }

    /// The members of all sets, one set after the other.
    pub(super) fn all_members(&self) -> &[u32] {
        &self.members
    }
}

/// Gives numbers without gaps to sets, in the order of their first vertices. Returns how many there are.
pub(super) fn renumber(of: &mut [u32]) -> usize {
    let mut numbers = vec![u32::MAX; of.len()];
    let mut count = 0;
    for set in of {
        let number = &mut numbers[*set as usize];
        if *number == u32::MAX {
            *number = count;
            count += 1;
        }
        *set = *number;
    }
    count as usize
}
