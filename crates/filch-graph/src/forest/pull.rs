//! Pulling: passes in which every vertex outside of the tree takes any neighbour inside for its parent.
//!
//! As a breadth-first search that goes bottom-up, but nobody asks for levels. So a vertex is good for its neighbours at
//! once, in the same pass, and where arcs lead everywhere three or four passes find all but a few. A pass reads the
//! rows in their order, of most of them only the beginning, and else a bit per vertex, all of which fit into a cache.
//!
//! The first vertices are *pushed*: found from one of high degree, along the arcs, so that vertices have somebody to
//! find. Then a look at a sample tells whether pulling pays: in a mesh only the rim would be pulled, pass by pass. If
//! it does not, the worklist goes on with what has been pushed. When a pass finds little of what there is, there is a
//! last one, and what that finds is visited by the worklist. This completes the component: a vertex that looks in vain
//! in the last pass has, in the tree, no neighbours but those that the last pass has found.
//!
//! There is no cycle: who takes a neighbour has seen that it was in the tree before.

use super::algorithm::Algorithm;
use super::look::{SAMPLES, hub, sample_of};
use super::options::Options;
use super::rest;
use super::result::Counts;
use super::worklist::{self, Cells, Manner, look_ahead, traverse};
use crate::bitmap::{Bitmap, ones};
use crate::filled::filled;
use crate::graph::Graph;
use crate::vertex::{AtomicVertex, Vertex};
use filch::Batches;
use std::sync::atomic::{Ordering, fence};

/// One vertex of so many is pushed.
const PUSHED: usize = 64;

/// Pulling pays if as many vertices as this percentage of the pushed ones would be pulled at once. In a binary tree
/// it would be about as many, and visiting them is quicker; in a random graph with four arcs per vertex, twice as many,
/// and pulling is more than twice as quick (`examples/forest.rs`, with the algorithms `pull,pseudo-dfs`).
const PAYS_PERCENT: usize = 140;

/// How many vertices are looked at to tell: so that the percentages above are some three standard deviations apart.
const LOOKS: usize = 1 << 12;

/// Pulling goes on while a pass finds one of so many that it leaves: a look in vain costs less than visiting a vertex
/// does.
const GOES_ON: usize = 8;

/// Words of the bitmap in a piece of the work.
const WORDS: usize = 8;

/// How many rows ahead are hinted at.
const AHEAD: usize = 8;

/// A spanning forest, by pulling if that is told or pays, or else by the worklist; by which, and why.
pub(super) fn grow<G: Graph>(
    graph: &G,
    options: Options<G::Vertex>,
    must_pull: bool,
    manner: Manner,
    counts: &mut Counts,
) -> (Vec<<G::Vertex as Vertex>::Atomic>, Algorithm, &'static str) {
    let n = graph.num_vertices();
    let parents = filled(n, |_| <G::Vertex as Vertex>::Atomic::new(G::Vertex::NONE));
    let Some(start) = options.root.or_else(|| hub(graph)) else {
        return (parents, Algorithm::Pull, "there are no vertices");
    };
    let grower = Grower { graph, parents: &parents, reached: Bitmap::new(n) };
    let waiting = grower.push(start);
    let is_small = waiting.is_empty();
    let (algorithm, reason) = if is_small {
        (Algorithm::Pull, "the first tree is small")
    } else if must_pull || grower.pays() {
        grower.pull(manner, counts);
        (Algorithm::Pull, "many vertices are next to a small tree: the graph is shallow")
    } else {
        counts.add_traversal(traverse(graph, &parents, waiting, manner));
        (Algorithm::PseudoDfs(Batches::Adaptive), "few vertices are next to a small tree: the graph is deep")
    };
    rest::finish(graph, &parents, manner, counts);
    if is_small && counts.islands > 0 && !must_pull {
        return (parents, Algorithm::Islands, "the first tree is small, and so are others: there are many components");
    }
    (parents, algorithm, reason)
}

struct Grower<'g, G: Graph> {
    graph: &'g G,
    parents: &'g Cells<G::Vertex>,
    reached: Bitmap,
}

/// What a pass has come to.
struct Pass<V> {
    pulled: usize,
    /// How many have looked in vain.
    open: usize,
    /// Who was pulled, if asked for.
    seeds: Vec<Vec<V>>,
}

impl<V> Pass<V> {
    fn new() -> Self {
        Pass { pulled: 0, open: 0, seeds: Vec::new() }
    }

