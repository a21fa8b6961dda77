//! Checks communities by the verifier, by all partitions of small graphs, and by what is known of some shapes.

use crate::common::heard::Heard;
use crate::common::lists::{Lists, pools};
use crate::common::shapes::{degenerate, generated, spec};
use filch::CancelToken;
use filch_graph::communities::{Communities, CommunitiesError, Method, communities, modularity, serial};
use filch_graph::verify::verify_communities;
use filch_graph::{Csr, Graph, WeightedGraph};
use std::time::Duration;

/// A random symmetric graph, with self-loops and parallel edges.
fn symmetric(rng: &mut fastrand::Rng, max_n: usize) -> Csr {
    Csr::from(&std::iter::repeat_with(|| Lists::random(rng, max_n)).find(Graph::is_symmetric).expect("one of many"))
}

/// The largest modularity of all partitions.
fn largest(graph: &Csr, resolution: f64) -> f64 {
    fn extend(graph: &Csr, resolution: f64, labels: &mut Vec<u32>) -> f64 {
        let v = labels.len() as u32;
        if v as usize == graph.num_vertices() {
            return modularity(graph, labels, resolution);
        }
        let firsts: Vec<u32> = (0..v).filter(|&u| labels[u as usize] == u).chain([v]).collect();
        let mut most = f64::MIN;
        for label in firsts {
            labels.push(label);
            most = most.max(extend(graph, resolution, labels));
            labels.pop();
        }
        most
    }
    extend(graph, resolution, &mut Vec::new())
}

#[track_caller]
fn check<G: WeightedGraph<Vertex = u32>>(graph: &G, options: Communities<'_>, method: Method, resolution: f64) -> f64 {
    let found = options.method(method).resolution(resolution).run(graph).unwrap();
    let summary = verify_communities(graph, &found.labels, resolution, found.modularity, 1e-9).unwrap();
    assert!(method == Method::Louvain || summary.disconnected == 0);
    assert_eq!((found.count(), found.members().count()), (summary.communities, summary.communities));
    found.modularity
}

#[test]
fn all_partitions_of_small_graphs_are_hardly_better() {
    let (mut best, mut total) = (0, 0);
    for seed in 0..150 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = symmetric(&mut rng, 7);
        let resolution = rng.choice([0.3, 1.0, 2.5]).unwrap();
        let most = largest(&graph, resolution);
        for method in Method::ALL {
            let found = check(&graph, Communities::new().seed(seed), method, resolution);
            assert!(found <= most + 1e-9 && found >= most - 0.15, "seed {seed}, {method}: {found} of {most}");
            (best, total) = (best + usize::from(found > most - 1e-9), total + 1);
        }
    }
    assert!(best * 10 > total * 8, "{best} of {total} are the best ones");
}

#[test]
fn communities_are_the_same_on_any_pool_and_as_good_as_those_of_the_serial_method() {
    let pools = pools();
    let mut sums = [0.0; 2];
    for seed in 0..60 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = symmetric(&mut rng, [60, 400, 3000][seed as usize % 3]);
        let weighted = graph.clone().with_weights(|u, v| ((u * 7 + v * 3) % 5) as f64 / 4.0);
        let method = Method::ALL[seed as usize % 2];
        let options = Communities::new().method(method).seed(seed);
        sums[0] += check(&graph, options, method, 1.0);
        sums[1] += modularity(&graph, &serial(&graph, 1.0), 1.0);
        check(&weighted, options, method, 0.7);
        let expected = options.levels(true).run(&graph).unwrap();
        let pool = &pools[seed as usize % pools.len()];
        assert_eq!(pool.run(|_| options.levels(true).run(&graph)).unwrap(), expected);
        assert_eq!(pool.run(|_| options.run(&weighted)), options.run(&weighted));
        // Each level joins communities of the one before.
        assert_eq!(expected.levels.last(), Some(&expected.labels));
        if method == Method::Louvain {
            for pair in expected.levels.windows(2) {
                assert!(pair[0].iter().zip(&pair[1]).all(|(&fine, &coarse)| pair[1][fine as usize] == coarse));
            }
        }
    }
    assert!(sums[0] > 0.99 * sums[1], "{sums:?}");
}

#[test]
fn all_shapes_have_valid_communities() {
    let pools = pools();
    for (at, (name, graph)) in generated().into_iter().enumerate() {
        for method in Method::ALL {
            let found = pools[at % pools.len()].run(|_| check(&graph, Communities::new(), method, 1.0));
            let rival = modularity(&graph, &serial(&graph, 1.0), 1.0);
            assert!(found > rival - 0.03, "{name}, {method}: {found}, serially {rival}");
        }
    }
    for graph in degenerate() {
        for method in Method::ALL {
            check(&Csr::from(&graph), Communities::new(), method, 1.0);
        }
    }
}

/// A graph of cliques in a ring, each with an edge to the next.
fn ring_of_cliques(count: u32, size: u32) -> Csr {
    let inside = |clique: u32| (0..size).flat_map(move |u| (0..u).map(move |v| (clique * size + u, clique * size + v)));
    let next = |clique: u32| (clique * size, (clique + 1) % count * size + 1);
    let edges = (0..count).flat_map(|clique| inside(clique).chain([next(clique)]));
    Csr::builder((count * size) as usize).symmetrize(true).build(edges).unwrap()
}

