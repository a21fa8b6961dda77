//! Checks that a watch receives all passes of the solvers completely, and does not affect the results.

use crate::common::heard::Heard;
use crate::common::schedulers::all_pools;
use crate::common::shapes::{oriented, spec};

use filch_graph::betweenness::{Betweenness, Share};
use filch_graph::bfs::{Bfs, bfs};
use filch_graph::biconnected::Biconnected;
use filch_graph::bipartite::Bipartite;
use filch_graph::closeness::Closeness;
use filch_graph::clustering::Clustering;
use filch_graph::colouring::Colouring;
use filch_graph::components::{Components, components};
use filch_graph::cores::{Cores, cores};
use filch_graph::forest::Forest;
use filch_graph::maximal_independent_set::MaximalIndependentSet;
use filch_graph::maximal_matching::MaximalMatching;
use filch_graph::msf::{Msf, msf};
use filch_graph::pagerank::{PageRank, Update};
use filch_graph::scc::{Algorithm, Scc};
use filch_graph::sssp::{Sssp, sssp};
use filch_graph::topological_order::TopologicalOrder;
use filch_graph::triangles::{Order, Triangles};
use filch_graph::truss::Truss;
use filch_graph::{Csr, Graph, Watch};

#[test]
fn each_pass_is_reported_to_its_end_and_the_result_is_the_same() {
    let graphs = ["kronecker(11,8)", "stars(9,2000)", "path(9000),shuffled", "torus(90)", "stars(3000,6),shuffled"];
    for (pool, text) in all_pools().into_iter().zip(graphs.iter().cycle()) {
        let graph = spec(text);
        pool.run(|_| {
            let options = PageRank::new().update(Update::Synchronous);
            let heard = Heard::default();
            let found = options.watch(&heard).run(&graph);
            assert_eq!(heard.names(), vec!["iterating"; found.iterations]);
            assert_eq!(found.scores, options.run(&graph).scores);

            let share = if pool.num_workers() == 2 { Share::Sources } else { Share::Levels };
            let (options, heard) = (Betweenness::new().sample(2, 1).share(share), Heard::default());
            let found = options.watch(&heard).run(&graph);
            assert_eq!(heard.passes(), [("searching", 2)]);
            assert_eq!(found, options.run(&graph));

            let heard = Heard::default();
            let found = Closeness::new().watch(&heard).run_from(&graph, &[0, 1, 2]);
            assert_eq!(heard.passes(), [("searching", 3)]);
            assert_eq!(found, Closeness::new().run_from(&graph, &[0, 1, 2]));

            for order in Order::ALL {
                let heard = Heard::default();
                let found = Triangles::new().order(order).watch(&heard).run(&graph);
                assert_eq!(heard.names(), ["counting", "writing", "counting"]);
                assert_eq!(found, Triangles::new().order(order).run(&graph));
            }

            let heard = Heard::default();
            let found = Cores::new().watch(&heard).run(&graph);
            assert_eq!(heard.names(), ["peeling"]);
            assert_eq!(found, cores(&graph));

            for algorithm in Algorithm::ALL {
                let heard = Heard::default();
                let found = Scc::new().algorithm(algorithm).watch(&heard).run(&graph);
                assert_eq!(heard.names(), ["labeling"]);
                assert_eq!(found.labels(), Scc::new().algorithm(algorithm).run(&graph).labels());
            }

            let heard = Heard::default();
            let found = Bfs::new().watch(&heard).run(&graph, 0);
            assert_eq!(heard.passes(), [("reaching", graph.num_vertices())]);
            assert_eq!(found.depths, bfs(&graph, 0).depths);

            let heard = Heard::default();
            let found = Components::new().weak(true).watch(&heard).run(&graph);
            assert_eq!(heard.names(), ["labeling", "joining"]);
            assert_eq!(found, components(&graph));

            let heard = Heard::default();
            let found = Forest::new().watch(&heard).run(&graph).unwrap();
            assert_eq!(heard.passes(), [("growing", graph.num_vertices())]);
            assert_eq!(found.parents.len(), graph.num_vertices());

            let weighted = graph.clone().with_uniform_weights(1..=255, 1);
            let heard = Heard::default();
            let found = Sssp::new().watch(&heard).run(&weighted, 0).unwrap();
            assert_eq!(heard.names(), ["reaching"]);
            assert_eq!(found.distances, sssp(&weighted, 0).unwrap().distances);

            let heard = Heard::default();
            let found = Msf::new().watch(&heard).run(&weighted);
            let passes = heard.names();
            assert!(passes.starts_with(&["choosing", "filtering", "joining"]), "{passes:?}");
            assert_eq!((found.weight, found.edges.len()), (msf(&weighted).weight, msf(&weighted).edges.len()));
        });
    }
}

/// The passes that are heard, which must be complete, and that the result is the same without a watch.
fn passes<R: PartialEq + std::fmt::Debug>(solve: impl Fn(&dyn Watch) -> R) -> Vec<&'static str> {
    let heard = Heard::default();
    assert_eq!(solve(&heard), solve(&()));
    heard.names()
}

#[test]
fn the_passes_of_structural_problems_are_complete() {
    // Which passes there are depends on the number of workers.
    for (text, workers) in [("kronecker(10,8)", 2), ("path(9000),shuffled", 3)] {
        let graph = spec(text);
        filch::Pool::builder().workers(workers).build().expect("threads start").run(|_| {
            let one_way = oriented(&mut fastrand::Rng::with_seed(1), &graph, 0.0);
            assert_eq!(passes(|watch| TopologicalOrder::new().watch(watch).run(&one_way)), ["peeling"]);
            assert_eq!(passes(|watch| MaximalIndependentSet::new().watch(watch).run(&graph)), ["deciding"]);
            assert_eq!(passes(|watch| MaximalMatching::new().watch(watch).run(&graph)), ["proposing"]);
            assert_eq!(passes(|watch| Colouring::new().watch(watch).run(&graph)), ["colouring"]);
            // An odd cycle is nearby in one of them, and a search is quicker in the other.
            let is_path = text.starts_with("path");
            let (sides, parts): (&[&str], &[&str]) =
                if is_path { (&["checking"], &["searching"]) } else { (&[], &["numbering", "following"]) };
            assert_eq!(passes(|watch| Bipartite::new().watch(watch).run(&graph)), sides);
            assert_eq!(passes(|watch| Biconnected::new().watch(watch).run(&graph)), parts);
            let triangles = ["counting", "writing", "counting"];
            assert_eq!(passes(|watch| Clustering::new().watch(watch).run(&graph)), triangles);
            let peeling = ["counting", "writing", "counting", "peeling"];
            assert_eq!(passes(|watch| Truss::new().watch(watch).run(&graph)), peeling);
        });
    }
}

#[test]
fn an_empty_graph_has_empty_passes() {
    let (graph, heard): (Csr, _) = (Csr::builder(0).build(vec![]).unwrap(), Heard::default());
    assert_eq!(graph.num_vertices(), 0);
    Scc::new().watch(&heard).run(&graph);
    PageRank::new().watch(&heard).run(&graph);
    Msf::new().watch(&heard).run(&graph.with_uniform_weights(1..=255, 1));
    assert_eq!(heard.names(), ["labeling", "joining"]);
}

#[test]
fn small_graphs_have_a_pass_as_well() {
    let graph = spec("path(50)").with_uniform_weights(1..=255, 1);
    let heard = Heard::default();
    Sssp::new().watch(&heard).run(&graph, 7).unwrap();
    Msf::new().watch(&heard).run(&graph);
    assert_eq!(heard.names(), ["reaching", "joining"]);
}
