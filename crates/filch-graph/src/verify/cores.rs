//! Checks coreness values.

use super::Wrong;
use super::arcs::for_each_arc;
use crate::graph::Graph;
use crate::vertex::Vertex;

/// Properties of coreness values that [`verify_cores`] has accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoresSummary {
    /// The largest coreness, 0 for an empty graph.
    pub degeneracy: u32,
    /// The number of vertices of this coreness.
    pub innermost: usize,
}

/// Checks whether `coreness` is the coreness of each vertex of an undirected graph, in which self-loops do not count
/// and parallel edges count separately.
///
/// No value is too high: each vertex has at least as many neighbors as its value among those with the same value or
/// more. No value is too low: if vertices are removed in ascending order of their values, all of value k can be
/// removed while they have at most k neighbors left.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_cores;
///
/// let graph: Csr = Csr::builder(4).symmetrize(true).build(vec![(0, 1), (1, 2), (2, 0), (2, 3)])?;
/// assert_eq!(verify_cores(&graph, &[2, 2, 2, 1])?.innermost, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O(n log n + m), serial. Memory: some 40 bytes for each vertex.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_cores<G: Graph>(graph: &G, coreness: &[u32]) -> Result<CoresSummary, Wrong> {
    let count = graph.num_vertices();
    if coreness.len() != count {
        return Err(Wrong::length(coreness.len(), "values", count));
    }
    let (mut inside, mut left) = (vec![0_usize; count], vec![0_usize; count]);
    for_each_arc(graph, |u, w| {
        if u != w {
            left[u] += 1;
            inside[u] += usize::from(coreness[w] >= coreness[u]);
        }
    });
    for vertex in 0..count {
        if inside[vertex] < coreness[vertex] as usize {
            return Err(Wrong(format!(
                "the coreness of vertex {vertex} is {found}, \
                 but only {neighbors} neighbors have as much or more",
                found = coreness[vertex],
                neighbors = inside[vertex]
            )));
        }
    }

    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&v| coreness[v]);
    let mut is_removed = vec![false; count];
    for same in order.chunk_by(|&v, &w| coreness[v] == coreness[w]) {
        let value = coreness[same[0]];
        let may_go = |left: usize| left <= value as usize;
        let mut stack: Vec<usize> = same.iter().copied().filter(|&v| may_go(left[v])).collect();
        stack.iter().for_each(|&v| is_removed[v] = true);
        while let Some(v) = stack.pop() {
            for w in graph.neighbors(G::Vertex::new(v)).map(Vertex::index).filter(|&w| w != v) {
                left[w] = left[w].saturating_sub(1);
                if coreness[w] == value && !is_removed[w] && may_go(left[w]) {
                    is_removed[w] = true;
                    stack.push(w);
                }
            }
        }
        if let Some(&vertex) = same.iter().find(|&&v| !is_removed[v]) {
            return Err(Wrong(format!(
                "the coreness of vertex {vertex} is {value}: expected more, \
                 because it is in a core of {expected} or more",
                expected = value + 1
            )));
        }
    }
    let degeneracy = order.last().map_or(0, |&v| coreness[v]);
    Ok(CoresSummary { degeneracy, innermost: coreness.iter().filter(|&&value| value == degeneracy).count() })
}
