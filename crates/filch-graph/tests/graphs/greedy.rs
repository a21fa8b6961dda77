//! Compares independent sets, matchings and colourings with the greedy loops, and with the definitions.

use crate::common::lists::{Lists, pools};
use crate::common::schedulers::all_pools;
use crate::common::shapes::{degenerate, generated, spec};
use crate::common::sizes_of;
use filch_graph::colouring::{self, Colouring, Order, colouring};
use filch_graph::maximal_independent_set::{self, MaximalIndependentSet, maximal_independent_set};
use filch_graph::maximal_matching::{self, MaximalMatching, maximal_matching};
use filch_graph::verify::{verify_colouring, verify_independent_set, verify_matching};
use filch_graph::{Csr, DirectedError, Graph, Vertex};

/// All three problems, compared with the greedy loops.
#[track_caller]
fn check<G: Graph>(graph: &G, seed: u64) {
    let set = MaximalIndependentSet::new().seed(seed).run(graph).unwrap();
    assert_eq!(set.vertices, maximal_independent_set::serial(graph, seed));
    let matching = MaximalMatching::new().seed(seed).run(graph).unwrap();
    assert_eq!(matching.mates, maximal_matching::serial(graph, seed));
    for order in Order::ALL {
        let found = Colouring::new().order(order).seed(seed).run(graph).unwrap();
        assert_eq!(found.colours, colouring::serial(graph, order, seed));
    }
}

/// All three results, compared with the definitions.
#[track_caller]
fn verify<G: Graph>(graph: &G) {
    let set = maximal_independent_set(graph).unwrap();
    verify_independent_set(graph, &set.vertices).unwrap();
    assert!(set.vertices.is_sorted() && set.vertices.iter().all(|&v| set.contains(v)));
    let matching = maximal_matching(graph).unwrap();
    assert_eq!(verify_matching(graph, &matching.mates), Ok(matching.count()));
    let found = colouring(graph).unwrap();
    assert_eq!(verify_colouring(graph, &found.colours), Ok(found.count));
    assert_eq!(found.histogram().iter().sum::<usize>(), graph.num_vertices());
    assert!(found.histogram().iter().all(|&vertices| vertices > 0));
}

#[test]
fn results_are_those_of_the_greedy_loops_on_any_pool() {
    let pools = pools();
    for seed in 0..200 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = Lists::symmetric(&mut rng, [6, 60, 1000][seed as usize % 3]);
        let (csr, wide) = (Csr::<u32>::from(&graph), Csr::<u64>::from(&graph));
        pools[seed as usize % pools.len()].run(|_| {
            check(&graph, seed);
            if seed % 2 == 0 {
                check(&csr, seed)
            } else {
                check(&wide, seed)
            }
            verify(&graph);
        });
    }
}

#[test]
fn all_shapes_under_all_schedulers() {
    for (_, graph) in generated() {
        verify(&graph);
        for pool in all_pools() {
            pool.run(|_| check(&graph, 7));
        }
    }
    degenerate().iter().for_each(|graph| check(graph, 1));
    degenerate().iter().for_each(verify);
}

#[test]
fn sizes_are_those_of_formulas_where_there_are_some() {
    let clique: Vec<_> = (0..60).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
    let clique = Lists::undirected(60, &clique);
    let leaves = 30_000;
    let star: Vec<_> = (1..=leaves).map(|v| (0, v)).collect();
    let star = Lists::undirected(leaves as usize + 1, &star);
    let mut are_centers = [false; 2];
    for (pool, seed) in pools().iter().zip(0..) {
        pool.run(|_| {
            let set = |graph| MaximalIndependentSet::new().seed(seed).run(graph).unwrap().vertices.len();
            assert_eq!((set(&clique), maximal_matching(&clique).unwrap().count()), (1, 30));
            assert_eq!(maximal_matching(&star).unwrap().count(), 1);
            assert_eq!((colouring(&clique).unwrap().count, colouring(&star).unwrap().count), (60, 2));
            assert!([1, leaves as usize].contains(&set(&star)));
        });
    }
    // The center of a small star comes first for some seeds only.
    let star = Lists::undirected(4, &[(0, 1), (0, 2), (0, 3)]);
    for seed in 0..40 {
        let set = MaximalIndependentSet::new().seed(seed).run(&star).unwrap();
        are_centers[usize::from(set.contains(0))] = true;
    }
    assert_eq!(are_centers, [true; 2]);
    // A vertex with two neighbors has one of three colours.
    assert!(colouring(&spec("path(900),shuffled")).unwrap().count <= 3);
}

