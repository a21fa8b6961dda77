//! Rounds of Borůvka's algorithm on a list of edges.
//!
//! In a round, each tree chooses its lightest edge to another tree. Of edges with the same weight it takes the one to
//! the tree with the lowest number, and then the first in the list. With this order, no circle of hooks is longer than
//! two: if trees t1, t2, ..., tk choose one another in a circle, all these edges have the same weight, so each t(i)
//! could have chosen t(i-1) as well, and t(i+1) <= t(i-1) all around, hence t(i+1) = t(i-1). Of two trees that choose
//! one another, the one with the lower number remains a root.
//!
//! Cells are relaxed, and the end of each loop orders them.

use super::trees::Trees;
use crate::choose::tuning::{LISTS, ROUNDS_WORKERS, SMALL};
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch, look_at};
use std::sync::atomic::{AtomicU64, Ordering};

/// An edge between two trees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<V> {
    /// The trees that its ends are in.
    pub(super) trees: [V; 2],
    pub(super) ends: [V; 2],
    pub(super) weight: f32,
}

impl<V: Vertex> Edge<V> {
    /// The order of this edge among those of the tree that `side` is in: its weight, then the other tree.
    #[inline(always)]
    fn key(&self, side: usize) -> u64 {
        u64::from(ascending(self.weight)) << 32 | self.trees[1 - side].index() as u64
    }
}

