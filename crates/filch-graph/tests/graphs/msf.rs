//! Minimum spanning forests: the parallel algorithm, the serial one and the verifier, each against the others and an
//! oracle.

use crate::common::lists::pools;
use filch_graph::msf::{msf, serial};
use filch_graph::verify::verify_msf;
use filch_graph::{Csr, Graph, GraphSpec, WeightedCsr};

fn random(rng: &mut fastrand::Rng, n: usize, edges_per_vertex: f64) -> WeightedCsr {
    let kind = rng.u32(0..4);
    let weight = |rng: &mut fastrand::Rng| match kind {
        0 => rng.i32(1..256) as f32,
        1 => rng.i32(-1..2) as f32,
        2 => 7.0,
        _ => rng.f32() - 0.5,
    };
    let vertex = |rng: &mut fastrand::Rng| (rng.f64().powi(2) * n as f64) as u32;
    let count = (n as f64 * edges_per_vertex) as usize;
    let edges: Vec<_> = (0..count).map(|_| (vertex(rng), rng.u32(0..n as u32), weight(rng))).collect();
    Csr::builder(n).symmetrize(rng.bool()).build_weighted(edges).unwrap()
}

/// The weights of a minimum spanning forest, in ascending order: they are the same in all. Found by growing trees from
/// single vertices, as Jarník and Prim do.
fn oracle(graph: &WeightedCsr) -> Vec<f32> {
    let n = graph.num_vertices();
    let mut best = vec![vec![f32::INFINITY; n]; n];
    for u in 0..n as u32 {
        for (&v, &weight) in graph.row(u).iter().zip(graph.weights(u)) {
            for [a, b] in [[u, v], [v, u]] {
                let best = &mut best[a as usize][b as usize];
                *best = best.min(weight);
            }
        }
    }
    let (mut weights, mut is_in) = (Vec::new(), vec![false; n]);
    for root in 0..n {
        if is_in[root] {
            continue;
        }
        is_in[root] = true;
        let mut to_tree = best[root].clone();
        let nearest = |to_tree: &[f32], is_in: &[bool]| {
            (0..n).filter(|&v| !is_in[v] && to_tree[v].is_finite()).min_by(|&a, &b| to_tree[a].total_cmp(&to_tree[b]))
        };
        while let Some(v) = nearest(&to_tree, &is_in) {
            is_in[v] = true;
            weights.push(to_tree[v]);
            (0..n).for_each(|w| to_tree[w] = to_tree[w].min(best[v][w]));
        }
    }
    weights.sort_by(f32::total_cmp);
    weights
}

fn weights(edges: &[(u32, u32, f32)]) -> Vec<f32> {
    let mut weights: Vec<f32> = edges.iter().map(|edge| edge.2).collect();
    weights.sort_by(f32::total_cmp);
    weights
}

#[test]
fn the_serial_algorithm_and_the_verifier_agree_with_growing_trees() {
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..200 {
        let n = rng.usize(1..50);
        let edges_per_vertex = rng.choice([0.5, 1.0, 3.0]).unwrap();
        let graph = random(&mut rng, n, edges_per_vertex);
        let found = serial(&graph);
        assert_eq!(weights(&found.edges), oracle(&graph));
        let summary = verify_msf(&graph, &found.edges).unwrap();
        assert_eq!(summary.trees, found.num_trees());
        assert_eq!(msf(&graph), found);
    }
}

#[test]
fn the_parallel_algorithm_finds_the_same_weights() {
    let mut rng = fastrand::Rng::with_seed(2);
    for pool in pools() {
        for edges_per_vertex in [0.7, 3.0, 12.0] {
            let n = rng.usize(3_000..6_000);
            let graph = random(&mut rng, n, edges_per_vertex);
            let found = pool.run(|_| msf(&graph));
            verify_msf(&graph, &found.edges).unwrap();
            assert_eq!(weights(&found.edges), weights(&serial(&graph).edges));
        }
    }
}

#[test]
fn long_chains_of_hooks_are_shortened() {
    // Along a path with ascending weights, every vertex chooses the one before it.
    let n = 20_000;
    let path: Csr = "path(20000)".parse::<GraphSpec>().unwrap().generate(1).unwrap();
    let path = path.with_weights(|u, _| u as f32);
    for pool in pools() {
        let found = pool.run(|_| msf(&path));
        assert_eq!((found.num_trees(), found.weight), (1, (0..n - 1).map(f64::from).sum()));
        assert!(found.rounds > 0);
        verify_msf(&path, &found.edges).unwrap();
    }
}

#[test]
fn the_verifier_finds_every_wrong_forest() {
    let roads = vec![(0, 1, 7.0), (0, 2, 2.0), (2, 1, 2.5), (3, 4, -1.0)];
    let graph = Csr::builder(6).symmetrize(true).build_weighted(roads).unwrap();
    let right = [(0, 2, 2.0), (1, 2, 2.5), (4, 3, -1.0)];
    assert_eq!(verify_msf(&graph, &right).unwrap().trees, 3);
    let fault = |edges: &[(u32, u32, f32)]| verify_msf(&graph, edges).unwrap_err().to_string();
    assert!(fault(&right[..2]).contains("in different trees"));
    assert!(fault(&[right[0], (0, 1, 7.0), right[2]]).contains("could replace one"));
    assert!(fault(&[right[0], (1, 2, 2.0), right[2]]).contains("which the graph does not have"));
    assert!(fault(&[right[0], (1, 5, 2.5), right[2]]).contains("which the graph does not have"));
    assert!(fault(&[right[0], (1, 99, 2.5), right[2]]).contains("which the graph does not have"));
    assert!(fault(&[right[0], right[1], right[0]]).contains("closes a circle"));
}