/// A graph whose rows are read with pauses, in which other workers go on.
struct Paused<'a>(&'a Lists);

impl Graph for Paused<'_> {
    sizes_of!(0);

    fn neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        let pause = |at| {
            if at % 4 == 0 {
                std::thread::yield_now();
            }
        };
        self.0.neighbors(v).enumerate().inspect(move |&(at, _)| pause(at + v as usize)).map(|(_, u)| u)
    }

    fn in_neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        self.neighbors(v)
    }
}

/// Two workers often decide the same vertex at the same time here. The second one must not take it for its neighbor.
#[test]
fn self_loops_do_not_count_while_several_workers_decide() {
    let pool = filch::Pool::builder().workers(5).build().expect("threads start");
    for seed in 0..20 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let edges: Vec<_> = (0..600).flat_map(|v| [(v, v), (v, rng.u32(0..600)), (v, (v + 1) % 600)]).collect();
        let graph = Lists::undirected(600, &edges);
        pool.run(|_| check(&Paused(&graph), seed));
    }
}

/// A long chain, and a vertex that waits for all others.
#[test]
fn long_paths_and_cliques_are_decided_without_recursion() {
    let path = spec("path(100000)");
    let clique: Vec<_> = (0..400).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
    let clique = Lists::undirected(400, &clique);
    for pool in pools().iter().take(2) {
        pool.run(|_| {
            verify(&path);
            assert_eq!(Colouring::new().order(Order::Random).run(&clique).unwrap().count, 400);
        });
    }
}

#[test]
fn directed_graphs_are_refused() {
    let graph = Lists::directed(2, &[(0, 1)]);
    assert_eq!(maximal_independent_set(&graph).unwrap_err(), DirectedError);
    assert_eq!(maximal_matching(&graph).unwrap_err(), DirectedError);
    assert_eq!(colouring(&graph).unwrap_err(), DirectedError);
}

#[test]
fn the_verifiers_refuse_what_is_wrong() {
    // A triangle with a tail of two edges.
    let graph = Lists::undirected(5, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 4)]);
    verify_independent_set(&graph, &[0, 3]).unwrap();
    verify_independent_set(&graph, &[4, 2]).unwrap();
    for wrong in [&[][..], &[0], &[0, 1, 4], &[0, 5], &[0, 0, 3], &[2, 3], &[0, 4, 3]] {
        assert!(verify_independent_set(&graph, wrong).is_err(), "{wrong:?}");
    }
    let no = u32::NONE;
    assert_eq!(verify_matching(&graph, &[1, 0, 3, 2, no]), Ok(2));
    assert_eq!(verify_matching(&graph, &[no, 2, 1, 4, 3]), Ok(2));
    for wrong in [
        [no; 5],
        [1, 0, no, no, no],
        [no, no, 3, 2, no],
        [1, 2, 0, no, no],
        [1, 0, 4, no, 2],
        [1, 0, 3, 2, 4],
        [1, 0, 3, no, no],
        [1, 0, 3, 2, 9],
    ] {
        assert!(verify_matching(&graph, &wrong).is_err(), "{wrong:?}");
    }
    assert!(verify_matching(&graph, &[1, 0, 3, 2]).is_err());
    assert_eq!(verify_colouring(&graph, &[0, 1, 2, 0, 1]), Ok(3));
    for wrong in [
        &[0, 1, 0, 1, 0][..],
        &[0, 1, 3, 0, 1],
        &[0, 1, 2, 0, 2],
        &[0, 1, 2, 1, 0, 0],
        &[0, 1, 2, 1],
        &[0, 1, 2, 0, u32::MAX],
        &[1, 2, 3, 1, 2],
    ] {
        assert!(verify_colouring(&graph, wrong).is_err(), "{wrong:?}");
    }
}
