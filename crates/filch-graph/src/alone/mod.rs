//! A plain traversal by one worker, which goes on only while it is fast.
//!
//! Where one worker finds what it needs in a cache, or in the order of memory, the plain traversal is hard to beat,
//! even by several workers: nothing is claimed, and no memory moves between processors. Whether it is so depends on the
//! graph, on how its vertices are numbered and on the machine, and the clock shows it better than any sample of the
//! graph. So the traversal begins. After each *portion* of the graph it compares the time that the rest will take at
//! this pace with that of the algorithm that would be used instead, and goes on or gives up.
//!
//! The first portions are small, and later ones a fixed share of the graph. So a wrong beginning costs an array and two
//! small portions, with the rows in which they end, and before them the first sixteenth of a graph in no order, which
//! fills the cache; and a pace that is lost on the way is noticed in time, but a traversal that is almost complete is
//! completed.
//!
//! The unit of both is the *near step*: what the same code takes for a vertex or an arc of a path that lies in the
//! first-level cache. It is measured once per process.

// Modules: `trial` (the decision, by times that it is told). The clock is read here.

mod trial;

pub(crate) use trial::Rival;

use crate::csr::{Csr, Rows};
use crate::filled::repeated;
use crate::graph::Graph;
use crate::vertex::Vertex;
use std::mem;
use std::ops::Range;
use std::sync::OnceLock;
use std::time::Instant;
use trial::{PORTION, Trial};

/// The number of vertices of the path on which the near step is measured: its rows, its parents and the stack take 8
/// KiB, a part of a first-level cache.
const PATH: usize = 1 << 9;

/// How often the path is traversed, a microsecond or two each time. The fastest counts: the others were interrupted, or
/// have filled the cache.
const PASSES: usize = 8;

/// How long a step of the traversal takes whose data is in the first-level cache and whose branches are predicted.
/// Depends on the processor, not on the graph. Zero if there is no clock, or if it is too coarse.
fn near_step_ns() -> f64 {
    if cfg!(all(target_family = "wasm", target_os = "unknown")) {
        return 0.0;
    }
    static NEAR_STEP: OnceLock<f64> = OnceLock::new();
    *NEAR_STEP.get_or_init(|| {
        let graph = path();
        let steps = (PATH + graph.num_arcs()) as f64;
        let passes = (0..PASSES).map(|_| {
            let mut cells = vec![u32::NONE; PATH];
            let mut place = Place::new(PATH);
            let begun = Instant::now();
            visit::<_, false, false>(&graph, &mut cells, &mut place, usize::MAX);
            begun.elapsed()
        });
        passes.min().unwrap_or_default().as_nanos() as f64 / steps
    })
}

fn path() -> Csr {
    let (mut offsets, mut targets) = (vec![0], Vec::new());
    for v in 0..PATH {
        targets.extend(v.checked_sub(1).into_iter().chain(Some(v + 1).filter(|&next| next < PATH)).map(u32::new));
        offsets.push(targets.len());
    }
    let weights = vec![(); targets.len()];
    Csr::from_rows(Rows { offsets, targets, weights }, None)
}

/// The parent of each vertex in a spanning forest, in which `first` is a root, or with `ROOTS` the root itself. The
/// other roots are the smallest vertices of their components. `None` if the traversal has given up. `DIRECTED`: arcs
/// are followed in both directions.
pub(crate) fn traverse<G: Graph, const ROOTS: bool, const DIRECTED: bool>(
    graph: &G,
    first: Option<G::Vertex>,
    rival: Rival,
) -> Option<Vec<G::Vertex>> {
    let n = graph.num_vertices();
    let mut trial = Trial::new(graph, DIRECTED, rival, near_step_ns());
    if !trial.begins() {
        return None;
    }
    // All memory has been touched when the clock starts.
    let mut cells = repeated(n, || G::Vertex::NONE);
    let mut place = Place::new(n);
    if let Some(first) = first {
        cells[first.index()] = first;
        place.root = first;
        place.stack.push(first);
    }
    loop {
        let begun = Instant::now();
        let steps = visit::<_, ROOTS, DIRECTED>(graph, &mut cells, &mut place, trial.portion());
        if place.is_end() {
            return Some(cells);
        }
        if !trial.goes_on(steps, begun.elapsed()) {
            return None;
        }
    }
}

/// Where a traversal is.
struct Place<V> {
    /// Vertices that have been reached, and wait to be visited.
    stack: Vec<V>,
    /// The root of the present tree.
    root: V,
    /// The vertices that may be roots later.
    roots: Range<usize>,
}

impl<V: Vertex> Place<V> {
    /// The beginning, in a graph of `n` vertices.
    fn new(n: usize) -> Self {
        Place { stack: Vec::with_capacity(PORTION.min(n)), root: V::NONE, roots: 0..n }
    }

    fn is_end(&self) -> bool {
        self.stack.is_empty() && self.roots.is_empty()
    }
}

/// Goes on from `place` until `portion` vertices and arcs have been seen, or all. Returns how many it has seen.
///
/// Not inlined, and with everything in variables of its own, because the compiler then keeps them in registers, whoever
/// calls it.
#[inline(never)]
fn visit<G: Graph, const ROOTS: bool, const DIRECTED: bool>(
    graph: &G,
    cells: &mut [G::Vertex],
    place: &mut Place<G::Vertex>,
    portion: usize,
) -> usize {
    let (mut stack, mut root, mut roots) = (mem::take(&mut place.stack), place.root, place.roots.clone());
    let mut seen = 0;
    'all: while seen < portion {
        while let Some(u) = stack.pop() {
            let value = if ROOTS { root } else { u };
            let mut reach = |v: G::Vertex| {
                if cells[v.index()] == G::Vertex::NONE {
                    cells[v.index()] = value;
                    stack.push(v);
                }
                seen += 1;
            };
            for v in graph.neighbors(u) {
                reach(v);
            }
            if DIRECTED {
                for v in graph.in_neighbors(u) {
                    reach(v);
                }
            }
            seen += 1;
            if seen >= portion {
                break 'all;
            }
        }
        let Some(next) = roots.find(|&v| cells[v] == G::Vertex::NONE) else { break };
        root = G::Vertex::new(next);
        cells[next] = root;
        stack.push(root);
    }
    *place = Place { stack, root, roots };
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_on_which_steps_are_measured_has_one_component_and_no_cycle() {
        let path = path();
        assert_eq!((path.num_vertices(), path.num_arcs()), (PATH, 2 * (PATH - 1)));
        let mut cells = vec![u32::NONE; PATH];
        let seen = visit::<_, true, false>(&path, &mut cells, &mut Place::new(PATH), usize::MAX);
        assert_eq!(seen, PATH + path.num_arcs());
        assert!(cells.iter().all(|&root| root == 0));
    }

    #[test]
    fn a_traversal_in_portions_of_any_size_finds_what_it_finds_at_once() {
        let path = path();
        for portion in [1, 2, 3, 10, 1000] {
            let mut cells = vec![u32::NONE; PATH];
            let (mut place, mut seen) = (Place::new(PATH), 0);
            while !place.is_end() {
                seen += visit::<_, true, true>(&path, &mut cells, &mut place, portion);
            }
            assert_eq!(seen, PATH + 2 * path.num_arcs(), "in portions of {portion}");
            assert!(cells.iter().all(|&root| root == 0));
        }
    }
}
