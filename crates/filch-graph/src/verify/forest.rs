//! Checks spanning forests.

use super::Wrong;
use super::arcs::for_each_arc;
use super::disjoint::Disjoint;
use crate::graph::Graph;
use crate::vertex::Vertex;

/// Properties of a spanning forest that [`verify_forest`] has accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForestSummary {
    /// The number of trees, which is the number of (weakly) connected components.
    pub roots: usize,
    /// The number of edges, which is the number of vertices that are not roots.
    pub edges: usize,
}

/// Checks whether `parents` are a spanning forest of the graph: each vertex has a parent; an arc joins each vertex and
/// its parent, in either direction, except that roots are their own parents; the parents form no cycle; and each
/// component, as found by union-find, has exactly one root. It follows that the forest has n - c edges, where c is the
/// number of components.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_forest;
///
/// let graph: Csr = Csr::builder(4).symmetrize(true).build(vec![(0, 1), (1, 2), (2, 0)])?;
/// let summary = verify_forest(&graph, &[1, 1, 0, 3])?;
/// assert_eq!((summary.roots, summary.edges), (2, 2));
/// let error = verify_forest(&graph, &[1, 1, 3, 3]).unwrap_err();
/// assert_eq!(error.to_string(), "the parent of vertex 2 is 3, but no edge of the graph joins the two");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O((n + m) α(n)), serial. Memory: a byte and three vertices for each vertex.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_forest<G: Graph>(graph: &G, parents: &[G::Vertex]) -> Result<ForestSummary, Wrong> {
    let count = graph.num_vertices();
    if parents.len() != count {
        return Err(Wrong::length(parents.len(), "parents", count));
    }
    for (vertex, &parent) in parents.iter().enumerate() {
        if parent == G::Vertex::NONE {
            return Err(Wrong(format!(
                "vertex {vertex} has no parent: \
                 a root should be its own parent"
            )));
        }
        if parent.index() >= count {
            return Err(Wrong::no_vertex("parent", vertex, parent.index(), count));
        }
    }
    edges_exist(graph, parents)?;
    no_cycle(parents)?;
    one_root_each(graph, parents)
}

fn edges_exist<G: Graph>(graph: &G, parents: &[G::Vertex]) -> Result<(), Wrong> {
    let mut joined = vec![false; parents.len()];
    for_each_arc(graph, |u, w| {
        joined[u] |= parents[u].index() == w;
        joined[w] |= parents[w].index() == u;
    });
    let wrong = (0..parents.len()).find(|&v| !joined[v] && parents[v].index() != v);
    wrong.map_or(Ok(()), |vertex| {
        Err(Wrong(format!(
            "the parent of vertex {vertex} is {found}, \
             but no edge of the graph joins the two",
            found = parents[vertex].index()
        )))
    })
}

fn no_cycle<V: Vertex>(parents: &[V]) -> Result<(), Wrong> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Unknown,
        /// On the path that is being followed.
        OnTheWay,
        /// The path from here leads to a root.
        Rooted,
    }
    let mut states = vec![State::Unknown; parents.len()];
    for start in 0..parents.len() {
        let mut v = start;
        while states[v] == State::Unknown {
            states[v] = State::OnTheWay;
            let parent = parents[v].index();
            if parent == v {
                break;
            }
            v = parent;
            if states[v] == State::OnTheWay {
                return Err(Wrong(format!("from vertex {v} parents lead back to {v}: expected a root")));
            }
        }
        v = start;
        while states[v] == State::OnTheWay {
            states[v] = State::Rooted;
            v = parents[v].index();
        }
    }
    Ok(())
}

fn one_root_each<G: Graph>(graph: &G, parents: &[G::Vertex]) -> Result<ForestSummary, Wrong> {
    let components = Disjoint::of_graph(graph).smallest_members();
    // The root of each component, stored at its smallest vertex.
    let mut root_of = vec![G::Vertex::NONE; parents.len()];
    let mut roots = 0;
    for (v, &parent) in parents.iter().enumerate() {
        if parent.index() != v {
            continue; // a tree edge
        }
        let root = &mut root_of[components[v].index()];
        if *root != G::Vertex::NONE {
            return Err(Wrong(format!(
                "{root} and {v} are both roots, but they are connected: \
                 expected one root in their component",
                root = root.index()
            )));
        }
        *root = parent;
        roots += 1;
    }
    // Each vertex leads to a root in its component, so each component has at least one.
    Ok(ForestSummary { roots, edges: parents.len() - roots })
}
