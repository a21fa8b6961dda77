//! Checks the distances of closeness and harmonic centrality.

use super::Wrong;
use crate::graph::Graph;
use crate::vertex::Vertex;
use std::collections::VecDeque;

/// Checks sums of the distances to all vertices of a graph. For each vertex, `found` has the number of others from
/// which paths lead to it, the sum of their distances, which must be exact, and the sum of the reciprocals, which may
/// be off by `tolerance` times itself. The distances are found in the other direction: from each vertex along the arcs.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_closeness;
///
/// let graph: Csr = Csr::builder(3).build(vec![(0, 1), (1, 2)])?;
/// verify_closeness(&graph, [(0, 0, 0.0), (1, 1, 1.0), (2, 3, 1.5)], 1e-9)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O(n (n + m)), serial. Memory: some 40 bytes for each vertex.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_closeness<G: Graph>(
    graph: &G,
    found: impl IntoIterator<Item = (usize, u64, f64)>,
    tolerance: f64,
) -> Result<(), Wrong> {
    let count = graph.num_vertices();
    let found: Vec<_> = found.into_iter().collect();
    if found.len() != count {
        return Err(Wrong::length(found.len(), "sums", count));
    }
    let mut expected = vec![(0, 0, 0.0); count];
    for source in 0..count {
        let mut is_reached = vec![false; count];
        is_reached[source] = true;
        let mut queue = VecDeque::from([(source, 0_u64)]);
        while let Some((v, distance)) = queue.pop_front() {
            if distance > 0 {
                let (others, total, harmonic) = &mut expected[v];
                *others += 1;
                *total += distance;
                *harmonic += 1.0 / distance as f64;
            }
            for w in graph.neighbors(G::Vertex::new(v)).map(Vertex::index) {
                if !std::mem::replace(&mut is_reached[w], true) {
                    queue.push_back((w, distance + 1));
                }
            }
        }
    }
    for (vertex, (&(others, total, harmonic), &right)) in found.iter().zip(&expected).enumerate() {
        let is_near = (harmonic - right.2).abs() <= tolerance * right.2;
        if (others, total) != (right.0, right.1) || !is_near {
            return Err(Wrong(format!(
                "{others} vertices reach vertex {vertex}, with distances of {total} in total and reciprocals of \
                 {harmonic}: expected {}, {} and {}",
                right.0, right.1, right.2
            )));
        }
    }
    Ok(())
}
