//! Compares PageRank with plain loops and with exact solutions.

use crate::common::lists::Lists;
use crate::common::schedulers::all_pools;
use crate::common::shapes::{degenerate, generated, oriented};
use filch_graph::pagerank::{PageRank, Ranks, Update, pagerank, serial};
use filch_graph::verify::verify_pagerank;
use filch_graph::{Csr, Graph};

#[derive(Clone, Copy, Debug)]
struct Options {
    damping: f64,
    tolerance: f64,
    max_iterations: usize,
    update: Update,
}

/// Those of [`PageRank::new`].
const DEFAULT: Options = Options { damping: 0.85, tolerance: 1e-4, max_iterations: 20, update: Update::InPlace };

impl Options {
    fn pagerank(self) -> PageRank<'static> {
        let Options { damping, tolerance, max_iterations, update } = self;
        PageRank::new().damping(damping).tolerance(tolerance).max_iterations(max_iterations).update(update)
    }
}

fn check(graph: &impl Graph, options: Options, found: &Ranks) {
    let bound = if found.has_converged { options.tolerance + 1e-6 } else { found.residual_bound() };
    verify_pagerank(graph, &found.scores, options.damping, bound)
        .unwrap_or_else(|wrong| panic!("{wrong}, {options:?}"));
    assert!(found.iterations <= options.max_iterations);
    assert_eq!(found.has_converged, found.change < options.tolerance || graph.num_vertices() == 0, "{options:?}");
}

fn options() -> impl Iterator<Item = Options> {
    Update::ALL.into_iter().flat_map(|update| {
        let tight = Options { tolerance: 1e-6, max_iterations: 200, damping: 0.6, update };
        [Options { update, ..DEFAULT }, tight, Options { max_iterations: 1, ..tight }]
    })
}

/// The sum of all differences.
fn distance(a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| f64::from((a - b).abs())).sum()
}

#[test]
fn scores_solve_the_equation_on_any_graph_and_pool() {
    let pools = all_pools();
    for seed in 0..80 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = Lists::random(&mut rng, [5, 60, 4000][seed as usize % 3]);
        let (csr, wide) = (Csr::<u32>::from(&graph), Csr::<u64>::from(&graph));
        let pool = &pools[seed as usize % pools.len()];
        for options in options() {
            check(&graph, options, &serial(&graph, options.pagerank()));
            check(&graph, options, &pool.run(|_| options.pagerank().run(&graph)));
            check(&csr, options, &pool.run(|_| options.pagerank().run(&csr)));
            check(&wide, options, &pool.run(|_| options.pagerank().run(&wide)));
        }
    }
}

#[test]
fn after_as_many_iterations_the_scores_are_those_of_plain_loops_up_to_rounding() {
    let pools = all_pools();
    for seed in 0..60 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = Csr::<u32>::from(&Lists::random(&mut rng, [7, 80, 4000][seed as usize % 3]));
        let pool = &pools[seed as usize % pools.len()];
        for update in Update::ALL {
            let options = Options { tolerance: 0.0, max_iterations: 7, update, ..DEFAULT };
            let (expected, found) = (serial(&graph, options.pagerank()), pool.run(|_| options.pagerank().run(&graph)));
            if pool.num_workers() == 1 || update == Update::Synchronous {
                let distance = distance(&expected.scores, &found.scores);
                assert!(distance < 1e-6, "{distance}, {update}, seed {seed}");
                assert_eq!(expected.iterations, found.iterations);
            }
            if update == Update::Synchronous {
                assert_eq!(found.scores, options.pagerank().run(&graph).scores, "on another pool");
            }
        }
    }
}

#[test]
fn all_shapes_under_all_schedulers() {
    let mut rng = fastrand::Rng::with_seed(3);
    for (index, (_, graph)) in generated().into_iter().enumerate() {
        let directed = oriented(&mut rng, &graph, 0.2);
        for (at, pool) in all_pools().into_iter().enumerate() {
            let options = options().nth((index + at) % 6).expect("there are six");
            check(&graph, options, &pool.run(|_| options.pagerank().run(&graph)));
            check(&directed, options, &pool.run(|_| options.pagerank().run(&directed)));
        }
    }
}

