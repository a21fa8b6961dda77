//! Compares the number of triangles with formulas, plain loops and all triples.

use crate::common::lists::{Lists, pools};
use crate::common::schedulers::all_pools;
use crate::common::shapes::{degenerate, generated, spec};
use filch_graph::triangles::{Order, Triangles, TrianglesError, serial, triangles};
use filch_graph::verify::verify_triangles;
use filch_graph::{Csr, Graph};

/// All triples of vertices.
fn by_triples(graph: &Lists) -> u64 {
    let n = graph.num_vertices() as u32;
    let is_edge = |u: u32, v: u32| graph.neighbors(u).any(|w| w == v);
    let triples = (0..n).flat_map(|u| (0..u).flat_map(move |v| (0..v).map(move |w| (u, v, w))));
    triples.filter(|&(u, v, w)| is_edge(u, v) && is_edge(v, w) && is_edge(w, u)).count() as u64
}

fn symmetric(rng: &mut fastrand::Rng, max_n: usize) -> Lists {
    std::iter::repeat_with(|| Lists::random(rng, max_n)).find(Graph::is_symmetric).expect("one of many")
}

#[test]
fn triangles_are_counted_once_whatever_the_order_and_the_pool() {
    let pools = pools();
    for seed in 0..120 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = symmetric(&mut rng, [6, 40, 2500][seed as usize % 3]);
        let (csr, wide, expected) = (Csr::<u32>::from(&graph), Csr::<u64>::from(&graph), serial(&graph));
        if graph.num_vertices() <= 40 {
            assert_eq!(expected, by_triples(&graph), "seed {seed}");
        }
        verify_triangles(&graph, expected).unwrap();
        let pool = &pools[seed as usize % pools.len()];
        for order in Order::ALL {
            for found in [
                pool.run(|_| Triangles::new().order(order).run(&graph)).unwrap(),
                pool.run(|_| Triangles::new().order(order).run(&csr)).unwrap(),
                pool.run(|_| Triangles::new().order(order).run(&wide)).unwrap(),
            ] {
                assert_eq!(found.count, expected, "{order}, seed {seed}");
                assert!(found.order != Order::Auto && (order == Order::Auto || order == found.order));
            }
        }
    }
}

#[test]
fn all_shapes_under_all_schedulers() {
    for (name, graph) in generated() {
        let expected = serial(&graph);
        verify_triangles(&graph, expected).unwrap();
        for pool in all_pools() {
            for order in Order::ALL {
                assert_eq!(
                    pool.run(|_| Triangles::new().order(order).run(&graph)).unwrap().count,
                    expected,
                    "{name}, {order}"
                );
            }
        }
    }
    let count = |text: &str| triangles(&spec(text)).unwrap().count;
    // Each vertex of a ring is the first of a triangle with the next two; a hypercube is bipartite.
    assert_eq!((count("regular(300,4)"), count("hypercube(8)"), count("torus(3)")), (300, 0, 6));
}

#[test]
fn a_clique_has_a_triangle_for_each_triple_and_its_long_rows_are_shared() {
    let n = 400_u32;
    let edges: Vec<_> = (0..n).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
    let graph: Csr = Csr::builder(n as usize).symmetrize(true).build(edges).unwrap();
    let expected = u64::from(n) * u64::from(n - 1) * u64::from(n - 2) / 6;
    assert_eq!(serial(&graph), expected);
    for pool in pools() {
        assert_eq!(pool.run(|_| triangles(&graph)).unwrap().count, expected);
    }
}

#[test]
fn self_loops_and_parallel_edges_do_not_matter() {
    let counts: Vec<_> = degenerate().iter().map(|graph| triangles(graph).unwrap().count).collect();
    assert_eq!(counts, [0, 0, 0, 0, 1, 1, 0]);
    for graph in degenerate() {
        for order in Order::ALL {
            assert_eq!(Triangles::new().order(order).run(&graph).unwrap().count, by_triples(&graph));
        }
        assert_eq!(serial(&graph), by_triples(&graph));
    }
}

/// In the order of the numbers, each later leaf of a star would look up all earlier ones.
#[test]
fn a_star_with_its_center_in_the_middle_is_not_quadratic() {
    let leaves = 1_000_000;
    let edges = (0..=leaves).filter(|&v| v != leaves / 2).map(|v| (leaves / 2, v));
    let graph: Csr = Csr::builder(leaves as usize + 1).symmetrize(true).build(edges).unwrap();
    let found = triangles(&graph).unwrap();
    assert_eq!((found.count, found.order, found.lookups), (0, Order::Degree, 0));
}

#[test]
fn directed_graphs_are_refused() {
    let found = triangles(&Lists::directed(3, &[(0, 1), (1, 2), (2, 0)]));
    assert_eq!(found, Err(TrianglesError::Directed));
}
