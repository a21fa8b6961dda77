//! Checks that the verifiers of PageRank, betweenness, triangles, coreness and strongly connected components reject
//! what is wrong.

use crate::common::lists::Lists;
use filch_graph::Csr;
use filch_graph::betweenness;
use filch_graph::cores;
use filch_graph::pagerank::{self, PageRank};
use filch_graph::scc;
use filch_graph::verify::{
    verify_betweenness, verify_cores, verify_pagerank, verify_strong_components, verify_triangles,
};

/// A triangle with a tail.
fn triangle() -> Lists {
    Lists::undirected(5, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)])
}

#[test]
fn scores_that_do_not_solve_the_equation_are_rejected() {
    let graph = triangle();
    let options = PageRank::new().tolerance(1e-6).max_iterations(200);
    let right = pagerank::serial(&graph, options).scores;
    let summary = verify_pagerank(&graph, &right, 0.85, 2e-6).unwrap();
    assert!((summary.sum - 1.0).abs() < 1e-5 && summary.residual < 2e-6, "{summary:?}");
    for v in 0..5 {
        let mut wrong = right.clone();
        wrong[v] += 1e-4;
        let error = verify_pagerank(&graph, &wrong, 0.85, 2e-6).unwrap_err();
        assert!(error.to_string().contains(&format!("that of vertex {v} changes most")), "{error}");
        for no_score in [f32::NAN, -0.1, 1.5] {
            wrong[v] = no_score;
            let error = verify_pagerank(&graph, &wrong, 0.85, 2e-6).unwrap_err();
            assert!(error.to_string().contains(&format!("the score of vertex {v} is")), "{error}");
        }
    }
    assert!(verify_pagerank(&graph, &right, 0.5, 2e-6).is_err(), "another damping factor");
    let short = verify_pagerank(&graph, &right[1..], 0.85, 1.0).unwrap_err();
    assert!(short.to_string().starts_with("4 scores were found, expected one for each of 5"), "{short}");
}

#[test]
fn a_betweenness_that_is_wrong_anywhere_is_rejected() {
    let (graph, sources) = (triangle(), [0, 3, 4]);
    let right = betweenness::serial(&graph, &sources);
    // From 0: 2 is between it and two others, 3 is before one. From 3: 2 is before two. From 4: 3 before three, 2
    // before two.
    assert_eq!(right, [0.0, 0.0, 2.0 + 2.0 + 2.0, 1.0 + 3.0, 0.0]);
    let summary = verify_betweenness(&graph, &sources, 1.0, &right, 0.0).unwrap();
    assert_eq!((summary.pairs, summary.between, summary.error), (12, 10.0, 0.0));
    for (v, wrong) in (0..5).flat_map(|v| [-1.0, 1e-3, f64::NAN, f64::INFINITY].map(|wrong| (v, wrong))) {
        let mut scores = right.clone();
        scores[v] += wrong;
        let error = verify_betweenness(&graph, &sources, 1.0, &scores, 1e-6).unwrap_err();
        assert!(error.to_string().starts_with(&format!("the betweenness of vertex {v} is")), "{error}");
    }
    assert!(verify_betweenness(&graph, &sources, 0.5, &right, 1e-6).is_err(), "another factor");
    assert!(verify_betweenness(&graph, &sources[1..], 1.0, &right, 1e-6).is_err(), "other sources");
    let short = verify_betweenness(&graph, &sources, 1.0, &right[1..], 1.0).unwrap_err();
    assert!(short.to_string().starts_with("4 scores were found, expected one for each of 5"), "{short}");
}

#[test]
fn wrong_numbers_of_triangles_and_directed_graphs_are_rejected() {
    let graph = triangle();
    assert_eq!(verify_triangles(&graph, 1), Ok(()));
    for found in [0, 2, 6] {
        let wrong = verify_triangles(&graph, found).unwrap_err();
        assert_eq!(wrong.to_string(), format!("{found} triangles were found, expected 1"));
    }
    let one_way = Lists::directed(3, &[(0, 1), (1, 0), (1, 2)]);
    let wrong = verify_triangles(&one_way, 0).unwrap_err();
    assert!(wrong.to_string().starts_with("an arc leads from 1 to 2, but none leads back"), "{wrong}");
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
            assert!(error.to_string().ends_with("neighbors have as much or more"), "{error}");
            if right[v] > 0 {
                wrong[v] -= 2;
                assert!(verify_cores(&graph, &wrong).is_err());
            }
        }
        // All of the innermost core are one too low, so that no neighbor contradicts it.
        let lower: Vec<_> = right.iter().map(|&value| value.min(summary.degeneracy - 1)).collect();
        let error = verify_cores(&graph, &lower).unwrap_err();
        assert!(error.to_string().contains("expected more"), "{error}");
    }
    let short = verify_cores(&triangle(), &[2; 4]).unwrap_err();
    assert!(short.to_string().starts_with("4 values were found, expected one for each of 5"), "{short}");
}

#[test]
fn wrong_labels_of_strong_components_are_rejected_with_the_reason() {
    let graph = Lists::directed(5, &[(0, 1), (1, 2), (2, 1), (2, 3), (3, 4)]);
    assert_eq!(scc::serial(&graph), [0, 1, 1, 3, 4]);
    let verify = |labels: &[u32]| verify_strong_components(&graph, labels);
    assert_eq!(verify(&[0, 1, 1, 3, 4]).unwrap().components, 4);
    for (labels, words) in [
        (&[0, 0, 0, 3, 4][..], "vertex 1 is 0, but no paths lead there and back: expected 1"),
        (&[0, 1, 1, 3, 3], "vertex 4 is 3, but no paths lead there and back: expected 4"),
        (&[0, 2, 2, 3, 4], "vertex 1 is 2: expected 1, the smallest vertex of its component"),
        (&[0, 1, 1, 3, 5], "vertex 4 is 5: expected a vertex below 5"),
        (&[0], "1 labels were found, expected one for each of 5 vertices"),
    ] {
        let error = verify(labels).unwrap_err();
        assert!(error.to_string().ends_with(words), "{error}");
    }
    let empty: Csr = Csr::builder(0).build(vec![]).unwrap();
    assert_eq!(verify_strong_components(&empty, &[]).unwrap().largest, 0);
}
