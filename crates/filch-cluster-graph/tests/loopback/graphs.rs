//! Graphs, as edges, and their twins of one process.

use filch_cluster::{Cluster, Loopback};
use filch_cluster_graph::{ClusterGraph, GraphError};
use filch_graph::{Csr, GraphSpec, Rules};
use std::time::Duration;

/// A graph as edges.
pub(crate) struct Edges {
    pub(crate) name: String,
    pub(crate) num_vertices: usize,
    pub(crate) edges: Vec<(u32, u32)>,
    pub(crate) rules: Rules,
}

impl Edges {
    pub(crate) fn whole(&self) -> Csr {
        let Rules { symmetrize, remove_duplicates, remove_self_loops } = self.rules;
        let builder = Csr::builder(self.num_vertices).symmetrize(symmetrize);
        let builder = builder.remove_duplicates(remove_duplicates).remove_self_loops(remove_self_loops);
        builder.build(self.edges.clone()).expect("a graph")
    }

    pub(crate) fn spread(&self, c: &Cluster) -> Result<ClusterGraph, GraphError> {
        ClusterGraph::from_edges(c, self.num_vertices, self.edges.len(), |i| self.edges[i], self.rules)
    }
}

pub(crate) const SIMPLE: Rules = Rules { symmetrize: true, remove_duplicates: true, remove_self_loops: true };

fn generated(spec: &str) -> Edges {
    let parts = spec.parse::<GraphSpec>().expect("a specification").in_parts::<u32>(7).expect("a graph");
    let mut edges = Vec::new();
    parts.edges(0..parts.len(), &mut edges);
    Edges { name: spec.into(), num_vertices: parts.num_vertices(), edges, rules: SIMPLE }
}

/// Graphs of many shapes. Those that are `random` have self-loops and duplicates, and vertices without edges.
pub(crate) fn all() -> Vec<Edges> {
    let specs = "kronecker(9) kronecker(6,1) grid(20,30) roads(40,40,40) galaxy(1,500) galaxy(7,3) path(200) \
                 path(300),shuffled cycles(30,5),shuffled islands(9,4,12) uniform(8,1) bintree(8) gnm(3,3)";
    let mut all = specs.split(' ').map(generated).collect::<Vec<_>>();
    let plain =
        [("empty", 0, vec![]), ("one vertex", 1, vec![]), ("a loop", 1, vec![(0, 0)]), ("no edges", 50, vec![])];
    for (name, num_vertices, edges) in plain {
        all.push(Edges { name: name.into(), num_vertices, edges, rules: Rules::default() });
    }
    let mut random = fastrand::Rng::with_seed(11);
    for round in 0..12_usize {
        let n = random.u32(1..120);
        let mut edges = (0..random.usize(..300)).map(|_| (random.u32(..n), random.u32(..n))).collect::<Vec<_>>();
        edges.extend((0..20).map(|_| random.u32(..n)).map(|v| (v, v)));
        edges.extend_from_within(..edges.len() / 3);
        let rules =
            Rules { symmetrize: round & 1 == 0, remove_duplicates: round & 2 == 0, remove_self_loops: round & 4 == 0 };
        all.push(Edges { name: format!("random {round}"), num_vertices: n as usize + 3, edges, rules });
    }
    all
}

/// Ranks for a test: some with several workers, and with delays.
pub(crate) fn ranks(count: usize) -> Loopback {
    let delay = if count.is_multiple_of(3) { Duration::from_micros(200) } else { Duration::ZERO };
    Loopback::new(count).workers(1 + usize::from(count < 4)).seed(count as u64).delay(delay)
}
