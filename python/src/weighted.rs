//! Graphs with weights in the arrays of Python: see [`borrowed`](crate::borrowed).

use crate::borrowed::{Borrowed, Cell, cells};
use crate::results::Array;
use filch_algorithms::memory::prefetch;
use filch_graph::{Csr, Graph, Rows, Weight, WeightedGraph};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::cmp::Ordering::{Equal, Greater, Less};
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The weights of arcs, in the order of the indices.
#[derive(Clone, Copy)]
pub(crate) enum Weights<'a> {
    /// All are 1.
    Ones,
    /// The bits of numbers.
    Given(&'a [AtomicU64]),
}

impl<'a> Weights<'a> {
    /// Those in an array, or ones without it.
    pub(crate) fn of(data: Option<&'a Array<'_, f64>>) -> PyResult<Self> {
        data.map_or(Ok(Weights::Ones), |data| Ok(Weights::Given(cells(data)?)))
    }

    #[inline(always)]
    fn at(self, place: usize) -> f64 {
        match self {
            Weights::Ones => 1.0,
            Weights::Given(cells) => cells.get(place).map_or(1.0, |cell| f64::from_bits(cell.load(Ordering::Relaxed))),
        }
    }
}

/// An odd number without a pattern: the golden ratio in 64 bits.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Both halves of a product.
#[inline(always)]
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// A borrowed graph with borrowed weights. An arc whose weight is not a finite number counts as a loop, and is told
/// [at the end](Self::checked).
pub(crate) struct Weighted<'a, C> {
    graph: &'a Borrowed<'a, C>,
    weights: Weights<'a>,
    is_symmetric: bool,
    /// The first place at which no finite number was found, so far.
    bad: AtomicUsize,
}

impl<'a, C: Cell> Weighted<'a, C> {
    pub(crate) fn new(graph: &'a Borrowed<'a, C>, weights: Weights<'a>) -> PyResult<Self> {
        if let Weights::Given(cells) = weights
            && cells.len() < graph.num_arcs()
        {
            let (found, expected) = (cells.len(), graph.num_arcs());
            return Err(PyValueError::new_err(format!("data has {found} numbers, expected {expected}")));
        }
        Ok(Weighted { graph, weights, is_symmetric: graph.is_symmetric(), bad: AtomicUsize::new(usize::MAX) })
    }

    /// Finds out whether the reverse of each arc is an arc of the same weight, so that algorithms read each edge once.
    ///
    /// The fingerprints of arcs and of their reverses have the same sum then. They are drawn anew for each graph, and
    /// agree by chance for one of 2^60 graphs or so.
    ///
    /// Work: O(n + m), in parallel, in the order of the arrays.
    pub(crate) fn notice_symmetry(&mut self) {
        let draws = RandomState::new();
        let [for_ends, for_weight, for_both] = [0, 1, 2].map(|number| draws.hash_one(number));
        let fingerprint = |low: u32, high: u32, weight: f64| {
            let ends = u64::from(low) << 32 | u64::from(high);
            folded(folded(ends ^ for_ends, weight.to_bits() ^ for_weight) ^ for_both, FACTOR)
        };
        let excess = |u: u32| {
            self.arcs(u).fold(0_u64, |sum, (v, weight)| match u.cmp(&v) {
                Less => sum.wrapping_add(fingerprint(u, v, weight)),
                Equal => sum,
                Greater => sum.wrapping_sub(fingerprint(v, u, weight)),
            })
        };
        let n = self.num_vertices();
        self.is_symmetric = 0 == filch::map_reduce(0..n, || 0, |_, u| excess(u as u32), u64::wrapping_add);
    }

    /// A copy of the rows, in parallel.
    pub(crate) fn copied(&self) -> PyResult<Rows<u32, f64>> {
        self.graph.copied(|place| self.weight(place).0)
    }

    /// A copy in which the reverse of each arc is an arc: see [`Borrowed::symmetrized`].
    pub(crate) fn symmetrized(&self) -> PyResult<Csr<u32, f64>> {
        self.graph.symmetrized(|place| self.weight(place).0)
    }

    /// The weight at a place, and whether it is a number.
    #[inline(always)]
    fn weight(&self, place: usize) -> (f64, bool) {
        let weight = self.weights.at(place);
        if weight.is_finite() { (weight.canonical(), true) } else { (self.noted(place), false) }
    }

    #[cold]
    #[inline(never)]
    fn noted(&self, place: usize) -> f64 {
        self.bad.fetch_min(place, Ordering::Relaxed);
        1.0
    }

    /// Whether all that has been read was right.
    ///
    /// # Errors
    ///
    /// A `ValueError` with the first place at which it was not.
    pub(crate) fn checked(&self) -> PyResult<()> {
        self.graph.checked()?;
        let place = self.bad.load(Ordering::Relaxed);
        if place == usize::MAX {
            return Ok(());
        }
        let found = self.weights.at(place);
        Err(PyValueError::new_err(format!("data[{place}] is {found}, expected a finite number")))
    }
}

impl<C: Cell> Graph for Weighted<'_, C> {
    type Vertex = u32;

    #[inline(always)]
    fn num_vertices(&self) -> usize {
        self.graph.num_vertices()
    }

    #[inline(always)]
    fn num_arcs(&self) -> usize {
        self.graph.num_arcs()
    }

    #[inline(always)]
    fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    #[inline(always)]
    fn degree(&self, v: u32) -> usize {
        self.graph.degree(v)
    }

    #[inline(always)]
    fn neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        self.graph.neighbors(v)
    }

    #[inline(always)]
    fn in_neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        self.graph.in_neighbors(v)
    }

    #[inline(always)]
    fn prefetch(&self, v: u32) {
        self.graph.prefetch(v);
    }

    #[inline(always)]
    fn prefetch_neighbors(&self, v: u32) {
        self.graph.prefetch_neighbors(v);
    }
}

impl<C: Cell> WeightedGraph for Weighted<'_, C> {
    type Weight = f64;

    #[inline(always)]
    fn arcs(&self, v: u32) -> impl Iterator<Item = (u32, f64)> + '_ {
        let (first, row) = self.graph.row_from(v);
        row.iter().zip(first..).map(move |(cell, place)| {
            let (weight, is_number) = self.weight(place);
            (if is_number { self.graph.target(cell, v) } else { v }, weight)
        })
    }

    #[inline(always)]
    fn prefetch_arcs(&self, v: u32) {
        self.graph.prefetch_neighbors(v);
        if let Weights::Given(cells) = self.weights {
            prefetch(cells.as_ptr().wrapping_add(self.graph.row_from(v).0));
        }
    }
}
