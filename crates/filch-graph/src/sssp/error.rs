//! Why there are no shortest paths.

use crate::graph::WeightedGraph;
use crate::vertex::Vertex;
use crate::watch::look_at;
use crate::weight::{Distance, InDigits, Weight};

/// Why there are no shortest paths.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SsspError<W: Weight = f32> {
    /// A weight is negative, so that there may be no shortest path.
    #[error(
        "the arc from vertex {from} to {to} has the weight {}, but shortest paths need weights of at least 0",
        InDigits(*weight)
    )]
    NegativeWeight {
        /// The source of the first arc with a negative weight, in the order of the vertices.
        from: usize,
        /// Its target.
        to: usize,
        /// Its weight.
        weight: W,
    },
    /// All paths to a vertex are longer than the type of distances can count.
    #[error(
        "the distance of vertex {to} by the arc from {from} is beyond {:?}, the largest number of its type: \
         use smaller weights",
        W::Distance::LARGEST
    )]
    Overflow {
        /// The source of the first arc that leads to such a vertex, in the order of the vertices.
        from: usize,
        /// The vertex.
        to: usize,
    },
}

impl<W: Weight> SsspError<W> {
    /// The first arc with a negative weight. Work: O(n + m), serial.
    ///
    /// # Panics
    ///
    /// Panics if there is none, so that the graph had another weight before.
    pub(super) fn negative<G: WeightedGraph<Weight = W>>(graph: &G) -> Self {
        let first = (0..graph.num_vertices()).find_map(|from| {
            let (to, weight) = graph.arcs(G::Vertex::new(from)).find(|(_, weight)| weight.is_negative())?;
            Some(SsspError::NegativeWeight { from, to: to.index(), weight })
        });
        first.expect("a negative weight was met, and weights do not change")
    }

    /// The first arc from a reached vertex to one that is not, if there is one. Work: O(n + m), serial.
    pub(super) fn overflow<G: WeightedGraph<Weight = W>>(graph: &G, distances: &[W::Distance]) -> Option<Self> {
        let is_reached = |v: usize| distances[v] != W::Distance::UNREACHED;
        (0..graph.num_vertices()).filter(|&from| is_reached(from)).find_map(|from| {
            look_at(from);
            let (to, _) = graph.arcs(G::Vertex::new(from)).find(|(to, _)| !is_reached(to.index()))?;
            Some(SsspError::Overflow { from, to: to.index() })
        })
    }
}
