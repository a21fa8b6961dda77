//! Compares borrowed matrices of sprs with compressed sparse rows of the same edges.

use fastrand::Rng;
use filch_graph::scc::scc;
use filch_graph::sssp::sssp;
use filch_graph::{Csr, CsrView, RowsError, RowsView};
use sprs::{CsMatBase, TriMatI};

/// Arcs of n vertices, one at most from a vertex to another, each with a weight.
fn random_arcs(rng: &mut Rng, n: usize) -> Vec<(usize, usize, f64)> {
    let mut arcs: Vec<_> = (0..rng.usize(0..400)).map(|_| (rng.usize(0..n), rng.usize(0..n), rng.f64())).collect();
    arcs.sort_by_key(|&(u, v, _)| (u, v));
    arcs.dedup_by_key(|&mut (u, v, _)| (u, v));
    arcs
}

#[test]
fn a_matrix_of_sprs_in_either_order_is_the_graph_of_its_nonzeros() {
    let mut rng = Rng::with_seed(1);
    for _ in 0..30 {
        let n = rng.usize(1..60);
        let arcs = random_arcs(&mut rng, n);
        let mut triplets = TriMatI::<f64, u32>::new((n, n));
        arcs.iter().for_each(|&(u, v, weight)| triplets.add_triplet(u, v, weight));
        let (by_rows, by_columns) = (triplets.to_csr::<u64>(), triplets.to_csc::<u64>());
        let rows = |matrix| RowsView::<u32, f64, u64>::try_from(matrix).expect("a square matrix");
        let graph = CsrView::directed(rows(by_rows.view()), rows(by_columns.view()));
        let edges = arcs.iter().map(|&(u, v, weight)| (u as u32, v as u32, weight));
        let expected = Csr::builder(n).build_weighted(edges).expect("all in range");
        assert_eq!(graph.edges().collect::<Vec<_>>(), expected.edges().collect::<Vec<_>>());
        assert_eq!(scc(&graph).labels(), scc(&expected).labels());
        assert_eq!(sssp(&graph, 0).map(|paths| paths.distances), sssp(&expected, 0).map(|paths| paths.distances));
    }
}

#[test]
fn a_matrix_of_sprs_that_is_no_graph_is_an_error() {
    let wide = CsMatBase::new((2, 3), vec![0_usize, 1, 2], vec![1, 2], vec![1.0, 1.0]);
    let error = RowsView::try_from(wide.view()).expect_err("a column that is not a vertex");
    assert_eq!(error, RowsError::Target { arc: 1, found: 2, num_vertices: 2 });
    let slice = wide.slice_outer(1..2);
    let error = RowsView::try_from(slice.view()).expect_err("rows of a larger matrix");
    assert!(matches!(error, RowsError::Offset { vertex: 0, found: 1, .. }), "{error}");
    let infinite = CsMatBase::new((1, 1), vec![0_usize, 1], vec![0], vec![f64::INFINITY]);
    let error = RowsView::try_from(infinite.view()).expect_err("an infinite weight");
    assert_eq!(error, RowsError::Weight { arc: 0, found: f64::INFINITY });
}
