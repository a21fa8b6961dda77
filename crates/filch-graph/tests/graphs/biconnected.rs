//! Compares biconnected components with the serial algorithm, with the definition, and with formulas.

use crate::common::lists::{Lists, pools};
use crate::common::schedulers::all_pools;
use crate::common::shapes::{degenerate, generated, spec};
use filch_graph::biconnected::{BiconnectedComponents, biconnected, serial};
use filch_graph::components::components;
use filch_graph::verify::{BiconnectedSummary, Wrong, verify_biconnected};
use filch_graph::{Csr, DirectedError, Graph};

#[track_caller]
fn verified<G: Graph>(graph: &G, found: &BiconnectedComponents<G::Vertex>) -> BiconnectedSummary {
    let summary = verify_biconnected(graph, found.labels(), &found.articulation_points(), found.bridges()).unwrap();
    assert_eq!(summary.components, found.count());
    summary
}

/// A sparse random graph: in dense ones there is one component.
fn sparse(rng: &mut fastrand::Rng, max_n: usize) -> Lists {
    let n = rng.u32(1..max_n as u32);
    let edges: Vec<_> = (0..rng.u32(0..n + n / 2 + 1)).map(|_| (rng.u32(0..n), rng.u32(0..n))).collect();
    Lists::undirected(n as usize, &edges)
}

#[test]
fn components_are_those_of_the_serial_algorithm_on_any_pool() {
    let pools = pools();
    for seed in 0..200 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let most = [8, 60, 1500][seed as usize % 3];
        let graph = if seed % 4 == 0 { Lists::symmetric(&mut rng, most) } else { sparse(&mut rng, most) };
        let (csr, wide) = (Csr::<u32>::from(&graph), Csr::<u64>::from(&graph));
        let expected = serial(&graph);
        verified(&graph, &expected);
        pools[seed as usize % pools.len()].run(|_| {
            assert_eq!(biconnected(&graph).unwrap(), expected);
            assert_eq!(biconnected(&csr).unwrap(), expected);
            assert_eq!(biconnected(&wide).unwrap(), serial(&wide));
        });
    }
}

/// The number of connected components without a vertex, or without one of several equal edges.
fn pieces(n: usize, edges: &[(u32, u32)], without: Option<u32>) -> usize {
    let kept = edges.iter().copied().filter(|&(u, v)| without != Some(u) && without != Some(v));
    let all = components(&Lists::undirected(n, &kept.collect::<Vec<_>>())).count();
    all - usize::from(without.is_some())
}

#[test]
fn without_an_articulation_point_or_a_bridge_a_graph_falls_apart_and_without_others_it_does_not() {
    for seed in 0..150 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n = rng.u32(2..14);
        let mut edges: Vec<_> = (0..rng.u32(0..2 * n)).map(|_| (rng.u32(0..n), rng.u32(0..n))).collect();
        let found = biconnected(&Lists::undirected(n as usize, &edges)).unwrap();
        let all = pieces(n as usize, &edges, None);
        let points: Vec<_> = (0..n).filter(|&v| pieces(n as usize, &edges, Some(v)) > all).collect();
        assert_eq!(found.articulation_points(), points);
        let bridges: Vec<_> = found.bridges().collect();
        for index in 0..edges.len() {
            let (u, v) = edges.swap_remove(index);
            let is_bridge = pieces(n as usize, &edges, None) > all;
            assert_eq!(bridges.contains(&(u, v)) || bridges.contains(&(v, u)), is_bridge, "{u} {v}");
            edges.push((u, v));
            let last = edges.len() - 1;
            edges.swap(index, last);
        }
    }
}

#[test]
fn edges_are_in_one_component_if_a_cycle_has_both() {
    // Two edges of a simple graph are on a cycle if, with a vertex in the middle of each, two paths join these that
    // share no vertex. By Menger's theorem, no third vertex parts them.
    for seed in 0..60 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n = rng.u32(2..8);
        let mut edges: Vec<_> = (0..rng.u32(1..2 * n)).map(|_| (rng.u32(0..n), rng.u32(0..n))).collect();
        edges.iter_mut().for_each(|edge| *edge = (edge.0.min(edge.1), edge.0.max(edge.1)));
        edges.sort_unstable();
        edges.dedup();
        edges.retain(|(u, v)| u != v);
        let found = biconnected(&Lists::undirected(n as usize, &edges)).unwrap();
        for (i, &(a, b)) in edges.iter().enumerate() {
            for &(c, d) in &edges[..i] {
                let (first, second) = (n, n + 1);
                let rest = edges.iter().copied().filter(|&edge| edge != (a, b) && edge != (c, d));
                let cut: Vec<_> = rest.chain([(a, first), (first, b), (c, second), (second, d)]).collect();
                let are_joined = |without: Option<u32>| {
                    let kept = cut.iter().copied().filter(|&(u, v)| without != Some(u) && without != Some(v));
                    let graph = Lists::undirected(n as usize + 2, &kept.collect::<Vec<_>>());
                    components(&graph).are_connected(first, second)
                };
                let on_a_cycle = are_joined(None) && (0..n).all(|v| are_joined(Some(v)));
                assert_eq!(found.label_of(a, b) == found.label_of(d, c), on_a_cycle);
            }
        }
    }
}