    fn and(mut self, other: Pass<V>) -> Pass<V> {
        self.seeds.extend(other.seeds);
        Pass { pulled: self.pulled + other.pulled, open: self.open + other.open, seeds: self.seeds }
    }
}

impl<G: Graph> Grower<'_, G> {
    fn parent(&self, v: G::Vertex) -> G::Vertex {
        self.parents[v.index()].load()
    }

    /// Builds a small tree in breadth; what of it has not been visited.
    fn push(&self, root: G::Vertex) -> Vec<G::Vertex> {
        let goal = self.parents.len() / PUSHED;
        self.parents[root.index()].store(root);
        self.reached.set(root.index(), false);
        let mut queue = vec![root];
        let mut visited = 0;
        while visited < queue.len() && queue.len() < goal {
            // All looks but the last are at what comes later.
            look_ahead(self.graph, self.parents, &queue[visited..], worklist::VISIT);
            let v = queue[visited];
            visited += 1;
            for w in self.graph.neighbors(v) {
                if self.parent(w) == G::Vertex::NONE {
                    self.parents[w.index()].store(v);
                    self.reached.set(w.index(), false);
                    queue.push(w);
                }
            }
        }
        queue.split_off(visited)
    }

    /// Whether enough vertices have a neighbour in the tree.
    fn pays(&self) -> bool {
        let is_outside = |v: &G::Vertex| !self.reached.get(v.index());
        let (mut outside, mut pulled) = (0, 0);
        for v in
            sample_of::<G::Vertex>(self.parents.len(), LOOKS).filter(is_outside).filter(|&v| self.graph.degree(v) > 0)
        {
            outside += 1;
            pulled += usize::from(self.graph.neighbors(v).take(SAMPLES).any(|w| !is_outside(&w)));
        }
        pulled * PUSHED * 100 >= outside * PAYS_PERCENT
    }

    /// Pulls until nothing is left, or passes do not pay any more; then completes the tree.
    fn pull(&self, manner: Manner, counts: &mut Counts) {
        loop {
            let pass = self.pass::<false>();
            counts.passes += 1;
            counts.pulled += pass.pulled;
            if pass.open == 0 || pass.pulled == 0 {
                return;
            }
            if pass.pulled * GOES_ON < pass.open {
                break;
            }
        }
        let pass = self.pass::<true>();
        counts.passes += 1;
        counts.pulled += pass.pulled;
        if pass.pulled > 0 {
            counts.add_traversal(traverse(self.graph, self.parents, pass.seeds.concat(), manner));
        }
    }

    fn pass<const SEEDS: bool>(&self) -> Pass<G::Vertex> {
        let num_words = self.reached.words().len();
        filch::map_reduce(
            0..num_words.div_ceil(WORDS),
            Pass::new,
            |_, piece| self.piece::<SEEDS>(piece * WORDS..num_words.min((piece + 1) * WORDS)),
            Pass::and,
        )
    }

    /// Nobody else writes these words at the time.
    fn piece<const SEEDS: bool>(&self, words: std::ops::Range<usize>) -> Pass<G::Vertex> {
        let (mut open, mut num_open) = ([G::Vertex::NONE; WORDS * 64], 0);
        for word in words {
            for bit in ones(!self.reached.word(word) & self.reached.mask(word)) {
                open[num_open] = G::Vertex::new(word * 64 + bit);
                num_open += 1;
            }
        }
        let open = &open[..num_open];
        let mut pass = Pass::new();
        let mut seeds = Vec::new();
        for (i, &v) in open.iter().enumerate() {
            if let Some(&later) = open.get(i + AHEAD) {
                self.graph.prefetch_neighbors(later);
            }
            let mut is_alone = true;
            let mut is_inside = |w: &G::Vertex| {
                is_alone = false;
                self.reached.get(w.index())
            };
            let parent = self.graph.neighbors(v).find(|w| is_inside(w));
            if parent.is_none() && !is_alone {
                pass.open += 1;
                continue;
            }
            // After that of its parent, and before that of its children, whoever writes them; so there is no cycle of
            // them. On x86-64 these fences are no instructions.
            fence(Ordering::Acquire);
            self.parents[v.index()].store(parent.unwrap_or(v));
            fence(Ordering::Release);
            let (word, bit) = (v.index() / 64, v.index() % 64);
            self.reached.put_word(word, self.reached.word(word) | 1 << bit);
            pass.pulled += usize::from(parent.is_some());
            if SEEDS && parent.is_some() {
                seeds.push(v);
            }
        }
        if !seeds.is_empty() {
            pass.seeds.push(seeds);
        }
        pass
    }
}
