//! Compares coreness values with the serial algorithm and with formulas.

use crate::common::lists::{Lists, pools};
use crate::common::schedulers::all_pools;
use crate::common::shapes::{degenerate, generated, spec};
use filch_graph::cores::{Coreness, cores, serial};
use filch_graph::verify::verify_cores;
use filch_graph::{Csr, DirectedError};
use std::collections::HashSet;

#[track_caller]
fn check(found: &Coreness, expected: &[u32]) {
    assert_eq!(found.coreness, expected);
    assert_eq!(found.levels, expected.iter().collect::<HashSet<_>>().len());
    assert_eq!(found.histogram().iter().sum::<usize>(), expected.len());
}

#[test]
fn coreness_is_that_of_the_serial_algorithm_on_any_pool() {
    let pools = pools();
    for seed in 0..120 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = Lists::symmetric(&mut rng, [6, 60, 5000][seed as usize % 3]);
        let (csr, wide, expected) = (Csr::<u32>::from(&graph), Csr::<u64>::from(&graph), serial(&graph));
        verify_cores(&graph, &expected).unwrap();
        let pool = &pools[seed as usize % pools.len()];
        check(&pool.run(|_| cores(&graph)).unwrap(), &expected);
        check(&pool.run(|_| cores(&csr)).unwrap(), &expected);
        check(&pool.run(|_| cores(&wide)).unwrap(), &expected);
    }
}

#[test]
fn all_shapes_under_all_schedulers() {
    for (name, graph) in generated() {
        let expected = serial(&graph);
        verify_cores(&graph, &expected).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        for pool in all_pools() {
            check(&pool.run(|_| cores(&graph)).unwrap(), &expected);
        }
    }
    for (text, value) in [("regular(300,7)", 7), ("bintree(9)", 1), ("torus(23)", 4), ("path(900)", 1)] {
        assert!(cores(&spec(text)).unwrap().coreness.iter().all(|&coreness| coreness == value), "{text}");
    }
}

/// A clique and a path that begins at it, and a level that becomes large only while it is peeled.
#[test]
fn levels_that_are_deep_or_grow_are_peeled_to_their_end() {
    let (clique, tail) = (40, 50_000);
    let mut edges: Vec<_> = (0..clique).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
    edges.extend((clique..clique + tail).map(|v| (v - 1, v)));
    let lollipop = Lists::undirected((clique + tail) as usize, &edges);
    // A level that is large from the start, and ends with a path.
    let tree = spec("stars(3000,40),shuffled");
    for pool in all_pools() {
        let found = pool.run(|_| cores(&lollipop)).unwrap();
        assert!((0..clique + tail).all(|v| found.coreness[v as usize] == if v < clique { clique - 1 } else { 1 }));
        assert_eq!((found.levels, found.degeneracy()), (2, Some(clique - 1)));
        assert!(pool.run(|_| cores(&tree)).unwrap().coreness.iter().all(|&coreness| coreness == 1));
    }
}

#[test]
fn self_loops_do_not_count_and_parallel_edges_do() {
    let found: Vec<_> = degenerate().iter().map(|graph| cores(graph).unwrap().coreness).collect();
    let expected = [vec![], vec![0], vec![0], vec![0; 70], vec![2; 3], vec![3, 3, 3, 1], vec![3; 2]];
    // In the sixth graph, 1 has two edges to each of 0 and 2, which have three edges each besides.
    for ((found, graph), expected) in found.iter().zip(degenerate()).zip(expected) {
        assert_eq!(serial(&graph), *found);
        verify_cores(&graph, found).unwrap();
        assert_eq!(*found, expected);
    }
    assert_eq!((cores(&degenerate()[0]).unwrap().degeneracy(), cores(&degenerate()[0]).unwrap().levels), (None, 0));
}

#[test]
fn a_star_with_a_million_leaves_has_coreness_one() {
    let leaves = 1_000_000;
    for center in [0, leaves] {
        let edges = (0..=leaves).filter(|&v| v != center).map(|v| (center, v));
        let graph: Csr = Csr::builder(leaves as usize + 1).symmetrize(true).build(edges).unwrap();
        let found = cores(&graph).unwrap();
        assert!(found.coreness.iter().all(|&coreness| coreness == 1) && found.levels == 1);
    }
}

#[test]
fn directed_graphs_are_refused() {
    assert_eq!(cores(&Lists::directed(2, &[(0, 1)])), Err(DirectedError));
}
