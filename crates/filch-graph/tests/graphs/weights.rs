//! Graphs with weights: built, derived, and drawn.

use crate::common::lists::pools;
use filch_graph::{Csr, Graph, GraphSpec, Rules, WeightedCsr};

type Arcs = Vec<(u32, u32, f32)>;

fn arcs(graph: &WeightedCsr) -> Arcs {
    let row = |u: u32| graph.row(u).iter().zip(graph.weights(u)).map(move |(&v, &weight)| (u, v, weight));
    (0..graph.num_vertices() as u32).flat_map(row).collect()
}

fn sorted(mut arcs: Arcs) -> Arcs {
    arcs.sort_by(|a, b| a.partial_cmp(b).unwrap());
    arcs
}

fn random_edges(random: &mut fastrand::Rng, n: u32, count: usize) -> Arcs {
    (0..count).map(|_| (random.u32(0..n), random.u32(0..n), random.i32(-5..5) as f32 / 4.0)).collect()
}

#[test]
fn every_edge_keeps_its_weight_in_both_directions() {
    let mut random = fastrand::Rng::with_seed(1);
    for pool in pools() {
        for _ in 0..20 {
            let (n, count) = (random.u32(1..200), random.usize(0..2000));
            let edges = random_edges(&mut random, n, count);
            let builder = Csr::builder(n as usize);
            let directed = pool.run(|_| builder.build_weighted(edges.clone())).unwrap();
            assert_eq!(arcs(&directed), sorted(edges.clone()));
            let into = |v: u32| directed.in_row(v).iter().zip(directed.in_weights(v)).map(move |(&u, &w)| (u, v, w));
            assert_eq!(sorted((0..n).flat_map(into).collect()), sorted(edges.clone()));

            let symmetric = pool.run(|_| builder.symmetrize(true).build_weighted(edges.clone())).unwrap();
            let back = edges.iter().filter(|edge| edge.0 != edge.1).map(|&(u, v, weight)| (v, u, weight));
            assert_eq!(arcs(&symmetric), sorted(edges.iter().copied().chain(back).collect()));
        }
    }
}

#[test]
fn of_duplicates_the_lightest_is_kept() {
    let edges = vec![(0, 1, 3.0), (1, 0, 2.0), (0, 1, 5.0), (2, 2, -1.0), (2, 2, -2.0)];
    let builder = Csr::builder(3).remove_duplicates(true);
    let directed = builder.build_weighted(edges.clone()).unwrap();
    assert_eq!(arcs(&directed), [(0, 1, 3.0), (1, 0, 2.0), (2, 2, -2.0)]);
    let symmetric = builder.symmetrize(true).build_weighted(edges).unwrap();
    assert_eq!(arcs(&symmetric), [(0, 1, 2.0), (1, 0, 2.0), (2, 2, -2.0)]);
    let symmetrized = directed.by_rules(Rules { symmetrize: true, remove_duplicates: true, ..Rules::default() }, &());
    assert_eq!(arcs(&symmetrized.unwrap()), arcs(&symmetric));
}

#[test]
#[should_panic(expected = "a weight must be finite")]
fn a_weight_that_is_not_a_number_is_refused() {
    let _ = Csr::builder(2).build_weighted(vec![(0, 1, f32::NAN)]);
}

#[test]
fn drawn_weights_fill_their_range_and_are_the_same_in_both_directions() {
    let spec: GraphSpec = "uniform(10,8)".parse().unwrap();
    let plain: Csr = spec.generate(3).unwrap();
    let weighted = plain.clone().with_uniform_weights(1..=255, 7);
    let mut counts = [0; 256];
    for (u, v, weight) in arcs(&weighted) {
        counts[weight as usize] += 1;
        let back = weighted.row(v).iter().position(|&to| to == u).unwrap();
        assert_eq!(weighted.weights(v)[back], weight);
    }
    assert_eq!(counts[0], 0);
    // About 64 arcs are expected to have each weight, in 32 pairs. The bounds are about five standard deviations away.
    assert!(counts[1..].iter().all(|count| (8..120).contains(count)), "{counts:?}");
    assert_ne!(weighted, plain.clone().with_uniform_weights(1..=255, 8));
    assert_eq!(weighted.without_weights(), plain);
}

#[test]
fn in_a_directed_graph_both_ends_of_an_arc_have_its_weight() {
    let plain: Csr = Csr::builder(3).build(vec![(0, 1), (2, 1), (1, 0)]).unwrap();
    let weighted = plain.with_weights(|u, v| (10 * u + v) as f32);
    assert_eq!(arcs(&weighted), [(0, 1, 1.0), (1, 0, 10.0), (2, 1, 21.0)]);
    assert_eq!((weighted.in_row(1), weighted.in_weights(1)), (&[0, 2][..], &[1.0, 21.0][..]));
}
