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

use super::algorithm::Algorithm;
use super::look::{SAMPLES, hub, sample_of};
use super::options::Options;
use super::patchwork::{Begun, patch, plain};
use super::rest;
use super::result::Counts;
use super::sweep;
use super::worklist::{self, Cells, Manner, look_ahead, traverse};
use crate::bitmap::{Bitmap, ones};
use crate::filled::repeated;
use crate::graph::Graph;
use crate::memory::is_near;
use crate::vertex::{AtomicVertex, Vertex};
use filch::Batches;
use std::sync::atomic::{Ordering, fence};

/// One in this many vertices is pushed.
const PUSHED: usize = 64;

/// Pulling pays off if the number of vertices that have a neighbor in the pushed tree is at least this percentage of
/// the number of pushed vertices. In a binary tree it is about 100 %, and visiting these vertices is faster than
/// pulling them. In a random graph with four arcs per vertex it is about 200 %, and pulling is more than twice as fast
/// (`examples/forest.rs`, with the algorithms `pull,pseudo-dfs`).
const PAYS_PERCENT: usize = 140;

/// If the small tree has at most this many vertices that have not been visited, the graph is narrow, like a path or a
/// caterpillar: a worklist has nothing to prefetch, and nothing to share.
const NARROW: usize = 6;

/// The same if all parents are in a cache: with fewer vertices than its look-ahead spans, a worklist saves nothing
/// there, and several workers exchange batches of four vertices (`grid(25000,4),shuffled`: 24,614 exchanges, and twice
/// the time of one worker).
const NARROW_IF_NEAR: usize = worklist::VISIT;

/// If the first tree is small and all parents are in a cache, so few workers leave everything to one. Two took 0.8 to 3
/// times as long for islands, stars and cycles of 100,000 vertices in all. An estimate: not measured with more.
const FEW_WORKERS: usize = 3;

/// The size of the sample that decides this. With it, the percentages 100, 140 and 200 are about three standard
/// deviations apart.
const LOOKS: usize = 1 << 12;

/// Continue pulling while a pass pulls at least one in this many of the remaining vertices. A search that finds nothing
/// is cheaper than visiting a vertex.
const GOES_ON: usize = 8;

/// The number of bitmap words in a piece of work.
const WORDS: usize = 8;

/// The number of rows by which prefetching runs ahead of use.
const AHEAD: usize = 8;

/// Builds a spanning forest by pulling if `must_pull` or if it pays off, and otherwise by a worklist. Returns the
/// parents, the algorithm that was used, and the reason.
pub(super) fn grow<G: Graph>(
    graph: &G,
    options: Options<G::Vertex>,
    must_pull: bool,
    manner: Manner,
    counts: &mut Counts,
) -> (Vec<<G::Vertex as Vertex>::Atomic>, Algorithm, &'static str) {
    let n = graph.num_vertices();
    let parents = repeated(n, || <G::Vertex as Vertex>::Atomic::new(G::Vertex::NONE));
    let Some(start) = options.root.or_else(|| hub(graph)) else {
        return (parents, Algorithm::Pull, "there are no vertices");
    };
    let grower = Grower { graph, parents: &parents, reached: Bitmap::new(n) };
    let (waiting, visited) = grower.push(start);
    let num_reached = visited.len() + waiting.len();
    if num_reached == n {
        return (parents, Algorithm::Pull, "all vertices are next to a small tree");
    }
    let is_small = waiting.is_empty();
    let is_near = is_near(n, size_of::<G::Vertex>());
    let narrow = if is_near { NARROW_IF_NEAR } else { NARROW };
    let (algorithm, reason) = if is_small && is_near && !must_pull && filch::num_workers() <= FEW_WORKERS {
        plain(graph, &parents, &mut Vec::new(), (0..n).map(G::Vertex::new));
        return (parents, Algorithm::Patchwork, "the first tree is small, and so is the graph: one worker is fast");
    } else if is_small {
        (Algorithm::Pull, "the first tree is small")
    } else if !must_pull && waiting.len() <= narrow {
        drop(grower);
        if is_near {
            let reason = "a small tree has few ends: the graph is narrow, and small";
            return (sweep::sweep(graph, counts), Algorithm::Sweep, reason);
        }
        let vertices = visited.into_iter().chain(waiting.iter().copied()).collect();
        counts.links += patch(graph, &parents, Some(Begun { root: start, vertices, waiting }));
        return (parents, Algorithm::Patchwork, "a small tree has few ends: the graph is narrow");
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

    /// Builds a small tree, breadth first. Returns its vertices that have not been visited, and those that have.
    fn push(&self, root: G::Vertex) -> (Vec<G::Vertex>, Vec<G::Vertex>) {
        let goal = self.parents.len() / PUSHED;
        self.parents[root.index()].store(root);
        self.reached.set(root.index(), false);
        let mut queue = vec![root];
        let mut visited = 0;
        while visited < queue.len() && queue.len() < goal {
            // The three prefetching steps are for later vertices of the queue. The fourth step, the visit of `v`,
            // follows.
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
        (queue.split_off(visited), queue)
    }

    /// Whether enough vertices have a neighbor in the tree.
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

    /// Pulls until no vertices are left or passes no longer pay off, and then completes the tree.
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
