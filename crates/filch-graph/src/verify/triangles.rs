//! Checks the number of triangles.

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
    let order = removal_order(&lists);
    let mut places = vec![0; n];
    order.iter().enumerate().for_each(|(place, &v)| places[v] = place);
    for (v, list) in lists.iter_mut().enumerate() {
        list.retain(|u| places[u.index()] > places[v]);
    }
    // The last vertex that each vertex is a later neighbor of.
    let mut neighbor_of = vec![G::Vertex::NONE; n];
    let mut expected = 0;
    for (v, list) in lists.iter().enumerate() {
        let v = G::Vertex::new(v);
        list.iter().for_each(|u| neighbor_of[u.index()] = v);
        for u in list {
            expected += lists[u.index()].iter().filter(|w| neighbor_of[w.index()] == v).count() as u64;
        }
    }
    if count == expected { Ok(()) } else { Err(Wrong(format!("{count} triangles were found, expected {expected}"))) }
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
