//! The component of a vertex of high degree, by a search.
//!
//! This is similar to a direction-optimizing breadth-first search, but neither depths nor parents are needed. So it
//! writes only bits, and a vertex that looks for a reached neighbor accepts any, even one that was reached in the same
//! pass. If a pass reaches many vertices, its later part becomes cheap.

use crate::bitmap::{Bitmap, ones};
use crate::choose::tuning::{ALPHA, DEPTH, POOR_PASSES, REQUESTED_DEPTH, RICH, SAMPLES, WORDS};
use crate::graph::Graph;
use crate::open::Open;
use crate::vertex::Vertex;

/// When a search is abandoned.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    /// Beyond this depth.
    depth: usize,
    /// After more poor passes than this: fewer than 1/[`RICH`] of all vertices find a reached neighbor, and as few have
    /// been reached before.
    poor: usize,
}

/// In a tree, or in a small component beside others, each pass reads most of the arcs and is poor. In a component that
/// is shallow and most of the graph, the first or second is rich.
pub(super) const DEEP: Limit = Limit { depth: DEPTH, poor: POOR_PASSES };

/// For a search that was requested explicitly.
pub(super) const TOO_DEEP: Limit = Limit { depth: REQUESTED_DEPTH, poor: usize::MAX };

/// A complete component.
pub(super) struct Reached {
    pub(super) reached: Bitmap,
    /// The vertices in `reached` and those without arcs.
    pub(super) closed: Bitmap,
    pub(super) vertices: usize,
}

/// The component of a vertex of high degree. `None` if the search is abandoned, or if the graph has no vertices.
pub(super) fn search<G: Graph, const DIRECTED: bool>(graph: &G, limit: Limit) -> Option<Reached> {
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
    let (mut vertices, mut poor) = (found.vertices, 0);
    for _ in 0..limit.depth {
        if found.vertices == 0 {
            let Search { reached, closed, .. } = search;
            return Some(Reached { reached, closed, vertices });
        }
        if poor > limit.poor {
            return None;
        }
        if found.arcs > graph.num_arcs() / ALPHA {
            found = search.look_for_reached();
            poor += usize::from(vertices < n / RICH && found.vertices < n / RICH);
        } else {
            search.follow_arcs();
            found = search.note();
        }
        vertices += found.vertices;
    }
    None
}

/// The first vertex of the highest degree in a sample that is spread over the graph. The first, because passes go to
/// higher numbers: in a lattice numbered by rows, a single pass then reaches all vertices.
fn start<G: Graph>(graph: &G) -> Option<usize> {
    let n = graph.num_vertices();
    let vertices = (0..n).step_by((n / SAMPLES).max(1));
    vertices.rev().max_by_key(|&v| graph.degree(G::Vertex::new(v)))
}

/// The numbers of newly reached vertices and of the arcs that leave them.
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
    /// Reached vertices that have been noted, and vertices without arcs.
    closed: Bitmap,
    /// The frontier.
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

    /// Makes the vertices that were reached since the last call the frontier, and closes them.
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

    /// Counts newly reached vertices of a word.
    fn count(&self, word: usize, fresh: u64) -> Fresh {
        let arcs = ones(fresh).map(|bit| self.degree(word * 64 + bit)).sum();
        Fresh { vertices: fresh.count_ones() as usize, arcs }
    }

    /// Reaches the neighbors of the frontier.
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

    /// Reaches each vertex that has a reached neighbor, including neighbors that are reached in the same pass. The
    /// newly reached vertices form a complete frontier: if a vertex found no reached neighbor, all of its reached
    /// neighbors were reached later in this pass, and so are in the frontier.
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
