//! Rounds of Borůvka's algorithm on a list of edges.
//!
//! In a round, each tree chooses its lightest edge to another tree; of those with the same weight, the first in the
//! list. So edges are in a strict order, the same for both trees, and no circle of hooks is longer than two: the first
//! edge of a circle would be chosen by both of its trees. Of two trees that choose the same edge, the one with the
//! lower number remains a root.
//!
//! Cells are relaxed, and the end of each loop orders them.

use crate::choose::tuning::{LISTS, ROUNDS_WORKERS, SMALL};
use crate::sets::Trees;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch, look_at};
use crate::weight::Weight;
use std::sync::atomic::{AtomicU64, Ordering};

/// An edge between two trees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<V, W> {
    /// The trees that its ends are in.
    pub(super) trees: [V; 2],
    pub(super) ends: [V; 2],
    pub(super) weight: W,
}

/// A cell without an edge.
const NOTHING: u64 = u64::MAX;

/// Edges in pieces, each of which is the work of one worker at a time.
pub(super) type Pieces<V, W> = Vec<Vec<Edge<V, W>>>;

/// Edges that join trees, in lists.
pub(super) type Chosen<V, W> = Vec<Vec<(V, V, W)>>;

/// What trees choose, reused for all rounds.
pub(super) struct Choices {
    /// For each tree, the least rank of the weights of its edges.
    ranks: Vec<AtomicU64>,
    /// For each tree, the first edge with this rank: its piece in the upper half, its place in the lower half.
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
        Choices { ranks: cells(), places: cells() }
    }

    fn rank(&self, tree: impl Vertex) -> &AtomicU64 {
        &self.ranks[tree.index()]
    }

    fn place(&self, tree: impl Vertex) -> &AtomicU64 {
        &self.places[tree.index()]
    }
}

fn place(piece: usize, index: usize) -> u64 {
    (piece as u64) << 32 | index as u64
}

/// Joins trees until no edge is left between two of them. Returns the number of rounds.
pub(super) fn run<V: Vertex, W: Weight>(
    mut pieces: Pieces<V, W>,
    trees: &Trees<V>,
    choices: &Choices,
    chosen: &mut Chosen<V, W>,
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

fn round<V: Vertex, W: Weight>(
    pieces: &mut Pieces<V, W>,
    trees: &Trees<V>,
    choices: &Choices,
    chosen: &mut Chosen<V, W>,
) {
    for_all_sides(pieces, |_, edge, side| {
        choices.rank(edge.trees[side]).store(NOTHING, Ordering::Relaxed);
        choices.place(edge.trees[side]).store(NOTHING, Ordering::Relaxed);
    });
    for_all_sides(pieces, |_, edge, side| lower(choices.rank(edge.trees[side]), edge.weight.rank()));
    for_all_sides(pieces, |place, edge, side| {
        if choices.rank(edge.trees[side]).load(Ordering::Relaxed) == edge.weight.rank() {
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
                let is_mutual = choices.place(other).load(Ordering::Relaxed) == place(piece, index);
                if !(is_mutual && own < other) {
                    trees.hook(own, other);
                    hooked.push((edge.ends[0], edge.ends[1], edge.weight));
                }
            }
        }
    });
    chosen.append(&mut hooked);
    let shorten = |edges: &Vec<Edge<V, W>>| {
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

/// Calls `body` with the place of each edge, the edge, and each of its two sides.
fn for_all_sides<V: Vertex, W: Weight>(pieces: &Pieces<V, W>, body: impl Fn(u64, &Edge<V, W>, usize) + Send + Sync) {
    filch::for_each((0_usize.., pieces), |_, (piece, edges)| {
        for (index, edge) in edges.iter().enumerate() {
            body(place(piece, index), edge, 0);
            body(place(piece, index), edge, 1);
        }
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
fn finish<V: Vertex, W: Weight>(pieces: &Pieces<V, W>, trees: &Trees<V>, watch: &dyn Watch) -> Vec<(V, V, W)> {
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
fn sorted<V: Vertex, W: Weight>(pieces: &Pieces<V, W>) -> Pieces<V, W> {
    let count: usize = pieces.iter().map(Vec::len).sum();
    let step = (count / (LISTS * LISTS)).max(1);
    let mut sample: Vec<u64> = pieces.iter().flatten().step_by(step).map(|edge| edge.weight.rank()).collect();
    sample.sort_unstable();
    sample.dedup();
    let splitters: Vec<u64> = (1..LISTS).filter_map(|list| sample.get(list * sample.len() / LISTS).copied()).collect();
    let list_of = |edge: &Edge<V, W>| splitters.partition_point(|&splitter| splitter <= edge.weight.rank());
    // The edges of each piece by list, and then the lists.
    let mut split: Vec<Pieces<V, W>> = vec![Vec::new(); pieces.len().div_ceil(LISTS)];
    filch::for_each((filch::chunks(pieces, LISTS), &mut split), |_, (pieces, split)| {
        split.resize_with(LISTS, Vec::new);
        pieces.iter().flatten().for_each(|edge| split[list_of(edge)].push(*edge));
    });
    let mut lists = vec![Vec::new(); LISTS];
    filch::for_each((0_usize.., &mut lists), |_, (list, edges)| {
        split.iter().for_each(|split| edges.extend_from_slice(&split[list]));
        edges.sort_by(|a: &Edge<V, W>, b| a.weight.order(&b.weight));
    });
    lists
}
