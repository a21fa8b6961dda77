//! Weights of all types, and what is asked of shortest paths beside distances.

use crate::common::lists::{Lists, pools};
use fastrand::Rng;
use filch_graph::msf::{self, msf};
use filch_graph::sssp::{Sssp, SsspError, serial, sssp};
use filch_graph::verify::{verify_msf, verify_sssp};
use filch_graph::{Csr, CsrView, Distance, Graph, RowsView, Vertex, Weight, WeightedGraph};

/// A random graph, of some thousand arcs if it is a mesh, with weights that `weight` draws.
fn random<W: Weight>(rng: &mut Rng, symmetric: bool, weight: impl Fn(&mut Rng) -> W) -> Csr<u32, W> {
    let lists = match (rng.bool(), symmetric) {
        (true, _) => Lists::mesh(rng, 70),
        (false, true) => Lists::symmetric(rng, 200),
        (false, false) => Lists::random(rng, 200),
    };
    let plain: Csr = Csr::from(&lists);
    let edges: Vec<_> = plain.edges().map(|(u, v, ())| (u, v, weight(rng))).collect();
    Csr::builder(plain.num_vertices()).symmetrize(plain.is_symmetric()).build_weighted(edges).unwrap()
}

/// Checks shortest paths and forests of random graphs with these weights.
fn check<W: Weight>(seed: u64, weight: impl Fn(&mut Rng) -> W) {
    let mut rng = Rng::with_seed(seed);
    for (pool, symmetric) in pools().iter().flat_map(|pool| [(pool, false), (pool, true)]) {
        let graph = random(&mut rng, symmetric, &weight);
        let root = rng.u32(0..graph.num_vertices() as u32);
        let offsets: Vec<u32> = graph.offsets().iter().map(|&offset| offset as u32).collect();
        let rows = RowsView::new(&offsets, graph.targets()).unwrap();
        let view = CsrView::symmetric(rows.with_weights(graph.out_rows().weights()).unwrap());
        pool.run(|_| {
            let expected = serial(&graph, root).unwrap();
            let found = Sssp::new().predecessors(true).run(&graph, root).unwrap();
            assert_eq!(found.distances, expected.distances);
            verify_sssp(&graph, root, &found.distances).unwrap();
            check_paths(&graph, root, &found.distances, |v| found.path_to(v));
            assert_eq!(sssp(&view, root).unwrap().distances, expected.distances);
            if graph.is_symmetric() {
                let forest = msf(&graph);
                assert_eq!(verify_msf(&graph, &forest.edges).unwrap().trees, forest.num_trees());
                let weights = |mut edges: Vec<(u32, u32, W)>| {
                    edges.sort_by(|a, b| a.2.order(&b.2));
                    edges.into_iter().map(|edge| edge.2).collect::<Vec<_>>()
                };
                let expected = weights(msf::serial(&graph).edges);
                assert_eq!(weights(forest.edges), expected);
                assert_eq!(weights(msf(&view).edges), expected);
            }
        });
    }
}

/// Checks that paths begin at the root, are in the graph, and are as long as the distances say.
fn check_paths<W: Weight>(
    graph: &Csr<u32, W>,
    root: u32,
    distances: &[W::Distance],
    path_to: impl Fn(u32) -> Option<Vec<u32>>,
) {
    for v in 0..graph.num_vertices() {
        let Some(path) = path_to(v as u32) else {
            assert!(distances[v] == Distance::UNREACHED);
            continue;
        };
        assert_eq!((path[0], path[path.len() - 1]), (root, v as u32));
        for pair in path.windows(2) {
            let mut arcs = graph.arcs(pair[0]).filter(|arc| arc.0 == pair[1]);
            let [from, to] = [distances[pair[0] as usize], distances[pair[1] as usize]];
            assert!(arcs.any(|(_, weight)| weight.after(from) == to));
        }
    }
}

#[test]
fn shortest_paths_and_forests_are_right_with_weights_of_every_type() {
    check(1, |rng| rng.u32(0..256) as f32 / 4.0);
    check(2, |rng| if rng.bool() { rng.f64() * 1e200 } else { rng.f64() });
    check(3, |rng| rng.u32(..));
    check(4, |rng| rng.u64(0..1 << 40));
    check(5, |rng| rng.i64(0..3));
    check(6, |_| ());
}

#[test]
fn whole_distances_are_exact_where_floating_point_numbers_are_not() {
    let odd = (1_u64 << 53) + 1;
    let graph = Csr::builder(3).build_weighted([(0, 1, odd), (1, 2, 2), (0, 2, odd + 1)]).unwrap();
    assert_eq!(sssp(&graph, 0).unwrap().distances, [0, odd, odd + 1]);
    assert_eq!(Sssp::new().delta(1e15).run(&graph, 0).unwrap().distances, [0, odd, odd + 1]);
    let symmetric = Csr::builder(3).symmetrize(true).build_weighted([(0, 1, u64::MAX), (1, 2, u64::MAX)]).unwrap();
    assert_eq!(msf(&symmetric).weight, 2 * u128::from(u64::MAX));
}

