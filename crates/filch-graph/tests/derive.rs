//! Tests graphs derived from other graphs.

use fastrand::Rng;
use filch_graph::{Csr, Graph, RelabelError};

fn random_graph(rng: &mut Rng, symmetrize: bool) -> Csr {
    let n = rng.u32(1..200);
    let edges = (0..rng.usize(0..800)).map(|_| (rng.u32(0..n), rng.u32(0..n))).collect();
    Csr::builder(n as usize).symmetrize(symmetrize).build(edges).expect("all in range")
}

fn arcs(graph: &Csr) -> Vec<(u32, u32)> {
    (0..graph.num_vertices() as u32).flat_map(|u| graph.row(u).iter().map(move |&v| (u, v))).collect()
}

#[test]
fn relabeled_arcs_are_the_arcs_of_the_new_numbers() {
    let mut rng = Rng::with_seed(1);
    for case in 0..40 {
        let graph = random_graph(&mut rng, case % 2 == 0);
        let mut numbers: Vec<u32> = (0..graph.num_vertices() as u32).collect();
        rng.shuffle(&mut numbers);
        let relabeled = graph.relabeled(&numbers).expect("a permutation");
        let rename = |(u, v): (u32, u32)| (numbers[u as usize], numbers[v as usize]);
        let mut expected: Vec<_> = arcs(&graph).into_iter().map(rename).collect();
        expected.sort();
        assert_eq!(arcs(&relabeled), expected);
        let into = |graph: &Csr, v: u32| graph.in_row(v).len();
        assert!((0..numbers.len() as u32).all(|v| into(&graph, v) == into(&relabeled, numbers[v as usize])));
        // Relabel back.
        let mut back = numbers.clone();
        (0_u32..).zip(&numbers).for_each(|(v, &number)| back[number as usize] = v);
        assert_eq!(relabeled.relabeled(&back), Ok(graph));
    }
}

#[test]
fn numbers_that_are_no_permutation_are_refused() {
    let graph: Csr = Csr::builder(3).build(vec![(0, 1)]).expect("all in range");
    assert_eq!(graph.relabeled(&[0, 1]), Err(RelabelError::WrongLength { found: 2, num_vertices: 3 }));
    assert_eq!(graph.relabeled(&[0, 1, 3]), Err(RelabelError::NotAPermutation { vertex: 2, number: 3 }));
    assert!(matches!(graph.relabeled(&[2, 1, 2]), Err(RelabelError::NotAPermutation { number: 2, .. })));
}

#[test]
fn a_symmetrized_graph_has_each_arc_both_ways_once() {
    let mut rng = Rng::with_seed(2);
    for _ in 0..40 {
        let graph = random_graph(&mut rng, false);
        let mut expected: Vec<_> = arcs(&graph).into_iter().flat_map(|(u, v)| [(u, v), (v, u)]).collect();
        expected.sort();
        expected.dedup();
        let symmetrized = graph.symmetrized().expect("small");
        assert!(symmetrized.is_symmetric());
        assert_eq!(arcs(&symmetrized), expected);
    }
}

#[test]
fn edges_are_pairs_of_arcs_and_self_loops() {
    let edges = vec![(0, 1), (1, 1), (2, 2), (1, 2), (1, 2)];
    let directed: Csr = Csr::builder(3).build(edges.clone()).expect("all in range");
    let undirected: Csr = Csr::builder(3).symmetrize(true).build(edges).expect("all in range");
    assert_eq!((directed.num_edges(), directed.num_arcs()), (5, 5));
    assert_eq!((undirected.num_edges(), undirected.num_arcs()), (5, 8));
    assert!(undirected.degrees().eq([1, 4, 3]));
}
