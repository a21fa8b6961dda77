//! Compares strongly connected components with reachability and with the serial algorithm.

use crate::common::lists::{Lists, pools};
use crate::common::schedulers::all_pools;
use crate::common::shapes::{degenerate, generated, oriented};
use filch_graph::scc::{Algorithm, Scc, scc, serial};
use filch_graph::verify::verify_strong_components;
use filch_graph::{Csr, Graph};

/// For each vertex, the smallest one that it reaches and that reaches it.
fn by_reachability(graph: &Lists) -> Vec<u32> {
    let n = graph.num_vertices();
    let reached = |from: usize| {
        let (mut is_reached, mut stack) = (vec![false; n], vec![from as u32]);
        is_reached[from] = true;
        while let Some(v) = stack.pop() {
            stack.extend(graph.neighbors(v).filter(|&w| !std::mem::replace(&mut is_reached[w as usize], true)));
        }
        is_reached
    };
    let all: Vec<_> = (0..n).map(reached).collect();
    (0..n).map(|v| (0..n).find(|&w| all[v][w] && all[w][v]).expect("itself") as u32).collect()
}

#[test]
fn labels_are_the_smallest_vertices_whatever_the_algorithm_the_pool_and_the_schedule() {
    let pools = pools();
    for seed in 0..150 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = Lists::random(&mut rng, [6, 60, 4000][seed as usize % 3]);
        let (csr, wide, labels) = (Csr::<u32>::from(&graph), Csr::<u64>::from(&graph), serial(&graph));
        if graph.num_vertices() <= 60 {
            assert_eq!(labels, by_reachability(&graph), "seed {seed}");
        }
        verify_strong_components(&graph, &labels).unwrap();
        let pool = &pools[seed as usize % pools.len()];
        for algorithm in Algorithm::ALL {
            let found = pool.run(|_| Scc::new().algorithm(algorithm).run(&graph));
            assert_eq!(found.labels(), labels, "{algorithm}, seed {seed}");
            let counts = found.counts();
            assert_eq!(counts.searched + counts.trimmed + counts.colored + counts.serial, labels.len(), "{counts:?}");
            assert_eq!(
                pool.run(|_| Scc::new().algorithm(algorithm).run(&csr)).labels(),
                labels,
                "{algorithm}, seed {seed}"
            );
            let wide = pool.run(|_| Scc::new().algorithm(algorithm).run(&wide));
            assert!(wide.labels().iter().eq(labels.iter().map(|&v| u64::from(v)).collect::<Vec<_>>().iter()));
        }
    }
}

#[test]
fn all_shapes_with_any_directions_under_all_schedulers() {
    let mut rng = fastrand::Rng::with_seed(17);
    for (name, graph) in generated() {
        for back in [0.0, 0.1, 0.5, 1.0] {
            let directed = oriented(&mut rng, &graph, back);
            let labels = serial(&directed);
            verify_strong_components(&directed, &labels).unwrap();
            for pool in all_pools() {
                for algorithm in [Algorithm::Auto, Algorithm::Color] {
                    let found = pool.run(|_| Scc::new().algorithm(algorithm).run(&directed));
                    assert_eq!(found.labels(), labels, "{name}, {algorithm}");
                }
            }
        }
    }
}

/// A chain of pairs, with random numbers: nothing to trim, and a color spreads to all later pairs.
#[test]
fn a_chain_of_components_takes_few_rounds() {
    let pairs = 5_000;
    let mut rng = fastrand::Rng::with_seed(7);
    let mut names: Vec<u32> = (0..2 * pairs).collect();
    rng.shuffle(&mut names);
    let name = |v: u32| names[v as usize];
    let mut arcs = Vec::new();
    for pair in 0..pairs {
        arcs.extend([(name(2 * pair), name(2 * pair + 1)), (name(2 * pair + 1), name(2 * pair))]);
        if pair > 0 {
            arcs.push((name(2 * pair - 1), name(2 * pair)));
        }
    }
    let graph = Lists::directed(2 * pairs as usize, &arcs);
    let labels = serial(&graph);
    for pool in pools() {
        let found = pool.run(|_| Scc::new().algorithm(Algorithm::Color).run(&graph));
        assert!(found.labels() == labels);
        assert_eq!((found.count(), found.counts().trimmed), (pairs as usize, 0));
        assert!(found.counts().rounds < 100, "{:?}", found.counts());
    }
}

#[test]
fn a_giant_component_is_found_by_two_searches() {
    let mut rng = fastrand::Rng::with_seed(2);
    let n = 5000;
    let mut arcs: Vec<_> = (0..8 * n).map(|_| (rng.u32(0..n), rng.u32(0..n))).collect();
    // Vertices that only lead to it, and vertices to which only it leads.
    arcs.extend((n..n + 500).map(|v| if v % 2 == 0 { (v, v - n) } else { (v - n, v) }));
    let graph = Lists::directed(n as usize + 500, &arcs);
    let labels = serial(&graph);
    for pool in all_pools() {
        let found = pool.run(|_| scc(&graph));
        assert!(found.labels() == labels);
        assert!(found.counts().searched > n as usize * 9 / 10, "{:?}", found.counts());
        assert!(found.are_connected(labels[0], 0));
    }
}

#[test]
fn a_long_path_and_a_long_cycle_need_no_deep_stack() {
    let n = 200_000;
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(move || {
        let path: Csr = Csr::builder(n as usize).build((1..n).map(|v| (v - 1, v))).unwrap();
        let cycle: Csr = Csr::builder(n as usize).build((0..n).map(|v| (v, (v + 1) % n))).unwrap();
        for algorithm in Algorithm::ALL {
            assert!(Scc::new().algorithm(algorithm).run(&path).labels().iter().zip(0..).all(|(&label, v)| label == v));
            assert!(Scc::new().algorithm(algorithm).run(&cycle).labels().iter().all(|&label| label == 0));
        }
        verify_strong_components(&path, &(0..n).collect::<Vec<_>>()).unwrap();
        verify_strong_components(&cycle, &vec![0; n as usize]).unwrap();
    });
    thread.unwrap().join().unwrap();
}

#[test]
fn stars_are_trimmed_or_one_component() {
    let leaves = 200_000;
    let out: Csr = Csr::builder(leaves + 1).build((1..=leaves as u32).map(|v| (0, v))).unwrap();
    let both: Csr = Csr::builder(leaves + 1).symmetrize(true).build((1..=leaves as u32).map(|v| (0, v))).unwrap();
    for algorithm in Algorithm::ALL {
        assert_eq!(Scc::new().algorithm(algorithm).run(&out).count(), leaves + 1);
        assert_eq!(Scc::new().algorithm(algorithm).run(&both).count(), 1);
    }
}

#[test]
fn degenerate_graphs_have_the_components_of_the_definition() {
    let directed = [
        Lists::directed(0, &[]),
        Lists::directed(3, &[(0, 0), (1, 2), (1, 2), (2, 2)]),
        Lists::directed(3, &[(0, 0), (1, 2), (1, 2), (2, 1), (1, 0)]),
    ];
    for graph in degenerate().into_iter().chain(directed) {
        let expected = by_reachability(&graph);
        assert_eq!(serial(&graph), expected);
        for algorithm in Algorithm::ALL {
            assert_eq!(Scc::new().algorithm(algorithm).run(&graph).labels(), expected, "{algorithm}");
        }
    }
}
