//! Compares the betweenness of edges, and that with weights as lengths, with the verifier and with formulas.

use crate::common::heard::Heard;
use crate::common::lists::{Lists, pools};
use crate::common::shapes::{degenerate, generated, spec};
use filch_graph::betweenness::{Betweenness, BetweennessError, serial_edges, serial_weighted, serial_weighted_edges};
use filch_graph::verify::verify_edge_betweenness;
use filch_graph::{Csr, Graph, WeightedGraph};

fn near(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9 * b.abs().max(1.0))
}

/// Whether scores are those of a serial rival, which are not scaled.
fn scaled(scores: &[f64], factor: f64, sums: &[f64]) -> bool {
    near(scores, &sums.iter().map(|sum| factor * sum).collect::<Vec<_>>())
}

#[test]
fn random_graphs_with_and_without_weights_are_verified_on_any_pool() {
    let pools = pools();
    for seed in 0..96 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = Csr::<u32>::from(&Lists::random(&mut rng, [6, 20, 90][seed as usize % 3]));
        let most = rng.choice([1, 3, 40]).unwrap();
        let lengths = graph.clone().with_uniform_weights(1..=most, seed);
        let whole = graph.clone().with_weights(|u, v| 1 + ((u * 31 + v * 17) as u64 % most as u64));
        let options = Betweenness::new().normalized(rng.bool()).sample(rng.usize(1..=100), seed);
        let pool = &pools[seed as usize % pools.len()];
        let edges = options.edges(&graph).unwrap();
        verify_edge_betweenness(&graph, &edges.sources, edges.factor, None, Some(&edges.scores), 1e-9).unwrap();
        assert!(scaled(&edges.scores, edges.factor, &serial_edges(&graph, &edges.sources)), "seed {seed}");
        assert_eq!(pool.run(|_| options.edges(&graph)), Ok(edges.clone()));
        assert_eq!(pool.run(|_| options.edges_from(&graph, &edges.sources)), Ok(edges.clone()));
        let (found, arcs) = (options.weighted(&lengths).unwrap(), options.weighted_edges(&lengths).unwrap());
        verify_edge_betweenness(&lengths, &found.sources, found.factor, Some(&found.scores), None, 1e-9).unwrap();
        verify_edge_betweenness(&lengths, &arcs.sources, arcs.factor, None, Some(&arcs.scores), 1e-9).unwrap();
        assert!(scaled(&found.scores, found.factor, &serial_weighted(&lengths, &found.sources)), "seed {seed}");
        assert!(scaled(&arcs.scores, arcs.factor, &serial_weighted_edges(&lengths, &arcs.sources)), "seed {seed}");
        assert_eq!(pool.run(|_| options.weighted(&lengths)), Ok(found));
        assert_eq!(pool.run(|_| options.weighted_edges(&lengths)), Ok(arcs));
        let found = pool.run(|_| options.weighted(&whole)).unwrap();
        verify_edge_betweenness(&whole, &found.sources, found.factor, Some(&found.scores), None, 1e-9).unwrap();
        // The arcs of an edge are different edges if their weights are.
        let arcs = pool.run(|_| options.weighted_edges(&whole)).unwrap();
        verify_edge_betweenness(&whole, &arcs.sources, arcs.factor, None, Some(&arcs.scores), 1e-9).unwrap();
        assert!(scaled(&arcs.scores, arcs.factor, &serial_weighted_edges(&whole, &arcs.sources)), "seed {seed}");
    }
}

#[test]
fn with_equal_lengths_it_is_the_same_as_without() {
    let mut graphs: Vec<Csr> = degenerate().iter().map(Csr::from).collect();
    graphs.extend(generated().into_iter().map(|(_, graph)| graph).filter(|graph| graph.num_vertices() < 800));
    for (graph, pool) in graphs.iter().zip(pools().iter().cycle()) {
        let options = Betweenness::new().sample(9, 2);
        let equal = graph.clone().with_weights(|_, _| 7_u32);
        pool.run(|_| {
            assert!(near(&options.weighted(&equal).unwrap().scores, &options.run(graph).unwrap().scores));
            let (edges, plain) = (options.weighted_edges(&equal).unwrap(), options.edges(graph).unwrap());
            assert!(near(&edges.scores, &plain.scores));
            // No weights are weights of 1.
            assert!(near(&options.weighted(graph).unwrap().scores, &options.run(graph).unwrap().scores));
            for v in 0..graph.num_vertices() as u32 {
                for (&w, score) in graph.row(v).iter().zip(plain.of(v)) {
                    let back = graph.row(w).iter().position(|&u| u == v).unwrap();
                    assert_eq!(plain.of(w)[back], *score, "both arcs of an edge have its score");
                }
            }
        });
    }
}

