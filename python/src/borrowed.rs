//! Graphs in the arrays of Python, which are read where they lie.
//!
//! While the interpreter is released, another thread of Python may write to an array that is borrowed. So each number
//! is read by a relaxed atomic load, each time it is used, and is checked where it is used: an algorithm only ever sees
//! vertices that there are. A graph that is written to meanwhile gives a wrong result at worst.

use crate::results::{build_error, reserved, value_error};
use crate::running::{Look, Workers, run, run_serially};
use filch_algorithms::memory::prefetch;
use filch_graph::{Csr, Graph, Rows, Rules, Weight};
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// A number of vertices that fits into the results, which are `int32` as those of scipy.
pub(crate) const MOST_VERTICES: usize = i32::MAX as usize;

/// A cell of an array of indices.
pub(crate) trait Cell: Send + Sync {
    /// The number in it. A negative one is larger than any index.
    fn get(&self) -> usize;

    /// The number in it, for people.
    fn shown(&self) -> i64;
}

impl Cell for AtomicU32 {
    #[inline(always)]
    fn get(&self) -> usize {
        self.load(Ordering::Relaxed) as usize
    }

    fn shown(&self) -> i64 {
        i64::from(self.load(Ordering::Relaxed) as i32)
    }
}

impl Cell for AtomicU64 {
    #[inline(always)]
    fn get(&self) -> usize {
        self.load(Ordering::Relaxed) as usize
    }

    fn shown(&self) -> i64 {
        self.load(Ordering::Relaxed) as i64
    }
}

/// An array of indices.
#[derive(FromPyObject)]
pub(crate) enum Indices<'py> {
    Narrow(Bound<'py, PyArray1<i32>>),
    Wide(Bound<'py, PyArray1<i64>>),
}

/// The cells of an array of Python, which must be contiguous and aligned. They live as long as it is borrowed.
pub(crate) fn cells<'a, T: numpy::Element, C>(array: &'a Bound<'_, PyArray1<T>>) -> PyResult<&'a [C]> {
    const { assert!(size_of::<T>() == size_of::<C>(), "a cell is as large as an item") };
    let (data, len) = (array.data().cast::<C>(), array.len());
    if len == 0 {
        return Ok(&[]);
    }
    if !array.is_contiguous() || !data.is_aligned() {
        return Err(PyValueError::new_err("expected a contiguous and aligned array"));
    }
    // SAFETY: numpy keeps `len` items there, contiguous and aligned, as has just been checked, while the array is
    // referred to, which `array` does. `C` is an atomic type of the same size, for which all bits are valid. Other
    // threads may write to them, and Rust reads them atomically.
    Ok(unsafe { std::slice::from_raw_parts(data, len) })
}

/// A graph in compressed sparse rows that are borrowed. What is no index of a vertex counts as a loop, and is told
/// [at the end](Self::checked).
pub(crate) struct Borrowed<'a, C> {
    offsets: &'a [C],
    targets: &'a [C],
    is_symmetric: bool,
    /// The first place in `targets` at which no vertex was found, so far.
    bad: AtomicUsize,
}

impl<'a, C: Cell> Borrowed<'a, C> {
    /// The graph with these rows. Work: a pass over the offsets.
    ///
    /// Of a graph that is said to be symmetric, the algorithms read each edge from either of its ends.
    pub(crate) fn new(offsets: &'a [C], targets: &'a [C], is_symmetric: bool) -> PyResult<Self> {
        let most = MOST_VERTICES;
        let Some(n) = offsets.len().checked_sub(1).filter(|n| *n <= most) else {
            let found = offsets.len();
            return Err(PyValueError::new_err(format!("indptr has {found} numbers, expected 1 to {}", most + 1)));
        };
        // Without a branch for each of them, which takes several times as long.
        let (mut ascend, mut last) = (offsets[0].get() == 0, 0);
        for offset in offsets {
            let found = offset.get();
            ascend &= last <= found;
            last = found;
        }
        if !ascend || last > targets.len() {
            return Err(Self::wrong(offsets, targets.len()));
        }
        // Indices behind the last row are not used, as in scipy.
        let targets = &targets[..offsets[n].get().min(targets.len())];
        Ok(Borrowed { offsets, targets, is_symmetric, bad: AtomicUsize::new(usize::MAX) })
    }

