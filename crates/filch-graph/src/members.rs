//! The vertices of each component.

use crate::build::{Formula, Rules, rows_of};
use crate::csr::Rows;
use crate::vertex::Vertex;

/// The vertices of each component, of a graph or of another partition of its vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Members<V = u32> {
    /// The row of the smallest vertex of a component has all of them.
    rows: Rows<V>,
    count: usize,
}

impl<V: Vertex> Members<V> {
    /// Groups vertices by their labels, each of which is the smallest vertex of its component.
    pub(crate) fn new(labels: &[V]) -> Self {
        let of_vertex = |v: usize| (labels[v], V::new(v));
        let source = Formula { num_edges: labels.len(), edge: of_vertex };
        let rows = rows_of(labels.len(), &source, Rules::ALL, &());
        let rows: Rows<V> = rows.unwrap_or_else(|error| panic!("the members cannot be listed: {error}"));
        let count = rows.offsets.windows(2).filter(|pair| pair[0] < pair[1]).count();
        Members { rows, count }
    }

    /// The number of components.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The component whose smallest vertex is `representative`, in ascending order. Empty if `representative` is not
    /// the smallest vertex of its component.
    ///
    /// # Panics
    ///
    /// Panics if `representative` is not a vertex of the graph.
    pub fn of(&self, representative: V) -> &[V] {
        self.rows.row(representative)
    }

    /// The components, in the order of their smallest vertices; the vertices of each in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = &[V]> + '_ {
        let rows = (0..self.rows.num_vertices()).map(|v| self.rows.row(V::new(v)));
        rows.filter(|row| !row.is_empty())
    }
}
