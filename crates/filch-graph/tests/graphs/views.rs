//! Graphs in arrays that somebody else has, owned or borrowed.

use crate::common::lists::{Lists, pools};
use fastrand::Rng;
use filch_graph::betweenness::betweenness;
use filch_graph::closeness::closeness;
use filch_graph::components::components;
use filch_graph::cores::cores;
use filch_graph::forest::forest;
use filch_graph::pagerank::pagerank;
use filch_graph::scc::scc;
use filch_graph::triangles::triangles;
use filch_graph::verify::{verify_bfs, verify_components, verify_forest};
use filch_graph::{Csr, CsrView, Graph, Index, RowsError, RowsView, Vertex, bfs};

/// What [`Graph`] says of each vertex, and of the whole graph.
fn contents<G: Graph>(graph: &G) -> (usize, bool, Vec<[Vec<usize>; 2]>) {
    let rows = (0..graph.num_vertices()).map(G::Vertex::new).map(|v| {
        let out: Vec<_> = graph.neighbors(v).map(Vertex::index).collect();
        assert_eq!(graph.degree(v), out.len());
        [out, graph.in_neighbors(v).map(Vertex::index).collect()]
    });
    (graph.num_arcs(), graph.is_symmetric(), rows.collect())
}

/// The numbers as some type.
fn as_type<T: TryFrom<usize>>(numbers: impl IntoIterator<Item = usize>) -> Vec<T> {
    numbers.into_iter().map(|number| T::try_from(number).ok().expect("small")).collect()
}

/// Whether rows of these types of numbers are the graph.
fn is_same<P, T, V>(graph: &Csr) -> bool
where
    P: Index + TryFrom<usize>,
    T: Index<Unsigned = V> + TryFrom<usize>,
    V: Vertex + Index<Unsigned = V>,
{
    let offsets: Vec<P> = as_type(graph.offsets().iter().copied());
    let targets: Vec<T> = as_type(graph.targets().iter().map(|v| v.index()));
    let rows = RowsView::new(&offsets, &targets).expect("valid");
    let has_edges = || rows.transposed(&()).expect("memory").targets().len() == graph.num_arcs();
    if graph.is_symmetric() {
        return contents(&CsrView::symmetric(rows)) == contents(graph) && has_edges();
    }
    let into = rows.transposed(&()).expect("memory");
    contents(&CsrView::directed(rows, into.view())) == contents(graph)
}

#[test]
fn rows_of_any_numbers_are_the_graph_that_they_were_taken_from() {
    let mut rng = Rng::with_seed(1);
    for _ in 0..40 {
        let graph: Csr = Csr::from(&Lists::random(&mut rng, 60));
        assert!(is_same::<u32, u32, u32>(&graph) && is_same::<i32, i32, u32>(&graph));
        assert!(is_same::<u64, u64, u64>(&graph) && is_same::<i64, i64, u64>(&graph));
        assert!(is_same::<usize, i32, u32>(&graph) && is_same::<i64, u32, u32>(&graph));
        assert!(is_same::<usize, usize, usize>(&graph) && is_same::<u32, usize, usize>(&graph));
        assert_eq!(contents(&graph.view()), contents(&graph));
        let (offsets, targets, weights) = graph.clone().into_parts();
        let again = Csr::from_parts(offsets, targets, weights).expect("valid");
        assert_eq!(contents(&again).2, contents(&graph).2);
        assert!(!again.is_symmetric());
    }
}

#[test]
fn edges_build_the_same_graph_again_and_are_as_many_as_are_counted() {
    let mut rng = Rng::with_seed(2);
    for _ in 0..40 {
        let graph: Csr = Csr::from(&Lists::random(&mut rng, 60));
        let builder = Csr::builder(graph.num_vertices()).symmetrize(graph.is_symmetric());
        assert_eq!(builder.build(graph.edges().map(|(u, v, ())| (u, v))).expect("valid"), graph);
        assert_eq!(graph.edges().count(), graph.num_edges());
        let arcs = graph.view().out_rows().transposed(&()).expect("memory");
        let arcs = Csr::from_rows(arcs, None);
        let collected: Csr =
            (0..graph.num_vertices() as u32).flat_map(|v| arcs.row(v).iter().map(move |&u| (u, v))).collect();
        assert!(collected.num_vertices() <= graph.num_vertices() && collected.targets() == graph.targets());
    }
    assert_eq!(Csr::<u32>::from_iter(Vec::<(u32, u32)>::new()).num_vertices(), 0);
}

#[test]
fn arrays_that_are_no_rows_are_refused_with_the_first_fault() {
    let fault = |offsets: &[i64], targets: &[i32]| RowsView::new(offsets, targets).unwrap_err();
    let offset = |vertex, found, least, most| RowsError::Offset { vertex, found, least, most };
    assert_eq!(fault(&[0, -1, 2], &[0, 1]), offset(1, -1, 0, 2));
    assert_eq!(fault(&[0, 2, 1], &[0, 1]), offset(2, 1, 2, 2));
    assert_eq!(fault(&[1, 2], &[0, 0]), offset(0, 1, 0, 0));
    assert_eq!(fault(&[i64::MIN], &[]), offset(0, i64::MIN.into(), 0, 0));
    assert_eq!(fault(&[0, 2], &[0, -7]), RowsError::Target { arc: 1, found: -7, num_vertices: 1 });
    assert_eq!(fault(&[0, 2], &[1, 0]), RowsError::Target { arc: 0, found: 1, num_vertices: 1 });
    assert_eq!(fault(&[], &[]), RowsError::NumOffsets { found: 0, most: 1 << 32 });
    assert!(Csr::from_parts(vec![0, 1], vec![0_u32], vec![f32::NAN]).unwrap_err().to_string().contains("NaN"));
    let rows = RowsView::new(&[0_u32, 1], &[0_u32]).expect("a loop");
    assert_eq!(rows.with_weights::<f32>(&[]).unwrap_err(), RowsError::NumWeights { found: 0, num_arcs: 1 });
}

#[test]
fn every_algorithm_finds_the_same_in_borrowed_rows() {
    let mut rng = Rng::with_seed(3);
    for pool in pools() {
        for _ in 0..4 {
            let graph: Csr = Csr::from(&Lists::mesh(&mut rng, 12));
            let offsets: Vec<u32> = as_type(graph.offsets().iter().copied());
            let view = CsrView::symmetric(RowsView::new(&offsets, graph.targets()).expect("valid"));
            pool.run(|_| {
                let found = bfs::bfs(&view, 5);
                verify_bfs(&graph, 5, &found.depths, &found.parents).unwrap();
                verify_components(&graph, components(&view).labels()).unwrap();
                verify_forest(&graph, &forest(&view).unwrap().parents).unwrap();
                assert_eq!(scc(&view).count(), scc(&graph).count());
                assert_eq!(betweenness(&view), betweenness(&graph));
                assert_eq!(closeness(&view), closeness(&graph));
                assert_eq!(cores(&view).unwrap().coreness, cores(&graph).unwrap().coreness);
                assert_eq!(triangles(&view).unwrap().count, triangles(&graph).unwrap().count);
                assert!((pagerank(&view).change - pagerank(&graph).change).abs() < 1e-3);
            });
        }
    }
}
