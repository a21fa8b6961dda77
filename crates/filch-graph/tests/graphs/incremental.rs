//! Compares components to which edges are added with those of the whole graph, and weak components with those of a
//! graph that has its arcs in both directions.

use crate::common::lists::{Lists, pools};
use crate::common::shapes::generated;
use filch_graph::components::{Components, EdgeError, IncrementalComponents, components, serial};
use filch_graph::verify::verify_components;
use filch_graph::{Csr, CsrView, Graph};

/// Some edges, and the vertices that they may join.
fn random_edges(rng: &mut fastrand::Rng, most: u32) -> (usize, Vec<(u32, u32)>) {
    let n = rng.u32(1..=most);
    let count = (f64::from(n) * rng.choice([0.2, 0.7, 2.0]).unwrap()) as usize;
    (n as usize, (0..count).map(|_| (rng.u32(0..n), (rng.f64().powi(3) * f64::from(n)) as u32)).collect())
}

/// The edges that a loop over all of them keeps.
fn kept(n: usize, edges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut labels: Vec<u32> = (0..n as u32).collect();
    let mut join = |u: u32, v: u32| {
        let [a, b] = [labels[u as usize], labels[v as usize]];
        labels.iter_mut().filter(|label| **label == a.max(b)).for_each(|label| *label = a.min(b));
        a != b
    };
    edges.iter().copied().filter(|&(u, v)| join(u, v)).collect()
}

#[test]
fn after_each_batch_the_components_are_those_of_all_edges_so_far() {
    let pools = pools();
    for seed in 0..300 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (n, edges) = random_edges(&mut rng, [5, 50, 700][seed as usize % 3]);
        let pool = &pools[seed as usize % pools.len()];
        let (mut batched, mut found) = (0, IncrementalComponents::new(n));
        while batched < edges.len() {
            let size = rng.usize(0..=edges.len() - batched);
            let batch = &edges[batched..batched + size];
            batched += size.max(1);
            let before = found.count();
            let joined = pool.run(|_| found.add_edges(batch)).unwrap();
            let so_far = serial(&Lists::undirected(n, &edges[..batched.min(edges.len())]));
            if size > 0 {
                assert_eq!(joined, before - found.count());
                assert_eq!(found.labels(), so_far);
            }
            found.add_edges(&edges[..batched.min(edges.len())]).unwrap();
            let (u, v) = (rng.usize(0..n), rng.usize(0..n));
            assert_eq!(found.are_connected(u as u32, v as u32), so_far[u] == so_far[v]);
            assert_eq!(found.label(u as u32), so_far[u]);
            assert_eq!(found.count(), (0..n).filter(|&v| so_far[v] as usize == v).count());
        }
    }
}

#[test]
fn the_forest_has_the_edges_that_join_components_when_they_come() {
    let pools = pools();
    for seed in 0..200 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (n, edges) = random_edges(&mut rng, [5, 50, 300][seed as usize % 3]);
        let (first, second) = edges.split_at(rng.usize(0..=edges.len()));
        let expected = kept(n, &edges);
        let forest = pools[seed as usize % pools.len()].run(|_| {
            let mut found = IncrementalComponents::new(n);
            let mut forest = found.add_to_forest(first).unwrap();
            forest.extend(found.add_to_forest(second).unwrap());
            assert_eq!(found.count(), n - forest.len());
            forest
        });
        assert_eq!(forest, expected);
    }
}

#[test]
fn large_batches_on_all_shapes_and_pools() {
    let mut rng = fastrand::Rng::with_seed(1);
    for (name, graph) in generated() {
        let n = graph.num_vertices();
        let mut edges: Vec<_> = (0..40).flat_map(|_| graph.edges().map(|(u, v, ())| (u, v))).collect();
        rng.shuffle(&mut edges);
        let labels = serial(&graph);
        let mut forests = Vec::new();
        for pool in pools() {
            pool.run(|_| {
                let mut found = IncrementalComponents::new(n);
                found.add_edges(&edges).unwrap();
                assert_eq!(found.labels(), labels, "{name}");
                assert_eq!(found.count(), components(&graph).count());
                forests.push(IncrementalComponents::new(n).add_to_forest(&edges).unwrap());
                let again = IncrementalComponents::of(&graph).add_to_forest(&edges).unwrap();
                assert!(again.is_empty(), "{name}");
            });
        }
        assert!(forests.iter().all(|forest| *forest == forests[0]), "{name}");
        let tree: Csr = Csr::builder(n).symmetrize(true).build(forests[0].iter().copied()).unwrap();
        let summary = verify_components(&tree, &labels).unwrap();
        assert_eq!(summary.components + forests[0].len(), n, "{name}: a forest has no circles");
    }
}

#[test]
fn vertices_are_added_and_edges_to_others_are_refused_as_a_whole() {
    let mut found = IncrementalComponents::<u32>::of(&Lists::undirected(3, &[(0, 2)]));
    let wrong = found.add_edges(&[(0, 1), (1, 3), (7, 0)]);
    assert_eq!(wrong, Err(EdgeError { place: 1, found: 3, num_vertices: 3 }));
    let text = "edge 1 has the end 3, but there are only 3 vertices, numbered from 0";
    assert_eq!(wrong.unwrap_err().to_string(), text);
    assert_eq!(found.add_to_forest(&[(7, 0)]).unwrap_err().found, 7);
    assert_eq!((found.count(), found.labels()), (2, vec![0, 1, 0]));
    found.add_vertices(2);
    assert_eq!(found.add_edges(&[(1, 3), (3, 3), (1, 3)]), Ok(1));
    assert_eq!((found.count(), found.num_vertices(), found.labels()), (3, 5, vec![0, 1, 0, 1, 4]));
    assert!(format!("{found:?}").contains("count: 3"));
    let mut none = IncrementalComponents::<u64>::new(0);
    assert_eq!((none.add_edges(&[]), none.count(), none.labels()), (Ok(0), 0, vec![]));
    assert!(none.add_edges(&[(0, 0)]).is_err());
}

#[test]
fn a_path_in_the_worst_order_takes_no_deep_walks() {
    let n = 200_000_u32;
    for pool in pools() {
        let mut found = IncrementalComponents::new(n as usize);
        let joined = pool.run(|_| found.add_edges(&(1..n).rev().map(|v| (v - 1, v)).collect::<Vec<_>>()));
        assert_eq!((joined, found.label(n - 1), found.count()), (Ok(n as usize - 1), 0, 1));
    }
}

#[test]
fn weak_components_are_joined_by_arcs_in_one_direction() {
    let pools = pools();
    for seed in 0..200 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (n, arcs) = random_edges(&mut rng, [6, 60, 3000][seed as usize % 3]);
        let directed = Csr::<u32>::from(&Lists::directed(n, &arcs));
        let as_if_symmetric = CsrView::symmetric(directed.out_rows().view());
        let found = pools[seed as usize % pools.len()].run(|_| Components::new().weak(true).run(&as_if_symmetric));
        assert_eq!(found.labels(), serial(&directed));
        assert_eq!(Components::new().weak(true).run(&directed).labels(), serial(&directed));
    }
}
