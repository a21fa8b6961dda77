//! Checks labels of strongly connected components.

use super::Wrong;
use super::arcs::for_each_arc;
use crate::graph::Graph;
use crate::vertex::Vertex;

/// Properties of labels that [`verify_strong_components`] has accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrongComponentsSummary {
    /// The number of components.
    pub components: usize,
    /// The number of vertices in the largest component, 0 for an empty graph.
    pub largest: usize,
}

/// Checks whether the label of each vertex is the smallest vertex of its strongly connected component, by two
/// depth-first searches (Kosaraju; Sharir 1981).
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_strong_components;
///
/// let graph: Csr = Csr::builder(4).build(vec![(2, 1), (1, 2), (2, 3)])?;
/// let summary = verify_strong_components(&graph, &[0, 1, 1, 3])?;
/// assert_eq!((summary.components, summary.largest), (3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O(n + m), serial. Memory: six words for each vertex and one for each arc.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_strong_components<G: Graph>(graph: &G, labels: &[G::Vertex]) -> Result<StrongComponentsSummary, Wrong> {
    let count = graph.num_vertices();
    if labels.len() != count {
        return Err(Wrong::length(labels.len(), "labels", count));
    }
    if let Some(vertex) = labels.iter().position(|label| label.index() >= count) {
        return Err(Wrong::no_vertex("label", vertex, labels[vertex].index(), count));
    }
    let smallest = smallest_members(graph);
    let mut sizes = vec![0_usize; count];
    for vertex in 0..count {
        let (found, expected) = (labels[vertex].index(), smallest[vertex]);
        if found != expected {
            return Err(if smallest[found] == expected {
                Wrong(format!(
                    "the label of vertex {vertex} is {found}: \
                     expected {expected}, the smallest vertex of its component"
                ))
            } else {
                Wrong(format!(
                    "the label of vertex {vertex} is {found}, \
                     but no paths lead there and back: expected {expected}"
                ))
            });
        }
        sizes[found] += 1;
    }
    Ok(StrongComponentsSummary {
        components: sizes.iter().filter(|&&size| size > 0).count(),
        largest: sizes.into_iter().max().unwrap_or(0),
    })
}

/// For each vertex, the smallest vertex of its strongly connected component.
fn smallest_members<G: Graph>(graph: &G) -> Vec<usize> {
    let count = graph.num_vertices();
    // The order in which a depth-first search is done with the vertices.
    let (mut is_seen, mut order, mut path) = (vec![false; count], Vec::with_capacity(count), Vec::new());
    for root in 0..count {
        if std::mem::replace(&mut is_seen[root], true) {
            continue;
        }
        path.push((root, graph.neighbors(G::Vertex::new(root))));
        while let Some((v, arcs)) = path.last_mut() {
            match arcs.find(|w| !is_seen[w.index()]) {
                Some(w) => {
                    is_seen[w.index()] = true;
                    path.push((w.index(), graph.neighbors(w)));
                }
                None => {
                    order.push(*v);
                    path.pop();
                }
            }
        }
    }
    // The reverse arcs: those of w end at `ends[w]`, and start where those of the vertex before end.
    let mut ends = vec![0_usize; count + 1];
    for_each_arc(graph, |_, w| ends[w + 1] += 1);
    for v in 0..count {
        ends[v + 1] += ends[v];
    }
    let mut sources = vec![0; ends[count]];
    for_each_arc(graph, |u, w| {
        sources[ends[w]] = u;
        ends[w] += 1;
    });
    // What reaches the vertex that was done last is its component.
    let none = count;
    let (mut smallest, mut stack) = (vec![none; count], Vec::new());
    for &root in order.iter().rev() {
        if smallest[root] != none {
            continue;
        }
        let mut members = vec![root];
        smallest[root] = root;
        stack.push(root);
        while let Some(w) = stack.pop() {
            let start = if w == 0 { 0 } else { ends[w - 1] };
            for &u in &sources[start..ends[w]] {
                if smallest[u] == none {
                    smallest[u] = root;
                    members.push(u);
                    stack.push(u);
                }
            }
        }
        let least = members.iter().copied().min().unwrap_or(root);
        members.into_iter().for_each(|v| smallest[v] = least);
    }
    smallest
}
