//! Tests graphs derived from other graphs.

use fastrand::Rng;
use filch_graph::msf::msf;
use filch_graph::{Csr, Edge, Graph, RelabelError, Rows, RowsError, Rules};

fn random_graph(rng: &mut Rng, symmetrize: bool) -> Csr {
    let n = rng.u32(1..200);
    let edges = (0..rng.usize(0..800)).map(|_| (rng.u32(0..n), rng.u32(0..n)));
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
fn rules_make_of_a_graph_what_a_builder_makes_of_its_arcs() {
    let mut rng = Rng::with_seed(2);
    for case in 0..80 {
        let graph = random_graph(&mut rng, case % 2 == 0);
        let [symmetrize, remove_duplicates, remove_self_loops] = [rng.bool(), rng.bool(), rng.bool()];
        let builder = Csr::builder(graph.num_vertices()).remove_duplicates(remove_duplicates);
        let builder = builder.remove_self_loops(remove_self_loops).assume_symmetric(graph.is_symmetric());
        // The arcs of a symmetric graph are there both ways already.
        let expected = builder.symmetrize(symmetrize && !graph.is_symmetric()).build(arcs(&graph));
        let rules = Rules { symmetrize, remove_duplicates, remove_self_loops };
        assert_eq!(graph.by_rules(rules, &()), expected, "{rules:?}");
    }
}

#[test]
fn rows_are_those_of_the_graph_that_was_built_and_their_transpose_is_its_arcs_by_target() {
    let mut rng = Rng::with_seed(3);
    for _ in 0..40 {
        let graph = random_graph(&mut rng, false);
        let out = graph.out_rows();
        let (offsets, targets, weights) = (out.offsets().to_vec(), out.targets().to_vec(), out.weights().to_vec());
        let out = Rows::new(offsets, targets, weights).expect("rows of a graph");
        let into = out.transposed(&()).expect("small");
        assert_eq!(Csr::from_rows(out, Some(into)), graph);
    }
}

#[test]
fn arrays_that_are_no_rows_are_refused_with_their_first_fault() {
    let rows = |offsets: &[usize], targets: &[u32], weights: &[f32]| {
        Rows::new(offsets.to_vec(), targets.to_vec(), weights.to_vec()).map(|rows| rows.num_vertices())
    };
    assert_eq!(rows(&[0, 1, 2], &[1, 0], &[1.0, 1.0]), Ok(2));
    assert_eq!(rows(&[0], &[], &[]), Ok(0));
    assert!(matches!(rows(&[], &[], &[]), Err(RowsError::NumOffsets { found: 0, .. })));
    let offset = |vertex, found, least, most| Err(RowsError::Offset { vertex, found, least, most });
    assert_eq!(rows(&[1, 1, 2], &[1, 0], &[1.0, 1.0]), offset(0, 1, 0, 0));
    assert_eq!(rows(&[0, 2, 1, 2], &[1, 0], &[1.0, 1.0]), offset(2, 1, 2, 2));
    assert_eq!(rows(&[0, 1, 1], &[1, 0], &[1.0, 1.0]), offset(2, 1, 2, 2));
    assert_eq!(rows(&[0, 1, 3], &[1, 0], &[1.0, 1.0]), offset(2, 3, 2, 2));
    let targets = rows(&[0, 1, 2], &[1, 2], &[1.0, 1.0]);
    assert_eq!(targets, Err(RowsError::Target { arc: 1, found: 2, num_vertices: 2 }));
    assert_eq!(rows(&[0, 1, 2], &[1, 0], &[1.0]), Err(RowsError::NumWeights { found: 1, num_arcs: 2 }));
    for found in [f32::INFINITY, f32::NEG_INFINITY] {
        assert_eq!(rows(&[0, 1, 2], &[1, 0], &[1.0, found]), Err(RowsError::Weight { arc: 1, found: found.into() }));
    }
    assert!(matches!(rows(&[0, 1, 2], &[1, 0], &[f32::NAN, 1.0]), Err(RowsError::Weight { arc: 0, .. })));
    // The fault is not in the first block.
    let (mut targets, offsets) = (vec![0; 100_000], [0, 100_000]);
    targets[90_000] = 7;
    targets[95_000] = 8;
    let weights = vec![0.0; 100_000];
    assert_eq!(rows(&offsets, &targets, &weights), Err(RowsError::Target { arc: 90_000, found: 7, num_vertices: 1 }));
}

#[test]
fn zeros_of_either_sign_are_one_weight_so_that_equal_weights_make_no_cycle() {
    /// An edge as its user has it.
    #[derive(Clone, Copy)]
    struct Own(u32, u32, f32);

    impl Edge for Own {
        type Vertex = u32;
        type Weight = f32;

        fn split(self) -> (u32, u32, f32) {
            (self.0, self.1, self.2)
        }
    }

    // A triangle, each arc of which is lighter in one direction by its sign, in a graph that is not small.
    let n = 20_000;
    let weights = vec![-0.0, 0.0, 0.0, -0.0, -0.0, 0.0];
    let offsets = [0, 2, 4].into_iter().chain(std::iter::repeat_n(6, n - 2)).collect();
    let rows = Rows::new(offsets, vec![1, 2, 0, 2, 0, 1], weights).expect("a triangle");
    let own = vec![Own(0, 1, -0.0), Own(1, 2, 0.0), Own(2, 0, -0.0)];
    let graphs: [Csr<u32, f32>; 2] =
        [Csr::from_rows(rows, None), Csr::builder(n).symmetrize(true).build_watched(vec![own], &()).expect("small")];
    for graph in graphs {
        assert!(graph.out_rows().weights().iter().all(|weight| weight.to_bits() == 0));
        let forest = filch::Pool::builder().workers(4).build().expect("a pool").run(|_| msf(&graph));
        assert_eq!(forest.num_trees(), n - 2);
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
