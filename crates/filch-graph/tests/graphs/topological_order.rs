//! Compares topological orders with the serial algorithm and with the definition.

use crate::common::lists::{Lists, pools};
use crate::common::schedulers::all_pools;
use crate::common::shapes::{degenerate, generated, oriented};
use filch_graph::topological_order::{CycleError, Levels, serial, topological_order};
use filch_graph::verify::{verify_cycle, verify_levels, verify_topological_order};
use filch_graph::{Csr, Graph, Vertex};

/// Checks the result against the definition, and against the serial algorithm.
#[track_caller]
fn check<G: Graph>(graph: &G, found: &Result<Levels<G::Vertex>, CycleError<G::Vertex>>) {
    assert_eq!(found.is_ok(), serial(graph).is_some());
    match found {
        Ok(found) => {
            verify_topological_order(graph, &found.order).unwrap();
            verify_levels(graph, &found.level_of_each()).unwrap();
            assert_eq!(found.count(), found.levels().count());
            assert!(found.levels().all(|level| !level.is_empty() && level.is_sorted()));
        }
        Err(CycleError { cycle }) => {
            verify_cycle(graph, cycle).unwrap();
            assert_eq!(cycle.first(), cycle.iter().min());
        }
    }
    if let Some(order) = serial(graph) {
        verify_topological_order(graph, &order).unwrap();
    }
}

/// A random graph that has a cycle only if one of `back` arcs makes one. Its vertices are shuffled.
fn mostly_forward(rng: &mut fastrand::Rng, max_n: usize, back: usize) -> Lists {
    let n = rng.usize(2..max_n);
    let mut names: Vec<u32> = (0..n as u32).collect();
    rng.shuffle(&mut names);
    let mut arcs = Vec::new();
    for _ in 0..rng.usize(0..4 * n) {
        let (a, b) = (rng.usize(0..n), rng.usize(0..n));
        if a != b {
            arcs.push((names[a.min(b)], names[a.max(b)]));
        }
    }
    arcs.extend((0..back).map(|_| (names[rng.usize(0..n)], names[rng.usize(0..n)])));
    Lists::directed(n, &arcs)
}

#[test]
fn orders_and_cycles_are_right_and_the_same_on_any_pool() {
    let (pools, mut with_cycles) = (pools(), 0);
    for seed in 0..300 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (most, back) = ([6, 60, 1500][seed as usize % 3], [0, 0, 1, 3][seed as usize % 4]);
        let graph = mostly_forward(&mut rng, most, back);
        let (csr, wide) = (Csr::<u32>::from(&graph), Csr::<u64>::from(&graph));
        let first = topological_order(&graph);
        check(&graph, &first);
        with_cycles += usize::from(first.is_err());
        let pool = &pools[seed as usize % pools.len()];
        assert_eq!(pool.run(|_| topological_order(&graph)), first);
        // Rows in order may have another first arc, and so another cycle.
        let found = pool.run(|_| topological_order(&csr));
        check(&csr, &found);
        assert_eq!(found.as_ref().ok(), first.as_ref().ok());
        check(&wide, &pool.run(|_| topological_order(&wide)));
    }
    assert!((30..200).contains(&with_cycles), "{with_cycles}");
}

#[test]
fn all_shapes_under_all_schedulers() {
    let mut rng = fastrand::Rng::with_seed(1);
    for (name, graph) in generated() {
        for back in [0.0, 0.001, 0.3] {
            let graph = oriented(&mut rng, &graph, back);
            let first = topological_order(&graph);
            assert!(back > 0.0 || first.is_ok(), "{name}");
            check(&graph, &first);
            for pool in all_pools() {
                assert_eq!(pool.run(|_| topological_order(&graph)), first, "{name}");
            }
        }
    }
}

#[test]
fn a_path_has_as_many_levels_as_vertices_and_a_wide_graph_few() {
    let n = 60_000;
    let path = Lists::directed(n, &(1..n as u32).map(|v| (v - 1, v)).collect::<Vec<_>>());
    let fans = 20_000;
    let fan: Vec<_> = (0..fans).flat_map(|v| [(v, fans + v), (fans + v, 2 * fans), (v, 2 * fans + 1)]).collect();
    let fan = Lists::directed(2 * fans as usize + 2, &fan);
    for pool in pools() {
        let found = pool.run(|_| topological_order(&path)).unwrap();
        assert!(found.count() == n && found.order.iter().zip(0..).all(|(&v, place)| v == place));
        let found = pool.run(|_| topological_order(&fan)).unwrap();
        assert_eq!(found.starts, [0, 20_000, 40_001, 40_002]);
        check(&fan, &Ok(found));
    }
}

#[test]
fn edges_and_self_loops_are_cycles_and_no_vertices_are_in_order() {
    let found: Vec<_> = degenerate().iter().map(|graph| topological_order(graph).map(|found| found.count())).collect();
    let cycle = |cycle: &[u32]| Err(CycleError { cycle: cycle.to_vec() });
    assert_eq!(found[..5], [Ok(0), Ok(1), cycle(&[0]), Ok(1), cycle(&[0])]);
    assert_eq!((&found[5], &found[6]), (&cycle(&[0, 1, 2]), &cycle(&[0, 1])));
    let long: Vec<_> = (0..20).map(|v| (v, (v + 1) % 20)).collect();
    let error = topological_order(&Lists::directed(20, &long)).unwrap_err();
    assert!(error.to_string().ends_with("0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> (12 more) -> 0"), "{error}");
}

#[test]
fn the_verifiers_refuse_what_is_wrong() {
    let graph = Lists::directed(4, &[(0, 1), (1, 2), (0, 3), (3, 2)]);
    verify_topological_order(&graph, &[0, 3, 1, 2]).unwrap();
    for (order, says) in [
        (&[0, 1, 2][..], "3 places were found"),
        (&[0, 1, 2, 3], "from 3 to 2, which is not later"),
        (&[0, 1, 1, 2], "vertex 1 in places 1 and 2"),
        (&[0, 1, 4, 2], "has 4 in place 2"),
        (&[u32::NONE, 1, 3, 2], "in place 0"),
    ] {
        let error = verify_topological_order(&graph, order).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    verify_levels(&graph, &[0, 1, 2, 1]).unwrap();
    for wrong in [&[0, 1, 3, 1][..], &[0, 1, 2, 2], &[1, 2, 3, 2], &[0, 1, 2], &[0, u32::NONE, 2, 1]] {
        assert!(verify_levels(&graph, wrong).is_err(), "{wrong:?}");
    }
    let graph = Lists::directed(4, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 3)]);
    verify_cycle(&graph, &[1, 2, 0]).unwrap();
    verify_cycle(&graph, &[3]).unwrap();
    for wrong in [&[][..], &[0, 2, 1], &[0, 1], &[2], &[4], &[0, 1, 2, 0, 1, 2], &[3, 3]] {
        assert!(verify_cycle(&graph, wrong).is_err(), "{wrong:?}");
    }
}
