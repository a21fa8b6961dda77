//! Compares connected components with the serial traversal.

use crate::common::lists::{Lists, pools};
use filch_graph::components::{Algorithm, Components, Size, components, serial};
use filch_graph::{Csr, Graph};

#[test]
fn labels_are_the_smallest_vertices_whatever_the_algorithm_the_pool_and_the_schedule() {
    let pools = pools();
    for seed in 0..120 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = Lists::random(&mut rng, [5, 60, 3000][seed as usize % 3]);
        let (csr, wide, labels) = (Csr::<u32>::from(&graph), Csr::<u64>::from(&graph), serial(&graph));
        let pool = &pools[seed as usize % pools.len()];
        for algorithm in Algorithm::ALL {
            let found = pool.run(|_| Components::new().algorithm(algorithm).run(&graph));
            assert_eq!(found.labels(), labels, "{algorithm}, seed {seed}");
            assert_eq!(
                pool.run(|_| Components::new().algorithm(algorithm).run(&csr)).labels(),
                labels,
                "{algorithm}, seed {seed}"
            );
            let wide = pool.run(|_| Components::new().algorithm(algorithm).run(&wide));
            assert!(wide.labels().iter().eq(labels.iter().map(|&v| u64::from(v)).collect::<Vec<_>>().iter()));
            assert_ne!(found.algorithm(), Algorithm::Auto);
        }
    }
}

#[test]
fn a_mesh_is_too_deep_for_the_search() {
    let mut rng = fastrand::Rng::with_seed(3);
    let graph = Lists::mesh(&mut rng, 150);
    for pool in pools() {
        // With four arcs for each vertex, one worker that sweeps is as fast as two with Afforest.
        let instead = if pool.num_workers() <= 2 { Algorithm::Sweep } else { Algorithm::Afforest };
        for (asked, used) in [
            (Algorithm::Auto, instead),
            (Algorithm::Afforest, Algorithm::Afforest),
            (Algorithm::Search, Algorithm::Afforest),
        ] {
            let found = pool.run(|_| Components::new().algorithm(asked).run(&graph));
            assert_eq!(found.algorithm(), used, "{asked}");
            assert_eq!(found.count(), 1);
            assert!(found.labels().iter().all(|&label| label == 0));
        }
    }
}

/// No vertex has arcs in both directions.
#[test]
fn a_search_begins_at_a_vertex_with_arcs_in_a_directed_bipartite_graph() {
    let mut rng = fastrand::Rng::with_seed(1);
    let arcs = (4..2000_u32).map(|arc| (arc / 4, rng.u32(500..1000)));
    let graph = Csr::builder(1000).build(arcs).expect("the arcs are in range");
    for pool in pools() {
        let found = pool.run(|_| Components::new().algorithm(Algorithm::Search).run(&graph));
        assert_eq!(found.labels(), serial(&graph));
        assert_eq!(found.algorithm(), Algorithm::Search, "the largest component was found by the search");
    }
}

#[test]
fn sizes_are_those_of_the_labels_the_largest_first() {
    let mut rng = fastrand::Rng::with_seed(9);
    for _ in 0..20 {
        let graph = Lists::random(&mut rng, 2000);
        let found = components(&graph);
        let mut expected = std::collections::BTreeMap::new();
        for label in serial(&graph) {
            *expected.entry(label).or_insert(0) += 1;
        }
        let mut expected: Vec<_> = expected.into_iter().map(|(v, n)| Size { representative: v, vertices: n }).collect();
        expected.sort_by_key(|size| (std::cmp::Reverse(size.vertices), size.representative));
        assert_eq!(found.sizes(), expected);
        assert_eq!((found.count(), found.largest()), (expected.len(), expected.first().copied()));
    }
}

/// Components without a sampled vertex, next to a giant component that contains all samples.
#[test]
fn small_components_beside_a_giant_are_found_too() {
    let n = 100_000;
    let mut edges: Vec<_> = (0..n).filter(|v| v % 1000 < 997).map(|v| (0, v)).collect();
    edges.extend((0..n).filter(|v| v % 1000 == 997).map(|v| (v + 1, v + 2)));
    let graph = Lists::undirected(n as usize, &edges);
    let labels = serial(&graph);
    for algorithm in Algorithm::ALL {
        assert_eq!(Components::new().algorithm(algorithm).run(&graph).labels(), labels, "{algorithm}");
    }
}

#[test]
fn directions_of_arcs_do_not_matter() {
    let found = components(&Lists::directed(6, &[(2, 0), (2, 5), (3, 4)]));
    assert_eq!(found.labels(), [0, 1, 0, 3, 3, 0]);
    assert!(found.are_connected(0, 5) && !found.are_connected(0, 3));
}

#[test]
fn an_empty_graph_has_no_components_and_one_vertex_has_one() {
    for algorithm in Algorithm::ALL {
        let empty = Components::new().algorithm(algorithm).run(&Lists::undirected(0, &[]));
        assert_eq!((empty.count(), empty.sizes(), empty.largest()), (0, vec![], None));
        let one = Components::new().algorithm(algorithm).run(&Lists::undirected(1, &[(0, 0)]));
        assert_eq!((one.labels(), one.count()), (&[0][..], 1));
    }
    assert!(serial(&Lists::directed(0, &[])).is_empty());
    assert_eq!(Lists::directed(0, &[]).num_arcs(), 0);
}
