//! Checks independent sets, matchings and colourings.

use super::Wrong;
use super::arcs::for_each_arc;
use crate::graph::Graph;
use crate::vertex::Vertex;

/// Checks whether `set` is a maximal independent set of an undirected graph: no two of its vertices are neighbors, and
/// every other vertex has a neighbor in it. Self-loops do not count.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_independent_set;
///
/// let path: Csr = Csr::builder(3).symmetrize(true).build(vec![(0, 1), (1, 2)])?;
/// verify_independent_set(&path, &[0, 2])?;
/// assert!(verify_independent_set(&path, &[0]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O(n + m), serial. Memory: two bytes for each vertex.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_independent_set<G: Graph>(graph: &G, set: &[G::Vertex]) -> Result<(), Wrong> {
    let count = graph.num_vertices();
    let mut is_inside = vec![false; count];
    for v in set.iter().map(|v| v.index()) {
        match is_inside.get_mut(v) {
            None => return Err(Wrong(format!("{v} is in the set: expected a vertex below {count}"))),
            Some(is_inside) if *is_inside => return Err(Wrong(format!("vertex {v} is in the set twice"))),
            Some(is_inside) => *is_inside = true,
        }
    }
    let (mut is_near, mut pair) = (vec![false; count], None);
    for_each_arc(graph, |u, w| {
        if u != w && is_inside[u] {
            is_near[w] = true;
            if is_inside[w] {
                pair.get_or_insert((u, w));
            }
        }
    });
    if let Some((u, w)) = pair {
        return Err(Wrong(format!("vertices {u} and {w} are neighbors, and both are in the set")));
    }
    match (0..count).find(|&v| !is_inside[v] && !is_near[v]) {
        None => Ok(()),
        Some(v) => Err(Wrong(format!("vertex {v} could be added to the set: none of its neighbors is inside"))),
    }
}

/// Checks whether `mates`, the other end of the edge of each vertex or [`Vertex::NONE`], is a maximal matching of an
/// undirected graph: the edges exist, no two of them share a vertex, and every edge has an end that has one. Self-loops
/// do not count. Returns the number of edges.
///
/// ```
/// use filch_graph::verify::verify_matching;
/// use filch_graph::{Csr, Vertex};
///
/// let path: Csr = Csr::builder(3).symmetrize(true).build(vec![(0, 1), (1, 2)])?;
/// assert_eq!(verify_matching(&path, &[1, 0, u32::NONE])?, 1);
/// assert!(verify_matching(&path, &[u32::NONE; 3]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O(n + m), serial. Memory: a byte for each vertex.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_matching<G: Graph>(graph: &G, mates: &[G::Vertex]) -> Result<usize, Wrong> {
    let count = graph.num_vertices();
    if mates.len() != count {
        return Err(Wrong::length(mates.len(), "mates", count));
    }
    let has_mate = |v: usize| mates[v] != G::Vertex::NONE;
    for v in (0..count).filter(|&v| has_mate(v)) {
        let mate = mates[v].index();
        if mate >= count {
            return Err(Wrong::no_vertex("mate", v, mate, count));
        }
        if mate == v || mates[mate].index() != v {
            return Err(Wrong(format!("the mate of vertex {v} is {mate}, whose mate is {}", mates[mate])));
        }
    }
    let (mut is_edge, mut free) = (vec![false; count], None);
    for_each_arc(graph, |u, w| {
        is_edge[u] |= has_mate(u) && mates[u].index() == w;
        if u != w && !has_mate(u) && !has_mate(w) {
            free.get_or_insert((u, w));
        }
    });
    if let Some(v) = (0..count).find(|&v| has_mate(v) && !is_edge[v]) {
        return Err(Wrong(format!("the mate of vertex {v} is {}, which is not its neighbor", mates[v])));
    }
    match free {
        None => Ok((0..count).filter(|&v| has_mate(v)).count() / 2),
        Some((u, w)) => Err(Wrong(format!("the edge between {u} and {w} could be added: both have no mate"))),
    }
}

/// Checks whether neighbors have different colours, and each vertex the first that its neighbors of smaller colours
/// leave: it has a neighbor of every smaller colour. Self-loops do not count. Returns the number of colours.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_colouring;
///
/// let path: Csr = Csr::builder(3).symmetrize(true).build(vec![(0, 1), (1, 2)])?;
/// assert_eq!(verify_colouring(&path, &[0, 1, 0])?, 2);
/// assert!(verify_colouring(&path, &[0, 1, 2]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O(n + m log m), serial. Memory: a list of the colours of the neighbors of one vertex.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_colouring<G: Graph>(graph: &G, colours: &[u32]) -> Result<usize, Wrong> {
    let count = graph.num_vertices();
    if colours.len() != count {
        return Err(Wrong::length(colours.len(), "colours", count));
    }
    let mut most = 0;
    for v in 0..count {
        let others = || graph.neighbors(G::Vertex::new(v)).map(Vertex::index).filter(|&u| u != v);
        let own = colours[v];
        if let Some(u) = others().find(|&u| colours[u] == own) {
            return Err(Wrong(format!("vertices {v} and {u} are neighbors, and both have colour {own}")));
        }
        let mut smaller: Vec<u32> = others().map(|u| colours[u]).filter(|&colour| colour < own).collect();
        smaller.sort_unstable();
        smaller.dedup();
        let first = smaller.iter().zip(0..).position(|(&colour, expected)| colour != expected);
        let first = first.unwrap_or(smaller.len());
        if first != own as usize {
            return Err(Wrong(format!("the colour of vertex {v} is {own}, but no neighbor has colour {first}")));
        }
        most = most.max(first + 1);
    }
    Ok(most)
}
