//! What is cancelled, or has a deadline, ends soon.

use crate::common::lists::pools;
use crate::common::sizes_of;
use filch::{CancelToken, Cancelled, Strand};
use filch_graph::betweenness::{Betweenness, Share};
use filch_graph::bfs::bfs;
use filch_graph::biconnected::biconnected;
use filch_graph::bipartite::bipartite;
use filch_graph::closeness::closeness;
use filch_graph::clustering::clustering;
use filch_graph::colouring::colouring;
use filch_graph::communities::communities;
use filch_graph::components::{Components, components};
use filch_graph::cores::cores;
use filch_graph::distances::{Distances, distances};
use filch_graph::forest::forest;
use filch_graph::maximal_independent_set::maximal_independent_set;
use filch_graph::maximal_matching::maximal_matching;
use filch_graph::msf::msf;
use filch_graph::pagerank::PageRank;
use filch_graph::scc::scc;
use filch_graph::sssp::{Sssp, sssp};
use filch_graph::topological_order::topological_order;
use filch_graph::triangles::triangles;
use filch_graph::truss::truss;
use filch_graph::walks::random_walks;
use filch_graph::{Csr, Graph, GraphSpec, WeightedGraph};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of rows that are read before the token is cancelled.
const BEFORE: usize = 40_000;

/// A graph that cancels whatever reads it.
struct Cancelling<'a> {
    graph: &'a Csr<u32, f32>,
    token: &'a CancelToken,
    rows: AtomicUsize,
}

impl Cancelling<'_> {
    fn read(&self) {
        if self.rows.fetch_add(1, Ordering::Relaxed) == BEFORE {
            self.token.cancel();
        }
    }
}

impl Graph for Cancelling<'_> {
    sizes_of!(graph);

    fn neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        self.read();
        self.graph.neighbors(v)
    }

    fn in_neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        self.read();
        self.graph.in_neighbors(v)
    }
}

impl WeightedGraph for Cancelling<'_> {
    type Weight = f32;

    fn arcs(&self, v: u32) -> impl Iterator<Item = (u32, f32)> + '_ {
        self.read();
        self.graph.arcs(v)
    }
}

#[test]
fn every_algorithm_ends_soon_after_it_is_cancelled() {
    /// The number of rows that workers may read before they notice.
    const MOST: usize = BEFORE + 60_000;
    let spec: GraphSpec = "torus(400),shuffled".parse().unwrap();
    let graph = spec.generate::<u32>(1).unwrap().with_uniform_weights(1..=255, 1);
    // One worker, several, and a chaotic schedule.
    for pool in pools().into_iter().step_by(2) {
        let ends = |name: &str, solve: &(dyn Fn(&Cancelling<'_>) + Sync)| {
            let token = CancelToken::new();
            let cancelling = Cancelling { graph: &graph, token: &token, rows: AtomicUsize::new(0) };
            let found = pool.run(|_| token.run(|_: Strand<'_>| solve(&cancelling)));
            assert_eq!(found, Err(Cancelled), "{name}");
            let rows = cancelling.rows.into_inner();
            assert!(rows <= MOST, "{name} has read {rows} rows");
        };
        ends("bfs", &|graph| _ = bfs(graph, 0));
        for share in Share::ALL {
            ends("betweenness", &|graph| _ = Betweenness::new().share(share).run(graph).is_ok());
        }
        ends("betweenness of edges", &|graph| _ = Betweenness::new().edges(graph).is_ok());
        ends("betweenness with lengths", &|graph| _ = Betweenness::new().weighted(graph).is_ok());
        ends("closeness", &|graph| _ = closeness(graph));
        ends("communities", &|graph| _ = communities(graph).is_ok());
        ends("components", &|graph| _ = components(graph));
        ends("weak components", &|graph| _ = Components::new().weak(true).run(graph));
        ends("distances", &|graph| _ = distances(graph, &[7; 64]));
        ends("distances with weights", &|graph| _ = Distances::new().run_weighted(graph, &[7; 30]).is_ok());
        ends("walks", &|graph| _ = random_walks(graph, &vec![7; 50_000]));
        ends("forest", &|graph| _ = forest(graph).is_ok());
        ends("scc", &|graph| _ = scc(graph));
        ends("cores", &|graph| _ = cores(graph).is_ok());
        ends("triangles", &|graph| _ = triangles(graph).is_ok());
        ends("biconnected", &|graph| _ = biconnected(graph).is_ok());
        ends("bipartite", &|graph| _ = bipartite(graph).is_ok());
        ends("clustering", &|graph| _ = clustering(graph).is_ok());
        ends("colouring", &|graph| _ = colouring(graph).is_ok());
        ends("independent set", &|graph| _ = maximal_independent_set(graph).is_ok());
        ends("matching", &|graph| _ = maximal_matching(graph).is_ok());
        ends("topological order", &|graph| _ = topological_order(graph).is_ok());
        ends("truss", &|graph| _ = truss(graph).is_ok());
        ends("pagerank", &|graph| _ = PageRank::new().tolerance(0.0).run(graph));
        ends("sssp", &|graph| _ = sssp(graph, 0).is_ok());
        ends("sssp from several sources", &|graph| _ = Sssp::new().predecessors(true).run_from(graph, &[0, 9]).is_ok());
        ends("msf", &|graph| _ = msf(graph));
    }
}
