//! Compressed sparse rows: the targets of all arcs in one array, ordered by source.

use crate::graph::Graph;
use crate::prefetch::prefetch;
use crate::vertex::Vertex;
use crate::weight::Weight;

/// A graph in compressed sparse rows, with a weight for each arc if `W` is `f32`, and without weights by default.
///
/// Memory: a word for each vertex, and a vertex and a weight for each arc. A directed graph takes twice as much,
/// because it stores each arc at both of its ends. In a symmetric graph an arc and its reverse have the same weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csr<V = u32, W = ()> {
    out: Rows<V, W>,
    /// The sources of the arcs that lead to each vertex. `None` for a symmetric graph, in which they equal `out`.
    into: Option<Rows<V, W>>,
}

/// A graph with weights: all that a [`Csr`] is, and a weight for each arc. See [`Weight`].
pub type WeightedCsr<V = u32> = Csr<V, f32>;

/// The arcs of a graph, ordered by one of their ends: the neighbors of vertex v are
/// `targets[offsets[v]..offsets[v + 1]]`, and the weights of these arcs are in the same places of `weights`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows<V = u32, W = ()> {
    /// One offset more than there are vertices, in ascending order from 0 to the number of arcs.
    pub(crate) offsets: Vec<usize>,
    /// Each target is below the number of vertices.
    pub(crate) targets: Vec<V>,
    /// The weight of each arc, in the order of `targets`.
    pub(crate) weights: Vec<W>,
}

/// Why arrays are no rows of a graph. Of several faults the first one is reported.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RowsError {
    /// The offsets do not ascend from 0 to the number of arcs.
    #[error("the row of vertex {vertex} begins at {found}, expected {least} to {most}")]
    Offset {
        /// The vertex. For the end of the last row, the number of vertices.
        vertex: usize,
        /// The offset of its row.
        found: usize,
        /// The lowest valid offset.
        least: usize,
        /// The highest valid offset.
        most: usize,
    },
    /// There is no offset, not even the end of the last row; or more vertices than the type can number.
    #[error("{found} offsets, expected 1 to {most}")]
    NumOffsets {
        /// The number of offsets.
        found: usize,
        /// The largest possible number of offsets.
        most: usize,
    },
    /// An arc leads to a number that is not a vertex.
    #[error("arc {arc} leads to {found}, but there are only {num_vertices} vertices, numbered from 0")]
    Target {
        /// The position of the arc.
        arc: usize,
        /// The number it leads to.
        found: usize,
        /// The number of vertices.
        num_vertices: usize,
    },
    /// There is not one weight for each arc.
    #[error("{found} weights, expected {num_arcs}, one for each arc")]
    NumWeights {
        /// The number of weights.
        found: usize,
        /// The number of arcs.
        num_arcs: usize,
    },
    /// A weight is infinite or not a number.
    #[error("arc {arc} has the weight {found}, expected a finite number")]
    Weight {
        /// The position of the arc.
        arc: usize,
        /// Its weight.
        found: f32,
    },
}

impl<V: Vertex, W: Weight> Rows<V, W> {
    /// Rows of the vertices 0 to n - 1, whose number is that of the offsets less one. Without weights, `weights` is
    /// `vec![(); targets.len()]`, which takes no memory.
    ///
    /// Work: O(n + m), in parallel.
    ///
    /// ```
    /// use filch_graph::{Csr, Graph, Rows};
    ///
    /// let path = Rows::<u32>::new(vec![0, 1, 3, 4], vec![1, 0, 2, 1], vec![(); 4])?;
    /// assert_eq!(Csr::from_rows(path, None).degree(1), 2);
    /// # Ok::<(), filch_graph::RowsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RowsError`], if the arrays do not fit each other.
    pub fn new(offsets: Vec<usize>, targets: Vec<V>, mut weights: Vec<W>) -> Result<Self, RowsError> {
        let (found, num_arcs, most) = (offsets.len(), targets.len(), V::MAX_COUNT.saturating_add(1));
        let Some(n) = found.checked_sub(1).filter(|_| found <= most) else {
            return Err(RowsError::NumOffsets { found, most });
        };
        let bounds = |vertex: usize| {
            let least = if vertex == n { num_arcs } else { vertex.checked_sub(1).map_or(0, |before| offsets[before]) };
            (least, if vertex == 0 { 0 } else { num_arcs })
        };
        let is_offset = |vertex: usize, offset: &usize| (bounds(vertex).0..=bounds(vertex).1).contains(offset);
        if let Some(vertex) = first_bad(&offsets, is_offset) {
            let (least, most) = bounds(vertex);
            return Err(RowsError::Offset { vertex, found: offsets[vertex], least, most });
        }
        if let Some(arc) = first_bad(&targets, |_, target| target.index() < n) {
            return Err(RowsError::Target { arc, found: targets[arc].index(), num_vertices: n });
        }
        if weights.len() != num_arcs {
            return Err(RowsError::NumWeights { found: weights.len(), num_arcs });
        }
        if let Some(arc) = first_bad(&weights, |_, weight| weight.value().is_finite()) {
            return Err(RowsError::Weight { arc, found: weights[arc].value() });
        }
        if W::IS_KEPT {
            // Equal weights have equal bits.
            filch::for_each(&mut weights, |_, weight| *weight = W::of(weight.value()));
        }
        Ok(Rows { offsets, targets, weights })
    }

    /// Where the row of each vertex begins, and at the end the number of arcs.
    #[inline(always)]
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The other end of each arc.
    #[inline(always)]
    pub fn targets(&self) -> &[V] {
        &self.targets
    }

