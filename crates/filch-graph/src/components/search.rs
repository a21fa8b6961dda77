//! What can be reached from a vertex of high degree.
//!
//! As a breadth-first search that changes its direction, but nobody asks for depths or parents: so it writes bits
//! only, and a vertex that looks for a neighbour takes any that has been reached, also in the same pass. A pass in
//! which many are reached thus makes its own end cheap.

use crate::bitmap::{Bitmap, ones};
use crate::graph::Graph;
use crate::open::{Open, WORDS};
use crate::vertex::Vertex;

/// A search that goes deeper than this is given up: random graphs are shallow, meshes are not.
pub(super) const DEEP: usize = 32;

/// The same, of a search that was asked for: each level costs a look at every word of the bitmaps.
pub(super) const TOO_DEEP: usize = 1024;

/// How many vertices are asked for their degrees.
const SAMPLES: usize = 1024;

/// Vertices look for neighbours that have been reached once the frontier has more than this part of the arcs. That is
/// early: what a pass reaches makes its rest cheap. (From 32 to 256 times differ by less than a tenth, on uniform and
/// Kronecker graphs of 2^21 vertices: `examples/searches.rs`.)
const ALPHA: usize = 128;

/// A component, whole.
pub(super) struct Reached {
    pub(super) reached: Bitmap,
    /// The same, and vertices that are alone.
    pub(super) closed: Bitmap,
    pub(super) vertices: usize,
}

/// The component of a vertex of high degree; none if it is deeper than `max_depth`, or if there is no vertex.
pub(super) fn search<G: Graph, const DIRECTED: bool>(graph: &G, max_depth: usize) -> Option<Reached> {
    let start = start(graph)?;
    let n = graph.num_vertices();
    let search = Search::<_, DIRECTED> {
        graph,
        reached: Bitmap::new(n),
        closed: Bitmap::new(n),
        fresh: Bitmap::new(n),
        is_shared: filch::num_workers() > 1,
    };
    search.reached.set(start, false);
    let mut found = search.note();
    let mut vertices = found.vertices;
    for _ in 0..max_depth {
        if found.vertices == 0 {
            let Search { reached, closed, .. } = search;
            return Some(Reached { reached, closed, vertices });
        }
        if found.arcs > graph.num_arcs() / ALPHA {
            found = search.look_for_reached();
        } else {
            search.follow_arcs();
            found = search.note();
        }
        vertices += found.vertices;
    }
    None
}

/// Of some vertices, all across the graph, the first with most arcs: passes go upwards, too, and in the row order of a
/// lattice they then reach all at once.
fn start<G: Graph>(graph: &G) -> Option<usize> {
    let n = graph.num_vertices();
    let vertices = (0..n).step_by((n / SAMPLES).max(1));
    vertices.rev().max_by_key(|&v| graph.degree(G::Vertex::new(v)))
}

/// What has been reached newly: how many, and how many arcs leave them.
#[derive(Clone, Copy, Default)]
struct Fresh {
    vertices: usize,
    arcs: usize,
}

impl Fresh {
    fn and(self, other: Fresh) -> Fresh {
        Fresh { vertices: self.vertices + other.vertices, arcs: self.arcs + other.arcs }
    }
}

struct Search<'g, G, const DIRECTED: bool> {
    graph: &'g G,
    reached: Bitmap,
    /// What has been reached and noted, and what has no arcs.
    closed: Bitmap,
    /// What has been reached since the last time but one.
    fresh: Bitmap,
    is_shared: bool,
}

impl<G: Graph, const DIRECTED: bool> Search<'_, G, DIRECTED> {
    fn num_words(&self) -> usize {
        self.reached.words().len()
    }

    fn degree(&self, v: usize) -> usize {
        self.graph.degree(G::Vertex::new(v))
    }

    /// Notes what has been reached since the last time: that is fresh now, and closed.
    fn note(&self) -> Fresh {
        let note_word = |word: usize| {
            let (reached, closed) = (self.reached.word(word), self.closed.word(word));
            let fresh = reached & !closed;
            self.fresh.put_word(word, fresh);
            if fresh == 0 {
                return Fresh::default();
            }
            self.closed.put_word(word, closed | fresh);
            self.count(word, fresh)
        };
        filch::map_reduce(0..self.num_words(), Fresh::default, |_, word| note_word(word), Fresh::and)
    }

    /// What these vertices of a word are.
    fn count(&self, word: usize, fresh: u64) -> Fresh {
        let arcs = ones(fresh).map(|bit| self.degree(word * 64 + bit)).sum();
        Fresh { vertices: fresh.count_ones() as usize, arcs }
    }

    /// Reaches the neighbours of what is fresh.
    fn follow_arcs(&self) {
        filch::for_each(0..self.num_words(), |_, word| {
            for bit in ones(self.fresh.word(word)) {
                let u = G::Vertex::new(word * 64 + bit);
                self.graph.neighbors(u).for_each(|v| {
                    self.reached.set(v.index(), self.is_shared);
                });
                if DIRECTED {
                    self.graph.in_neighbors(u).for_each(|v| {
                        self.reached.set(v.index(), self.is_shared);
                    });
                }
            }
        });
    }

    /// Reaches each vertex that has a neighbour that has been reached, be it in the same pass. After it, all that can
    /// be reached can be from what is fresh then: a vertex that has looked in vain before it has seen none but the
    /// neighbours that were reached later in the pass.
    fn look_for_reached(&self) -> Fresh {
        let pieces = self.num_words().div_ceil(WORDS);
        filch::map_reduce(0..pieces, Fresh::default, |_, piece| self.look_in_piece(piece), Fresh::and)
    }

    fn look_in_piece(&self, piece: usize) -> Fresh {
        let words = piece * WORDS..self.num_words().min((piece + 1) * WORDS);
        let open = Open::of(self.graph, &self.closed, words.clone());
        let (mut found, mut fresh) = ([0; WORDS], Fresh::default());
        let is_reached = |u: G::Vertex| self.reached.get(u.index());
        open.for_each(self.graph, |v| {
            if self.graph.neighbors(v).any(is_reached) || DIRECTED && self.graph.in_neighbors(v).any(is_reached) {
                found[v.index() / 64 - words.start] |= 1 << (v.index() % 64);
            }
        });
        for (word, found) in words.zip(found) {
            self.closed.put_word(word, self.closed.word(word) | found);
            self.reached.put_word(word, self.reached.word(word) | found);
            self.fresh.put_word(word, found);
            fresh = fresh.and(self.count(word, found));
        }
        fresh
    }
}
