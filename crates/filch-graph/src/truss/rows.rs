//! The neighbors of each vertex in the simple graph, with the number of the edge to each.

use crate::build::{BuildError, rows_by_formula};
use crate::choose::tuning::PIECE;
use crate::graph::Graph;
use crate::simple::{simple_degree, simple_row};
use crate::vertex::{AtomicVertex, Vertex};
use crate::watch::Watch;
use filch_algorithms::{scan_exclusive, tabulate};
use std::mem;

/// Rows in ascending order, with numbers of edges. Edges are numbered in the order of their ends, the smaller one
/// first.
pub(super) struct EdgeRows<V, E> {
    offsets: Vec<usize>,
    /// The length of each row, of which only edges that have been removed are cut off.
    lens: Vec<usize>,
    targets: Vec<V>,
    numbers: Vec<E>,
}

impl<V: Vertex, E: Vertex> EdgeRows<V, E> {
    /// Work: O(n + m log d) for the largest degree d. The graph must be symmetric.
    pub(super) fn new<G: Graph<Vertex = V>>(graph: &G, watch: &dyn Watch) -> Result<Self, BuildError> {
        let n = graph.num_vertices();
        let degree = |v: usize| simple_degree(graph, V::new(v));
        let (offsets, targets, _) =
            rows_by_formula(n, degree, |v, row| simple_row(graph, V::new(v), row), watch)?.into_parts();
        let row = |v: usize| &targets[offsets[v]..offsets[v + 1]];
        // In each row, where the larger neighbors begin, and the number of the edge to the first of them.
        let middles = tabulate(n, |v| row(v).partition_point(|u| u.index() < v));
        let (firsts, _) = scan_exclusive(&tabulate(n, |v| row(v).len() - middles[v]), 0, |a, b| a + b);
        let numbers = tabulate(targets.len(), |_| E::Atomic::new(E::NONE));
        filch::for_each(0..n, |_, v| {
            for (place, &u) in row(v).iter().enumerate().skip(middles[v]) {
                let number = E::new(firsts[v] + place - middles[v]);
                numbers[offsets[v] + place].store(number);
                if let Ok(back) = row(u.index()).binary_search(&V::new(v)) {
                    numbers[offsets[u.index()] + back].store(number);
                }
            }
        });
        let lens = tabulate(n, |v| row(v).len());
        Ok(EdgeRows { offsets, lens, targets, numbers: AtomicVertex::into_vertices(numbers) })
    }

    pub(super) fn num_vertices(&self) -> usize {
        self.lens.len()
    }

    /// The ends of each edge, by its number.
    pub(super) fn edges(&self) -> Vec<(V, V)> {
        let larger = |v: usize| self.row(v).0.iter().filter(move |u| u.index() > v).map(move |&u| (V::new(v), u));
        let vertices = tabulate(self.num_vertices(), |v| v);
        filch_algorithms::flat_map(&vertices, |&v| larger(v).collect::<Vec<_>>())
    }

    /// The neighbors of a vertex, and the numbers of the edges to them.
    #[inline(always)]
    pub(super) fn row(&self, v: usize) -> (&[V], &[E]) {
        let places = self.offsets[v]..self.offsets[v] + self.lens[v];
        (&self.targets[places.clone()], &self.numbers[places])
    }

    /// Cuts off the edges that need not be kept.
    pub(super) fn retain(&mut self, keep: impl Fn(E) -> bool + Sync) {
        let (mut targets, mut numbers) = (&mut self.targets[..], &mut self.numbers[..]);
        let mut pieces = Vec::with_capacity(self.lens.len().div_ceil(PIECE));
        let (mut first, mut rest) = (0, &mut self.lens[..]);
        while !rest.is_empty() {
            let (lens, more) = rest.split_at_mut(PIECE.min(rest.len()));
            let start = self.offsets[first];
            let len = self.offsets[first + lens.len()] - start;
            let (piece_targets, piece_numbers);
            (piece_targets, targets) = mem::take(&mut targets).split_at_mut(len);
            (piece_numbers, numbers) = mem::take(&mut numbers).split_at_mut(len);
            let offsets = &self.offsets[first..first + lens.len()];
            first += lens.len();
            rest = more;
            pieces.push((offsets, start, lens, piece_targets, piece_numbers));
        }
        filch::for_each(&mut pieces, |_, (offsets, start, lens, targets, numbers)| {
            for (offset, len) in offsets.iter().zip(&mut **lens) {
                let (begin, mut kept) = (offset - *start, 0);
                for at in begin..begin + *len {
                    if keep(numbers[at]) {
                        (targets[begin + kept], numbers[begin + kept]) = (targets[at], numbers[at]);
                        kept += 1;
                    }
                }
                *len = kept;
            }
        });
    }
}