    /// The exception for offsets that are no rows of so many targets.
    #[cold]
    fn wrong(offsets: &[C], len: usize) -> PyErr {
        let mut least = 0;
        for (vertex, offset) in offsets.iter().enumerate() {
            let (found, most) = (offset.get(), if vertex == 0 { 0 } else { len });
            if !(least..=most).contains(&found) {
                let found = offset.shown();
                return PyValueError::new_err(format!("indptr[{vertex}] is {found}, expected {least} to {most}"));
            }
            least = found;
        }
        PyValueError::new_err("indptr was written to while it was checked")
    }

    /// The cells of a row, and the place of the first one.
    #[inline(always)]
    pub(crate) fn row_from(&self, v: u32) -> (usize, &'a [C]) {
        // Both are read once; the slice that they make is then as long as it is, whatever is written meanwhile.
        let (first, end) = (self.offsets[v as usize].get(), self.offsets[v as usize + 1].get());
        (first, self.targets.get(first..end).unwrap_or_default())
    }

    #[inline(always)]
    fn row(&self, v: u32) -> &'a [C] {
        self.row_from(v).1
    }

    /// The vertex in a cell of the row of `source`.
    #[inline(always)]
    pub(crate) fn target(&self, cell: &C, source: u32) -> u32 {
        let target = cell.get();
        if target < self.offsets.len() - 1 { target as u32 } else { self.noted(cell, source) }
    }

    #[cold]
    #[inline(never)]
    fn noted(&self, cell: &C, source: u32) -> u32 {
        let place = (std::ptr::from_ref(cell).addr() - self.targets.as_ptr().addr()) / size_of::<C>();
        self.bad.fetch_min(place, Ordering::Relaxed);
        source
    }

    /// Whether all indices that have been read were vertices.
    ///
    /// # Errors
    ///
    /// A `ValueError` with the first place at which none was found.
    pub(crate) fn checked(&self) -> PyResult<()> {
        let place = self.bad.load(Ordering::Relaxed);
        let Some(cell) = self.targets.get(place) else { return Ok(()) };
        let (found, n) = (cell.shown(), self.offsets.len() - 1);
        Err(PyValueError::new_err(format!("indices[{place}] is {found}, expected a vertex, which is below {n}")))
    }

    /// The number of vertices and arcs.
    pub(crate) fn size(&self) -> usize {
        self.num_vertices() + self.num_arcs()
    }

    /// Runs `f`, which goes over this graph `rounds` times, and [checks](Self::checked) what it has read.
    pub(crate) fn solved<R: Send>(
        &self,
        py: Python<'_>,
        workers: Workers,
        rounds: usize,
        f: impl FnOnce() -> PyResult<R> + Send,
    ) -> PyResult<R> {
        let result = run(py, workers, self.size().saturating_mul(rounds), f)??;
        self.checked()?;
        Ok(result)
    }

    /// Runs a serial algorithm, and [checks](Self::checked) what it has read.
    pub(crate) fn solved_serially<R: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut Look) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        let result = run_serially(py, f)?;
        self.checked()?;
        Ok(result)
    }

    /// A copy of the rows, in parallel. `weight` has the weight of the arc at a place.
    pub(crate) fn copied<W: Weight>(&self, weight: impl Fn(usize) -> W + Send + Sync) -> PyResult<Rows<u32, W>> {
        let n = self.num_vertices();
        reserved::<usize>(n + 1)?;
        reserved::<(u32, W)>(self.targets.len())?;
        let offsets = filch_algorithms::tabulate(n + 1, |v| self.offsets[v].get());
        let targets = filch_algorithms::tabulate(self.targets.len(), |place| self.target(&self.targets[place], 0));
        self.checked()?;
        let weights = filch_algorithms::tabulate(targets.len(), weight);
        Rows::new(offsets, targets, weights).map_err(value_error)
    }

    /// A copy that has the arcs by their targets as well, in parallel. Memory: 8 bytes for each arc.
    pub(crate) fn both_ways(&self) -> PyResult<Csr> {
        let rows = self.copied(|_| ())?;
        let into = rows.transposed(&()).map_err(build_error)?;
        Ok(Csr::from_rows(rows, Some(into)))
    }

    /// A copy in which the reverse of each arc is an arc of the same weight, in parallel. Of several arcs from the same
    /// source to the same target it has one, the lightest.
    pub(crate) fn symmetrized<W: Weight>(&self, weight: impl Fn(usize) -> W + Send + Sync) -> PyResult<Csr<u32, W>> {
        let rows = self.copied(weight)?;
        let arcs = Csr::from_rows(rows.clone(), Some(rows));
        let rules = Rules { symmetrize: true, remove_duplicates: true, remove_self_loops: false };
        arcs.by_rules(rules, &()).map_err(build_error)
    }
}

