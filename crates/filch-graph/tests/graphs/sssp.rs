//! Shortest paths: the parallel search, the serial one and the verifier, each against the others and an oracle.

use crate::common::lists::pools;
use filch_graph::sssp::{Sssp, SsspError, UNREACHED, serial, sssp};
use filch_graph::verify::verify_sssp;
use filch_graph::{Csr, Graph, GraphSpec, WeightedCsr};

fn random(rng: &mut fastrand::Rng, most: usize) -> WeightedCsr {
    let n = rng.usize(1..=most);
    let count = (n as f64 * rng.choice([0.5, 1.5, 4.0, 12.0]).unwrap()) as usize;
    let kind = rng.u32(0..4);
    let weight = |rng: &mut fastrand::Rng| match kind {
        0 => rng.u32(1..256) as f32,
        1 => rng.u32(0..2) as f32,
        2 => rng.f32(),
        // From tiny to huge, so that most buckets are empty or overfull.
        _ => 2_f32.powi(rng.i32(-100..100)),
    };
    let vertex = |rng: &mut fastrand::Rng| rng.u32(0..n as u32);
    let edges: Vec<_> = (0..count).map(|_| (vertex(rng), vertex(rng), weight(rng))).collect();
    Csr::builder(n).symmetrize(rng.bool()).build_weighted(edges).unwrap()
}

/// Bellman and Ford's algorithm.
fn oracle(graph: &WeightedCsr, root: u32) -> Vec<f64> {
    let mut distances = vec![UNREACHED; graph.num_vertices()];
    distances[root as usize] = 0.0;
    loop {
        let before = distances.clone();
        for u in 0..graph.num_vertices() as u32 {
            for (&v, &weight) in graph.row(u).iter().zip(graph.weights(u)) {
                let longer = distances[u as usize] + f64::from(weight);
                distances[v as usize] = distances[v as usize].min(longer);
            }
        }
        if distances == before {
            return distances;
        }
    }
}

#[test]
fn all_searches_find_the_distances() {
    let mut rng = fastrand::Rng::with_seed(1);
    for pool in pools() {
        for _ in 0..15 {
            let graph = random(&mut rng, 300);
            let root = rng.u32(0..graph.num_vertices() as u32);
            let expected = oracle(&graph, root);
            assert_eq!(serial(&graph, root).unwrap().distances, expected);
            verify_sssp(&graph, root, &expected).unwrap();
            for delta in [1e-30, 0.3, 8.0, 1e30] {
                let found = pool.run(|_| Sssp::new().delta(delta).run(&graph, root)).unwrap();
                assert_eq!(found.distances, expected, "delta {delta}");
                assert!(found.steps > 0);
            }
        }
    }
}

#[test]
fn large_graphs_are_searched_in_steps_and_agree_with_the_serial_search() {
    let mut rng = fastrand::Rng::with_seed(2);
    for (text, is_small) in
        [("kronecker(10)", false), ("torus(60),shuffled", false), ("path(9000)", false), ("path(9)", true)]
    {
        let spec: GraphSpec = text.parse().unwrap();
        let graph = spec.generate::<u32>(1).unwrap().with_uniform_weights(1..=255, rng.u64(..));
        let root = rng.u32(0..graph.num_vertices() as u32);
        let expected = serial(&graph, root).unwrap().distances;
        for pool in pools() {
            let found = pool.run(|_| sssp(&graph, root)).unwrap();
            assert_eq!(found.distances, expected, "{text}");
            assert_eq!(found.steps == 0, is_small, "{text}");
        }
    }
}

#[test]
fn a_negative_weight_is_refused_where_it_can_be_reached() {
    let edges = vec![(0, 1, 1.0), (1, 2, -2.0), (3, 0, -1.0)];
    let graph = Csr::builder(4).build_weighted(edges).unwrap();
    let expected = Err(SsspError::NegativeWeight { from: 1, to: 2, weight: -2.0 });
    assert_eq!(sssp(&graph, 0), expected);
    assert_eq!(Sssp::new().delta(1.0).run(&graph, 0), expected);
    assert_eq!(sssp(&graph, 2).unwrap().distances[2], 0.0);
}

#[test]
fn a_circle_of_negative_weights_is_refused_at_once() {
    let edges = [(0, 1, 1e15), (1, 2, -1.0), (2, 1, -1.0), (0, 3, 1e16)];
    let graph = Csr::builder(4).build_weighted(edges).unwrap();
    for pool in pools() {
        let found = pool.run(|_| [Sssp::new().delta(1e300).run(&graph, 0), Sssp::new().limit(1e300).run(&graph, 0)]);
        assert!(found.iter().all(|found| matches!(found, Err(SsspError::NegativeWeight { weight: -1.0, .. }))));
    }
}

#[test]
fn a_limit_of_minus_0_is_0() {
    let path = Csr::builder(3).build_weighted([(0, 1, 0.0), (1, 2, 1.0)]).unwrap();
    assert_eq!(Sssp::new().limit(-0.0).run(&path, 0).unwrap().distances, [0.0, 0.0, UNREACHED]);
}

#[test]
fn the_verifier_finds_every_wrong_distance() {
    let mut rng = fastrand::Rng::with_seed(3);
    for _ in 0..300 {
        let graph = random(&mut rng, 40);
        let root = rng.u32(0..graph.num_vertices() as u32);
        let right = serial(&graph, root).unwrap().distances;
        let mut wrong = right.clone();
        let v = rng.usize(0..wrong.len());
        let old = wrong[v];
        wrong[v] = *rng.choice(&[old / 2.0, old * 2.0, old + 1.0, 0.0, UNREACHED, f64::NAN, -1.0]).unwrap();
        if wrong[v] != old {
            verify_sssp(&graph, root, &wrong).unwrap_err();
        }
    }
}

#[test]
fn the_verifier_is_not_fooled_by_a_circle_of_weight_zero() {
    let graph = Csr::builder(3).build_weighted(vec![(1, 2, 0.0), (2, 1, 0.0), (0, 1, 5.0)]).unwrap();
    let fault = verify_sssp(&graph, 0, &[0.0, 3.0, 3.0]).unwrap_err();
    assert_eq!(fault.to_string(), "vertex 1 has distance 3, but no path is as short");
    verify_sssp(&graph, 0, &[0.0, 5.0, 5.0]).unwrap();
    let fault = |root, distances: &[f64]| verify_sssp(&graph, root, distances).unwrap_err().to_string();
    assert!(fault(0, &[0.0, 5.0]).starts_with("2 distances were found"));
    assert!(fault(9, &[0.0, 5.0, 5.0]).starts_with("the root is 9"));
}
