//! Compares closeness and harmonic centrality with the serial algorithm and with formulas.

use crate::common::lists::{Lists, pools};
use crate::common::schedulers::all_pools;
use crate::common::shapes::{degenerate, generated, oriented};
use filch_graph::closeness::{Closeness, Distances, Sums, closeness, serial};
use filch_graph::verify::verify_closeness;
use filch_graph::{Csr, Graph, Vertex};

#[track_caller]
fn check<V: Vertex>(found: &Distances<V>, expected: &[Sums]) {
    assert_eq!(found.sums.len(), expected.len());
    for (found, expected) in found.sums.iter().zip(expected) {
        assert_eq!((found.vertices, found.total), (expected.vertices, expected.total));
        assert!((found.harmonic - expected.harmonic).abs() <= 1e-9 * expected.harmonic, "{found:?}, {expected:?}");
    }
}

fn all<G: Graph>(graph: &G) -> Vec<G::Vertex> {
    (0..graph.num_vertices()).map(G::Vertex::new).collect()
}

fn triples<V>(found: &Distances<V>) -> impl Iterator<Item = (usize, u64, f64)> {
    found.sums.iter().map(|sums| (sums.vertices, sums.total, sums.harmonic))
}

#[test]
fn sums_are_those_of_the_serial_algorithm_on_any_pool_and_the_same_to_the_last_bit() {
    let pools = pools();
    for seed in 0..200 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = Lists::random(&mut rng, [6, 60, 300][seed as usize % 3]);
        let (csr, wide) = (Csr::<u32>::from(&graph), Csr::<u64>::from(&graph));
        let (first, expected) = (closeness(&graph), serial(&graph, &all(&graph)));
        check(&first, &expected);
        verify_closeness(&graph, triples(&first), 1e-9).unwrap();
        let pool = &pools[seed as usize % pools.len()];
        assert_eq!(pool.run(|_| closeness(&graph)), first);
        assert_eq!(pool.run(|_| closeness(&csr)).sums, first.sums);
        assert_eq!(pool.run(|_| closeness(&wide)).sums, first.sums);
        let some: Vec<_> = (0..rng.usize(0..150)).map(|_| rng.u32(0..graph.num_vertices() as u32)).collect();
        let found = pool.run(|_| Closeness::new().run_from(&graph, &some));
        assert!(some.iter().zip(&found.sums).all(|(&v, sums)| *sums == first.sums[v as usize]));
    }
}

#[test]
fn all_shapes_under_all_schedulers() {
    let mut rng = fastrand::Rng::with_seed(3);
    for (name, graph) in generated() {
        let directed = oriented(&mut rng, &graph, 0.2);
        let some: Vec<_> = (0..100).map(|_| rng.u32(0..graph.num_vertices() as u32)).collect();
        let expected = [serial(&graph, &some), serial(&directed, &some)];
        let first = [&Closeness::new().run_from(&graph, &some), &Closeness::new().run_from(&directed, &some)];
        check(first[0], &expected[0]);
        check(first[1], &expected[1]);
        for pool in all_pools() {
            assert_eq!(pool.run(|_| Closeness::new().run_from(&graph, &some)), *first[0], "{name}");
            assert_eq!(pool.run(|_| Closeness::new().run_from(&directed, &some)), *first[1], "{name}");
        }
    }
}

#[test]
fn paths_stars_cycles_and_cliques_have_the_sums_of_formulas() {
    let n = 101_u32;
    let others = (n - 1) as usize;
    let harmonic = |most: u32| (1..=most).map(|distance| 1.0 / f64::from(distance)).sum::<f64>();
    let to = |most: u32| u64::from(most) * u64::from(most + 1) / 2;
    let sums = |vertices, total, harmonic| Sums { vertices, total, harmonic };
    let path: Vec<_> = (1..n).map(|v| (v - 1, v)).collect();
    // Only those before a vertex have paths to it.
    let one_way: Vec<_> = (0..n).map(|v| sums(v as usize, to(v), harmonic(v))).collect();
    check(&closeness(&Lists::directed(n as usize, &path)), &one_way);
    let both = |v: u32| sums(others, to(v) + to(n - 1 - v), harmonic(v) + harmonic(n - 1 - v));
    check(&closeness(&Lists::undirected(n as usize, &path)), &(0..n).map(both).collect::<Vec<_>>());

    let star: Vec<_> = (1..n).map(|v| (0, v)).collect();
    let mut expected = vec![sums(others, 199, 1.0 + 99.0 / 2.0); n as usize];
    expected[0] = sums(others, 100, 100.0);
    let found = closeness(&Lists::undirected(n as usize, &star));
    check(&found, &expected);
    assert_eq!((found.closeness()[0], found.closeness()[7]), (1.0, 100.0 / 199.0));

    let cycle: Vec<_> = (0..n).map(|v| (v, (v + 1) % n)).collect();
    check(&closeness(&Lists::undirected(n as usize, &cycle)), &[sums(others, 2 * to(50), 2.0 * harmonic(50)); 101]);
    check(&closeness(&Lists::directed(n as usize, &cycle)), &[sums(others, to(100), harmonic(100)); 101]);
    let clique: Vec<_> = (0..n).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
    check(&closeness(&Lists::undirected(n as usize, &clique)), &[sums(others, 100, 100.0); 101]);
}

#[test]
fn closeness_is_scaled_by_the_share_of_vertices_in_reach() {
    // A pair and a lonely vertex, two vertices for the second of which only one has a path.
    let found = closeness(&Lists::directed(3, &[(0, 1)]));
    assert_eq!(found.closeness(), [0.0, 0.5, 0.0]);
    assert_eq!(found.closeness_within_reach(), [0.0, 1.0, 0.0]);
    assert_eq!(found.harmonic(), [0.0, 1.0, 0.0]);
    for graph in degenerate() {
        check(&closeness(&graph), &serial(&graph, &all(&graph)));
    }
    assert!(closeness(&Lists::directed(0, &[])).closeness().is_empty());
    assert_eq!(closeness(&Lists::directed(1, &[])).closeness(), [0.0]);
}

#[test]
fn sums_that_are_wrong_anywhere_are_rejected() {
    let graph = Lists::directed(4, &[(0, 1), (1, 2), (2, 0), (2, 3)]);
    let right = [(2, 3, 1.5), (2, 3, 1.5), (2, 3, 1.5), (3, 6, 1.0 + 0.5 + 1.0 / 3.0)];
    assert_eq!(verify_closeness(&graph, right, 1e-9), Ok(()));
    for v in 0..4 {
        for change in [(1, 0, 0.0), (0, 1, 0.0), (0, 0, 1e-3), (0, 0, f64::NAN)] {
            let mut wrong = right;
            wrong[v] = (right[v].0 + change.0, right[v].1 + change.1, right[v].2 + change.2);
            let error = verify_closeness(&graph, wrong, 1e-9).unwrap_err();
            assert!(error.to_string().contains(&format!("reach vertex {v}, ")), "{error}");
        }
    }
    let short = verify_closeness(&graph, right[1..].iter().copied(), 1.0).unwrap_err();
    assert!(short.to_string().starts_with("3 sums were found, expected one for each of 4"), "{short}");
}