#[test]
fn paths_stars_and_cycles_have_the_scores_of_formulas() {
    let n = 40_u32;
    let options = Betweenness::new().normalized(false);
    // Each edge of a path separates the vertices before it from those behind it.
    let path = Lists::undirected(n as usize, &(1..n).map(|v| (v - 1, v)).collect::<Vec<_>>());
    let found = options.edges(&path).unwrap();
    assert!((1..n).all(|v| found.of(v).last() == Some(&f64::from(v * (n - v)))));
    let one_way = Lists::directed(n as usize, &(1..n).map(|v| (v - 1, v)).collect::<Vec<_>>());
    assert!((1..n).all(|v| options.edges(&one_way).unwrap().of(v - 1)[0] == f64::from(v * (n - v))));
    // An edge of a star leads from its leaf to all others. Normalized: of all pairs, as in networkx.
    let star = Lists::undirected(n as usize, &(1..n).map(|v| (0, v)).collect::<Vec<_>>());
    let found = Betweenness::new().edges(&star).unwrap();
    assert!(near(&found.scores, &vec![2.0 / f64::from(n); 2 * (n as usize - 1)]));
    // The long edge of a triangle is on no shortest path, and two of the same length share.
    let roads = |long: f64| -> Vec<f64> {
        let graph: Csr<u32, f64> =
            Csr::builder(3).symmetrize(true).build_weighted([(0, 1, 1.5), (1, 2, 1.5), (0, 2, long)]).unwrap();
        options.weighted_edges(&graph).unwrap().scores
    };
    assert_eq!(roads(9.0), [2.0, 0.0, 2.0, 2.0, 0.0, 2.0]);
    assert_eq!(roads(3.0), [1.5, 0.5, 1.5, 1.5, 0.5, 1.5]);
    assert_eq!(roads(2.0), [1.0; 6]);
}

#[test]
fn weights_that_are_no_lengths_and_too_many_paths_are_refused() {
    for weight in [0.0_f32, -1.0] {
        let graph = spec("torus(3)").with_weights(|u, v| if (u, v) == (1, 4) { weight } else { 2.0 });
        let error = BetweennessError::NotPositive { from: 1, to: 4, weight: f64::from(weight) };
        assert_eq!(Betweenness::new().weighted(&graph), Err(error));
        assert_eq!(Betweenness::new().weighted_edges(&graph), Err(error));
        assert!(error.to_string().starts_with("the arc from vertex 1 to 4 has the weight"), "{error}");
    }
    let doubled: Vec<_> = (1..1100).flat_map(|v| [(v - 1, v), (v - 1, v)]).collect();
    let graph = Csr::<u32>::from(&Lists::directed(1100, &doubled));
    let error = Err(BetweennessError::TooManyPaths { source_vertex: 0 });
    assert_eq!(Betweenness::new().edges_from(&graph, &[900, 0]).map(|_| ()), error);
    assert_eq!(Betweenness::new().weighted_from(&graph, &[900, 0]).map(|_| ()), error);
}

#[test]
fn of_parallel_edges_only_the_shortest_are_on_shortest_paths() {
    let edges = [(0, 1, 5_u32), (0, 1, 1), (1, 2, 2), (1, 2, 2)];
    let graph: Csr<u32, u32> = Csr::builder(3).symmetrize(true).build_weighted(edges).unwrap();
    let found = Betweenness::new().normalized(false).weighted_edges(&graph).unwrap();
    let arcs: Vec<_> = (0..3).flat_map(|v| graph.arcs(v).map(|arc| arc.1).zip(found.of(v).to_vec())).collect();
    // Of two pairs of vertices. Each of the equal edges is on half of the paths.
    let expected = |weight| [0.0, 2.0, 1.0, 0.0, 0.0, 0.0][weight as usize];
    assert!(arcs.iter().all(|&(weight, score)| score == expected(weight)), "{arcs:?}");
    let verify = |scores: &[f64]| verify_edge_betweenness(&graph, &[0, 1, 2], 0.5, None, Some(scores), 1e-9);
    verify(&found.scores).unwrap();
    // As if both edges between 0 and 1 were the shorter one.
    let wrong: Vec<f64> = found.scores.iter().map(|score| if *score == 0.0 { 2.0 } else { *score }).collect();
    assert!(verify(&wrong).is_err());
    let pools = pools();
    for seed in 0..120 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n = rng.u32(1..20);
        let mut edge = || (rng.u32(0..n), rng.u32(0..n), rng.u32(1..4));
        let edges: Vec<_> = (0..3 * n).map(|_| edge()).collect();
        let builder = Csr::builder(n as usize).symmetrize(seed % 3 > 0);
        let graph: Csr<u32, u32> = builder.build_weighted(edges).unwrap();
        let found = pools[seed as usize % pools.len()].run(|_| Betweenness::new().weighted_edges(&graph)).unwrap();
        verify_edge_betweenness(&graph, &found.sources, found.factor, None, Some(&found.scores), 1e-9).unwrap();
        assert!(scaled(&found.scores, found.factor, &serial_weighted_edges(&graph, &found.sources)), "seed {seed}");
    }
}

#[test]
fn wrong_scores_are_noticed_and_searches_are_counted() {
    let graph = Csr::<u32>::from(&Lists::directed(4, &[(0, 1), (1, 2), (2, 0), (2, 3)])).with_uniform_weights(1..=9, 1);
    let heard = Heard::default();
    let found = Betweenness::new().watch(&heard).weighted(&graph).unwrap();
    let edges = Betweenness::new().watch(&heard).weighted_edges(&graph).unwrap();
    assert!(Betweenness::new().watch(&heard).edges(&graph).is_ok());
    assert_eq!(heard.passes(), [("searching", 4); 3]);
    for at in 0..4 {
        for change in [1e-3, f64::NAN] {
            let (mut wrong, mut wrong_edges) = (found.scores.clone(), edges.scores.clone());
            wrong[at] += change;
            wrong_edges[at] += change;
            let verify = |factor, vertices, edges| {
                verify_edge_betweenness(&graph, &found.sources, factor, vertices, edges, 1e-9).is_ok()
            };
            assert!(!verify(found.factor, Some(&wrong), None) && verify(found.factor, Some(&found.scores), None));
            assert!(!verify(edges.factor, None, Some(&wrong_edges)) && verify(edges.factor, None, Some(&edges.scores)));
            assert!(!verify(edges.factor, Some(&found.scores[1..]), None) && !verify(1.0, None, Some(&[])));
        }
    }
}
