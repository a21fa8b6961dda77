//! Colouring: a colour for each vertex, such that neighbors have different ones.
//!
//! The colours are those of a serial loop that goes through the vertices in an order and gives each the first colour
//! that none of its neighbors has yet. A vertex needs to wait only for its neighbors that come before it (Jones and
//! Plassmann 1993, "A parallel graph coloring heuristic"): it counts them, each of them decrements the count, and the
//! last one makes it ready. Chains of vertices that wait for each other are short if the order is random within classes
//! of similar degree (Hasenplaugh, Kaler, Schardl and Leiserson 2014, "Ordering heuristics for parallel graph
//! coloring", sections 3 and 4). The order is drawn, by a seed, and the result depends on nothing else: it is the same
//! on any number of workers. `filch-search` finds the fewest colours of small graphs.

// Modules: `order`; `serial` is independent of the algorithm. May import: `Graph` and arrays, not other algorithms,
// builders or readers.

mod order;
mod serial;

pub use order::{Order, ParseOrderError};
pub use serial::serial;

use crate::choose::tuning::SMALL;
use crate::graph::{DirectedError, Graph};
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};
use filch_algorithms::{pack_indices, reduce, tabulate};
use order::Places;
use std::sync::atomic::{AtomicU32, Ordering};

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
    /// Work: O(n + m). Every row is read three times. Span: the longest chain of neighbors in the order, each with the
    /// time for its row. Memory: 16 bytes for each vertex, four of which are the result, and a vertex for each colour
    /// and worker.
    ///
    /// # Errors
    ///
    /// [`DirectedError`] if the graph is directed.
    ///
    /// # Panics
    ///
    /// Panics if a degree does not fit in 32 bits, or if the global pool is needed and cannot be started; see
    /// [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G) -> Result<Colours, DirectedError> {
        DirectedError::check(graph)?;
        let n = graph.num_vertices();
        self.watch.begin(Pass::new("colouring", "vertices", n));
        let places = Places::new(graph, self.order, self.seed);
        // For each vertex, how many of the neighbors before it have no colour.
        let waiting = tabulate(n, |v| {
            let before = graph.neighbors(G::Vertex::new(v)).filter(|u| places.is_before(u.index(), v)).count();
            AtomicU32::new(u32::try_from(before).expect("a degree in this graph is too large: degrees have 32 bits"))
        });
        let colours = tabulate(n, |_| AtomicU32::new(NO_COLOUR));
        let ready = pack_indices(n, |v| waiting[v].load(Ordering::Relaxed) == 0);
        let is_shared = filch::num_workers() > 1;
        let done = filch::traverse(
            ready.into_iter().map(G::Vertex::new),
            || Palette { taken: Vec::new(), count: 0 },
            |list, v| {
                let palette = list.workspace();
                for u in graph.neighbors(v) {
                    palette.take(v, colours[u.index()].load(Ordering::Relaxed));
                }
                colours[v.index()].store(palette.first_free(v), Ordering::Relaxed);
                palette.count += 1;
                if palette.count.is_multiple_of(SMALL) {
                    self.watch.advance(SMALL);
                }
                // Those after it have no colour, since they wait for it.
                for u in graph.neighbors(v).filter(|&u| u != v) {
                    if colours[u.index()].load(Ordering::Relaxed) == NO_COLOUR
                        && is_last(&waiting[u.index()], is_shared)
                    {
                        list.push(u);
                    }
                }
            },
        );
        self.watch.advance(done.workspaces.iter().map(|palette| palette.count % SMALL).sum());
        let colours = tabulate(n, |v| colours[v].load(Ordering::Relaxed));
        let count = reduce(&colours, || 0, |&colour| colour.wrapping_add(1), Ord::max) as usize;
        Ok(Colours { colours, count })
    }
}

/// Decrements a count. True if it is 0 then: what those who decremented it before have written can be read.
#[inline(always)]
fn is_last(count: &AtomicU32, is_shared: bool) -> bool {
    if is_shared {
        return count.fetch_sub(1, Ordering::AcqRel) == 1;
    }
    let left = count.load(Ordering::Relaxed).wrapping_sub(1);
    count.store(left, Ordering::Relaxed);
    left == 0
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

const NO_COLOUR: u32 = u32::MAX;

/// The colours of the neighbors of a vertex.
struct Palette<V> {
    /// For each colour, the vertex for which it was taken last.
    taken: Vec<V>,
    /// The number of vertices that have got a colour here.
    count: usize,
}

impl<V: Vertex> Palette<V> {
    #[inline(always)]
    fn take(&mut self, v: V, colour: u32) {
        if colour != NO_COLOUR {
            let colour = colour as usize;
            if colour >= self.taken.len() {
                self.taken.resize(colour + 1, V::NONE);
            }
            self.taken[colour] = v;
        }
    }

    #[inline(always)]
    fn first_free(&self, v: V) -> u32 {
        self.taken.iter().position(|&taken| taken != v).unwrap_or(self.taken.len()) as u32
    }
}
