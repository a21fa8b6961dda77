//! The arcs of a graph, ordered by one of their ends: owned, or borrowed from arrays that somebody else has.

use super::index::Index;
use crate::vertex::Vertex;
use crate::weight::Weight;

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

/// [`Rows`] in arrays that are borrowed, for example from numpy, from another library, or from a file in memory. Copies
/// of this value refer to the same arrays.
///
/// `O` is the type of the offsets. Signed numbers count as the unsigned ones of the same size: see [`Index`].
#[derive(Clone, Copy, Debug)]
pub struct RowsView<'a, V = u32, W = (), O = usize> {
    offsets: &'a [O],
    targets: &'a [V],
    weights: &'a [W],
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
        found: i128,
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
        found: i128,
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
        found: f64,
    },
    /// There is not enough memory for the arcs by their targets.
    #[error("no memory for {num_arcs} arcs by their targets")]
    OutOfMemory {
        /// The number of arcs.
        num_arcs: usize,
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
        let n = check_offsets(&offsets, targets.len(), V::MAX_COUNT)?;
        if let Some(arc) = bad_target(&targets, n) {
            return Err(RowsError::Target { arc, found: targets[arc].index() as i128, num_vertices: n });
        }
        check_weights(&weights, targets.len())?;
        if W::IS_KEPT {
            // Equal weights have equal bits.
            filch::for_each(&mut weights, |_, weight| *weight = weight.canonical());
        }
        Ok(Rows { offsets, targets, weights })
    }

    /// These rows, borrowed.
    #[inline(always)]
    pub fn view(&self) -> RowsView<'_, V, W> {
        RowsView { offsets: &self.offsets, targets: &self.targets, weights: &self.weights }
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

    /// The arrays: offsets, targets and weights, as [`new`](Self::new) takes them.
    pub fn into_parts(self) -> (Vec<usize>, Vec<V>, Vec<W>) {
        (self.offsets, self.targets, self.weights)
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
        self.view().row(v)
    }
}

