//! The vertices that a vertex reaches, or that reach it, or both.
//!
//! This is similar to a direction-optimizing breadth-first search, but neither depths nor parents are needed. So it
//! writes only bits, and a vertex that looks for a reached neighbor accepts any, even one that was reached in the same
//! pass. If a pass reaches many vertices, its later part becomes cheap.

use super::{Bitmap, Unvisited, WORDS, ones};
use crate::choose::tuning::{DEPTH, LOOKS, SAMPLES, WIDE_FRONTIER};
use crate::graph::Graph;
use crate::vertex::Vertex;
use std::ops::Add;

/// The vertices that a level has found, the arcs to follow from them, and the arcs that were looked at for that.
#[derive(Clone, Copy, Default)]
struct Level {
    vertices: usize,
    arcs: usize,
    looks: usize,
}

impl Add for Level {
    type Output = Level;

    fn add(self, other: Level) -> Level {
        Level {
            vertices: self.vertices + other.vertices,
            arcs: self.arcs + other.arcs,
            looks: self.looks + other.looks,
        }
    }
}

/// A search along the arcs (`OUT`), against them (`IN`), or in both directions.
pub(crate) struct Reach<'g, G, const OUT: bool, const IN: bool> {
    graph: &'g G,
    /// Reached vertices. Those outside of the bounds may be among them.
    pub(crate) reached: Bitmap,
    /// Reached vertices that have been noted, those outside of the bounds and, if the graph is symmetric, those without
    /// arcs.
    pub(crate) closed: Bitmap,
    /// The frontier.
    fresh: Bitmap,
    /// The number of vertices that were reached within the bounds.
    pub(crate) vertices: usize,
    is_shared: bool,
}

/// The first vertex of a sample with the most arcs, where `measure` gets those out of a vertex and those into it. The
/// first, because passes go to higher numbers: in a lattice numbered by rows, a single pass then reaches all vertices.
pub(crate) fn start<G: Graph>(graph: &G, measure: fn(usize, usize) -> usize) -> Option<usize> {
    let n = graph.num_vertices();
    let arcs = |v: usize| {
        let v = G::Vertex::new(v);
        let degree = graph.degree(v);
        if graph.is_symmetric() { degree } else { measure(degree, graph.in_neighbors(v).count()) }
    };
    (0..n).step_by((n / SAMPLES).max(1)).rev().max_by_key(|&v| arcs(v))
}

impl<'g, G: Graph, const OUT: bool, const IN: bool> Reach<'g, G, OUT, IN> {
    /// Searches from `start`, among the vertices that are not `closed`. `None` if there are too many levels.
    pub(crate) fn run(graph: &'g G, start: usize, closed: Bitmap) -> Option<Self> {
        let map = || Bitmap::new(graph.num_vertices());
        let is_shared = filch::num_workers() > 1;
        let mut search = Reach { graph, reached: map(), closed, fresh: map(), vertices: 0, is_shared };
        search.reached.set(start, false);
        let mut looks_left = graph.num_arcs().saturating_mul(LOOKS);
        let mut level = search.note();
        for _ in 0..DEPTH {
            if level.vertices == 0 {
                return Some(search);
            }
            search.vertices += level.vertices;
            if looks_left > 0 && level.arcs > graph.num_arcs() / WIDE_FRONTIER {
                level = search.look_for_reached();
                looks_left = looks_left.saturating_sub(level.looks);
            } else {
                search.follow_arcs();
                level = search.note();
            }
        }
        None
    }

    fn num_words(&self) -> usize {
        self.reached.words().len()
    }

    /// Counts newly reached vertices of a word.
    fn count(&self, word: usize, fresh: u64) -> Level {
        let arcs = |bit: usize| {
            let v = G::Vertex::new(word * 64 + bit);
            if OUT || self.graph.is_symmetric() { self.graph.degree(v) } else { self.graph.in_neighbors(v).count() }
        };
        Level { vertices: fresh.count_ones() as usize, arcs: ones(fresh).map(arcs).sum(), looks: 0 }
    }

    /// Makes the vertices that were reached since the last call the frontier, and closes them.
    fn note(&self) -> Level {
        let note_word = |word: usize| {
            let (reached, closed) = (self.reached.word(word), self.closed.word(word));
            let fresh = reached & !closed;
            self.fresh.put_word(word, fresh);
            if fresh == 0 {
                return Level::default();
            }
            self.closed.put_word(word, closed | fresh);
            self.count(word, fresh)
        };
        filch::map_reduce(0..self.num_words(), Level::default, |_, word| note_word(word), Level::add)
    }

    /// Reaches the neighbors of the frontier.
    fn follow_arcs(&self) {
        let reach = |v: G::Vertex| {
            self.reached.set(v.index(), self.is_shared);
        };
        filch::for_each(0..self.num_words(), |_, word| {
            for u in ones(self.fresh.word(word)).map(|bit| G::Vertex::new(word * 64 + bit)) {
                if OUT {
                    self.graph.neighbors(u).for_each(reach);
                }
                if IN {
                    self.graph.in_neighbors(u).for_each(reach);
                }
            }
        });
    }

    /// Reaches each vertex that has a reached neighbor, including neighbors that are reached in the same pass. The
    /// newly reached vertices form a complete frontier: if a vertex found no reached neighbor, all of its reached
    /// neighbors were reached later in this pass, and so are in the frontier.
    fn look_for_reached(&self) -> Level {
        let pieces = self.num_words().div_ceil(WORDS);
        filch::map_reduce(0..pieces, Level::default, |_, piece| self.look_in_piece(piece), Level::add)
    }

    fn look_in_piece(&self, piece: usize) -> Level {
        let words = piece * WORDS..self.num_words().min((piece + 1) * WORDS);
        let unvisited = Unvisited::of(self.graph, &self.closed, words.clone());
        let (mut found, mut level, mut looks) = ([0; WORDS], Level::default(), 0);
        let mut is_reached = |u: G::Vertex| {
            looks += 1;
            self.reached.get(u.index())
        };
        unvisited.for_each(self.graph, |v| {
            if OUT && self.graph.in_neighbors(v).any(&mut is_reached)
                || IN && self.graph.neighbors(v).any(&mut is_reached)
            {
                found[v.index() / 64 - words.start] |= 1 << (v.index() % 64);
            }
        });
        level.looks = looks;
        for (word, found) in words.zip(found) {
            self.closed.put_word(word, self.closed.word(word) | found);
            self.reached.put_word(word, self.reached.word(word) | found);
            self.fresh.put_word(word, found);
            level = level + self.count(word, found);
        }
        level
    }
}
