//! Compares betweenness with the definition, with the serial algorithm, and with formulas.

use crate::common::lists::{Lists, pools};
use crate::common::schedulers::all_pools;
use crate::common::shapes::{degenerate, generated, oriented, spec};
use filch_graph::betweenness::{Betweenness, BetweennessError, Scores, Share, betweenness, serial};
use filch_graph::verify::verify_betweenness;
use filch_graph::{Csr, Graph, Vertex};

/// Checks scores against the expected sums of dependencies.
#[track_caller]
fn check<V: Vertex>(found: &Scores<V>, sums: &[f64]) {
    assert_eq!(found.scores.len(), sums.len());
    for (v, (score, sum)) in found.scores.iter().zip(sums).enumerate() {
        let expected = sum * found.factor;
        assert!((score - expected).abs() <= 1e-9 * expected.abs(), "vertex {v} has {score}, expected {expected}");
    }
}

fn vertices<G: Graph>(graph: &G) -> Vec<G::Vertex> {
    (0..graph.num_vertices()).map(G::Vertex::new).collect()
}

/// The number of pairs that lead through each vertex: each of the paths is followed.
fn by_definition(graph: &Lists) -> Vec<f64> {
    /// All shortest paths are found by trying all paths, the shorter ones first.
    fn paths(graph: &Lists, s: u32, t: u32) -> Vec<Vec<u32>> {
        let mut paths = vec![vec![s]];
        for _ in 0..graph.num_vertices() {
            let (found, others): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.last() == Some(&t));
            if !found.is_empty() {
                return found;
            }
            let extend = |path: Vec<u32>| {
                let (last, path) = (*path.last().expect("the start"), &path);
                let next: Vec<_> = graph.neighbors(last).filter(|w| !path.contains(w)).collect();
                next.into_iter().map(|w| path.iter().copied().chain([w]).collect()).collect::<Vec<_>>()
            };
            paths = others.into_iter().flat_map(extend).collect();
        }
        Vec::new()
    }
    let n = graph.num_vertices() as u32;
    let mut sums = vec![0.0; n as usize];
    for (s, t) in (0..n).flat_map(|s| (0..n).map(move |t| (s, t))).filter(|(s, t)| s != t) {
        let paths = paths(graph, s, t);
        for path in &paths {
            path[1..path.len() - 1].iter().for_each(|&v| sums[v as usize] += 1.0 / paths.len() as f64);
        }
    }
    sums
}

#[test]
fn small_graphs_have_the_betweenness_of_the_definition() {
    for seed in 0..80 {
        let graph = Lists::random(&mut fastrand::Rng::with_seed(seed), 6);
        if graph.num_arcs() < 30 {
            let expected = by_definition(&graph);
            check(&betweenness(&graph).unwrap(), &expected);
            verify_betweenness(&graph, &vertices(&graph), 1.0, &expected, 1e-9).unwrap();
        }
    }
    let grid = Lists::mesh(&mut fastrand::Rng::with_seed(1), 4);
    check(&betweenness(&grid).unwrap(), &by_definition(&grid));
}

#[test]
fn scores_are_those_of_the_serial_algorithm_on_any_pool_and_the_same_to_the_last_bit() {
    let pools = pools();
    for seed in 0..80 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let graph = Lists::random(&mut rng, [6, 60, 400, 6000][seed as usize % 4]);
        let (csr, wide) = (Csr::<u32>::from(&graph), Csr::<u64>::from(&graph));
        let n = graph.num_vertices();
        let sources: Vec<u32> = (0..rng.usize(1..40)).map(|_| rng.u32(0..n as u32)).collect();
        let many: Vec<u64> = sources.iter().map(|&source| u64::from(source)).collect();
        let (expected, options) = (serial(&graph, &sources), Betweenness::new().normalized(rng.bool()));
        let first = options.run_from(&graph, &sources).unwrap();
        check(&first, &expected);
        verify_betweenness(&graph, &sources, first.factor, &first.scores, 1e-9).unwrap();
        let pool = &pools[seed as usize % pools.len()];
        for share in Share::ALL {
            let options = options.share(share);
            assert_eq!(pool.run(|_| options.run_from(&graph, &sources)).unwrap(), first);
            check(&pool.run(|_| options.run_from(&csr, &sources)).unwrap(), &expected);
            check(&pool.run(|_| options.run_from(&wide, &many)).unwrap(), &expected);
        }
    }
}

