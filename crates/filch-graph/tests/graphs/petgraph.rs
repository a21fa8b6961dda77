//! Compares graphs of petgraph with compressed sparse rows of the same edges.

use fastrand::Rng;
use filch_graph::{Csr, Graph, Petgraph};
use petgraph::graph::{DiGraph, UnGraph};
use petgraph::graphmap::UnGraphMap;

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
