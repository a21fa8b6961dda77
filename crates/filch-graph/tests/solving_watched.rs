//! Checks that a watch receives all passes of the solvers completely, and does not affect the results.

mod common;

use common::heard::Heard;
use common::schedulers::all_pools;
use common::shapes::spec;

use filch_graph::cores::{cores, cores_watched};
use filch_graph::msf::{msf, msf_watched};
use filch_graph::pagerank::{Options, Update, pagerank_watched, pagerank_with};
use filch_graph::scc::{Algorithm, strong_components_by, strong_components_watched};
use filch_graph::sssp::{self, sssp_watched, sssp_with};
use filch_graph::triangles::{Order, triangles_by, triangles_watched};
use filch_graph::{Csr, Graph};

#[test]
fn each_pass_is_reported_to_its_end_and_the_result_is_the_same() {
    let graphs = ["kronecker(11,8)", "stars(9,2000)", "path(9000),shuffled", "torus(90)", "stars(3000,6),shuffled"];
    for (graph, pool) in graphs.iter().flat_map(|text| all_pools().into_iter().map(move |pool| (spec(text), pool))) {
        pool.run(|_| {
            let options = Options { update: Update::Synchronous, ..Options::default() };
            let heard = Heard::default();
            let found = pagerank_watched(&graph, options, &heard);
            assert_eq!(heard.names(), vec!["iterating"; found.iterations]);
            assert_eq!(found.scores, pagerank_with(&graph, options).scores);

            for order in Order::ALL {
                let heard = Heard::default();
                let found = triangles_watched(&graph, order, &heard);
                assert_eq!(heard.names(), ["counting", "writing", "counting"]);
                assert_eq!(found, triangles_by(&graph, order));
            }

            let heard = Heard::default();
            let found = cores_watched(&graph, &heard);
            assert_eq!(heard.names(), ["peeling"]);
            assert_eq!(found, cores(&graph));

            for algorithm in Algorithm::ALL {
                let heard = Heard::default();
                let found = strong_components_watched(&graph, algorithm, &heard);
                assert_eq!(heard.names(), ["labeling"]);
                assert_eq!(found.labels(), strong_components_by(&graph, algorithm).labels());
            }

            let weighted = graph.clone().with_uniform_weights(1..=255, 1);
            let heard = Heard::default();
            let found = sssp_watched(&weighted, 0, sssp::Options::default(), &heard).unwrap();
            assert_eq!(heard.names(), ["reaching"]);
            assert_eq!(found.distances, sssp_with(&weighted, 0, sssp::Options::default()).unwrap().distances);

            let heard = Heard::default();
            let found = msf_watched(&weighted, &heard);
            let passes = heard.names();
            assert!(passes.starts_with(&["choosing", "filtering", "joining"]), "{passes:?}");
            assert_eq!((found.weight, found.edges.len()), (msf(&weighted).weight, msf(&weighted).edges.len()));
        });
    }
}

#[test]
fn an_empty_graph_has_empty_passes() {
    let (graph, heard): (Csr, _) = (Csr::builder(0).build(vec![]).unwrap(), Heard::default());
    assert_eq!(graph.num_vertices(), 0);
    strong_components_watched(&graph, Algorithm::Auto, &heard);
    pagerank_watched(&graph, Options::default(), &heard);
    msf_watched(&graph.with_uniform_weights(1..=255, 1), &heard);
    assert_eq!(heard.names(), ["labeling", "joining"]);
}

#[test]
fn small_graphs_have_a_pass_as_well() {
    let graph = spec("path(50)").with_uniform_weights(1..=255, 1);
    let heard = Heard::default();
    sssp_watched(&graph, 7, sssp::Options::default(), &heard).unwrap();
    msf_watched(&graph, &heard);
    assert_eq!(heard.names(), ["reaching", "joining"]);
}
