//! Checks spanning forests.

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

/// Why parents are not a spanning forest of a graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForestError {
    /// There is not one parent for each vertex.
    #[error("{found} parents were found, expected one for each of {expected} vertices")]
    Length {
        /// The number of parents.
        found: usize,
        /// The number of vertices.
        expected: usize,
    },
    /// A vertex has no parent. A root should be its own parent.
    #[error("vertex {vertex} has no parent: a root should be its own parent")]
    NoParent {
        /// The vertex.
        vertex: usize,
    },
    /// A parent is not a vertex of the graph.
    #[error("the parent of vertex {vertex} is {found}: expected a vertex below {vertices}")]
    NoVertex {
        /// The vertex.
        vertex: usize,
        /// Its parent.
        found: usize,
        /// The number of vertices.
        vertices: usize,
    },
    /// A parent is not a neighbor of its vertex.
    #[error("the parent of vertex {vertex} is {found}, but no edge of the graph joins the two")]
    NoEdge {
        /// The vertex.
        vertex: usize,
        /// Its parent.
        found: usize,
    },
    /// Following the parents from a vertex leads into a cycle.
    #[error("from vertex {vertex} parents lead back to {vertex}: expected a root")]
    Cycle {
        /// A vertex of the cycle.
        vertex: usize,
    },
    /// A component has more than one tree.
    #[error("{root} and {other} are both roots, but they are connected: expected one root in their component")]
    TwoRoots {
        /// A root.
        root: usize,
        /// Another root in the same component.
        other: usize,
    },
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
pub fn verify_forest<G: Graph>(graph: &G, parents: &[G::Vertex]) -> Result<ForestSummary, ForestError> {
    let count = graph.num_vertices();
    if parents.len() != count {
        return Err(ForestError::Length { found: parents.len(), expected: count });
    }
    for (vertex, &parent) in parents.iter().enumerate() {
        if parent == G::Vertex::NONE {
            return Err(ForestError::NoParent { vertex });
        }
        if parent.index() >= count {
            return Err(ForestError::NoVertex { vertex, found: parent.index(), vertices: count });
        }
    }
    edges_exist(graph, parents)?;
    no_cycle(parents)?;
    one_root_each(graph, parents)
}

fn edges_exist<G: Graph>(graph: &G, parents: &[G::Vertex]) -> Result<(), ForestError> {
    let mut joined = vec![false; parents.len()];
    for_each_arc(graph, |u, w| {
        joined[u] |= parents[u].index() == w;
        joined[w] |= parents[w].index() == u;
    });
    let wrong = (0..parents.len()).find(|&v| !joined[v] && parents[v].index() != v);
    wrong.map_or(Ok(()), |vertex| Err(ForestError::NoEdge { vertex, found: parents[vertex].index() }))
}

fn no_cycle<V: Vertex>(parents: &[V]) -> Result<(), ForestError> {
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
                return Err(ForestError::Cycle { vertex: v });
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

fn one_root_each<G: Graph>(graph: &G, parents: &[G::Vertex]) -> Result<ForestSummary, ForestError> {
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
            return Err(ForestError::TwoRoots { root: root.index(), other: v });
        }
        *root = parent;
        roots += 1;
    }
    // Each vertex leads to a root in its component, so each component has at least one.
    Ok(ForestSummary { roots, edges: parents.len() - roots })
}
