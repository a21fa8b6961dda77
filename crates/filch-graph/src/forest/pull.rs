//! Pulling: in each pass, every vertex outside of the tree looks for a neighbor in the tree and takes the first one as
//! its parent.
//!
//! This is similar to bottom-up breadth-first search, but without levels: a vertex can be found by its neighbors as
//! soon as it is in the tree, even in the same pass. If arcs lead everywhere, three or four passes find almost all
//! vertices. A pass reads the rows in order, and only the beginning of most of them. Otherwise it accesses only a
//! bitmap, which fits in a cache.
//!
//! The first vertices are *pushed*: they are found along the arcs from a vertex of high degree. A sample then shows
//! whether pulling pays off; in a mesh, each pass would pull only the rim of the tree. If it does not, the worklist
//! continues with the vertices that were pushed. When a pass pulls few of the remaining vertices, one last pass
//! follows, and the worklist visits the vertices that it pulls. This completes the component: if a vertex finds no
//! neighbor in the tree in the last pass, all of its neighbors in the tree were pulled in that pass.
//!
//! There is no cycle, because a vertex joins the tree by a neighbor that was in the tree before it.

use super::result::Counts;
use super::worklist::{Cells, Manner, Parents, look_ahead, traverse};
use crate::choose::forest::FirstTree;
use crate::choose::sample_of;
use crate::choose::tuning::{AHEAD, LITTLE, PULL_GOES_ON, PULL_SAMPLES, SAMPLES, VISIT};
use crate::graph::Graph;
use crate::parallel_vec::repeated;
use crate::sets::{Bitmap, WORDS, ones};
use crate::vertex::{AtomicVertex, Vertex};
use std::sync::atomic::{Ordering, fence};

/// A first tree, of one in [`LITTLE`] vertices or of a whole component, and what can be done with it.
pub(super) struct First<'g, G: Graph> {
    graph: &'g G,
    pub(super) parents: Parents<G>,
    reached: Bitmap,
    /// Its vertices that have not been visited.
    waiting: Vec<G::Vertex>,
    vertices: usize,
}

impl<'g, G: Graph> First<'g, G> {
    /// Grows it from `start`.
    pub(super) fn grow(graph: &'g G, start: G::Vertex) -> Self {
        let n = graph.num_vertices();
        let parents = repeated(n, || <G::Vertex as Vertex>::Atomic::new(G::Vertex::NONE));
        let reached = Bitmap::new(n);
        let (waiting, visited) = Grower { graph, parents: &parents, reached: &reached }.push(start);
        let vertices = visited + waiting.len();
        First { graph, parents, reached, waiting, vertices }
    }

    /// Whether it is not a whole component, or the whole graph.
    pub(super) fn is_large(&self) -> bool {
        !self.waiting.is_empty() || self.vertices == self.parents.len()
    }

    pub(super) fn facts(&self) -> FirstTree {
        FirstTree { vertices: self.vertices, waiting: self.waiting.len() }
    }

    fn grower(&self) -> Grower<'_, G> {
        Grower { graph: self.graph, parents: &self.parents, reached: &self.reached }
    }

    /// How many vertices have a neighbor in the tree, in percent of its own vertices, judged by a sample.
    pub(super) fn percent_next_to_it(&self) -> usize {
        self.grower().percent_next_to_it()
    }

    /// Completes the component of the tree by pulling.
    pub(super) fn pull(self, manner: Manner, counts: &mut Counts) -> Parents<G> {
        self.grower().pull(manner, counts);
        self.parents
    }

    /// Completes it by visiting its vertices, and so on.
    pub(super) fn traverse(self, manner: Manner, counts: &mut Counts) -> Parents<G> {
        counts.traversal += traverse(self.graph, &self.parents, self.waiting, manner);
        self.parents
    }
}

struct Grower<'g, G: Graph> {
    graph: &'g G,
    parents: &'g Cells<G::Vertex>,
    reached: &'g Bitmap,
}

/// The result of a pass.
struct Pass<V> {
    pulled: usize,
    /// The number of vertices that found no neighbor in the tree.
    open: usize,
    /// The vertices that were pulled, if requested.
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

    /// Builds a small tree, breadth first. Returns its vertices that have not been visited, and the number of those
    /// that have.
    fn push(&self, root: G::Vertex) -> (Vec<G::Vertex>, usize) {
        let goal = self.parents.len() / LITTLE;
        self.parents[root.index()].store(root);
        self.reached.set(root.index(), false);
        let mut queue = vec![root];
        let mut visited = 0;
        while visited < queue.len() && queue.len() < goal {
            // The three prefetching steps are for later vertices of the queue. The fourth step, the visit of `v`,
            // follows.
            look_ahead(self.graph, self.parents, &queue[visited..], VISIT);
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
        (queue.split_off(visited), visited)
    }

    /// How many vertices have a neighbor in the tree, in percent of its own vertices, judged by a sample.
    fn percent_next_to_it(&self) -> usize {
        let is_outside = |v: &G::Vertex| !self.reached.get(v.index());
        let (mut outside, mut next) = (0, 0);
        let sample = sample_of::<G::Vertex>(self.parents.len(), PULL_SAMPLES);
        for v in sample.filter(is_outside).filter(|&v| self.graph.degree(v) > 0) {
            outside += 1;
            next += usize::from(self.graph.neighbors(v).take(SAMPLES).any(|w| !is_outside(&w)));
        }
        next * LITTLE * 100 / outside.max(1)
    }

    /// Pulls until no vertices are left or passes no longer pay off, and then completes the tree.
    fn pull(&self, manner: Manner, counts: &mut Counts) {
        loop {
            let pass = self.pass::<false>();
            counts.passes += 1;
            counts.pulled += pass.pulled;
            if pass.open == 0 || pass.pulled == 0 {
                return;
            }
            if pass.pulled * PULL_GOES_ON < pass.open {
                break;
            }
        }
        let pass = self.pass::<true>();
        counts.passes += 1;
        counts.pulled += pass.pulled;
        if pass.pulled > 0 {
            counts.traversal += traverse(self.graph, self.parents, pass.seeds.concat(), manner);
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

    /// No other worker writes the words of this piece during the pass.
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
            // The entry of `v` is written after that of its parent and before those of its children, whichever workers
            // write them. The fences ensure this order, so there is no cycle. On x86-64 they compile to no
            // instructions.
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
