//! Compares trussness with the serial algorithm, with the definition, and with formulas.

use crate::common::lists::{Lists, pools};
use crate::common::schedulers::all_pools;
use crate::common::shapes::{degenerate, generated, spec};
use filch_graph::triangles::TrianglesError;
use filch_graph::truss::{Trussness, serial, truss};
use filch_graph::verify::{TrussSummary, verify_truss};
use filch_graph::{Csr, Graph};
use std::collections::HashSet;

#[track_caller]
fn check<G: Graph>(graph: &G, found: &Trussness<G::Vertex>) {
    assert_eq!(found.trussness, serial(graph));
    let summary = verify_truss(graph, &found.edges, &found.trussness).unwrap();
    assert_eq!(summary.largest, found.max().unwrap_or(0));
    assert_eq!(found.histogram().last().copied().unwrap_or(0), summary.innermost);
}

/// The edges of the k-truss, by the definition: edges in too few triangles are removed until there are none.
fn by_definition(edges: &[(u32, u32)], k: u32) -> Vec<(u32, u32)> {
    let mut left: HashSet<_> = edges.iter().copied().collect();
    let vertices: HashSet<_> = edges.iter().flat_map(|&(u, v)| [u, v]).collect();
    loop {
        let has = |u: u32, v: u32| left.contains(&(u.min(v), u.max(v)));
        let triangles = |&(u, v): &(u32, u32)| vertices.iter().filter(|&&w| has(u, w) && has(v, w)).count();
        let weak: Vec<_> = left.iter().copied().filter(|edge| triangles(edge) + 2 < k as usize).collect();
        if weak.is_empty() {
            break;
        }
        weak.iter().for_each(|edge| _ = left.remove(edge));
    }
    let mut left: Vec<_> = left.into_iter().collect();
    left.sort_unstable();
    left
}

#[test]
fn trussness_is_that_of_the_serial_algorithm_on_any_pool() {
    let pools = pools();
    for seed in 0..160 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = Lists::symmetric(&mut rng, [6, 40, 500][seed as usize % 3]);
        let (csr, wide) = (Csr::<u32>::from(&graph), Csr::<u64>::from(&graph));
        let found = truss(&graph).unwrap();
        check(&graph, &found);
        pools[seed as usize % pools.len()].run(|_| {
            assert_eq!(truss(&graph).unwrap(), found);
            assert_eq!(truss(&csr).unwrap(), found);
            assert_eq!(truss(&wide).unwrap().trussness, found.trussness);
        });
    }
}

#[test]
fn the_edges_of_each_truss_are_those_of_the_definition() {
    for seed in 0..120 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n = rng.u32(2..20);
        let edges: Vec<_> = (0..rng.u32(0..6 * n)).map(|_| (rng.u32(0..n), rng.u32(0..n))).collect();
        let found = truss(&Lists::undirected(n as usize, &edges)).unwrap();
        for k in 2..=found.max().unwrap_or(0) + 1 {
            assert_eq!(found.truss(k).collect::<Vec<_>>(), by_definition(&found.edges, k), "{k}");
        }
    }
}

#[test]
fn all_shapes_under_all_schedulers() {
    for (name, graph) in generated().into_iter().chain([("kronecker(9,16)", spec("kronecker(9,16)"))]) {
        let found = truss(&graph).unwrap();
        check(&graph, &found);
        for pool in all_pools() {
            assert_eq!(pool.run(|_| truss(&graph)).unwrap(), found, "{name}");
        }
    }
}

#[test]
fn cliques_trees_and_chains_of_triangles_have_the_trussness_of_formulas() {
    let clique: Vec<_> = (0..60).flat_map(|u| (0..u).map(move |v| (v, u))).collect();
    let mut edges = clique.clone();
    // A chain of triangles, which are removed one after the other.
    let last = 2000;
    edges.extend((60..last).flat_map(|v| [(v - 1, v), (v - 2, v)]));
    let graph = Lists::undirected(last as usize, &edges);
    let tree = spec("bintree(9)");
    for pool in pools() {
        let found = pool.run(|_| truss(&graph)).unwrap();
        assert_eq!(found.truss(4).collect::<HashSet<_>>(), clique.iter().copied().collect());
        assert_eq!(found.histogram()[60], clique.len());
        assert_eq!(found.truss(3).count(), found.edges.len());
        assert!(pool.run(|_| truss(&tree)).unwrap().trussness.iter().all(|&trussness| trussness == 2));
    }
}

#[test]
fn self_loops_and_parallel_edges_do_not_count_and_directed_graphs_are_refused() {
    for graph in degenerate() {
        check(&graph, &truss(&graph).unwrap());
    }
    let found = truss(&degenerate()[5]).unwrap();
    assert_eq!((found.edges, found.trussness), (vec![(0, 1), (0, 2), (1, 2), (2, 3)], vec![3, 3, 3, 2]));
    assert_eq!(truss(&Lists::directed(2, &[(0, 1)])), Err(TrianglesError::Directed));
}

#[test]
fn the_verifier_refuses_what_is_wrong() {
    // A clique of four, a triangle at one of its edges, and a tail.
    let edges = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (4, 5)];
    let (graph, right) = (Lists::undirected(6, &edges), [4, 4, 4, 4, 4, 4, 3, 3, 2]);
    assert_eq!(verify_truss(&graph, &edges, &right), Ok(TrussSummary { largest: 4, innermost: 6 }));
    for edge in 0..edges.len() {
        for value in (0..6).filter(|&value| value != right[edge]) {
            let mut wrong = right;
            wrong[edge] = value;
            assert!(verify_truss(&graph, &edges, &wrong).is_err(), "{wrong:?}");
        }
    }
    for wrong in [[3, 3, 3, 3, 3, 3, 3, 3, 2], [2; 9], [4, 4, 4, 4, 4, 4, 2, 2, 2]] {
        assert!(verify_truss(&graph, &edges, &wrong).is_err(), "{wrong:?}");
    }
    assert!(verify_truss(&graph, &edges[1..], &right[1..]).is_err());
    assert!(verify_truss(&graph, &edges, &right[1..]).is_err());
    let mut others = edges;
    others.swap(0, 1);
    assert!(verify_truss(&graph, &others, &right).is_err());
}