#[test]
fn all_shapes_under_all_schedulers() {
    let mut rng = fastrand::Rng::with_seed(3);
    for (at, (name, graph)) in generated().into_iter().enumerate() {
        let directed = oriented(&mut rng, &graph, 0.2);
        let options = Betweenness::new().sample(20, at as u64);
        let [first, second] = [options.run(&graph).unwrap(), options.run(&directed).unwrap()];
        check(&first, &serial(&graph, &first.sources));
        check(&second, &serial(&directed, &second.sources));
        for (turn, pool) in all_pools().into_iter().enumerate() {
            let options = options.share(Share::ALL[(at + turn) % Share::ALL.len()]);
            assert_eq!(pool.run(|_| options.run(&graph)).unwrap(), first, "{name}");
            assert_eq!(pool.run(|_| options.run(&directed)).unwrap(), second, "{name}");
        }
    }
}

/// In the middle of a grid, the counts of paths exceed 2^53 and are rounded.
#[test]
fn counts_of_paths_that_are_rounded_do_not_depend_on_the_schedule() {
    let graph = Lists::mesh(&mut fastrand::Rng::with_seed(2), 100);
    let sources = [0, 77, 4000, 9000, 9001];
    let first = Betweenness::new().run_from(&graph, &sources).unwrap();
    check(&first, &serial(&graph, &sources));
    for pool in pools() {
        for share in Share::ALL {
            assert_eq!(pool.run(|_| Betweenness::new().share(share).run_from(&graph, &sources)).unwrap(), first);
        }
    }
}

/// Wide levels, which workers share, with counts that several of them add to.
#[test]
fn levels_are_shared_with_the_same_result() {
    for text in ["kronecker(12)", "random(9000,8)", "uniform(12,3)", "stars(20,2000),shuffled", "hypercube(13)"] {
        let graph = spec(text);
        let options = Betweenness::new().sample(6, 1).share(Share::Levels);
        let first = options.run(&graph).unwrap();
        check(&first, &serial(&graph, &first.sources));
        for pool in pools() {
            assert_eq!(pool.run(|_| options.run(&graph)).unwrap(), first, "{text}");
        }
    }
}

fn pairs(graph: &impl Graph) -> Vec<f64> {
    Betweenness::new().normalized(false).run(graph).unwrap().scores
}

#[track_caller]
fn assert_near(found: &[f64], expected: impl Fn(usize) -> f64) {
    for (v, found) in found.iter().enumerate() {
        let expected = expected(v);
        assert!((found - expected).abs() <= 1e-9 * expected.abs(), "vertex {v} has {found}, expected {expected}");
    }
}

#[test]
fn paths_stars_cycles_and_cliques_have_the_betweenness_of_formulas() {
    let n = 23;
    let path: Vec<_> = (1..n).map(|v| (v - 1, v)).collect();
    let directed = |v: usize| (v * (n as usize - 1 - v)) as f64;
    assert_near(&pairs(&Lists::undirected(n as usize, &path)), directed);
    assert_near(&pairs(&Lists::directed(n as usize, &path)), directed);
    let normalized = |v: usize| directed(v) / (21.0 * 22.0);
    assert_near(&betweenness(&Lists::directed(n as usize, &path)).unwrap().scores, normalized);
    assert_near(&betweenness(&Lists::undirected(n as usize, &path)).unwrap().scores, |v| 2.0 * normalized(v));

    let star: Vec<_> = (1..n).map(|v| (0, v)).collect();
    let star = Lists::undirected(n as usize, &star);
    assert_near(&pairs(&star), |v| if v == 0 { 22.0 * 21.0 / 2.0 } else { 0.0 });
    assert_near(&betweenness(&star).unwrap().scores, |v| if v == 0 { 1.0 } else { 0.0 });

    // Between a vertex and those at distances 2 to h, on the shorter side; opposite ones have two paths.
    for n in [3_u32, 4, 9, 10] {
        let cycle: Vec<_> = (0..n).map(|v| (v, (v + 1) % n)).collect();
        let half = f64::from(n / 2);
        let expected = if n % 2 == 1 { half * (half - 1.0) / 2.0 } else { (half - 1.0) * (half - 1.0) / 2.0 };
        assert_near(&pairs(&Lists::undirected(n as usize, &cycle)), |_| expected);
        let one_way = f64::from((n - 1) * (n - 2)) / 2.0;
        assert_near(&pairs(&Lists::directed(n as usize, &cycle)), |_| one_way);
    }

    let clique: Vec<_> = (0..n).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
    assert_near(&pairs(&Lists::undirected(n as usize, &clique)), |_| 0.0);
}

