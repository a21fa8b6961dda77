//! Checks the number of triangles, of a graph and of each vertex.

use super::Wrong;
use super::arcs::for_each_arc;
use crate::graph::Graph;
use crate::vertex::Vertex;

/// Checks whether an undirected graph has `count` triangles, sets of three vertices each two of which are neighbors.
/// Vertices are removed one by one, always one with the fewest neighbors left (Matula and Beck 1983), and the edges
/// between these neighbors are counted, with a list of the neighbors of each vertex that are removed later.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_triangles;
///
/// let graph: Csr = Csr::builder(4).symmetrize(true).build(vec![(0, 1), (1, 2), (2, 0), (2, 3)])?;
/// verify_triangles(&graph, 1)?;
/// assert!(verify_triangles(&graph, 2).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O(n + m (d + log n)) for the degeneracy d, serial: for graphs of very high degree this is much more than the
/// other verifiers take. Memory: twice that of the graph, and some 60 bytes for each vertex.
///
/// # Errors
///
/// The number is wrong, or the graph is directed.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_triangles<G: Graph>(graph: &G, count: u64) -> Result<(), Wrong> {
    let mut expected = 0;
    for_each_triangle(&simple_lists(graph)?, |_| expected += 1);
    if count == expected { Ok(()) } else { Err(Wrong(format!("{count} triangles were found, expected {expected}"))) }
}

/// Checks whether `triangles` is the number of triangles that each vertex of an undirected graph is in, and
/// `coefficients` is, but for `tolerance`, the share of the pairs of its neighbors that are neighbors, 0 if there are
/// none. The triangles are found as by [`verify_triangles`].
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_clustering;
///
/// let graph: Csr = Csr::builder(4).symmetrize(true).build(vec![(0, 1), (1, 2), (2, 0), (2, 3)])?;
/// verify_clustering(&graph, &[1, 1, 1, 0], &[1.0, 1.0, 1.0 / 3.0, 0.0], 1e-12)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time and memory: as for [`verify_triangles`].
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it, or says that the graph is directed.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_clustering<G: Graph>(
    graph: &G,
    triangles: &[u64],
    coefficients: &[f64],
    tolerance: f64,
) -> Result<(), Wrong> {
    let n = graph.num_vertices();
    for (found, what) in [(triangles.len(), "numbers of triangles"), (coefficients.len(), "coefficients")] {
        if found != n {
            return Err(Wrong::length(found, what, n));
        }
    }
    let lists = simple_lists(graph)?;
    let mut expected = vec![0_u64; n];
    for_each_triangle(&lists, |corners| corners.iter().for_each(|&v| expected[v] += 1));
    for v in 0..n {
        let (found, degree) = (triangles[v], lists[v].len() as f64);
        if found != expected[v] {
            return Err(Wrong(format!("vertex {v} is in {found} triangles, expected {}", expected[v])));
        }
        let share = if degree < 2.0 { 0.0 } else { 2.0 * found as f64 / (degree * (degree - 1.0)) };
        let near = (coefficients[v] - share).abs() <= tolerance;
        if !near {
            return Err(Wrong(format!("the coefficient of vertex {v} is {}, expected {share}", coefficients[v])));
        }
    }
    Ok(())
}

/// The other neighbors of each vertex, each once, in ascending order. Fails if an arc has no reverse.
pub(super) fn simple_lists<G: Graph>(graph: &G) -> Result<Vec<Vec<G::Vertex>>, Wrong> {
    let n = graph.num_vertices();
    let mut lists: Vec<Vec<G::Vertex>> = vec![Vec::new(); n];
    for_each_arc(graph, |u, w| {
        if u != w {
            lists[u].push(G::Vertex::new(w));
        }
    });
    for list in &mut lists {
        list.sort_unstable();
        list.dedup();
    }
    for (from, list) in lists.iter().enumerate() {
        let is_one_way = |to: &&G::Vertex| lists[to.index()].binary_search(&G::Vertex::new(from)).is_err();
        if let Some(to) = list.iter().find(is_one_way) {
            return Err(Wrong(format!(
                "an arc leads from {from} to {to}, \
                 but none leads back: expected an undirected graph",
                to = to.index()
            )));
        }
    }
    Ok(lists)
}

/// Calls `visit` with the three vertices of each triangle.
fn for_each_triangle<V: Vertex>(lists: &[Vec<V>], mut visit: impl FnMut([usize; 3])) {
    let n = lists.len();
    let mut places = vec![0; n];
    removal_order(lists).into_iter().enumerate().for_each(|(place, v)| places[v] = place);
    let is_later = |u: V, v: usize| places[u.index()] > places[v];
    let later = |v: usize| lists[v].iter().copied().filter(|&u| is_later(u, v)).collect();
    let lists: Vec<Vec<V>> = (0..n).map(later).collect();
    // The last vertex that each vertex is a later neighbor of.
    let mut neighbor_of = vec![V::NONE; n];
    for (v, list) in lists.iter().enumerate() {
        list.iter().for_each(|u| neighbor_of[u.index()] = V::new(v));
        for u in list {
            let both = lists[u.index()].iter().filter(|w| neighbor_of[w.index()] == V::new(v));
            both.for_each(|w| visit([v, u.index(), w.index()]));
        }
    }
}

/// The vertices in the order in which they are removed.
fn removal_order<V: Vertex>(lists: &[Vec<V>]) -> Vec<usize> {
    let n = lists.len();
    let mut left: Vec<usize> = lists.iter().map(Vec::len).collect();
    // Stacks of vertices by the number of their neighbors left. A vertex is on a stack for every number it has had.
    let mut stacks = vec![Vec::new(); n];
    (0..n).for_each(|v| stacks[left[v]].push(V::new(v)));
    let (mut is_removed, mut order, mut fewest) = (vec![false; n], Vec::with_capacity(n), 0);
    while fewest < n {
        let Some(v) = stacks[fewest].pop().map(Vertex::index) else {
            fewest += 1;
            continue;
        };
        if is_removed[v] || left[v] != fewest {
            continue;
        }
        is_removed[v] = true;
        order.push(v);
        for u in lists[v].iter().map(|u| u.index()).filter(|&u| !is_removed[u]) {
            left[u] -= 1;
            stacks[left[u]].push(V::new(u));
        }
        fewest = fewest.saturating_sub(1);
    }
    order
}
