//! Graphs derived from other graphs, and properties that need a pass over the graph.

use super::error::BuildError;
use super::formula::rows_by_formula;
use super::rows::rows_of;
use super::rules::Rules;
use super::source::Flipped;
use crate::csr::{Csr, Index, Rows, RowsError, RowsView};
use crate::graph::Graph;
use crate::vertex::{AtomicVertex, Vertex};
use crate::watch::Watch;
use crate::weight::Weight;

/// Why a graph cannot be relabeled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RelabelError {
    /// There is not one new number for each vertex.
    #[error("{found} new numbers for {num_vertices} vertices")]
    WrongLength {
        /// The number of new numbers.
        found: usize,
        /// The number of vertices.
        num_vertices: usize,
    },
    /// A new number is not below the number of vertices, or two vertices have the same one.
    #[error(
        "vertex {vertex} cannot become {number}: \
         another vertex has this number, or it is not below the number of vertices"
    )]
    NotAPermutation {
        /// The vertex. If two have the same number, one of them.
        vertex: usize,
        /// Its new number.
        number: usize,
    },
    /// The new graph cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl<V: Vertex, W: Weight> Csr<V, W> {
    /// The number of edges. In a directed graph these are its arcs, in a symmetric graph its pairs of arcs and its
    /// self-loops.
    ///
    /// Work: O(1) for a directed graph. For a symmetric one O(n + m), to count the self-loops, in parallel over the
    /// vertices.
    pub fn num_edges(&self) -> usize {
        if !self.is_symmetric() {
            return self.num_arcs();
        }
        let loops_at = |v: usize| self.row(V::new(v)).iter().filter(|target| target.index() == v).count();
        let loops = filch::map_reduce(0..self.num_vertices(), || 0, |_, v| loops_at(v), |a, b| a + b);
        (self.num_arcs() - loops) / 2 + loops
    }

    /// The number of arcs that leave each vertex, in the order of the vertices.
    pub fn degrees(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.out_rows().offsets.windows(2).map(|pair| pair[1] - pair[0])
    }

    /// The graph that [`Rules`] make of the arcs of this one, in parallel, as by [`CsrBuilder::build`]. Its rows ascend
    /// if anything had to be changed. A symmetric graph stays symmetric.
    ///
    /// Work: O(n + m log d) for the largest degree d. A graph of which nothing has to be left out is only read once.
    ///
    /// ```
    /// use filch_graph::{Csr, Rules};
    ///
    /// let arcs: Csr = Csr::builder(3).build(vec![(0, 1), (2, 1), (2, 1)])?;
    /// let rules = Rules { symmetrize: true, remove_duplicates: true, ..Rules::default() };
    /// assert_eq!(arcs.by_rules(rules, &())?.row(1), [0, 2]);
    /// # Ok::<(), filch_graph::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`BuildError::OutOfMemory`] if there is not enough memory.
    ///
    /// # Panics
    ///
    /// Panics if `watch` does.
    ///
    /// [`CsrBuilder::build`]: crate::CsrBuilder::build
    pub fn by_rules(self, rules: Rules, watch: &dyn Watch) -> Result<Csr<V, W>, BuildError> {
        let n = self.num_vertices();
        if rules.symmetrize && !self.is_symmetric() {
            let (out, into) = self.into_rows();
            drop(into);
            return Ok(Csr::from_rows(rows_of(n, &Flipped::new(out.view()), rules, watch)?, None));
        }
        let is_kept = |v: usize| {
            let row = self.row(V::new(v));
            let has_duplicates = rules.remove_duplicates && !row.is_sorted_by(|a, b| a < b);
            let has_loop = rules.remove_self_loops && row.contains(&V::new(v));
            !has_duplicates && !has_loop
        };
        if filch::find_any(0..n, |_, &v| !is_kept(v)).is_none() {
            return Ok(self);
        }
        let rules = Rules { symmetrize: false, ..rules };
        let into = rows_of(n, &Flipped::new(self.out_rows().view()), rules, watch)?;
        if self.is_symmetric() {
            return Ok(Csr::from_rows(into, None));
        }
        drop(self);
        Ok(Csr::from_rows(into.transposed(watch)?, Some(into)))
    }
}

