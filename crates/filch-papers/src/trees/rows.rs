//! Rows of edges that a traversal walks by places.

use filch_graph::{Csr, Graph, Vertex};

/// The rows of an undirected graph, in arrays or in linked lists. A traversal walks a row by places, which can be
/// handed to another worker.
///
/// The trait is sealed: [`Csr`], [`ArrayRows`](super::ArrayRows) and [`LinkedRows`](super::LinkedRows) have it, with
/// vertices of 32 or 64 bits. Other types of vertices may have methods that panic:
///
/// ```compile_fail,E0277
/// use filch_papers::trees::{Options, Tree, TreeError, spanning_tree};
/// use filch_graph::{Csr, Vertex};
///
/// fn on_any_vertices<V: Vertex>(graph: &Csr<V>, options: Options<V>) -> Result<Tree<V>, TreeError> {
///     spanning_tree(graph, options)
/// }
/// ```
pub trait Rows: sealed::Sealed + Sync {
    /// The type of the vertices.
    type Vertex: Vertex;

    /// A place in a row: that of an edge, or the end.
    type Place: Copy + Send + Sync;

    /// The number of vertices.
    fn num_rows(&self) -> usize;

    /// Whether the graph has the reverse of each of its arcs.
    fn has_reverses(&self) -> bool;

    /// The number of edges of `v`.
    fn row_len(&self, v: Self::Vertex) -> usize;

    /// The place of the first edge of `v`, or the end if it has none.
    fn first(&self, v: Self::Vertex) -> Self::Place;

    /// The other end of the edge at `place`, which is not the end of the row.
    fn vertex(&self, place: Self::Place) -> Self::Vertex;

    /// The place after `place`, which is not the end of the row.
    fn after(&self, place: Self::Place) -> Self::Place;

    /// The place that is `count` edges after `place`. Arrays take a constant time; a linked list is walked link by link
    /// (Yasugi, Hiraishi, Umatani and Yuasa 2012, section 5.2).
    fn skip(&self, place: Self::Place, count: usize) -> Self::Place;
}

/// In a sealed module, so that only types of this crate are rows and their vertices. Threads that meet at barriers rely
/// on that: no method of a row or a vertex panics.
pub(super) mod sealed {
    /// See [`Rows`](super::Rows).
    pub trait Sealed {}

    /// The vertices of these rows.
    pub trait Number {}

    impl Number for u32 {}
    impl Number for u64 {}
}

impl<V: Vertex + sealed::Number> sealed::Sealed for Csr<V> {}

/// The place is the index of an arc.
impl<V: Vertex + sealed::Number> Rows for Csr<V> {
    type Vertex = V;
    type Place = usize;

    fn num_rows(&self) -> usize {
        self.num_vertices()
    }

    fn has_reverses(&self) -> bool {
        self.is_symmetric()
    }

    #[inline(always)]
    fn row_len(&self, v: V) -> usize {
        Graph::degree(self, v)
    }

    #[inline(always)]
    fn first(&self, v: V) -> usize {
        self.offsets()[v.index()]
    }

    #[inline(always)]
    fn vertex(&self, place: usize) -> V {
        self.targets()[place]
    }

    #[inline(always)]
    fn after(&self, place: usize) -> usize {
        place + 1
    }

    #[inline(always)]
    fn skip(&self, place: usize, count: usize) -> usize {
        place + count
    }
}
