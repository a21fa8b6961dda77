//! Compares the sides of bipartite graphs with the serial algorithm, and checks odd cycles.

use crate::common::lists::{Lists, pools};
use crate::common::schedulers::all_pools;
use crate::common::shapes::{degenerate, generated, spec};
use filch_graph::bipartite::{BipartiteError, Sides, bipartite, serial};
use filch_graph::verify::{verify_odd_cycle, verify_sides};
use filch_graph::{Csr, DirectedError, Graph};

#[track_caller]
fn check<G: Graph>(graph: &G, found: &Result<Sides, BipartiteError<G::Vertex>>) {
    match found {
        Ok(found) => verify_sides(graph, &found.sides).unwrap(),
        Err(BipartiteError::OddCycle(cycle)) => verify_odd_cycle(graph, cycle).unwrap(),
        Err(error) => panic!("{error}"),
    }
    assert_eq!(found.as_ref().ok().map(|found| found.sides.clone()), serial(graph));
}

/// A random graph with two sides, except for some edges.
fn mostly_bipartite(rng: &mut fastrand::Rng, max_n: usize, within: usize) -> Lists {
    let n = rng.u32(2..max_n as u32);
    let mut edges = Vec::new();
    for _ in 0..rng.u32(0..2 * n) {
        edges.push((rng.u32(0..n) & !1, rng.u32(0..n - 1) | 1));
    }
    edges.extend((0..within).map(|_| (rng.u32(0..n), rng.u32(0..n))));
    Lists::undirected(n as usize, &edges)
}

#[test]
fn sides_and_odd_cycles_are_right_and_the_same_on_any_pool() {
    let (pools, mut odd) = (pools(), 0);
    for seed in 0..300 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (most, within) = ([8, 60, 1500][seed as usize % 3], [0, 1, 3][seed as usize % 4 % 3]);
        let graph = mostly_bipartite(&mut rng, most, within);
        let (csr, wide) = (Csr::<u32>::from(&graph), Csr::<u64>::from(&graph));
        let first = bipartite(&graph);
        check(&graph, &first);
        odd += usize::from(first.is_err());
        let pool = &pools[seed as usize % pools.len()];
        assert_eq!(pool.run(|_| bipartite(&graph)), first);
        check(&csr, &pool.run(|_| bipartite(&csr)));
        check(&wide, &pool.run(|_| bipartite(&wide)));
    }
    assert!((40..260).contains(&odd), "{odd}");
}

#[test]
fn all_shapes_under_all_schedulers() {
    for (name, graph) in generated() {
        let first = bipartite(&graph);
        check(&graph, &first);
        for pool in all_pools() {
            assert_eq!(pool.run(|_| bipartite(&graph)), first, "{name}");
        }
    }
    for graph in degenerate() {
        check(&graph, &bipartite(&graph));
    }
}

#[test]
fn grids_trees_and_even_cycles_have_two_sides_and_odd_cycles_are_their_own_proof() {
    for text in ["torus(20)", "hypercube(7)", "bintree(9)", "path(60000)", "meshes(7,18)"] {
        assert!(bipartite(&spec(text)).is_ok(), "{text}");
    }
    let n = 50_001;
    let cycle = Lists::undirected(n, &(0..n as u32).map(|v| (v, (v + 1) % n as u32)).collect::<Vec<_>>());
    for pool in pools() {
        let Err(BipartiteError::OddCycle(found)) = pool.run(|_| bipartite(&cycle)) else { panic!("an odd cycle") };
        assert_eq!(found.len(), n);
        verify_odd_cycle(&cycle, &found).unwrap();
    }
    let sides = bipartite(&Lists::undirected(4, &[(3, 0), (2, 1)])).unwrap();
    assert_eq!((sides.of::<u32>(false), sides.of::<u32>(true)), (vec![0, 1], vec![2, 3]));
}

#[test]
fn directed_graphs_are_refused() {
    assert_eq!(bipartite(&Lists::directed(2, &[(0, 1)])), Err(BipartiteError::Directed(DirectedError)));
}

#[test]
fn the_verifiers_refuse_what_is_wrong() {
    let path = Lists::undirected(3, &[(0, 1), (1, 2)]);
    verify_sides(&path, &[true, false, true]).unwrap();
    for wrong in [&[true, true, false][..], &[false; 3], &[true, false], &[true, false, true, false]] {
        assert!(verify_sides(&path, wrong).is_err(), "{wrong:?}");
    }
    let graph = Lists::undirected(5, &[(0, 1), (1, 2), (2, 3), (3, 0), (2, 0), (4, 4)]);
    for right in [&[0, 1, 2][..], &[3, 0, 2], &[4]] {
        verify_odd_cycle(&graph, right).unwrap();
    }
    for wrong in [&[0, 1, 2, 3][..], &[0, 1, 3], &[0], &[0, 1, 0], &[5], &[]] {
        assert!(verify_odd_cycle(&graph, wrong).is_err(), "{wrong:?}");
    }
}
