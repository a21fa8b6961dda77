//! Checks that the verifiers of PageRank, triangles, coreness and strongly connected components reject what is wrong.

mod common;

use common::lists::Lists;
use filch_graph::Csr;
use filch_graph::cores;
use filch_graph::pagerank::{self, Options};
use filch_graph::scc;
use filch_graph::verify::{
    CoresError, PageRankError, StrongComponentsError, TriangleCountError, verify_cores, verify_pagerank,
    verify_strong_components, verify_triangles,
};

/// A triangle with a tail.
fn triangle() -> Lists {
    Lists::undirected(5, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)])
}

#[test]
fn scores_that_do_not_solve_the_equation_are_rejected() {
    let graph = triangle();
    let options = Options { tolerance: 1e-6, max_iterations: 200, ..Options::default() };
    let right = pagerank::serial(&graph, options).scores;
    let summary = verify_pagerank(&graph, &right, 0.85, 2e-6).unwrap();
    assert!((summary.sum - 1.0).abs() < 1e-5 && summary.residual < 2e-6, "{summary:?}");
    for v in 0..5 {
        let mut wrong = right.clone();
        wrong[v] += 1e-4;
        let error = verify_pagerank(&graph, &wrong, 0.85, 2e-6).unwrap_err();
        assert!(matches!(error, PageRankError::Residual { vertex, .. } if vertex == v), "{error}");
        for no_score in [f32::NAN, -0.1, 1.5] {
            wrong[v] = no_score;
            let error = verify_pagerank(&graph, &wrong, 0.85, 2e-6).unwrap_err();
            assert!(matches!(error, PageRankError::NoScore { vertex, .. } if vertex == v), "{error}");
        }
    }
    assert!(verify_pagerank(&graph, &right, 0.5, 2e-6).is_err(), "another damping factor");
    assert_eq!(verify_pagerank(&graph, &right[1..], 0.85, 1.0), Err(PageRankError::Length { found: 4, expected: 5 }));
}

#[test]
fn wrong_numbers_of_triangles_and_directed_graphs_are_rejected() {
    let graph = triangle();
    assert_eq!(verify_triangles(&graph, 1), Ok(()));
    for found in [0, 2, 6] {
        assert_eq!(verify_triangles(&graph, found), Err(TriangleCountError::Count { found, expected: 1 }));
    }
    let one_way = Lists::directed(3, &[(0, 1), (1, 0), (1, 2)]);
    assert_eq!(verify_triangles(&one_way, 0), Err(TriangleCountError::Directed { from: 1, to: 2 }));
    assert_eq!(verify_triangles(&Lists::undirected(0, &[]), 0), Ok(()));
}

#[test]
fn a_coreness_that_is_wrong_by_one_anywhere_is_rejected() {
    for seed in 0..40 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let edges: Vec<_> = (0..60).map(|_| (rng.u32(0..20), rng.u32(0..20))).collect();
        let graph = Lists::undirected(20, &edges);
        let right = cores::serial(&graph);
        let summary = verify_cores(&graph, &right).unwrap();
        assert_eq!(Some(&summary.degeneracy), right.iter().max());
        for v in 0..20 {
            let mut wrong = right.clone();
            wrong[v] += 1;
            // The first vertex that shows it may be another one, whose neighbors seem to have higher values.
            let error = verify_cores(&graph, &wrong).unwrap_err();
            assert!(matches!(error, CoresError::TooHigh { .. }), "{error}");
            if right[v] > 0 {
                wrong[v] -= 2;
                assert!(verify_cores(&graph, &wrong).is_err());
            }
        }
        // All of the innermost core are one too low, so that no neighbor contradicts it.
        let lower: Vec<_> = right.iter().map(|&value| value.min(summary.degeneracy - 1)).collect();
        assert!(matches!(verify_cores(&graph, &lower), Err(CoresError::TooLow { .. })));
    }
    assert_eq!(verify_cores(&triangle(), &[2; 4]), Err(CoresError::Length { found: 4, expected: 5 }));
}

#[test]
fn wrong_labels_of_strong_components_are_rejected_with_the_reason() {
    let graph = Lists::directed(5, &[(0, 1), (1, 2), (2, 1), (2, 3), (3, 4)]);
    assert_eq!(scc::serial(&graph), [0, 1, 1, 3, 4]);
    let verify = |labels: &[u32]| verify_strong_components(&graph, labels);
    assert_eq!(verify(&[0, 1, 1, 3, 4]).unwrap().components, 4);
    let foreign = |vertex, found, expected| Err(StrongComponentsError::Foreign { vertex, found, expected });
    assert_eq!(verify(&[0, 0, 0, 3, 4]), foreign(1, 0, 1));
    assert_eq!(verify(&[0, 1, 1, 3, 3]), foreign(4, 3, 4));
    let error = StrongComponentsError::NotSmallest { vertex: 1, found: 2, expected: 1 };
    assert_eq!(verify(&[0, 2, 2, 3, 4]), Err(error));
    let error = StrongComponentsError::NoVertex { vertex: 4, found: 5, vertices: 5 };
    assert_eq!(verify(&[0, 1, 1, 3, 5]), Err(error));
    assert_eq!(verify(&[0]), Err(StrongComponentsError::Length { found: 1, expected: 5 }));
    let empty: Csr = Csr::builder(0).build(vec![]).unwrap();
    assert_eq!(verify_strong_components(&empty, &[]).unwrap().largest, 0);
}