    /// The weight of each arc.
    #[inline(always)]
    pub fn weights(&self) -> &[W] {
        &self.weights
    }

    /// The number of vertices.
    #[inline(always)]
    pub fn num_vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The neighbors of a vertex.
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex.
    #[inline(always)]
    pub fn row(&self, v: V) -> &[V] {
        &self.targets[self.offsets[v.index()]..self.offsets[v.index() + 1]]
    }

    #[inline(always)]
    fn weights_of(&self, v: V) -> &[W] {
        &self.weights[self.offsets[v.index()]..self.offsets[v.index() + 1]]
    }
}

impl<V: Vertex, W: Weight> Csr<V, W> {
    /// The graph with these arcs, by their sources and by their targets, or the symmetric one if `into` is `None`.
    ///
    /// It is not checked that both have the same arcs, or that the reverse of each arc is there, with the same weight.
    /// If that is wrong, algorithms return wrong results, panic or do not end. [`Rows::transposed`] makes the second
    /// rows of the first.
    ///
    /// # Panics
    ///
    /// Panics if both have different numbers of vertices or of arcs.
    pub fn from_rows(out: Rows<V, W>, into: Option<Rows<V, W>>) -> Self {
        let size = |rows: &Rows<V, W>| (rows.num_vertices(), rows.targets.len());
        assert!(into.as_ref().is_none_or(|into| size(into) == size(&out)), "rows of two different graphs");
        Csr { out, into }
    }

    /// The arcs by their sources.
    pub fn out_rows(&self) -> &Rows<V, W> {
        &self.out
    }

    /// The arcs by their targets. `None` if the graph is symmetric, in which they are the same.
    pub fn in_rows(&self) -> Option<&Rows<V, W>> {
        self.into.as_ref()
    }

    /// The arcs by their sources and by their targets: the reverse of [`from_rows`](Self::from_rows).
    pub fn into_rows(self) -> (Rows<V, W>, Option<Rows<V, W>>) {
        (self.out, self.into)
    }

    /// Where the arcs of each vertex begin in [`targets`](Self::targets), and at the end the number of arcs: one offset
    /// more than there are vertices.
    #[inline(always)]
    pub fn offsets(&self) -> &[usize] {
        &self.out.offsets
    }

    /// The targets of all arcs, ordered by source: those of vertex v are `targets[offsets[v]..offsets[v + 1]]`.
    #[inline(always)]
    pub fn targets(&self) -> &[V] {
        &self.out.targets
    }

    /// The targets of the arcs that leave `v`, as a slice.
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    #[inline(always)]
    pub fn row(&self, v: V) -> &[V] {
        self.out.row(v)
    }

    /// The sources of the arcs that lead to `v`, as a slice.
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    #[inline(always)]
    pub fn in_row(&self, v: V) -> &[V] {
        self.into.as_ref().unwrap_or(&self.out).row(v)
    }

    /// The weights of the arcs that leave `v`, in the order of [`row`](Self::row).
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    #[inline(always)]
    pub fn weights(&self, v: V) -> &[W] {
        self.out.weights_of(v)
    }

    /// The weights of the arcs that lead to `v`, in the order of [`in_row`](Self::in_row).
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    #[inline(always)]
    pub fn in_weights(&self, v: V) -> &[W] {
        self.into.as_ref().unwrap_or(&self.out).weights_of(v)
    }
}

impl<V: Vertex, W: Weight> Graph for Csr<V, W> {
    type Vertex = V;

    #[inline(always)]
    fn num_vertices(&self) -> usize {
        self.out.num_vertices()
    }

    #[inline(always)]
    fn num_arcs(&self) -> usize {
        self.out.targets.len()
    }

    #[inline(always)]
    fn is_symmetric(&self) -> bool {
        self.into.is_none()
    }

    #[inline(always)]
    fn degree(&self, v: V) -> usize {
        self.out.offsets[v.index() + 1] - self.out.offsets[v.index()]
    }

    #[inline(always)]
    fn neighbors(&self, v: V) -> impl Iterator<Item = V> + '_ {
        self.row(v).iter().copied()
    }

    #[inline(always)]
    fn in_neighbors(&self, v: V) -> impl Iterator<Item = V> + '_ {
        self.in_row(v).iter().copied()
    }

    #[inline(always)]
    fn in_slice(&self, v: V) -> Option<&[V]> {
        Some(self.in_row(v))
    }

    #[inline(always)]
    fn prefetch(&self, v: V) {
        prefetch(&self.out.offsets, v.index());
    }

    #[inline(always)]
    fn prefetch_neighbors(&self, v: V) {
        if let Some(&offset) = self.out.offsets.get(v.index()) {
            prefetch(&self.out.targets, offset);
        }
    }
}

/// The position of the first item that is not `good`, in parallel.
fn first_bad<T: Sync>(items: &[T], good: impl Fn(usize, &T) -> bool + Send + Sync) -> Option<usize> {
    /// The number of items that a worker looks at, in a tight loop.
    const BLOCK: usize = 1 << 14;
    let in_block = |block: usize| {
        let items = (block * BLOCK..).zip(&items[block * BLOCK..items.len().min((block + 1) * BLOCK)]);
        let any_bad = items.clone().fold(false, |bad, (at, item)| bad | !good(at, item));
        if any_bad { items.clone().find(|(at, item)| !good(*at, item)) } else { None }
    };
    let bad = filch::map_reduce(0..items.len().div_ceil(BLOCK), || None, |_, block| in_block(block), |a, b| a.or(b));
    bad.map(|(at, _)| at)
}
