//! The result: a forest and its weight.

/// A minimum spanning forest.
#[derive(Clone, Debug, PartialEq)]
pub struct Msf<V = u32> {
    /// The edges: two vertices and the weight.
    pub edges: Vec<(V, V, f32)>,
    /// The sum of the weights, added in the order of the edges.
    pub weight: f64,
    /// The number of rounds of Borůvka's algorithm, 0 for the serial algorithm.
    pub rounds: usize,
    num_vertices: usize,
}

impl<V> Msf<V> {
    pub(super) fn new(edges: Vec<(V, V, f32)>, rounds: usize, num_vertices: usize) -> Self {
        let weight = edges.iter().map(|edge| f64::from(edge.2)).sum();
        Msf { edges, weight, rounds, num_vertices }
    }

    /// The number of trees, which is the number of components. A vertex without edges is a tree.
    pub fn num_trees(&self) -> usize {
        self.num_vertices - self.edges.len()
    }
}