#[test]
fn a_distance_beyond_its_type_is_an_error_unless_another_path_is_short() {
    let half = i64::MAX / 2;
    let edges = [(0, 1, half), (1, 2, half), (2, 3, half)];
    let searches = |graph: &Csr<u32, i64>| [serial(graph, 0), Sssp::new().delta(1e18).run(graph, 0)];
    let long = Csr::builder(4).build_weighted(edges).unwrap();
    let error = SsspError::Overflow { from: 2, to: 3 };
    searches(&long).into_iter().for_each(|found| assert_eq!(found.unwrap_err(), error));
    assert!(error.to_string().contains("9223372036854775807"), "{error}");
    let error = SsspError::<f64>::Overflow { from: 2, to: 3 };
    assert!(error.to_string().contains("beyond 1.7976931348623157e308, the largest"), "{error}");
    let short = Csr::builder(4).build_weighted(edges.into_iter().chain([(0, 3, 1)])).unwrap();
    searches(&short).into_iter().for_each(|found| assert_eq!(found.unwrap().distances, [0, half, 2 * half, 1]));
    let huge = Csr::builder(3).build_weighted([(0, 1, f64::MAX), (1, 2, f64::MAX)]).unwrap();
    assert_eq!(sssp(&huge, 0).unwrap_err(), SsspError::Overflow { from: 1, to: 2 });
    let found = Sssp::new().limit(i64::MAX - 1).run(&long, 0).unwrap();
    assert_eq!(found.distances, [0, half, 2 * half, i64::MAX]);
    assert_eq!((found.distance(2), found.distance(3), found.num_reached()), (Some(2 * half), None, 3));
    let negative = Csr::builder(2).build_weighted([(0, 1, -5_i64)]).unwrap();
    assert_eq!(sssp(&negative, 0).unwrap_err(), SsspError::NegativeWeight { from: 0, to: 1, weight: -5 });
}

#[test]
fn a_search_that_ends_early_knows_exactly_what_is_not_farther() {
    let mut rng = Rng::with_seed(7);
    for pool in pools() {
        for _ in 0..10 {
            let graph = random(&mut rng, false, |rng| rng.u32(0..100));
            let n = graph.num_vertices() as u32;
            let sources: Vec<u32> = (0..rng.usize(1..4)).map(|_| rng.u32(0..n)).collect();
            let targets: Vec<u32> = (0..rng.usize(1..4)).map(|_| rng.u32(0..n)).collect();
            let limit = rng.u64(0..400);
            let each: Vec<_> = sources.iter().map(|&source| serial(&graph, source).unwrap().distances).collect();
            let all: Vec<u64> = (0..n as usize).map(|v| each.iter().map(|of| of[v]).min().unwrap()).collect();
            let within = |most: u64| Vec::from_iter(all.iter().map(|&d| if d <= most { d } else { u64::MAX }));
            let farthest = targets.iter().map(|v| all[v.index()]).max().unwrap();
            pool.run(|_| {
                let search = Sssp::new();
                assert_eq!(search.run_from(&graph, &sources).unwrap().distances, all);
                assert_eq!(search.limit(limit).run_from(&graph, &sources).unwrap().distances, within(limit));
                let found = search.targets(&targets).run_from(&graph, &sources).unwrap();
                assert_eq!(found.distances, within(farthest));
            });
        }
    }
    let path = Csr::builder(2).build_weighted([(0, 1, 1_u32)]).unwrap();
    assert_eq!(Sssp::new().run_from(&path, &[]).unwrap().num_reached(), 0);
}

#[test]
fn arcs_of_weight_0_make_no_circle_of_predecessors() {
    let edges = [(1, 2, 0_u32), (2, 3, 0), (3, 1, 0), (0, 3, 5), (0, 0, 0)];
    let graph = Csr::builder(5).build_weighted(edges).unwrap();
    let found = Sssp::new().predecessors(true).run(&graph, 0).unwrap();
    assert_eq!(found.predecessors, [0, 3, 1, 0, u32::NONE]);
    assert_eq!(found.path_to(2), Some(vec![0, 3, 1, 2]));
    assert_eq!(found.path_to(4), None);
}

#[test]
#[should_panic(expected = "a path needs predecessors")]
fn paths_need_predecessors() {
    let graph = Csr::builder(2).build_weighted([(0, 1, 1.0)]).unwrap();
    let _ = sssp(&graph, 0).unwrap().path_to(1);
}
