//! Bipartite graphs: the vertices are on two sides, and every edge has an end on each. The proof that a graph is not
//! bipartite is a cycle of an odd number of edges.
//!
//! A breadth-first search from the smallest vertex of each component puts vertices of even depth on one side. Then an
//! edge within a side joins two vertices of the same depth, and the paths from them to the vertex where they meet are a
//! cycle with it, which is odd. Most graphs with an odd cycle have one near any vertex, so one worker looks along a few
//! arcs first. Only if it finds none, workers search the whole graph. Depths do not depend on the schedule, and of
//! several cycles that search takes the one at the smallest vertex. So the sides and the cycle are the same on any
//! number of workers.

// `serial` is independent. May import: searches, `Graph` and arrays, not other algorithms, builders or readers.

mod serial;

pub use serial::serial;

use crate::choose::tuning::{LITTLE, PIECE};
use crate::graph::{DirectedError, Graph};
use crate::rooted;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch, look_at};
use filch_algorithms::{map, pack_indices};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A search for the two sides of a graph, as a builder.
#[derive(Clone, Copy)]
pub struct Bipartite<'w> {
    watch: &'w dyn Watch,
}

impl Default for Bipartite<'_> {
    fn default() -> Self {
        Bipartite { watch: &() }
    }
}

/// The two sides of `graph`, as [`Bipartite::run`] finds them.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::bipartite::{BipartiteError, bipartite};
///
/// let cycle = |n: u32| Csr::<u32>::builder(n as usize).symmetrize(true).build((0..n).map(|v| (v, (v + 1) % n)));
/// assert_eq!(bipartite(&cycle(4)?)?.sides, [false, true, false, true]);
/// assert_eq!(bipartite(&cycle(5)?), Err(BipartiteError::OddCycle(vec![2, 1, 0, 4, 3])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`Bipartite::run`].
///
/// # Panics
///
/// Panics as [`Bipartite::run`] does.
pub fn bipartite<G: Graph>(graph: &G) -> Result<Sides, BipartiteError<G::Vertex>> {
    Bipartite::new().run(graph)
}

/// Why a graph has no two sides.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BipartiteError<V = u32> {
    /// The graph is directed.
    #[error(transparent)]
    Directed(#[from] DirectedError),
    /// A cycle of an odd number of edges: each of these vertices is a neighbor of the next one, and the last of the
    /// first. A single vertex has a self-loop.
    #[error("this graph is not bipartite: it has a cycle of {} edges", .0.len())]
    OddCycle(Vec<V>),
}

/// The two sides of a bipartite graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The side of each vertex: false for the smallest vertex of each component.
    pub sides: Vec<bool>,
}

impl Sides {
    /// The vertices of a side, in ascending order. Work: O(n), in parallel.
    pub fn of<V: Vertex>(&self, side: bool) -> Vec<V> {
        map(&pack_indices(self.sides.len(), |v| self.sides[v] == side), |&v| V::new(v))
    }
}

impl<'w> Bipartite<'w> {
    /// A search without a watch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports progress to `watch`: one pass, over the vertices, whose edges are checked after the search. There is
    /// none if an odd cycle is found before.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        Bipartite { watch }
    }

    /// The two sides of `graph`.
    ///
    /// Work: O(n + m). Span: as of a breadth-first search, the number of levels times the length of the longest row.
    /// Memory: 8 bytes and a vertex for each vertex, and the result.
    ///
    /// # Errors
    ///
    /// [`BipartiteError`]: the graph is directed, or has an odd cycle.
    ///
    /// # Panics
    ///
    /// Panics if the global pool is needed and cannot be started; see [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G) -> Result<Sides, BipartiteError<G::Vertex>> {
        DirectedError::check(graph)?;
        let n = graph.num_vertices();
        if let Some(cycle) = odd_cycle_nearby(graph, (n + graph.num_arcs()) / LITTLE) {
            return Err(BipartiteError::OddCycle(cycle));
        }
        let depths = rooted::search(graph).depths;
        self.watch.begin(Pass::new("checking", "vertices", n));
        let side = |v: G::Vertex| depths[v.index()] % 2 == 1;
        let same_side = |v: G::Vertex| graph.neighbors(v).find(|&u| side(u) == side(v));
        // The smallest vertex that has a neighbor on its side.
        let first = AtomicUsize::new(n);
        filch::for_each(0..n.div_ceil(PIECE), |_, piece| {
            let vertices = piece * PIECE..n.min((piece + 1) * PIECE);
            self.watch.advance(vertices.len());
            if vertices.start < first.load(Ordering::Relaxed)
                && let Some(v) = vertices.into_iter().find(|&v| same_side(G::Vertex::new(v)).is_some())
            {
                first.fetch_min(v, Ordering::Relaxed);
            }
        });
        let first = first.into_inner();
        if first == n {
            return Ok(Sides { sides: map(&depths, |depth| depth % 2 == 1) });
        }
        let v = G::Vertex::new(first);
        let u = same_side(v).expect("it was found before");
        Err(BipartiteError::OddCycle(odd_cycle(graph, |v| depths[v.index()], v, u)))
    }
}

/// The first odd cycle that a search from the smallest vertices meets. It ends after so many arcs.
fn odd_cycle_nearby<G: Graph>(graph: &G, mut arcs: usize) -> Option<Vec<G::Vertex>> {
    let mut depths = HashMap::new();
    let mut queue = VecDeque::new();
    for root in (0..graph.num_vertices()).map(G::Vertex::new) {
        look_at(root.index());
        arcs = arcs.checked_sub(1)?;
        if depths.contains_key(&root.index()) {
            continue;
        }
        depths.insert(root.index(), 0);
        queue.push_back((root, 0));
        while let Some((v, depth)) = queue.pop_front() {
            for u in graph.neighbors(v) {
                arcs = arcs.checked_sub(1)?;
                look_at(arcs);
                match depths.entry(u.index()) {
                    Entry::Vacant(entry) => {
                        entry.insert(depth + 1);
                        queue.push_back((u, depth + 1));
                    }
                    Entry::Occupied(entry) if *entry.get() == depth => {
                        let depth = |v: G::Vertex| depths.get(&v.index()).copied().unwrap_or(u32::MAX);
                        return Some(odd_cycle(graph, depth, v, u));
                    }
                    Entry::Occupied(_) => (),
                }
            }
        }
    }
    None
}

/// The cycle of the edge between `u` and `v`, which have the same depth, and the shortest paths from them to a vertex.
fn odd_cycle<G: Graph>(
    graph: &G,
    depth: impl Fn(G::Vertex) -> u32,
    mut v: G::Vertex,
    mut u: G::Vertex,
) -> Vec<G::Vertex> {
    let above = |v: G::Vertex| {
        let above = graph.neighbors(v).filter(|&u| depth(u).checked_add(1) == Some(depth(v))).min();
        above.expect("a vertex below the first one has a neighbor above")
    };
    let (mut cycle, mut back) = (vec![v], Vec::new());
    while u != v {
        look_at(cycle.len());
        back.push(u);
        (u, v) = (above(u), above(v));
        cycle.push(v);
    }
    cycle.extend(back.into_iter().rev());
    cycle
}
