//! Compares clustering coefficients with the serial algorithm, with the definition, and with formulas.

use crate::common::lists::{Lists, pools};
use crate::common::schedulers::all_pools;
use crate::common::shapes::{degenerate, generated, spec};
use filch_graph::clustering::{Clusters, clustering, serial};
use filch_graph::triangles::{TrianglesError, triangles};
use filch_graph::verify::verify_clustering;
use filch_graph::{Csr, Graph};
use std::collections::HashSet;

#[track_caller]
fn check<G: Graph>(graph: &G, found: &Clusters) {
    assert_eq!(found.triangles, serial(graph));
    verify_clustering(graph, &found.triangles, &found.coefficients(), 1e-12).unwrap();
    assert_eq!(found.count(), triangles(graph).unwrap().count);
}

/// The triangles and the degree of a vertex, by the definition.
fn by_definition(graph: &Lists, v: u32) -> (u64, usize) {
    let others = |v: u32| graph.neighbors(v).filter(move |&u| u != v).collect::<HashSet<_>>();
    let near = others(v);
    let pairs = near.iter().map(|&u| others(u).intersection(&near).count() as u64).sum::<u64>();
    (pairs / 2, near.len())
}

#[test]
fn triangles_and_degrees_are_those_of_the_definition_on_any_pool() {
    let pools = pools();
    for seed in 0..150 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = Lists::symmetric(&mut rng, [6, 60, 800][seed as usize % 3]);
        let (csr, wide) = (Csr::<u32>::from(&graph), Csr::<u64>::from(&graph));
        let found = clustering(&graph).unwrap();
        check(&graph, &found);
        if seed % 3 < 2 {
            for v in 0..graph.num_vertices() as u32 {
                assert_eq!((found.triangles[v as usize], found.degrees[v as usize]), by_definition(&graph, v));
            }
        }
        pools[seed as usize % pools.len()].run(|_| {
            assert_eq!(clustering(&graph).unwrap(), found);
            assert_eq!(clustering(&csr).unwrap(), found);
            assert_eq!(clustering(&wide).unwrap(), found);
        });
    }
}

#[test]
fn all_shapes_under_all_schedulers() {
    for (name, graph) in generated().into_iter().chain([("kronecker(10,16)", spec("kronecker(10,16)"))]) {
        let found = clustering(&graph).unwrap();
        check(&graph, &found);
        for pool in all_pools() {
            pool.run(|_| {
                let again = clustering(&graph).unwrap();
                assert_eq!(again, found, "{name}");
                // To the last bit.
                assert_eq!(again.average().to_bits(), found.average().to_bits(), "{name}");
                assert_eq!(again.transitivity().to_bits(), found.transitivity().to_bits(), "{name}");
            });
        }
    }
}

#[test]
fn cliques_stars_and_wheels_have_the_coefficients_of_formulas() {
    let clique: Vec<_> = (0..600).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
    let found = clustering(&Lists::undirected(600, &clique)).unwrap();
    assert_eq!((found.average(), found.transitivity(), found.count()), (1.0, 1.0, 600 * 599 * 598 / 6));
    let found = clustering(&spec("bintree(9)")).unwrap();
    assert_eq!((found.average(), found.transitivity(), found.count()), (0.0, 0.0, 0));
    // A center next to all vertices of a cycle of 600: each of these is in two triangles, with three neighbors.
    let spokes = 600;
    let wheel: Vec<_> = (1..=spokes).flat_map(|v| [(0, v), (v, v % spokes + 1)]).collect();
    let found = clustering(&Lists::undirected(spokes as usize + 1, &wheel)).unwrap();
    assert_eq!((found.triangles[0], found.triangles[7], found.degrees[7]), (600, 2, 3));
    assert_eq!(found.coefficients()[7], 2.0 / 3.0);
}

#[test]
fn self_loops_and_parallel_edges_do_not_count_and_directed_graphs_are_refused() {
    for graph in degenerate() {
        let found = clustering(&graph).unwrap();
        check(&graph, &found);
        assert!(found.transitivity().is_finite() && found.average().is_finite());
    }
    assert_eq!(clustering(&degenerate()[5]).unwrap().triangles, [1, 1, 1, 0]);
    assert_eq!(clustering(&Lists::directed(2, &[(0, 1)])), Err(TrianglesError::Directed));
}

#[test]
fn the_verifier_refuses_what_is_wrong() {
    let graph = Lists::undirected(5, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 4)]);
    let (triangles, coefficients) = ([1, 1, 1, 0, 0], [1.0, 1.0, 1.0 / 3.0, 0.0, 0.0]);
    verify_clustering(&graph, &triangles, &coefficients, 0.0).unwrap();
    for v in 0..5 {
        let mut wrong = triangles;
        wrong[v] ^= 1;
        assert!(verify_clustering(&graph, &wrong, &coefficients, 1.0).is_err());
        for change in [1e-3, -1e-3, f64::NAN] {
            let mut wrong = coefficients;
            wrong[v] += change;
            assert!(verify_clustering(&graph, &triangles, &wrong, 1e-9).is_err());
        }
    }
    assert!(verify_clustering(&graph, &triangles[..4], &coefficients, 1.0).is_err());
    assert!(verify_clustering(&graph, &triangles, &coefficients[..4], 1.0).is_err());
}
