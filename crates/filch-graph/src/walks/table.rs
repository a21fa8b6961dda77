//! The neighbors of each vertex in ascending order, with sums of weights, so that one of them can be drawn or looked
//! for by a binary search.

use crate::graph::{Graph, WeightedGraph};
use crate::splitmix::SplitMix;
use crate::vertex::Vertex;
use crate::watch::look_at;
use crate::weight::Weight;
use filch_algorithms::{flatten, tabulate};

/// The graph has a weight that is negative or not finite, which is no probability.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the arc from vertex {from} to {to} has the weight {weight}, but walks need finite weights from 0")]
pub struct WalkError {
    /// The source of the first arc with such a weight, in the order of the vertices.
    pub from: usize,
    /// Its target.
    pub to: usize,
    /// Its weight.
    pub weight: f64,
}

/// The random numbers of a walk.
pub(super) struct Draws {
    sequence: SplitMix,
    position: u64,
}

impl Draws {
    pub(super) fn new(sequence: SplitMix) -> Self {
        Draws { sequence, position: 0 }
    }

    /// A number below `bound`, or 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.position += 1;
        self.sequence.below(bound, self.position)
    }

    /// A number from 0 to 1, without 1.
    pub(super) fn unit(&mut self) -> f64 {
        const STEPS: u64 = 1 << f64::MANTISSA_DIGITS;
        self.position += 1;
        (self.sequence.at(self.position) % STEPS) as f64 / STEPS as f64
    }
}

/// Rows of a graph.
pub(super) struct Table<V> {
    offsets: Vec<usize>,
    targets: Vec<V>,
    /// For each arc, the sum of the weights up to it in its row. Empty if all arcs are equal.
    sums: Vec<f64>,
}

impl<V: Vertex> Table<V> {
    /// All arcs are equal.
    pub(super) fn of<G: Graph<Vertex = V>>(graph: &G) -> Self {
        Table::sorted(graph.num_vertices(), |v| graph.neighbors(v).map(|w| (w, ())).collect(), |()| 1.0)
    }

    pub(super) fn weighted<G: WeightedGraph<Vertex = V>>(graph: &G) -> Result<Self, WalkError> {
        let n = graph.num_vertices();
        let wrong = |from: usize| {
            let is_wrong = |weight: G::Weight| weight.is_negative() || !weight.is_finite();
            let (to, weight) = graph.arcs(V::new(from)).find(|(_, weight)| is_wrong(*weight))?;
            Some(WalkError { from, to: to.index(), weight: weight.rounded() })
        };
        if let Some(error) = filch::map_reduce(0..n, || None, |_, v| wrong(v), |a, b| a.or(b)) {
            return Err(error);
        }
        let mut table = Table::sorted(n, |v| graph.arcs(v).collect(), |weight| weight.rounded());
        let mut rest = &mut table.sums[..];
        let mut rows = Vec::with_capacity(n);
        for ends in table.offsets.windows(2) {
            let (row, others) = rest.split_at_mut(ends[1] - ends[0]);
            rows.push(row);
            rest = others;
        }
        filch::for_each(&mut rows, |_, row| {
            // Finite weights may have an infinite sum, below which there is nothing to draw: then all are scaled down.
            let total: f64 = row.iter().sum();
            let scale = if total.is_finite() { 1.0 } else { 0.5 / row.len() as f64 };
            let mut sum = 0.0;
            for weight in &mut **row {
                sum += scale * *weight;
                *weight = sum;
            }
        });
        Ok(table)
    }

    fn sorted<W: Weight>(
        n: usize,
        row: impl Fn(V) -> Vec<(V, W)> + Send + Sync,
        value: impl Fn(W) -> f64 + Send + Sync,
    ) -> Self {
        let rows = tabulate(n, |v| {
            let mut row = row(V::new(v));
            row.sort_by_key(|arc| arc.0);
            row
        });
        let mut offsets = vec![0; n + 1];
        for (v, row) in rows.iter().enumerate() {
            offsets[v + 1] = offsets[v] + row.len();
        }
        let arcs = flatten(rows);
        let sums = if W::IS_KEPT { tabulate(arcs.len(), |arc| value(arcs[arc].1)) } else { Vec::new() };
        Table { offsets, targets: tabulate(arcs.len(), |arc| arcs[arc].0), sums }
    }

    fn row(&self, v: V) -> &[V] {
        &self.targets[self.offsets[v.index()]..self.offsets[v.index() + 1]]
    }

    pub(super) fn degree(&self, v: V) -> usize {
        self.row(v).len()
    }

    pub(super) fn has_arc(&self, u: V, v: V) -> bool {
        self.row(u).binary_search(&v).is_ok()
    }

    /// A neighbor of `v`, drawn by its weight. `None` if there is none with a weight above 0.
    pub(super) fn pick(&self, v: V, draws: &mut Draws) -> Option<V> {
        let row = self.row(v);
        if self.sums.is_empty() {
            return row.get(draws.below(row.len())).copied();
        }
        let sums = &self.sums[self.offsets[v.index()]..self.offsets[v.index() + 1]];
        drawn(sums, draws).map(|place| row[place])
    }

    /// A neighbor of `v`, drawn by its weight times a factor. `None` if there is none with a product above 0.
    pub(super) fn pick_with(&self, v: V, factor: impl Fn(V) -> f64, draws: &mut Draws) -> Option<V> {
        let (row, first) = (self.row(v), self.offsets[v.index()]);
        let weight = |place: usize| match &self.sums[..] {
            [] => 1.0,
            sums => sums[first + place] - if place == 0 { 0.0 } else { sums[first + place - 1] },
        };
        let factors: Vec<f64> =
            row.iter().enumerate().inspect(|arc| look_at(arc.0)).map(|arc| factor(*arc.1)).collect();
        // No product is above its weight, so that the sum is finite.
        let most = factors.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let products = (0..row.len()).map(|place| weight(place) * (factors[place] / most));
        let sums: Vec<f64> = products
            .scan(0.0, |sum, product| {
                *sum += product;
                Some(*sum)
            })
            .collect();
        drawn(&sums, draws).map(|place| row[place])
    }
}

/// A place, drawn by the difference of its sum to that before it. `None` if no sum is above 0.
fn drawn(sums: &[f64], draws: &mut Draws) -> Option<usize> {
    let total = sums.last().copied().filter(|&total| total > 0.0)?;
    loop {
        let limit = draws.unit() * total;
        let place = sums.partition_point(|&sum| sum <= limit);
        // Past the end only if the product was rounded up.
        if place < sums.len() {
            return Some(place);
        }
    }
}
