//! Compares graphs of petgraph with compressed sparse rows of the same edges.

use fastrand::Rng;
use filch_graph::msf::msf;
use filch_graph::sssp::sssp;
use filch_graph::{Csr, Graph, Petgraph};
use petgraph::graph::{DiGraph, UnGraph};
use petgraph::graphmap::UnGraphMap;
use petgraph::stable_graph::StableUnGraph;

fn random_edges(rng: &mut Rng, n: u32) -> Vec<(u32, u32)> {
    (0..rng.usize(0..400)).map(|_| (rng.u32(0..n), rng.u32(0..n))).collect()
}

/// The degree of a vertex, the targets of its arcs, and the sources of the arcs that lead to it.
type Row = (usize, Vec<u32>, Vec<u32>);

/// Everything that [`Graph`] provides, with neighbors in ascending order.
fn contents(graph: &impl Graph<Vertex = u32>) -> (usize, bool, Vec<Row>) {
    let rows = (0..graph.num_vertices() as u32).map(|v| {
        let (mut out, mut into): (Vec<_>, Vec<_>) = (graph.neighbors(v).collect(), graph.in_neighbors(v).collect());
        out.sort();
        into.sort();
        (graph.degree(v), out, into)
    });
    (graph.num_arcs(), graph.is_symmetric(), rows.collect())
}

#[test]
fn a_graph_of_petgraph_equals_the_rows_of_the_same_edges() {
    let mut rng = Rng::with_seed(1);
    for _ in 0..30 {
        let n = rng.u32(1..60);
        let edges = random_edges(&mut rng, n);

        let mut undirected = UnGraph::<(), ()>::default();
        (0..n).for_each(|_| _ = undirected.add_node(()));
        undirected.extend_with_edges(&edges);
        let rows = Csr::builder(n as usize).symmetrize(true).build(edges.clone()).expect("all in range");
        assert_eq!(contents(&Petgraph::new(&undirected).expect("few vertices")), contents(&rows));

        let mut directed = DiGraph::<(), ()>::default();
        (0..n).for_each(|_| _ = directed.add_node(()));
        directed.extend_with_edges(&edges);
        let rows = Csr::builder(n as usize).build(edges.clone()).expect("all in range");
        assert_eq!(contents(&Petgraph::new(&directed).expect("few vertices")), contents(&rows));

        // `GraphMap` keeps no duplicates.
        let mut map = UnGraphMap::<u32, ()>::new();
        (0..n).for_each(|v| _ = map.add_node(v));
        map.extend(edges.iter().copied());
        let rows = Csr::builder(n as usize).symmetrize(true).remove_duplicates(true).build(edges);
        assert_eq!(contents(&Petgraph::new(&map).expect("few vertices")), contents(&rows.expect("all in range")));
    }
}

#[test]
fn copies_and_references_have_the_weights_of_the_original() {
    let mut rng = Rng::with_seed(2);
    for _ in 0..30 {
        let n = rng.u32(1..60);
        let edges: Vec<_> = random_edges(&mut rng, n).into_iter().map(|(u, v)| (u, v, rng.u32(0..100))).collect();
        let mut undirected = UnGraph::<(), u32>::default();
        (0..n).for_each(|_| _ = undirected.add_node(()));
        undirected.extend_with_edges(&edges);
        let expected =
            Csr::builder(n as usize).symmetrize(true).build_weighted(edges.iter().copied()).expect("in range");
        assert_eq!(Csr::from(&undirected), expected);
        let reference = Petgraph::new(&undirected).expect("few vertices");
        assert_eq!(sssp(&reference, 0).expect("small").distances, sssp(&expected, 0).expect("small").distances);
        assert_eq!(msf(&reference).weight, msf(&expected).weight);

        let mut directed = DiGraph::<(), u32>::default();
        (0..n).for_each(|_| _ = directed.add_node(()));
        directed.extend_with_edges(&edges);
        let expected = Csr::builder(n as usize).build_weighted(edges.iter().copied()).expect("in range");
        assert_eq!(Csr::from(&directed), expected);
    }
}

#[test]
fn a_removed_node_of_a_stable_graph_is_a_vertex_without_arcs() {
    let mut roads = StableUnGraph::<(), f64>::from_edges([(0, 1, 1.5), (1, 2, 2.5), (0, 3, 4.0)]);
    roads.remove_node(1.into());
    let graph = Csr::from(&roads);
    assert_eq!((graph.num_vertices(), graph.degree(1), graph.row(0), graph.weights(3)), (4, 0, &[3][..], &[4.0][..]));
}
