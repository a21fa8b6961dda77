//! The result of a search.

use super::error::SsspError;
use crate::graph::{Graph, WeightedGraph};
use crate::path::path_to;
use crate::vertex::Vertex;
use crate::weight::{Distance, Weight};

/// The type of the distances in a graph.
pub(super) type DistanceOf<G> = <<G as WeightedGraph>::Weight as Weight>::Distance;

/// What a search returns on a graph.
pub(super) type Found<G> =
    Result<ShortestPaths<<G as Graph>::Vertex, DistanceOf<G>>, SsspError<<G as WeightedGraph>::Weight>>;

/// The distance of an unreached vertex, if weights are `f32` or `f64`. For other types, see [`Distance::UNREACHED`].
pub const UNREACHED: f64 = <f64 as Distance>::UNREACHED;

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct ShortestPaths<V = u32, D = f64> {
    /// The distance of each vertex from the nearest source, or [`Distance::UNREACHED`].
    pub distances: Vec<D>,
    /// The vertex before each vertex on a shortest path to it: of several, the lowest one that is nearer to the source,
    /// if there is one. A source is its own predecessor, and an unreached vertex has [`Vertex::NONE`]. Empty if they
    /// were not [requested](super::Sssp::predecessors).
    pub predecessors: Vec<V>,
    /// The width of a bucket, 0 for the serial search.
    pub delta: f64,
    /// The number of steps, in each of which the vertices of a bucket are processed; 0 for the serial search.
    pub steps: usize,
    /// The number of arcs that were relaxed, some of them several times.
    pub relaxed: usize,
}

impl<V: Vertex, D: Distance> ShortestPaths<V, D> {
    /// The number of vertices that the sources reach, including themselves. Work: O(n), serial.
    pub fn num_reached(&self) -> usize {
        self.distances.iter().filter(|distance| **distance != D::UNREACHED).count()
    }

    /// The distance of a vertex, if it was reached.
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    pub fn distance(&self, v: V) -> Option<D> {
        Some(self.distances[v.index()]).filter(|&distance| distance != D::UNREACHED)
    }

    /// A shortest path to a vertex, from a source on, with both ends; `None` if it was not reached.
    ///
    /// Work: the length of the path.
    ///
    /// ```
    /// use filch_graph::{Csr, sssp::Sssp};
    ///
    /// let roads = Csr::builder(4).build_weighted([(0, 1, 7.0), (0, 2, 2.0), (2, 1, 2.5)])?;
    /// let found = Sssp::new().predecessors(true).run(&roads, 0)?;
    /// assert_eq!((found.path_to(1), found.path_to(3)), (Some(vec![0, 2, 1]), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph, or if predecessors were not [requested](super::Sssp::predecessors).
    pub fn path_to(&self, v: V) -> Option<Vec<V>> {
        let is_known = self.predecessors.len() == self.distances.len();
        assert!(is_known, "a path needs predecessors: search with `Sssp::new().predecessors(true)`");
        path_to(&self.predecessors, v)
    }
}
