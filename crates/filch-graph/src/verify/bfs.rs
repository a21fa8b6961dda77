//! Checks whether depths are distances from a root, and whether each parent is one step nearer to it.

use std::collections::VecDeque;

use super::Wrong;
use super::arcs::for_each_arc;
use crate::graph::Graph;
use crate::vertex::Vertex;

/// Properties of a breadth-first search that [`verify_bfs`] has accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BfsSummary {
    /// The number of vertices at each depth, from the root on.
    pub levels: Vec<usize>,
    /// The number of arcs that leave reached vertices.
    pub arcs: usize,
}

impl BfsSummary {
    /// The number of reached vertices, including the root.
    pub fn reached(&self) -> usize {
        self.levels.iter().sum()
    }
}

/// The depth of an unreached vertex.
const UNREACHED: u32 = u32::MAX;

/// Checks whether `depths` are the distances from `root`, with `u32::MAX` for unreached vertices, and whether an arc
/// leads to each reached vertex from its parent, which must be one step nearer to the root. The root must be its own
/// parent. Unreached vertices must have the parent [`NONE`](Vertex::NONE).
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_bfs;
///
/// let graph: Csr = Csr::builder(4).build(vec![(0, 1), (1, 2)])?;
/// let summary = verify_bfs(&graph, 0, &[0, 1, 2, u32::MAX], &[0, 0, 1, u32::MAX])?;
/// assert_eq!(summary.levels, [1, 1, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O(n + m), serial: a search with a queue, and a pass over all arcs. Memory: five bytes for each vertex, and the
/// queue.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_bfs<G: Graph>(
    graph: &G,
    root: G::Vertex,
    depths: &[u32],
    parents: &[G::Vertex],
) -> Result<BfsSummary, Wrong> {
    let count = graph.num_vertices();
    if depths.len() != count || parents.len() != count {
        return Err(Wrong(format!(
            "{depths} depths and {parents} parents were found, \
             expected one for each of {count} vertices",
            depths = depths.len(),
            parents = parents.len()
        )));
    }
    if root.index() >= count {
        return Err(Wrong(format!("the root is {root}: expected a vertex below {count}", root = root.index())));
    }
    let (expected, summary) = distances(graph, root);
    for (vertex, (&found, &expected)) in depths.iter().zip(&expected).enumerate() {
        if found != expected {
            let [found_at, expected_at] = [found, expected].map(|depth| depth as usize);
            return Err(match (found, expected) {
                (UNREACHED, _) => Wrong(format!("vertex {vertex} was not reached: expected depth {expected_at}")),
                (_, UNREACHED) => Wrong(format!(
                    "vertex {vertex} has depth {found_at}: \
                     expected none, because it cannot be reached"
                )),
                _ => Wrong(format!("vertex {vertex} has depth {found_at}: expected {expected_at}")),
            });
        }
    }
    parents_are_nearer(graph, root, depths, parents)?;
    Ok(summary)
}

fn distances<G: Graph>(graph: &G, root: G::Vertex) -> (Vec<u32>, BfsSummary) {
    let mut depths = vec![UNREACHED; graph.num_vertices()];
    let mut summary = BfsSummary { levels: Vec::new(), arcs: 0 };
    let mut queue = VecDeque::from([root]);
    depths[root.index()] = 0;
    while let Some(u) = queue.pop_front() {
        let depth = depths[u.index()];
        if summary.levels.len() == depth as usize {
            summary.levels.push(0);
        }
        summary.levels[depth as usize] += 1;
        for w in graph.neighbors(u) {
            summary.arcs += 1;
            if depths[w.index()] == UNREACHED {
                depths[w.index()] = depth + 1;
                queue.push_back(w);
            }
        }
    }
    (depths, summary)
}

/// Requires that `depths` are correct.
fn parents_are_nearer<G: Graph>(
    graph: &G,
    root: G::Vertex,
    depths: &[u32],
    parents: &[G::Vertex],
) -> Result<(), Wrong> {
    let mut led_to = vec![false; parents.len()];
    for_each_arc(graph, |u, w| led_to[w] |= parents[w].index() == u);
    for (vertex, &parent) in parents.iter().enumerate() {
        let found = parent.index();
        if vertex == root.index() {
            if parent != root {
                return Err(Wrong(format!("the parent of the root {vertex} is {found}: expected itself")));
            }
        } else if depths[vertex] == UNREACHED {
            if parent != G::Vertex::NONE {
                return Err(Wrong(format!(
                    "the parent of vertex {vertex} is {found}: \
                     expected none, because it was not reached"
                )));
            }
        } else {
            let expected = depths[vertex] as usize - 1;
            if parent == G::Vertex::NONE {
                return Err(Wrong(format!(
                    "vertex {vertex} was reached but has no parent: \
                     expected a vertex at depth {expected}"
                )));
            }
            if !led_to[vertex] {
                return Err(Wrong(format!(
                    "the parent of vertex {vertex} is {found}, \
                     but no arc leads from there to {vertex}"
                )));
            }
            // This is a vertex, because an arc leaves it.
            let depth = depths[found];
            if depth == UNREACHED {
                return Err(Wrong(format!(
                    "the parent of vertex {vertex} is {found}, \
                     which was not reached: expected one at depth {expected}"
                )));
            }
            if depth as usize != expected {
                return Err(Wrong(format!(
                    "the parent of vertex {vertex} is {found} at depth {depth}: \
                     expected one at depth {expected}",
                    depth = depth as usize
                )));
            }
        }
    }
    Ok(())
}
