//! Checks betweenness of vertices and edges, with weights as lengths.

use super::Wrong;
use crate::graph::WeightedGraph;
use crate::vertex::Vertex;
use crate::weight::{Distance, Weight};
use std::collections::{BTreeMap, BTreeSet};

/// Checks whether `vertices` and `edges`, as far as they are given, are `factor` times the sums of the dependencies of
/// `sources` on each vertex and on each arc, up to `tolerance` times each of them, or times `factor` if that is more.
/// Arcs are in the order of the rows, and in a symmetric graph an arc has the sum of both directions. A graph without
/// weights has arcs of length 1. From each source, every vertex that is reached sends one unit back along the shortest
/// paths, in proportion to their number.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_edge_betweenness;
///
/// let path: Csr = Csr::builder(3).symmetrize(true).build(vec![(0, 1), (1, 2)])?;
/// verify_edge_betweenness(&path, &[0, 1, 2], 0.5, Some(&[0.0, 1.0, 0.0]), Some(&[2.0; 4]), 1e-9)?;
/// assert!(verify_edge_betweenness(&path, &[0, 1, 2], 0.5, None, Some(&[2.0, 2.0, 2.0, 1.0]), 1e-9).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O((n + m) log m) for each source, serial. Memory: some 100 bytes for each arc and each vertex.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex, or if a source is none.
pub fn verify_edge_betweenness<G: WeightedGraph>(
    graph: &G,
    sources: &[G::Vertex],
    factor: f64,
    vertices: Option<&[f64]>,
    edges: Option<&[f64]>,
    tolerance: f64,
) -> Result<(), Wrong> {
    let count = graph.num_vertices();
    let (mut heads, mut tails) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for (u, heads) in heads.iter_mut().enumerate() {
        for (w, weight) in graph.arcs(G::Vertex::new(u)) {
            heads.push((w.index(), weight));
            tails[w.index()].push((u, weight));
        }
    }
    let (mut of_vertices, mut of_arcs) = (vec![0.0; count], BTreeMap::new());
    for source in sources.iter().map(|source| source.index()) {
        let order = nearest_first(&heads, source);
        let near: BTreeMap<usize, (usize, _)> = order.iter().enumerate().map(|(at, &(v, d))| (v, (at, d))).collect();
        // The vertices before one on a shortest path, once for each arc, with the rank of its weight.
        let before = |v: usize| -> Vec<(usize, u64)> {
            let (at, distance) = near[&v];
            let is_before = |u: usize, weight: G::Weight| {
                near.get(&u).is_some_and(|from| from.0 < at && weight.after(from.1) == distance)
            };
            let tight = tails[v].iter().filter(|&&(u, weight)| is_before(u, weight));
            tight.map(|&(u, weight)| (u, weight.rank())).collect()
        };
        let mut paths = vec![0.0; count];
        paths[source] = 1.0;
        for &(v, _) in &order[1..] {
            paths[v] = before(v).iter().map(|&(u, _)| paths[u]).sum();
        }
        let mut through = vec![0.0; count];
        for &(v, _) in order[1..].iter().rev() {
            let sent = (through[v] + 1.0) / paths[v];
            let mut tails = before(v);
            tails.sort_unstable();
            for &(u, _) in &tails {
                through[u] += paths[u] * sent;
            }
            tails.dedup();
            for (u, rank) in tails {
                *of_arcs.entry((u, v, rank)).or_insert(0.0) += paths[u] * sent;
            }
            of_vertices[v] += through[v];
        }
    }
    let is_near = |found: f64, sum: f64| (found - factor * sum).abs() <= tolerance * factor.abs() * sum.max(1.0);
    if let Some(found) = vertices {
        if found.len() != count {
            return Err(Wrong::length(found.len(), "scores", count));
        }
        for (vertex, (&found, &sum)) in found.iter().zip(&of_vertices).enumerate() {
            if !is_near(found, sum) {
                let expected = factor * sum;
                return Err(Wrong(format!("the betweenness of vertex {vertex} is {found:e}: expected {expected:e}")));
            }
        }
    }
    let Some(found) = edges else { return Ok(()) };
    let arcs = (0..count).flat_map(|u| heads[u].iter().map(move |&(w, weight)| (u, w, weight.rank())));
    let num_arcs: usize = heads.iter().map(Vec::len).sum();
    if found.len() != num_arcs {
        return Err(Wrong(format!("{} scores were found, expected one for each of {num_arcs} arcs", found.len())));
    }
    for ((u, w, rank), &found) in arcs.zip(found) {
        let sum = |u, w| of_arcs.get(&(u, w, rank)).copied().unwrap_or(0.0);
        let sum = if graph.is_symmetric() { sum(u, w) + sum(w, u) } else { sum(u, w) };
        if !is_near(found, sum) {
            let expected = factor * sum;
            return Err(Wrong(format!(
                "the betweenness of the arc from {u} to {w} is {found:e}: expected {expected:e}"
            )));
        }
    }
    Ok(())
}

/// The vertices that are reached from `source`, from the nearest on, with their distances.
fn nearest_first<W: Weight>(heads: &[Vec<(usize, W)>], source: usize) -> Vec<(usize, W::Distance)> {
    let mut open = BTreeSet::from([(W::Distance::ZERO.bits(), source)]);
    let mut least = vec![W::Distance::UNREACHED; heads.len()];
    least[source] = W::Distance::ZERO;
    let mut order = Vec::new();
    while let Some((_, v)) = open.pop_first() {
        order.push((v, least[v]));
        for &(w, weight) in &heads[v] {
            let longer = weight.after(least[v]);
            if longer < least[w] {
                open.remove(&(least[w].bits(), w));
                least[w] = longer;
                open.insert((longer.bits(), w));
            }
        }
    }
    order
}