impl<C: Cell> Graph for Borrowed<'_, C> {
    type Vertex = u32;

    #[inline(always)]
    fn num_vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    #[inline(always)]
    fn num_arcs(&self) -> usize {
        self.targets.len()
    }

    #[inline(always)]
    fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    #[inline(always)]
    fn degree(&self, v: u32) -> usize {
        self.row(v).len()
    }

    #[inline(always)]
    fn neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        // Read once: the compiler cannot know that it stays the same.
        let n = self.num_vertices();
        self.row(v).iter().map(move |cell| {
            let target = cell.get();
            if target < n { target as u32 } else { self.noted(cell, v) }
        })
    }

    /// Those of the other direction, of which algorithms on symmetric graphs make use.
    #[inline(always)]
    fn in_neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        self.neighbors(v)
    }

    #[inline(always)]
    fn prefetch(&self, v: u32) {
        prefetch(self.offsets.as_ptr().wrapping_add(v as usize));
    }

    #[inline(always)]
    fn prefetch_neighbors(&self, v: u32) {
        prefetch(self.targets.as_ptr().wrapping_add(self.offsets[v as usize].get()));
    }
}

/// Runs `$body` with `$graph`, the [`Borrowed`] graph in two arrays of the same type.
macro_rules! with_graph {
    ($indptr:expr, $indices:expr, $is_symmetric:expr, |$graph:ident| $body:expr) => {{
        use std::sync::atomic::{AtomicU32, AtomicU64};
        use $crate::borrowed::{Borrowed, Indices, cells};
        match (&$indptr, &$indices) {
            (Indices::Narrow(offsets), Indices::Narrow(targets)) => {
                let $graph = Borrowed::<AtomicU32>::new(cells(offsets)?, cells(targets)?, $is_symmetric)?;
                $body
            }
            (Indices::Wide(offsets), Indices::Wide(targets)) => {
                let $graph = Borrowed::<AtomicU64>::new(cells(offsets)?, cells(targets)?, $is_symmetric)?;
                $body
            }
            _ => Err(pyo3::exceptions::PyValueError::new_err("indptr and indices have different types")),
        }
    }};
}
pub(crate) use with_graph;

/// Whether the columns of each row ascend. All are read and checked.
#[pyfunction]
#[pyo3(signature = (indptr, indices, workers))]
pub(crate) fn is_canonical<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    workers: Workers,
) -> PyResult<bool> {
    with_graph!(indptr, indices, false, |graph| {
        let n = graph.num_vertices();
        let ascends = |v: usize| {
            let (mut ascends, mut before) = (true, None);
            for target in graph.neighbors(v as u32) {
                ascends &= before < Some(target);
                before = Some(target);
            }
            ascends
        };
        graph.solved(py, workers, 1, || Ok(filch::map_reduce(0..n, || true, |_, v| ascends(v), |a, b| a & b)))
    })
}