#[test]
fn all_shapes_under_all_schedulers() {
    for (name, graph) in generated() {
        let expected = serial(&graph);
        verified(&graph, &expected);
        for pool in all_pools() {
            assert_eq!(pool.run(|_| biconnected(&graph)).unwrap(), expected, "{name}");
        }
    }
}

#[test]
fn paths_cycles_cliques_and_trees_have_the_numbers_of_formulas() {
    let n = 1_000_000;
    let path = spec("path(1000000)");
    for pool in pools().iter().take(2) {
        let found = pool.run(|_| biconnected(&path)).unwrap();
        assert_eq!((found.count(), found.articulation_points().len(), found.bridges().count()), (n - 1, n - 2, n - 1));
    }
    assert_eq!(verified(&path, &serial(&path)).components, n - 1);
    let count = |text: &str| {
        let graph = spec(text);
        let found = biconnected(&graph).unwrap();
        verified(&graph, &found);
        (found.count(), found.articulation_points().len(), found.bridges().count())
    };
    assert_eq!(count("torus(40)"), (1, 0, 0));
    assert_eq!(count("hypercube(7)"), (1, 0, 0));
    assert_eq!(count("bintree(9)"), (510, 255, 510));
    // Two cliques that share a vertex, with a chain of parallel edges.
    let mut edges: Vec<_> = (0..9).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
    edges.extend((8..17).flat_map(|u| (8..u).map(move |v| (u, v))));
    edges.extend([(16, 17), (16, 17), (17, 18), (18, 18)]);
    let graph = Lists::undirected(20, &edges);
    let found = biconnected(&graph).unwrap();
    assert_eq!(verified(&graph, &found), BiconnectedSummary { components: 4, largest: 9 });
    assert_eq!((found.articulation_points(), found.bridges().collect()), (vec![8, 16, 17], vec![(17, 18)]));
    assert_eq!((found.head(9), found.head(0), found.label_of(16, 17)), (Some(8), None, 17));
}

#[test]
fn degenerate_and_directed_graphs() {
    for graph in degenerate() {
        let found = biconnected(&graph).unwrap();
        verified(&graph, &found);
        assert_eq!(found, serial(&graph));
    }
    assert_eq!(biconnected(&Lists::directed(2, &[(0, 1)])).unwrap_err(), DirectedError);
}

#[test]
fn the_verifier_refuses_what_is_wrong() {
    // Two triangles that share vertex 2, and a tail.
    let graph = Lists::undirected(7, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (4, 5), (6, 6)]);
    let labels = [0, 1, 1, 3, 3, 5, 6];
    let verify = |labels: &[u32], points: &[u32], bridges: &[(u32, u32)]| -> Result<_, Wrong> {
        verify_biconnected(&graph, labels, points, bridges.iter().copied())
    };
    assert_eq!(verify(&labels, &[2, 4], &[(4, 5)]), Ok(BiconnectedSummary { components: 3, largest: 3 }));
    for v in 0..7 {
        for label in (0..8).filter(|&label| label != labels[v]) {
            let mut wrong = labels;
            wrong[v] = label;
            assert!(verify(&wrong, &[2, 4], &[(4, 5)]).is_err(), "{wrong:?}");
        }
    }
    for points in [&[][..], &[2], &[4], &[2, 3, 4], &[4, 2], &[2, 4, 5]] {
        assert!(verify(&labels, points, &[(4, 5)]).is_err(), "{points:?}");
    }
    for bridges in [&[][..], &[(5, 4)], &[(2, 3)], &[(4, 5), (2, 3)], &[(4, 5), (4, 5)]] {
        assert!(verify(&labels, &[2, 4], bridges).is_err(), "{bridges:?}");
    }
    assert!(verify(&labels[..6], &[2, 4], &[(4, 5)]).is_err());
}