#[test]
fn self_loops_do_not_count_and_parallel_edges_do() {
    for graph in degenerate() {
        let found = betweenness(&graph).unwrap();
        check(&found, &serial(&graph, &vertices(&graph)));
    }
    // From 0 to 3, two of three paths lead through 1.
    let graph = Lists::directed(4, &[(0, 1), (0, 1), (1, 3), (0, 2), (2, 3), (1, 1), (3, 3)]);
    assert_near(&pairs(&graph), |v| [0.0, 2.0 / 3.0, 1.0 / 3.0, 0.0][v]);
    let none = betweenness(&Lists::directed(0, &[])).unwrap();
    assert!(none.scores.is_empty() && none.sources.is_empty());
    assert_eq!(Betweenness::new().run_from(&graph, &[]).unwrap().scores, [0.0; 4]);
}

#[test]
fn a_sample_is_scaled_and_one_of_all_is_exact() {
    let graph = spec("kronecker(8,6)");
    let n = graph.num_vertices();
    let exact = betweenness(&graph).unwrap();
    assert_eq!(Betweenness::new().sample(n, 5).run(&graph).unwrap(), exact);
    assert_eq!(Betweenness::new().sample(usize::MAX, 5).run(&graph).unwrap(), exact);
    let sampled = Betweenness::new().sample(30, 5).run(&graph).unwrap();
    assert_eq!(sampled, Betweenness::new().run_from(&graph, &sampled.sources).unwrap());
    assert_near(&[sampled.factor], |_| exact.factor * (n as f64 / 30.0));
    // The mean of the estimates of all sources, each alone, is exact.
    let mut mean = vec![0.0; n];
    for source in vertices(&graph) {
        let one = Betweenness::new().run_from(&graph, &[source]).unwrap();
        mean.iter_mut().zip(&one.scores).for_each(|(mean, score)| *mean += score / n as f64);
    }
    assert_near(&mean, |v| exact.scores[v]);
}

/// From corner to corner of a grid of k × k vertices, there are (2k - 2)! / (k - 1)!^2 paths.
#[test]
fn more_paths_than_can_be_counted_are_an_error_with_the_source() {
    let grid = |side: u32| {
        let place = move |row: u32, column: u32| row * side + column;
        let rows = (0..side).flat_map(move |a| (1..side).map(move |b| (place(a, b - 1), place(a, b))));
        let columns = (0..side).flat_map(move |a| (1..side).map(move |b| (place(b - 1, a), place(b, a))));
        Csr::<u32>::builder((side * side) as usize).symmetrize(true).build(rows.chain(columns)).unwrap()
    };
    // The binomials of 1028 over 514 and of 1030 over 515 are below and above 2^1024.
    let (fits, exceeds) = (grid(515), grid(516));
    assert!(Betweenness::new().run_from(&fits, &[0]).unwrap().scores.iter().all(|score| score.is_finite()));
    let middle = 258 * 516 + 258;
    for pool in pools().into_iter().take(2) {
        for share in Share::ALL {
            let options = Betweenness::new().share(share);
            let error = pool.run(|_| options.run_from(&exceeds, &[middle, 515, 0, middle, 0])).unwrap_err();
            assert_eq!(error, BetweennessError::TooManyPaths { source_vertex: 515 });
        }
    }
}

#[test]
fn options_out_of_range_are_refused() {
    let graph = Lists::directed(3, &[(0, 1), (1, 2)]);
    let refusal = |solve: &dyn Fn()| {
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(solve)).expect_err("out of range");
        let text = panic.downcast_ref::<String>().cloned();
        text.unwrap_or_else(|| (*panic.downcast_ref::<&str>().expect("a message")).to_string())
    };
    assert!(refusal(&|| _ = Betweenness::new().sample(0, 1)).contains("expected at least 1"));
    assert!(refusal(&|| _ = Betweenness::new().run_from(&graph, &[1, 3])).contains("source 3 is not a vertex"));
}