#[test]
fn degenerate_graphs_have_the_scores_of_the_definition() {
    for graph in degenerate() {
        for options in options() {
            check(&graph, options, &options.pagerank().run(&graph));
        }
    }
    let none = pagerank(&Lists::directed(0, &[]));
    assert_eq!((none.scores.len(), none.iterations, none.has_converged), (0, 0, true));
    // Without arcs, nothing but (1 - d) / n is left.
    let lonely = pagerank(&Lists::directed(4, &[]));
    assert!(lonely.scores.iter().all(|score| (score - 0.15 / 4.0).abs() < 1e-6), "{:?}", lonely.scores);
    let cycle = pagerank(&Lists::directed(3, &[(0, 1), (1, 2), (2, 0)]));
    assert!(cycle.scores.iter().all(|score| (score - 1.0 / 3.0).abs() < 1e-4), "{:?}", cycle.scores);
}

/// The exact scores of a star: the center has c = (1 - d) / n + d s (n - 1), a leaf s = (1 - d) / n + d c / (n - 1). In
/// single precision the sum over a million leaves would be off by far more than this.
#[test]
fn a_star_with_a_million_leaves_has_the_exact_scores() {
    let leaves = 1_000_000;
    for center in [0, leaves / 2, leaves] {
        let edges = (0..=leaves).filter(|&v| v != center).map(|v| (center, v));
        let graph: Csr = Csr::builder(leaves as usize + 1).symmetrize(true).build(edges).unwrap();
        let (n, d) = (f64::from(leaves) + 1.0, 0.85);
        let exact = ((1.0 - d) / n) * (1.0 + d * (n - 1.0)) / (1.0 - d * d);
        let options = Options { tolerance: 1e-6, max_iterations: 500, ..DEFAULT };
        let found = options.pagerank().run(&graph);
        check(&graph, options, &found);
        assert!((f64::from(found.scores[center as usize]) - exact).abs() < 1e-5, "{exact}, {:?}", found.top(2));
        assert_eq!(found.top(1)[0].0, center as usize);
    }
}

/// Once the center and the leaves of a star have seen each other, they differ from the solution in nothing but the sum
/// of the scores.
#[test]
fn the_sum_of_scores_that_are_updated_in_place_does_not_delay_the_end() {
    let edges = (1..=20_000).map(|v| (0, v));
    let graph: Csr = Csr::builder(20_001).symmetrize(true).build(edges).unwrap();
    let iterations = |update| {
        let options = Options { update, max_iterations: 100, ..DEFAULT };
        let (found, plain) = (options.pagerank().run(&graph), serial(&graph, options.pagerank()));
        check(&graph, options, &found);
        check(&graph, options, &plain);
        assert!(found.has_converged && plain.has_converged);
        found.iterations.max(plain.iterations)
    };
    let (in_place, synchronous) = (iterations(Update::InPlace), iterations(Update::Synchronous));
    assert!(4 * in_place < synchronous, "{in_place}, {synchronous}");
}

#[test]
fn options_out_of_range_are_refused() {
    for (wrong, words) in [
        (Options { damping: 1.0, ..DEFAULT }, "damping factor is 1"),
        (Options { damping: f64::NAN, ..DEFAULT }, "damping factor is NaN"),
        (Options { tolerance: -1.0, ..DEFAULT }, "tolerance is -1"),
        (Options { max_iterations: 0, ..DEFAULT }, "iterations is 0"),
    ] {
        let panic = std::panic::catch_unwind(|| wrong.pagerank().run(&Lists::directed(1, &[])));
        let panic = panic.expect_err("out of range");
        let message = panic.downcast_ref::<String>().expect("a formatted message");
        assert!(message.contains(words), "{message}");
    }
}
