//! The result of a search.

use crate::csr::WeightedCsr;
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::weight::InDigits;

/// The distance of an unreached vertex.
pub const UNREACHED: f64 = f64::INFINITY;

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct ShortestPaths {
    /// The distance of each vertex from the root, or [`UNREACHED`].
    pub distances: Vec<f64>,
    /// The width of a bucket, 0 for the serial search.
    pub delta: f64,
    /// The number of steps, in each of which the vertices of a bucket are processed in parallel; 0 for the serial
    /// search.
    pub steps: usize,
    /// The number of arcs that were relaxed, some of them several times.
    pub relaxed: usize,
}

impl ShortestPaths {
    /// The number of vertices that the root reaches, including itself. Work: O(n), serial.
    pub fn num_reached(&self) -> usize {
        self.distances.iter().filter(|distance| distance.is_finite()).count()
    }
}

/// A weight is negative, so that there may be no shortest path.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "the arc from vertex {from} to {to} has the weight {}, but shortest paths need weights of at least 0",
    InDigits(*weight)
)]
pub struct NegativeWeight {
    /// The source of the first arc with a negative weight, in the order of the vertices.
    pub from: usize,
    /// Its target.
    pub to: usize,
    /// Its weight.
    pub weight: f32,
}

impl NegativeWeight {
    /// The first arc with a negative weight. Work: O(n + m), serial.
    pub(super) fn first<V: Vertex>(graph: &WeightedCsr<V>) -> Option<Self> {
        (0..graph.num_vertices()).find_map(|from| {
            let mut arcs = graph.row(V::new(from)).iter().zip(graph.weights(V::new(from)));
            let (to, &weight) = arcs.find(|(_, weight)| **weight < 0.0)?;
            Some(NegativeWeight { from, to: to.index(), weight })
        })
    }
}
