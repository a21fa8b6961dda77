//! The vertices that a vertex reaches, or that reach it.
//!
//! A direction-optimizing search as for [components](crate::components), without depths and parents: while the
//! frontier is small its arcs are followed; while it is large each unreached vertex looks for a reached neighbor and
//! stops at the first one.

use crate::bitmap::{Bitmap, ones};
use crate::choose::tuning::{ALPHA, DEPTH, DIRECTED_LOOKS, WORDS};
use crate::graph::Graph;
use crate::open::Open;
use crate::vertex::Vertex;

/// The result of a level: the vertices that were reached and the arcs to follow from them, and the arcs that were
/// looked at for that.
#[derive(Clone, Copy, Default)]
struct Level {
    vertices: usize,
    arcs: usize,
    looks: usize,
}

impl Level {
    fn and(self, other: Level) -> Level {
        Level {
            vertices: self.vertices + other.vertices,
            arcs: self.arcs + other.arcs,
            looks: self.looks + other.looks,
        }
    }
}

/// `FORWARD`: along the arcs.
struct Reach<'g, G, const FORWARD: bool> {
    graph: &'g G,
    /// Reached vertices. Those outside of the bounds may be among them.
    reached: Bitmap,
    /// Reached vertices that have been noted, and all vertices outside of the bounds.
    closed: Bitmap,
    /// The frontier.
    fresh: Bitmap,
    is_shared: bool,
}

/// The component of `pivot`: the vertices that it reaches and that reach it. `None` if the graph is deep.
pub(super) fn component<G: Graph>(graph: &G, pivot: usize) -> Option<Bitmap> {
    let n = graph.num_vertices();
    let forward = Reach::<G, true>::new(graph, Bitmap::new(n)).run(pivot)?;
    // Paths to the pivot from vertices that it reaches stay among these, so no other is searched.
    let outside = Bitmap::new(n);
    filch::for_each(0..forward.words().len(), |_, word| {
        outside.put_word(word, !forward.word(word) & outside.mask(word));
    });
    let backward = Reach::<G, false>::new(graph, outside).run(pivot)?;
    filch::for_each(0..forward.words().len(), |_, word| {
        forward.put_word(word, forward.word(word) & backward.word(word));
    });
    Some(forward)
}

impl<'g, G: Graph, const FORWARD: bool> Reach<'g, G, FORWARD> {
    /// `closed`: the vertices outside of the bounds.
    fn new(graph: &'g G, closed: Bitmap) -> Self {
        let n = graph.num_vertices();
        let is_shared = filch::num_workers() > 1;
        Reach { graph, reached: Bitmap::new(n), closed, fresh: Bitmap::new(n), is_shared }
    }

    fn run(self, pivot: usize) -> Option<Bitmap> {
        self.reached.set(pivot, false);
        let mut looks_left = self.graph.num_arcs().saturating_mul(DIRECTED_LOOKS);
        let mut level = self.note();
        for _ in 0..DEPTH {
            if level.vertices == 0 {
                return Some(self.reached);
            }
            if looks_left > 0 && level.arcs > self.graph.num_arcs() / ALPHA {
                level = self.look_for_reached();
                looks_left = looks_left.saturating_sub(level.looks);
            } else {
                self.follow_arcs();
                level = self.note();
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
            if FORWARD { self.graph.degree(v) } else { self.graph.in_neighbors(v).count() }
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
        filch::map_reduce(0..self.num_words(), Level::default, |_, word| note_word(word), Level::and)
    }

    /// Reaches the neighbors of the frontier.
    fn follow_arcs(&self) {
        let reach = |v: G::Vertex| {
            self.reached.set(v.index(), self.is_shared);
        };
        filch::for_each(0..self.num_words(), |_, word| {
            for bit in ones(self.fresh.word(word)) {
                let u = G::Vertex::new(word * 64 + bit);
                if FORWARD {
                    self.graph.neighbors(u).for_each(reach);
                } else {
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
        filch::map_reduce(0..pieces, Level::default, |_, piece| self.look_in_piece(piece), Level::and)
    }

    fn look_in_piece(&self, piece: usize) -> Level {
        let words = piece * WORDS..self.num_words().min((piece + 1) * WORDS);
        let open = Open::of(self.graph, &self.closed, words.clone());
        let (mut found, mut level) = ([0; WORDS], Level::default());
        open.for_each(self.graph, |v| {
            let (first, looks) = if FORWARD {
                self.reached.first_set(self.graph.in_neighbors(v))
            } else {
                self.reached.first_set(self.graph.neighbors(v))
            };
            level.looks += looks;
            found[v.index() / 64 - words.start] |= u64::from(first.is_some()) << (v.index() % 64);
        });
        for (word, found) in words.zip(found) {
            self.closed.put_word(word, self.closed.word(word) | found);
            self.reached.put_word(word, self.reached.word(word) | found);
            self.fresh.put_word(word, found);
            level = level.and(self.count(word, found));
        }
        level
    }
}
