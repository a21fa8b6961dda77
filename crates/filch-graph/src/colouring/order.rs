//! The order in which vertices get their colours.

use crate::cli_enum::cli_enum;
use crate::graph::Graph;
use crate::splitmix::SplitMix;
use crate::vertex::Vertex;
use filch_algorithms::{radix_sort_by_key, tabulate};

/// The order in which vertices get their colours (Hasenplaugh, Kaler, Schardl and Leiserson 2014). Vertices that it
/// leaves equal are in a random order, by the seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Descending by the logarithm of the degree, rounded down ("largest log-degree first"). Almost as few colours as
    /// in the next order, and shorter chains.
    #[default]
    LargestLogDegree,
    /// Descending by degree ("largest degree first").
    LargestDegree,
    /// Random. The chains are short on graphs of low degree, and there are more colours.
    Random,
}

cli_enum!(
    Order, "order of colouring", ParseOrderError:
    LargestLogDegree = "largest-log-degree", LargestDegree = "largest-degree", Random = "random",
);

/// The purpose of the draws.
const FOR_COLOURS: u64 = 0x636F_6C00;

/// Where each vertex stands in an order.
pub(super) struct Places(pub(super) Vec<u64>);

impl Places {
    /// Work: O(n), in parallel.
    pub(super) fn new<G: Graph>(graph: &G, order: Order, seed: u64) -> Self {
        let draws = SplitMix::new(seed, FOR_COLOURS);
        Places(tabulate(graph.num_vertices(), |v| {
            let degree = graph.degree(G::Vertex::new(v));
            let class = match order {
                Order::LargestLogDegree => degree.checked_ilog2().map_or(0, |log| log + 1),
                Order::LargestDegree => u32::try_from(degree).unwrap_or(u32::MAX),
                Order::Random => 0,
            };
            u64::from(u32::MAX - class) << 32 | draws.at(v as u64) >> 32
        }))
    }

    /// All vertices in this order. Work: O(n), in parallel.
    pub(super) fn sorted<V: Vertex>(&self) -> Vec<V> {
        let mut vertices = tabulate(self.0.len(), V::new);
        // Stable, so that the smaller one of vertices with equal draws comes first.
        radix_sort_by_key(&mut vertices, |v| self.0[v.index()]);
        vertices
    }
}
