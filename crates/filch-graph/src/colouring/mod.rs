//! Colouring: a colour for each vertex, such that neighbors have different ones.
//!
//! The colours are those of a serial loop that goes through the vertices in an order and gives each the first colour
//! that none of its neighbors has yet. A vertex depends only on its neighbors that come before it (Jones and Plassmann
//! 1993, "A parallel graph coloring heuristic"). Chains of vertices that depend on each other are short if the order is
//! random within classes of similar degree (Hasenplaugh, Kaler, Schardl and Leiserson 2014, "Ordering heuristics for
//! parallel graph coloring", sections 3 and 4). The order is drawn, by a seed, and the result depends on nothing else:
//! it is the same on any number of workers. `filch-search` finds the fewest colours of small graphs.
//!
//! Workers take small pieces of the order from its beginning on, so that almost all a vertex depends on is done when
//! its turn comes. If a neighbor is not, because another worker has it in its piece, the worker gives it its colour
//! first. Both find the same colour, so they need not know of each other.

// Modules: `order`; `serial` is independent of the algorithm. May import: `Graph` and arrays, not other algorithms,
// builders or readers.

mod order;
mod serial;

pub use order::{Order, ParseOrderError};
pub use serial::serial;

use crate::choose::is_near;
use crate::choose::tuning::{AHEAD, CHUNK, SMALL};
use crate::graph::{DirectedError, Graph};
use crate::prefetch::prefetch;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch, look_at};
use filch_algorithms::{map, reduce, tabulate};
use order::Places;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// A colouring, as a builder.
#[derive(Clone, Copy)]
pub struct Colouring<'w> {
    order: Order,
    seed: u64,
    watch: &'w dyn Watch,
}

impl Default for Colouring<'_> {
    fn default() -> Self {
        Colouring { order: Order::LargestLogDegree, seed: 1, watch: &() }
    }
}

/// A colour for each vertex of `graph`, as [`Colouring::run`] finds them.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::colouring::colouring;
///
/// let star: Csr = Csr::builder(4).symmetrize(true).build(vec![(0, 1), (0, 2), (0, 3)])?;
/// let found = colouring(&star)?;
/// assert_eq!((found.colours, found.count), (vec![0, 1, 1, 1], 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`Colouring::run`].
///
/// # Panics
///
/// Panics as [`Colouring::run`] does.
pub fn colouring<G: Graph>(graph: &G) -> Result<Colours, DirectedError> {
    Colouring::new().run(graph)
}

impl<'w> Colouring<'w> {
    /// A colouring in the order [`LargestLogDegree`](Order::LargestLogDegree) with the seed 1.
    pub fn new() -> Self {
        Self::default()
    }

    /// The order of the vertices.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Colouring { order, ..self }
    }

    /// The seed of the order, where it is random.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Colouring { seed, ..self }
    }

    /// Reports progress to `watch`: one pass, which ends when all vertices have a colour.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        Colouring { watch, ..self }
    }

    /// A colour for each vertex of `graph`, from 0 on. Self-loops do not count. There is at most one colour more than
    /// the largest number of neighbors of a vertex.
    ///
    /// Work: O(n + m), and what several workers do at the same time. Span: the longest chain of neighbors in the order,
    /// each with the time for its row. Memory: 20 bytes and a vertex for each vertex, and a word for each colour and
    /// worker.
    ///
    /// # Errors
    ///
    /// [`DirectedError`] if the graph is directed.
    ///
    /// # Panics
    ///
    /// Panics if the global pool is needed and cannot be started; see [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G) -> Result<Colours, DirectedError> {
        DirectedError::check(graph)?;
        let n = graph.num_vertices();
        self.watch.begin(Pass::new("colouring", "vertices", n));
        let order: Vec<G::Vertex> = Places::new(graph, self.order, self.seed).sorted();
        if filch::num_workers() == 1 {
            return Ok(alone(graph, &order, self.watch));
        }
        let greedy = Greedy::new(graph, &order);
        let next = AtomicUsize::new(0);
        filch::for_each_with(Palette::default, 0..filch::num_workers(), |_, palette, _| {
            loop {
                let begin = next.fetch_add(CHUNK, Ordering::Relaxed).min(n);
                let end = n.min(begin + CHUNK);
                if begin == end {
                    break;
                }
                filch::end_if_cancelled();
                for at in begin..end {
                    look_ahead(graph, &order, at, &greedy.seats);
                    greedy.colour(order[at], palette);
                }
                self.watch.advance(end - begin);
            }
        });
        let colours = map(&greedy.seats, |seat| Seat::from(seat).colour);
        let count = reduce(&colours, || 0, |&colour| colour.wrapping_add(1), Ord::max) as usize;
        Ok(Colours { colours, count })
    }
}

/// One worker goes through the order. A neighbor without a colour comes later, so nobody needs to know where it stands.
fn alone<G: Graph>(graph: &G, order: &[G::Vertex], watch: &dyn Watch) -> Colours {
    let (mut colours, mut count, mut palette) = (vec![u32::MAX; order.len()], 0, Palette::default());
    for (at, &v) in order.iter().enumerate() {
        look_at(at);
        look_ahead(graph, order, at, &colours);
        let turn = palette.next_turn();
        for colour in graph.neighbors(v).map(|u| colours[u.index()]) {
            if colour != u32::MAX {
                palette.take(colour as usize, turn);
            }
        }
        colours[v.index()] = palette.first_free(turn);
        count = count.max(colours[v.index()] as usize + 1);
        if (at + 1) % SMALL == 0 {
            watch.advance(SMALL);
        }
    }
    watch.advance(order.len() % SMALL);
    Colours { colours, count }
}

