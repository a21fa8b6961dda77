//! Tests building graphs from edges.

use fastrand::Rng;
use filch_graph::{BuildError, Csr, CsrBuilder, Graph, Vertex};
use std::collections::BTreeMap;

/// The expected rows, by a serial reference implementation.
fn expected(edges: &[(u32, u32)], symmetrize: bool, dedup: bool, no_loops: bool) -> BTreeMap<u32, Vec<u32>> {
    let mut rows = BTreeMap::<u32, Vec<u32>>::new();
    for &(u, v) in edges {
        if u == v && no_loops {
            continue;
        }
        rows.entry(u).or_default().push(v);
        if symmetrize && u != v {
            rows.entry(v).or_default().push(u);
        }
    }
    for row in rows.values_mut() {
        row.sort();
        if dedup {
            row.dedup();
        }
    }
    rows
}

fn random_edges(rng: &mut Rng, n: u32, m: usize) -> Vec<(u32, u32)> {
    // Half of the edges are among few vertices, so that there are duplicates, self-loops and long rows.
    let few = n.min(5);
    (0..m)
        .map(|i| if i % 2 == 0 { (rng.u32(0..n), rng.u32(0..n)) } else { (rng.u32(0..few), rng.u32(0..few)) })
        .collect()
}

#[test]
fn rows_are_those_of_the_reference_on_any_number_of_workers() {
    let pools: Vec<_> = (1..=3).map(|n| filch::Pool::builder().workers(n).build().expect("a pool")).collect();
    let mut rng = Rng::with_seed(1);
    for case in 0..60 {
        let n = if case == 0 { 1 } else { rng.u32(1..300) };
        let m = rng.usize(0..2000);
        let edges = random_edges(&mut rng, n, m);
        let [symmetrize, dedup, no_loops] = [case & 1, case & 2, case & 4].map(|bit| bit != 0);
        let expected = expected(&edges, symmetrize, dedup, no_loops);
        let builder = Csr::builder(n as usize).symmetrize(symmetrize);
        let builder = builder.remove_duplicates(dedup).remove_self_loops(no_loops);
        for pool in &pools {
            let graph = pool.run(|_| builder.build(edges.clone())).expect("all in range");
            assert_eq!((graph.num_vertices(), graph.is_symmetric()), (n as usize, symmetrize));
            assert_eq!(graph.num_arcs(), expected.values().map(Vec::len).sum());
            for v in 0..n {
                assert_eq!(graph.row(v), expected.get(&v).map_or(&[][..], Vec::as_slice), "case {case}, vertex {v}");
            }
            let mut forward: Vec<_> = (0..n).flat_map(|u| graph.row(u).iter().map(move |&v| (u, v))).collect();
            let mut backward: Vec<_> = (0..n).flat_map(|v| graph.in_row(v).iter().map(move |&u| (u, v))).collect();
            forward.sort();
            backward.sort();
            assert_eq!(forward, backward, "the same arcs at both ends");
        }
    }
}

#[test]
fn many_edges_give_the_rows_of_the_reference_in_one_list_or_in_parts() {
    let mut rng = Rng::with_seed(2);
    // More edges than a block has, so that lists are cut into blocks.
    let edges = random_edges(&mut rng, 1000, 600_000);
    let (a, b) = edges.split_at(100_000);
    let parts = vec![a.to_vec(), vec![], b.to_vec()];
    let builder = Csr::builder(1000).remove_duplicates(true);
    let expected = expected(&edges, false, true, false);
    let graph = builder.build(edges).expect("all in range");
    assert!((0..1000).all(|v| graph.row(v) == expected.get(&v).map_or(&[][..], Vec::as_slice)));
    assert_eq!(builder.build_parts(parts), Ok(graph));
}

#[test]
fn wide_vertices_give_the_same_rows_as_narrow_ones() {
    let mut rng = Rng::with_seed(3);
    let edges = random_edges(&mut rng, 700, 3000);
    let wide = edges.iter().map(|&(u, v)| (u.into(), v.into()));
    let wide = CsrBuilder::<u64>::new(700).symmetrize(true).build(wide).expect("all in range");
    let narrow = Csr::builder(700).symmetrize(true).build(edges).expect("all in range");
    for v in 0..700 {
        assert!(narrow.row(v).iter().map(|&u| u.index()).eq(wide.row(v.into()).iter().map(|&u| u.index())));
    }
}

#[test]
fn a_graph_may_have_no_vertices_and_no_edges() {
    for n in [0, 1, 5] {
        let graph = Csr::builder(n).build(vec![]).expect("nothing to refuse");
        assert_eq!((graph.num_vertices(), graph.num_arcs()), (n, 0));
        assert!((0..n as u32).all(|v| graph.row(v).is_empty() && graph.in_row(v).is_empty()));
    }
}

#[test]
fn arcs_assumed_to_be_symmetric_are_stored_once() {
    let graph = Csr::builder(3).assume_symmetric(true).build(vec![(2, 1), (0, 1), (1, 0), (1, 2)]);
    let graph = graph.expect("all in range");
    assert!(graph.is_symmetric());
    assert_eq!((graph.row(1), graph.in_row(1)), (&[0, 2][..], &[0, 2][..]));
}

#[test]
fn the_first_edge_with_a_vertex_out_of_range_is_named() {
    let error = |edges| Csr::builder(3).remove_self_loops(true).build(edges).expect_err("out of range");
    let fault = |edge, vertex| BuildError::VertexOutOfRange { edge, vertex, num_vertices: 3 };
    assert_eq!(error(vec![(0, 1), (1, 3), (7, 2)]), fault(1, 3));
    assert_eq!(error(vec![(0, 1), (1, 2), (7, 2)]), fault(2, 7));
    assert_eq!(error(vec![(5, 5)]), fault(0, 5), "also where the edge would be left out");
    let mut many = vec![(0_u32, 1); 600_000];
    (many[599_000], many[300_000]) = ((0, 4), (9, 9));
    let (a, b) = many.split_at(300_000);
    assert_eq!(Csr::builder(3).build_parts(vec![a.to_vec(), b.to_vec()]), Err(fault(300_000, 9)));
    assert_eq!(
        Csr::builder(0).build(vec![(0, 0)]).map(|_| ()).map_err(|e| e.to_string()),
        Err("edge 0 (counted from 0) has vertex 0, but there are 0 vertices".into())
    );
}

#[test]
fn too_many_vertices_are_refused_before_memory_is_asked_for() {
    let error = Csr::builder(1 << 32).build(vec![]).expect_err("too many");
    assert_eq!(error, BuildError::TooManyVertices { num_vertices: 1 << 32, max: u32::MAX as usize });
    let error = CsrBuilder::<u64>::new(usize::MAX).build(vec![]).expect_err("no memory for so many");
    assert!(matches!(error, BuildError::OutOfMemory { .. }));
    let error = CsrBuilder::<u64>::new(usize::MAX >> 3).build(vec![(1, 2)]).expect_err("no memory for so many");
    assert!(matches!(error, BuildError::OutOfMemory { .. }));
}