impl<'a, V, O> RowsView<'a, V, (), O>
where
    V: Vertex + Index<Unsigned = V>,
    O: Index<Unsigned = O>,
{
    /// Rows in these arrays, without weights: see [`Rows::new`]. Nothing is copied.
    ///
    /// The numbers are checked now, and later accesses are checked where they are made. Memory that is mapped from a
    /// file must not be changed by anybody while it is borrowed, as that of any slice.
    ///
    /// Work: O(n + m), in parallel. Memory: none.
    ///
    /// ```
    /// use filch_graph::{CsrView, RowsView, bfs::bfs};
    ///
    /// let (indptr, indices) = ([0_i32, 1, 3, 4], [1_i32, 0, 2, 1]); // as scipy has them
    /// let path = CsrView::symmetric(RowsView::new(&indptr, &indices)?);
    /// assert_eq!(bfs(&path, 0).depths, [0, 1, 2]);
    /// let error = RowsView::new(&indptr, &[1_i32, 0, -2, 1]).unwrap_err().to_string();
    /// assert_eq!(error, "arc 2 leads to -2, but there are only 3 vertices, numbered from 0");
    /// # Ok::<(), filch_graph::RowsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RowsError`], if the arrays do not fit each other, or if a number is negative.
    pub fn new<P, T>(offsets: &'a [P], targets: &'a [T]) -> Result<Self, RowsError>
    where
        P: Index<Unsigned = O>,
        T: Index<Unsigned = V>,
    {
        let n = check_offsets(offsets, targets.len(), V::MAX_COUNT)?;
        // What is below 0 becomes larger than all numbers of this type.
        if let Some(arc) = bad_target(T::unsigned(targets), n.min(T::LARGEST.saturating_add(1))) {
            return Err(RowsError::Target { arc, found: targets[arc].number(), num_vertices: n });
        }
        // A vector of units takes no memory, so that nothing is lost.
        let weights = Vec::leak(vec![(); targets.len()]);
        Ok(RowsView { offsets: P::unsigned(offsets), targets: T::unsigned(targets), weights })
    }

    /// The same rows with a weight for each arc, in the order of the targets.
    ///
    /// Work: O(m), in parallel. Memory: none.
    ///
    /// # Errors
    ///
    /// [`RowsError::NumWeights`] if there is not one weight for each arc, [`RowsError::Weight`] if one is not finite.
    pub fn with_weights<W: Weight>(self, weights: &'a [W]) -> Result<RowsView<'a, V, W, O>, RowsError> {
        check_weights(weights, self.targets.len())?;
        Ok(RowsView { offsets: self.offsets, targets: self.targets, weights })
    }
}

impl<'a, V: Vertex, W: Weight, O: Index> RowsView<'a, V, W, O> {
    /// Where the row of each vertex begins, and at the end the number of arcs.
    #[inline(always)]
    pub fn offsets(&self) -> &'a [O] {
        self.offsets
    }

    /// The other end of each arc.
    #[inline(always)]
    pub fn targets(&self) -> &'a [V] {
        self.targets
    }

    /// The weight of each arc.
    #[inline(always)]
    pub fn weights(&self) -> &'a [W] {
        self.weights
    }

    /// The number of vertices.
    #[inline(always)]
    pub fn num_vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of arcs.
    #[inline(always)]
    pub fn num_arcs(&self) -> usize {
        self.targets.len()
    }

    /// The neighbors of a vertex.
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex.
    #[inline(always)]
    pub fn row(&self, v: V) -> &'a [V] {
        &self.targets[self.start(v.index())..self.start(v.index() + 1)]
    }

    /// The weights of the arcs in a row, in the order of [`row`](Self::row).
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex.
    #[inline(always)]
    pub fn weights_of(&self, v: V) -> &'a [W] {
        &self.weights[self.start(v.index())..self.start(v.index() + 1)]
    }

    /// Where a row begins, or at the number of vertices the number of arcs.
    #[inline(always)]
    pub(crate) fn start(&self, v: usize) -> usize {
        self.offsets[v].position()
    }
}

/// The number of vertices that have these offsets.
fn check_offsets<P: Index>(offsets: &[P], num_arcs: usize, most_vertices: usize) -> Result<usize, RowsError> {
    let (found, most) = (offsets.len(), most_vertices.saturating_add(1));
    let Some(n) = found.checked_sub(1).filter(|_| found <= most) else {
        return Err(RowsError::NumOffsets { found, most });
    };
    let unsigned = P::unsigned(offsets);
    // What is below 0 becomes larger than all numbers of this type.
    let most = num_arcs.min(P::LARGEST);
    let bounds = |vertex: usize| {
        let before = || vertex.checked_sub(1).map_or(0, |before| unsigned[before].position());
        let least = if vertex == n { num_arcs } else { before() };
        (least, if vertex == 0 && n > 0 { 0 } else { most })
    };
    let is_offset =
        |vertex: usize, offset: &P::Unsigned| (bounds(vertex).0..=bounds(vertex).1).contains(&offset.position());
    match first_bad(unsigned, is_offset) {
        None => Ok(n),
        Some(vertex) => {
            let (least, most) = bounds(vertex);
            Err(RowsError::Offset { vertex, found: offsets[vertex].number(), least, most })
        }
    }
}

/// The position of the first target that is not below `limit`.
fn bad_target<V: Vertex>(targets: &[V], limit: usize) -> Option<usize> {
    first_bad(targets, |_, target| target.index() < limit)
}

fn check_weights<W: Weight>(weights: &[W], num_arcs: usize) -> Result<(), RowsError> {
    if weights.len() != num_arcs {
        return Err(RowsError::NumWeights { found: weights.len(), num_arcs });
    }
    match first_bad(weights, |_, weight| weight.is_finite()) {
        None => Ok(()),
        Some(arc) => Err(RowsError::Weight { arc, found: weights[arc].rounded() }),
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