impl<V: Vertex, W: Weight> Csr<V, W> {
    /// The directed graph in these arrays: see [`Rows::new`]. The arrays are kept, and the arcs by their targets are
    /// made of them. If those are there already, or if the graph is symmetric, [`from_rows`](Self::from_rows) takes
    /// them.
    ///
    /// Work: O(n + m log d) for the largest degree d, in parallel.
    ///
    /// ```
    /// use filch_graph::Csr;
    ///
    /// let graph = Csr::from_parts(vec![0, 2, 2, 3], vec![2_u32, 1, 1], vec![0.5_f32, 2.0, 1.5])?;
    /// assert_eq!((graph.row(0), graph.in_row(1)), (&[2, 1][..], &[0, 2][..]));
    /// let (offsets, targets, weights) = graph.into_parts();
    /// assert_eq!((offsets.len(), targets.len(), weights.len()), (4, 3, 3));
    /// # Ok::<(), filch_graph::RowsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RowsError`], if the arrays do not fit each other, or if there is not enough memory.
    pub fn from_parts(offsets: Vec<usize>, targets: Vec<V>, weights: Vec<W>) -> Result<Self, RowsError> {
        let out = Rows::new(offsets, targets, weights)?;
        // That is the only error, because these are rows already.
        let into = out.transposed(&()).map_err(|_| RowsError::OutOfMemory { num_arcs: out.targets.len() })?;
        Ok(Csr::from_rows(out, Some(into)))
    }

    /// The arcs by their sources, as offsets, targets and weights. Those by their targets are freed.
    pub fn into_parts(self) -> (Vec<usize>, Vec<V>, Vec<W>) {
        self.into_rows().0.into_parts()
    }
}

impl<V: Vertex, W: Weight> Rows<V, W> {
    /// The same arcs by their targets: see [`RowsView::transposed`].
    ///
    /// # Errors
    ///
    /// [`BuildError::OutOfMemory`] if there is not enough memory.
    ///
    /// # Panics
    ///
    /// Panics if `watch` does.
    pub fn transposed(&self, watch: &dyn Watch) -> Result<Rows<V, W>, BuildError> {
        self.view().transposed(watch)
    }
}

impl<V: Vertex, W: Weight, O: Index> RowsView<'_, V, W, O> {
    /// The same arcs by their targets: the row of v has the sources of the arcs that lead to v, in ascending order.
    /// Built in parallel, as by [`CsrBuilder::build`](crate::CsrBuilder::build).
    ///
    /// # Errors
    ///
    /// [`BuildError::OutOfMemory`] if there is not enough memory.
    ///
    /// # Panics
    ///
    /// Panics if `watch` does, or if borrowed arrays have changed.
    pub fn transposed(&self, watch: &dyn Watch) -> Result<Rows<V, W>, BuildError> {
        rows_of(self.num_vertices(), &Flipped::new(*self), Rules::ALL, watch)
    }
}

impl<V: Vertex> Csr<V> {
    /// The same graph with other vertex numbers: vertex v becomes `numbers[v]`. Rows are sorted again.
    ///
    /// The order of the vertices in memory can matter more than the algorithm, because neighbors with close numbers are
    /// often in the cache together. Work: O(n + m log d) for the largest degree d, in parallel over the rows.
    ///
    /// ```
    /// use filch_graph::Csr;
    ///
    /// let path: Csr = Csr::builder(3).symmetrize(true).build(vec![(0, 1), (1, 2)])?;
    /// let relabeled = path.relabeled(&[1, 0, 2]).expect("a permutation");
    /// assert_eq!(relabeled.row(0), [1, 2]);
    /// # Ok::<(), filch_graph::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RelabelError`]: `numbers` is not a permutation of the vertices, or there is not enough memory.
    pub fn relabeled(&self, numbers: &[V]) -> Result<Csr<V>, RelabelError> {
        let n = self.num_vertices();
        if numbers.len() != n {
            return Err(RelabelError::WrongLength { found: numbers.len(), num_vertices: n });
        }
        let mut old: Vec<V::Atomic> = Vec::with_capacity(n);
        old.resize_with(n, || V::Atomic::new(V::NONE));
        filch::try_for_each((0_usize.., numbers), |_, (vertex, number)| {
            match old.get(number.index()).is_some_and(|old| old.replace(V::NONE, V::new(vertex))) {
                true => Ok(()),
                false => Err(RelabelError::NotAPermutation { vertex, number: number.index() }),
            }
        })?;
        let relabeled = |rows: &Rows<V>| {
            let old_row = |v: usize| {
                let old = old[v].load().index();
                &rows.targets[rows.offsets[old]..rows.offsets[old + 1]]
            };
            rows_by_formula(
                n,
                |v| old_row(v).len(),
                |v, row: &mut Vec<V>| {
                    row.extend(old_row(v).iter().map(|target| numbers[target.index()]));
                    row.sort_unstable();
                },
                &(),
            )
        };
        let into = self.in_rows().map(relabeled).transpose()?;
        Ok(Csr::from_rows(relabeled(self.out_rows())?, into))
    }
}
