//! The edges of a generated graph, a part at a time.

use super::random::{self, with_edges};
use super::shape::Shape;
use super::{FOR_EDGES, GenerateError, GraphSpec, Sizes, lattices, shuffled};
use crate::splitmix::SplitMix;
use crate::vertex::Vertex;
use std::fmt;
use std::ops::Range;

/// The edges of a generated graph, any part of which can be had without the others: so several processes can generate
/// a graph of which none has room for the whole.
///
/// ```
/// use filch_graph::{Csr, Graph, GraphSpec};
///
/// let spec: GraphSpec = "kronecker(10)".parse()?;
/// let parts = spec.in_parts::<u32>(1)?;
/// let mut edges = Vec::new();
/// (0..4).for_each(|part| parts.edges(part * parts.len() / 4..(part + 1) * parts.len() / 4, &mut edges));
/// let simple = Csr::builder(parts.num_vertices()).symmetrize(true).remove_duplicates(true).remove_self_loops(true);
/// assert_eq!(simple.build(edges)?, spec.generate::<u32>(1)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct EdgeParts<V> {
    num_vertices: usize,
    len: usize,
    edges: EdgesOf<V>,
}

/// Appends the edges of a range.
type EdgesOf<V> = Box<dyn Fn(Range<usize>, &mut Vec<(V, V)>) + Send + Sync>;

impl<V: Vertex> EdgeParts<V> {
    /// The number of vertices.
    pub fn num_vertices(&self) -> usize {
        self.num_vertices
    }

    /// How finely the edges can be divided: the number of edges that are drawn, or else of vertices.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no edges.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends the edges of a range below [`len`](Self::len), in one direction each. Ranges that divide it have all
    /// edges together. Those that are drawn may have duplicates and self-loops.
    pub fn edges(&self, range: Range<usize>, to: &mut Vec<(V, V)>) {
        (self.edges)(range, to);
    }
}

impl<V> fmt::Debug for EdgeParts<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EdgeParts").field("num_vertices", &self.num_vertices).field("len", &self.len).finish()
    }
}

impl GraphSpec {
    /// The edges of the graph that [`generate`](Self::generate) returns for this seed, in parts. Shapes that are drawn
    /// as a whole (`geometric`) and two copies (`twice`) are refused.
    ///
    /// # Errors
    ///
    /// As for [`generate`](Self::generate); and [`GenerateError::NotInParts`].
    pub fn in_parts<V: Vertex>(&self, seed: u64) -> Result<EdgeParts<V>, GenerateError> {
        let Sizes { n, num_draws, num_vertices } = self.sizes::<V>()?;
        let draws = SplitMix::new(seed, FOR_EDGES);
        let shape = self.shape;
        if self.is_twice || matches!(shape, Shape::Geometric { .. }) {
            return Err(GenerateError::NotInParts { spec: *self });
        }
        if shape.is_drawn() {
            let edges = with_edges(n, shape, draws, shuffled(n, seed), ToParts);
            return Ok(EdgeParts { num_vertices, len: num_draws, edges });
        }
        let labels = self.relabeling(n, seed);
        let edges = move |range, to: &mut Vec<(V, V)>| lattices::edges(n, shape, labels, draws, range, to);
        Ok(EdgeParts { num_vertices, len: n, edges: Box::new(edges) })
    }
}

struct ToParts;

impl<V: Vertex> random::Edges<V> for ToParts {
    type Made = EdgesOf<V>;

    fn with(self, edge: impl Fn(usize) -> (V, V) + Send + Sync + 'static) -> EdgesOf<V> {
        Box::new(move |range, to| to.extend(range.map(&edge)))
    }

    fn with_dear(self, edge: impl Fn(usize) -> (V, V) + Send + Sync + 'static) -> EdgesOf<V> {
        self.with(edge)
    }
}
