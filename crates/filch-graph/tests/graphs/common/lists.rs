//! Small graphs, and pools.

use filch::{Pool, Scheduler};
use filch_graph::{Csr, CsrBuilder, Graph, Vertex};

/// A graph as lists of arcs, like a user-defined graph type.
pub(crate) struct Lists {
    out: Vec<Vec<u32>>,
    into: Vec<Vec<u32>>,
    is_symmetric: bool,
}

impl Lists {
    pub(crate) fn directed(n: usize, arcs: &[(u32, u32)]) -> Self {
        let (mut out, mut into) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for &(u, v) in arcs {
            out[u as usize].push(v);
            into[v as usize].push(u);
        }
        Lists { out, into, is_symmetric: false }
    }

    pub(crate) fn undirected(n: usize, edges: &[(u32, u32)]) -> Self {
        let back = edges.iter().filter(|(u, v)| u != v).map(|&(u, v)| (v, u));
        let arcs: Vec<_> = edges.iter().copied().chain(back).collect();
        Lists { is_symmetric: true, ..Lists::directed(n, &arcs) }
    }

    /// A random graph of up to `max_n` vertices, with self-loops, parallel arcs, and isolated vertices.
    pub(crate) fn random(rng: &mut fastrand::Rng, max_n: usize) -> Self {
        let n = rng.usize(1..=max_n);
        let arcs_per_vertex = rng.choice([0.3, 0.8, 1.5, 4.0, 12.0]).expect("there are some");
        // The distribution is skewed, so that there are vertices of high degree.
        let vertex = |rng: &mut fastrand::Rng| (rng.f64().powi(2) * n as f64) as u32;
        let arcs: Vec<_> =
            (0..(n as f64 * arcs_per_vertex) as usize).map(|_| (vertex(rng), rng.u32(0..n as u32))).collect();
        if rng.bool() { Lists::directed(n, &arcs) } else { Lists::undirected(n, &arcs) }
    }

    /// The next random graph that is undirected.
    pub(crate) fn symmetric(rng: &mut fastrand::Rng, max_n: usize) -> Self {
        std::iter::repeat_with(|| Lists::random(rng, max_n)).find(Graph::is_symmetric).expect("one of many")
    }

    /// A mesh with shuffled vertex numbers: deep, and without a vertex of high degree.
    pub(crate) fn mesh(rng: &mut fastrand::Rng, side: u32) -> Self {
        let mut names: Vec<_> = (0..side * side).collect();
        rng.shuffle(&mut names);
        let name = |row: u32, column: u32| names[(row * side + column) as usize];
        let mut edges = Vec::new();
        for row in 0..side {
            for column in 1..side {
                edges.push((name(row, column - 1), name(row, column)));
                edges.push((name(column - 1, row), name(column, row)));
            }
        }
        Lists::undirected(names.len(), &edges)
    }
}

/// The same graph in compressed sparse rows.
impl<V: Vertex> From<&Lists> for Csr<V> {
    fn from(lists: &Lists) -> Self {
        let vertex = |v: u32| V::new(v as usize);
        let rows = lists.out.iter().zip(0..);
        let arcs = rows.flat_map(|(row, u)| row.iter().map(move |&v| (vertex(u), vertex(v))));
        let builder = CsrBuilder::new(lists.out.len()).assume_symmetric(lists.is_symmetric);
        builder.build(arcs).expect("all arcs lead to vertices")
    }
}

impl Graph for Lists {
    type Vertex = u32;

    fn num_vertices(&self) -> usize {
        self.out.len()
    }

    fn num_arcs(&self) -> usize {
        self.out.iter().map(Vec::len).sum()
    }

    fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    fn degree(&self, v: u32) -> usize {
        self.out[v as usize].len()
    }

    fn neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        self.out[v as usize].iter().copied()
    }

    fn in_neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        self.into[v as usize].iter().copied()
    }
}

/// Pools with one to five workers, and pools with the chaos scheduler, which makes random decisions. Tests that draw
/// graphs of three or four sizes in turn meet each of these five pools with each size.
pub(crate) fn pools() -> Vec<Pool> {
    let threads = [1, 2, 5].into_iter().map(|workers| Pool::builder().workers(workers));
    let chaos = (0..2).map(|seed| Pool::builder().workers(3).scheduler(Scheduler::chaos(seed)));
    threads.chain(chaos).map(|pool| pool.build().expect("threads start")).collect()
}