/// A number whose order is that of the weights.
#[inline(always)]
pub(super) fn ascending(weight: f32) -> u32 {
    let bits = weight.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// A cell without an edge.
const NOTHING: u64 = u64::MAX;

/// Edges in pieces, each of which is the work of one worker at a time.
pub(super) type Pieces<V> = Vec<Vec<Edge<V>>>;

/// What trees choose, reused for all rounds.
pub(super) struct Choices {
    /// For each tree, the least key of its edges.
    keys: Vec<AtomicU64>,
    /// For each tree, the first edge with this key: its piece in the upper half, its place in the lower half.
    places: Vec<AtomicU64>,
}

/// Whether there are rounds on lists of edges at all.
fn has_rounds() -> bool {
    filch::num_workers() >= ROUNDS_WORKERS
}

impl Choices {
    /// What `n` trees choose. Without rounds, this takes no memory.
    pub(super) fn new(n: usize) -> Self {
        let n = if has_rounds() { n } else { 0 };
        let cells = || filch_algorithms::tabulate(n, |_| AtomicU64::new(NOTHING));
        Choices { keys: cells(), places: cells() }
    }

    fn key(&self, tree: impl Vertex) -> &AtomicU64 {
        &self.keys[tree.index()]
    }

    fn place(&self, tree: impl Vertex) -> &AtomicU64 {
        &self.places[tree.index()]
    }
}

fn place(piece: usize, index: usize) -> u64 {
    (piece as u64) << 32 | index as u64
}

/// Joins trees until no edge is left between two of them. Returns the number of rounds.
pub(super) fn run<V: Vertex>(
    mut pieces: Pieces<V>,
    trees: &Trees<V>,
    choices: &Choices,
    chosen: &mut Vec<Vec<(V, V, f32)>>,
    watch: &dyn Watch,
) -> usize {
    let mut rounds = 0;
    let mut left: usize = pieces.iter().map(Vec::len).sum();
    watch.begin(Pass::new("joining", "edges", left));
    loop {
        pieces.retain(|piece| !piece.is_empty());
        if !has_rounds() || left < SMALL {
            chosen.push(finish(&pieces, trees, watch));
            return rounds;
        }
        rounds += 1;
        round(&mut pieces, trees, choices, chosen);
        let before = left;
        left = pieces.iter().map(Vec::len).sum();
        watch.advance(before - left);
    }
}

fn round<V: Vertex>(pieces: &mut Pieces<V>, trees: &Trees<V>, choices: &Choices, chosen: &mut Vec<Vec<(V, V, f32)>>) {
    let for_all = |body: &(dyn Fn(u64, &Edge<V>, usize) + Sync)| {
        filch::for_each((0_usize.., &*pieces), |_, (piece, edges)| {
            for (index, edge) in edges.iter().enumerate() {
                body(place(piece, index), edge, 0);
                body(place(piece, index), edge, 1);
            }
        });
    };
    for_all(&|_, edge, side| {
        choices.key(edge.trees[side]).store(NOTHING, Ordering::Relaxed);
        choices.place(edge.trees[side]).store(NOTHING, Ordering::Relaxed);
    });
    for_all(&|_, edge, side| lower(choices.key(edge.trees[side]), edge.key(side)));
    for_all(&|place, edge, side| {
        if choices.key(edge.trees[side]).load(Ordering::Relaxed) == edge.key(side) {
            lower(choices.place(edge.trees[side]), place);
        }
    });
    let mut hooked = vec![Vec::new(); pieces.len()];
    filch::for_each((0_usize.., &*pieces, &mut hooked), |_, (piece, edges, hooked)| {
        for (index, edge) in edges.iter().enumerate() {
            for side in 0..2 {
                let [own, other] = [edge.trees[side], edge.trees[1 - side]];
                if choices.place(own).load(Ordering::Relaxed) != place(piece, index) {
                    continue;
                }
                let is_mutual = choices.key(other).load(Ordering::Relaxed) == edge.key(1 - side);
                if !(is_mutual && own < other) {
                    trees.hook(own, other);
                    hooked.push((edge.ends[0], edge.ends[1], edge.weight));
                }
            }
        }
    });
    chosen.append(&mut hooked);
    let shorten = |edges: &Vec<Edge<V>>| {
        edges.iter().fold(false, |any, edge| any | trees.shorten(edge.trees[0]) | trees.shorten(edge.trees[1]))
    };
    while filch::map_reduce(&*pieces, || false, |_, edges| shorten(edges), |a, b| a | b) {}
    filch::for_each(&mut *pieces, |_, edges| {
        edges.retain_mut(|edge| {
            edge.trees = edge.trees.map(|tree| trees.above(tree));
            edge.trees[0] != edge.trees[1]
        });
    });
}

/// Lowers a cell. Most edges are not the lightest, so the cell is read first.
#[inline(always)]
fn lower(cell: &AtomicU64, new: u64) {
    if new < cell.load(Ordering::Relaxed) {
        cell.fetch_min(new, Ordering::Relaxed);
    }
}

/// Joins trees from the lightest edge on, by one worker. The edges are sorted in parallel.
fn finish<V: Vertex>(pieces: &Pieces<V>, trees: &Trees<V>, watch: &dyn Watch) -> Vec<(V, V, f32)> {
    let mut chosen = Vec::new();
    for edges in sorted(pieces) {
        for (step, edge) in edges.iter().enumerate() {
            look_at(step);
            let [a, b] = edge.trees.map(|tree| trees.root(tree));
            if a != b {
                trees.hook(a.max(b), a.min(b));
                chosen.push((edge.ends[0], edge.ends[1], edge.weight));
            }
        }
        watch.advance(edges.len());
    }
    chosen
}

/// The edges in lists, from the lightest on. Those of the same weight keep their order.
fn sorted<V: Vertex>(pieces: &Pieces<V>) -> Vec<Vec<Edge<V>>> {
    let count: usize = pieces.iter().map(Vec::len).sum();
    let step = (count / (LISTS * LISTS)).max(1);
    let mut sample: Vec<u32> = pieces.iter().flatten().step_by(step).map(|edge| ascending(edge.weight)).collect();
    sample.sort_unstable();
    sample.dedup();
    let splitters: Vec<u32> = (1..LISTS).filter_map(|list| sample.get(list * sample.len() / LISTS).copied()).collect();
    let list_of = |edge: &Edge<V>| splitters.partition_point(|&splitter| splitter <= ascending(edge.weight));
    // The edges of each piece by list, and then the lists.
    let mut split: Vec<Vec<Vec<Edge<V>>>> = vec![Vec::new(); pieces.len().div_ceil(LISTS)];
    filch::for_each((filch::chunks(pieces, LISTS), &mut split), |_, (pieces, split)| {
        split.resize_with(LISTS, Vec::new);
        pieces.iter().flatten().for_each(|edge| split[list_of(edge)].push(*edge));
    });
    let mut lists = vec![Vec::new(); LISTS];
    filch::for_each((0_usize.., &mut lists), |_, (list, edges)| {
        split.iter().for_each(|split| edges.extend_from_slice(&split[list]));
        edges.sort_by_key(|edge: &Edge<V>| ascending(edge.weight));
    });
    lists
}