/// Prefetches for vertices that come after the one at `at`: their rows, and what is known of their first neighbors,
/// unless that is in the cache. Looking ahead at all of a long row would take longer than it saves.
#[inline(always)]
fn look_ahead<G: Graph, T>(graph: &G, order: &[G::Vertex], at: usize, known: &[T]) {
    if let Some(&v) = order.get(at + 3 * AHEAD / 2) {
        graph.prefetch(v);
    }
    if let Some(&v) = order.get(at + AHEAD) {
        graph.prefetch_neighbors(v);
    }
    if let Some(&v) = order.get(at + AHEAD / 2).filter(|_| !is_near(known.len(), size_of::<T>())) {
        graph.neighbors(v).take(AHEAD).for_each(|u| prefetch(known, u.index()));
    }
}

/// A colour for each vertex, such that neighbors have different ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colours {
    /// The colour of each vertex.
    pub colours: Vec<u32>,
    /// The number of colours, which are numbered from 0.
    pub count: usize,
}

impl Colours {
    /// The number of vertices of each colour. Work: O(n), in parallel.
    pub fn histogram(&self) -> Vec<usize> {
        filch_algorithms::histogram(self.colours.len(), self.count, |v| self.colours[v] as usize)
    }
}

/// What is known of a vertex: where it stands in the order, and its colour, if it has one. Both are in one word, so
/// that a look at a neighbor is one read from memory.
struct Seat {
    place: u64,
    colour: u32,
}

impl Seat {
    /// So many bits are enough: a greedy colouring with k colours needs k (k - 1) arcs. The others are the place's.
    const COLOUR_BITS: u32 = 24;
    const NO_COLOUR: u32 = (1 << Self::COLOUR_BITS) - 1;

    #[inline(always)]
    fn word(&self) -> u64 {
        self.place << Self::COLOUR_BITS | u64::from(self.colour)
    }

    #[inline(always)]
    fn from(word: &AtomicU64) -> Self {
        let word = word.load(Ordering::Relaxed);
        Seat { place: word >> Self::COLOUR_BITS, colour: word as u32 & Self::NO_COLOUR }
    }
}

struct Greedy<'g, G> {
    graph: &'g G,
    /// That of each vertex. The colour is stored by any worker that has found it, and each finds the same.
    seats: Vec<AtomicU64>,
}

impl<'g, G: Graph> Greedy<'g, G> {
    fn new(graph: &'g G, order: &[G::Vertex]) -> Self {
        let seats = tabulate(order.len(), |_| AtomicU64::new(0));
        filch::for_each((0..order.len() as u64, order), |_, (place, v)| {
            seats[v.index()].store(Seat { place, colour: Seat::NO_COLOUR }.word(), Ordering::Relaxed);
        });
        Greedy { graph, seats }
    }

    /// Gives a vertex its colour, and before it those neighbors before it that have none.
    fn colour(&self, first: G::Vertex, palette: &mut Palette) {
        let (mut waiting, mut next) = (Vec::new(), Some(first));
        while let Some(v) = next {
            look_at(waiting.len());
            let place = Seat::from(&self.seats[v.index()]).place;
            next = match self.first_free(v, place, palette) {
                Ok(colour) => {
                    assert!(colour < Seat::NO_COLOUR, "more colours than a graph has arcs for");
                    self.seats[v.index()].store(Seat { place, colour }.word(), Ordering::Relaxed);
                    waiting.pop()
                }
                Err(neighbor) => {
                    waiting.push(v);
                    Some(neighbor)
                }
            };
        }
    }

    /// The first colour that no neighbor before `v` has, or such a neighbor without a colour.
    #[inline(always)]
    fn first_free(&self, v: G::Vertex, place: u64, palette: &mut Palette) -> Result<u32, G::Vertex> {
        let turn = palette.next_turn();
        for u in self.graph.neighbors(v) {
            match Seat::from(&self.seats[u.index()]) {
                seat if seat.place >= place => (),
                Seat { colour: Seat::NO_COLOUR, .. } => return Err(u),
                Seat { colour, .. } => palette.take(colour as usize, turn),
            }
        }
        Ok(palette.first_free(turn))
    }
}

/// The colours of the neighbors of a vertex.
#[derive(Default)]
struct Palette {
    /// For each colour, the turn in which it was taken last.
    taken: Vec<u64>,
    turns: u64,
}

impl Palette {
    fn next_turn(&mut self) -> u64 {
        self.turns += 1;
        self.turns
    }

    #[inline(always)]
    fn take(&mut self, colour: usize, turn: u64) {
        if colour >= self.taken.len() {
            self.taken.resize(colour + 1, 0);
        }
        self.taken[colour] = turn;
    }

    #[inline(always)]
    fn first_free(&self, turn: u64) -> u32 {
        self.taken.iter().position(|&taken| taken != turn).unwrap_or(self.taken.len()) as u32
    }
}
