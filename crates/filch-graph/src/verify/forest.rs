//! Whether parents make a spanning forest.

use super::arcs::for_each_arc;
use super::disjoint::Disjoint;
use crate::graph::Graph;
use crate::vertex::Vertex;

/// What [`verify_forest`] found besides that the forest is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForestSummary {
    /// How many trees there are: as many as (weakly connected) components of the graph.
    pub roots: usize,
    /// How many edges they have: as many as vertices less those that are roots.
    pub edges: usize,
}

/// Why parents are no spanning forest of a graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForestError {
    /// There is not one parent for each vertex.
    #[error("{found} parents were found, expected one for each of {expected} vertices")]
    Length {
        /// How many parents there are.
        found: usize,
        /// How many vertices there are.
        expected: usize,
    },
    /// A vertex has no parent, not even itself.
    #[error("vertex {vertex} has no parent: a root should be its own")]
    NoParent {
        /// The vertex.
        vertex: usize,
    },
    /// A vertex has a parent that is none of the graph's vertices.
    #[error("the parent of vertex {vertex} is {found}: expected a vertex below {vertices}")]
    NoVertex {
        /// The vertex.
        vertex: usize,
        /// Its parent.
        found: usize,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A vertex has a parent that is none of its neighbours.
    #[error("the parent of vertex {vertex} is {found}, but no edge of the graph joins the two")]
    NoEdge {
        /// The vertex.
        vertex: usize,
        /// Its parent.
        found: usize,
    },
    /// From a vertex upwards there is no end.
    #[error("from vertex {vertex} parents lead back to {vertex}: expected a root")]
    Cycle {
        /// A vertex of the cycle.
        vertex: usize,
    },
    /// A component has more trees than one.
    #[error("{root} and {other} are both roots, but they are connected: expected one root in their component")]
    TwoRoots {
        /// A root.
        root: usize,
        /// Another in the same component.
        other: usize,
    },
}

/// Whether `parents` make a spanning forest of the graph: each vertex has a parent, and only roots are their own; an
/// arc joins each other vertex and its parent, in this or that direction; no parents lead in a circle; and each
/// component, as found by a union-find over all arcs, has one root. So there are n − c edges, of c components.
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
/// Time: O((n + m) α(n)), serial. Memory: three bytes and two vertices for each vertex.
///
/// # Errors
///
/// The first thing that is wrong, with the vertex that shows it.
///
/// # Panics
///
/// If an arc of the graph leads to no vertex.
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
        /// On the way up from where the walk began.
        OnTheWay,
        /// A root is above it.
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
    // At each component's smallest member, its root.
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
    // Every vertex has a root above it, so none of the components is without.
    Ok(ForestSummary { roots, edges: parents.len() - roots })
}
