//! Checks whether numbers are the distances from a root, without searching for shortest paths.
//!
//! Two facts suffice. No arc leads to a vertex that is farther than the source of the arc and its weight, so no path is
//! shorter than a distance says. And *tight* arcs, at which the two are equal, lead from the root to every vertex that
//! has a distance, so there is a path as short as each distance says.

use super::Wrong;
use crate::graph::WeightedGraph;
use crate::vertex::Vertex;
use crate::weight::{Distance, Weight};

/// Properties of distances that [`verify_sssp`] has accepted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SsspSummary<D = f64> {
    /// The number of vertices that have a distance, including the root.
    pub reached: usize,
    /// The largest distance.
    pub farthest: D,
}

/// Checks whether `distances` are the least sums of weights of paths from `root`, with [`Distance::UNREACHED`] for
/// vertices that no path reaches. Sums of fractions are rounded to 64 bits at each arc, and compared exactly.
///
/// ```
/// use filch_graph::verify::verify_sssp;
/// use filch_graph::{Csr, WeightedCsr};
///
/// let graph: WeightedCsr = Csr::builder(3).build_weighted(vec![(0, 1, 0.5)])?;
/// let summary = verify_sssp(&graph, 0, &[0.0, 0.5, f64::INFINITY])?;
/// assert_eq!((summary.reached, summary.farthest), (2, 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O(n + m), serial: two passes over the arcs. Memory: a byte for each vertex, and a stack.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
pub fn verify_sssp<G: WeightedGraph>(
    graph: &G,
    root: G::Vertex,
    distances: &[<G::Weight as Weight>::Distance],
) -> Result<SsspSummary<<G::Weight as Weight>::Distance>, Wrong> {
    let (zero, unreached) = (Distance::ZERO, <G::Weight as Weight>::Distance::UNREACHED);
    let count = graph.num_vertices();
    if distances.len() != count {
        return Err(Wrong::length(distances.len(), "distances", count));
    }
    let Some(&found) = distances.get(root.index()) else {
        return Err(Wrong(format!("the root is {root}: expected a vertex below {count}", root = root.index())));
    };
    if found != zero {
        return Err(Wrong(format!("the root {root} has distance {found}: expected 0", root = root.index())));
    }
    let is_good = |distance| distance >= zero && distance <= unreached;
    if let Some((vertex, &found)) = distances.iter().enumerate().find(|(_, distance)| !is_good(**distance)) {
        return Err(Wrong(format!(
            "vertex {vertex} has distance {found}: \
             expected a number of at least 0, or {unreached} if it is not reached"
        )));
    }
    let arcs = |u: usize| graph.arcs(G::Vertex::new(u)).map(move |(v, weight)| (v.index(), weight.after(distances[u])));
    for from in (0..count).filter(|&u| distances[u] != unreached) {
        for (vertex, shorter) in arcs(from) {
            let found = distances[vertex];
            if found > shorter {
                return Err(Wrong(format!(
                    "vertex {vertex} has distance {found}, \
                     but by way of {from} it is {shorter}"
                )));
            }
        }
    }
    let (mut is_proven, mut stack) = (vec![false; count], vec![root.index()]);
    is_proven[root.index()] = true;
    let mut reached = 0;
    while let Some(u) = stack.pop() {
        reached += 1;
        for (v, length) in arcs(u) {
            if length == distances[v] && !is_proven[v] {
                is_proven[v] = true;
                stack.push(v);
            }
        }
    }
    let unproven = (0..count).find(|&v| distances[v] != unreached && !is_proven[v]);
    if let Some(vertex) = unproven {
        return Err(Wrong(format!(
            "vertex {vertex} has distance {found}, but no path is as short",
            found = distances[vertex]
        )));
    }
    let farthest = distances.iter().copied().filter(|distance| *distance != unreached);
    let farthest = farthest.fold(zero, |a, b| if b > a { b } else { a });
    Ok(SsspSummary { reached, farthest })
}