#[test]
fn cliques_in_a_ring_and_planted_communities_are_found() {
    for pool in pools() {
        let found = pool.run(|_| communities(&ring_of_cliques(300, 6))).unwrap();
        // Larger communities have a larger modularity in so long a ring (Fortunato and Barthélemy 2007).
        assert!(found.labels.iter().enumerate().all(|(v, label)| found.labels[v / 6 * 6] == *label));
        let found = pool.run(|_| Communities::new().resolution(10.0).run(&ring_of_cliques(300, 6))).unwrap();
        assert!(found.labels.iter().enumerate().all(|(v, label)| *label as usize == v / 6 * 6));
        assert_eq!(found.count(), 300);
    }
    let mut rng = fastrand::Rng::with_seed(5);
    let mut edges = Vec::new();
    for u in 0..4000_u32 {
        edges.extend((0..10).map(|_| (u, u / 200 * 200 + rng.u32(0..200))));
        edges.extend((0..2).map(|_| (u, rng.u32(0..4000))));
    }
    let planted: Csr = Csr::builder(4000).symmetrize(true).build(edges).unwrap();
    let found = communities(&planted).unwrap();
    assert!(found.labels.iter().enumerate().all(|(v, label)| *label as usize == v / 200 * 200));
}

#[test]
fn a_clique_is_one_community_and_without_edges_every_vertex_is_one() {
    let clique = ring_of_cliques(1, 50);
    assert!(communities(&clique).unwrap().labels.iter().all(|&label| label == 0));
    let found = communities(&spec("path(900)")).unwrap();
    assert!(found.modularity > 0.93 && found.labels.windows(2).all(|pair| pair[0] <= pair[1]), "pieces of the path");
    for n in [0, 1, 70] {
        let alone: Csr = Csr::builder(n).symmetrize(true).build([]).unwrap();
        let found = Communities::new().levels(true).run(&alone).unwrap();
        assert_eq!((found.count(), found.modularity, found.levels.len()), (n, 0.0, 1));
        assert_eq!(serial(&alone, 1.0), found.labels);
    }
    assert_eq!(Communities::new().resolution(0.0).run(&spec("torus(23)")).unwrap().count(), 1);
}

#[test]
fn graphs_without_communities_are_refused_and_wrong_ones_are_noticed() {
    let directed: Csr = Csr::builder(2).build([(0, 1)]).unwrap();
    assert_eq!(communities(&directed), Err(CommunitiesError::Directed));
    let negative = spec("torus(3)").with_weights(|u, v| if (u, v) == (1, 4) { -2.0 } else { 1.0_f32 });
    let error = communities(&negative).unwrap_err();
    assert_eq!(error, CommunitiesError::NegativeWeight { from: 1, to: 4, weight: -2.0 });
    let heavy = spec("torus(3)").with_weights(|_, _| f64::MAX / 4.0);
    assert_eq!(communities(&heavy).unwrap_err(), CommunitiesError::TotalWeight);
    let light = spec("path(2)").with_weights(|_, _| 1e-310);
    assert_eq!(communities(&light).unwrap_err(), CommunitiesError::LightWeight { total: 2e-310 });

    let graph = ring_of_cliques(4, 3);
    let found = communities(&graph).unwrap();
    let verify = |labels: &[u32], modularity| verify_communities(&graph, labels, 1.0, modularity, 1e-9);
    assert_eq!(verify(&found.labels, found.modularity).unwrap().communities, 4);
    for v in 0..12 {
        for label in 0..13 {
            let mut wrong = found.labels.clone();
            wrong[v] = label;
            assert!(label == found.labels[v] || verify(&wrong, found.modularity).is_err(), "{v}: {label}");
        }
    }
    assert!(verify(&found.labels[1..], found.modularity).is_err());
    assert!(verify(&found.labels, f64::NAN).is_err() && verify(&found.labels, found.modularity + 1e-6).is_err());
    let halves: Vec<u32> = (0..12).map(|v| v / 3 % 2 * 3).collect();
    assert_eq!(verify(&halves, modularity(&graph, &halves, 1.0)).unwrap().disconnected, 2);
}

/// Some of these arcs have no reverse, or one of another weight: a vertex may flee from one that follows it.
#[test]
fn the_search_ends_also_where_moves_go_around_in_circles() {
    for seed in 0..30 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (n, mut arcs) = (rng.u32(3..120), Vec::new());
        for _ in 0..3 * n {
            arcs.push((rng.u32(0..n), rng.u32(0..n), 10_f64.powi(rng.i32(-9..9))));
        }
        let graph: Csr<u32, f64> = Csr::builder(n as usize).assume_symmetric(true).build_weighted(arcs).unwrap();
        let in_time = CancelToken::after(Duration::from_secs(30)).run(|_| {
            let found =
                Method::ALL.map(|method| Communities::new().method(method).run(&graph).map(|found| found.labels));
            (found, serial(&graph, 1.0))
        });
        assert!(in_time.is_ok_and(|found| found.0.iter().flatten().all(|labels| labels.len() == n as usize)));
    }
}

#[test]
fn each_level_is_a_pass_and_a_watch_changes_nothing() {
    for (text, pool) in ["torus(50)", "stars(30,20)"].into_iter().zip(pools()) {
        let (graph, heard) = (spec(text), Heard::default());
        let found = pool.run(|_| Communities::new().watch(&heard).run(&graph));
        assert!(heard.names().iter().all(|name| *name == "moving"));
        assert_eq!(found, communities(&graph));
    }
}
