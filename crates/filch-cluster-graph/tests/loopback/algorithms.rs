//! Algorithms on spread graphs, against those of one process and their verifiers.

use crate::graphs::{Edges, all, ranks};
use filch_cluster::Loopback;
use filch_cluster_graph::{Direction, GraphError, PageRankOptions, bfs, components, gather, pagerank};
use filch_graph::Graph;
use filch_graph::pagerank::{PageRank, Update};
use filch_graph::verify::{verify_bfs, verify_components};

/// What rank 0 has returned, after all have returned something.
fn of_rank_0<T>(results: Vec<Result<T, GraphError>>) -> T {
    let results = results.into_iter().map(|result| result.expect("no error")).collect::<Vec<_>>();
    results.into_iter().next().expect("a rank")
}

#[test]
fn components_are_those_of_one_process_on_any_number_of_ranks() {
    for edges in all() {
        let whole = edges.whole();
        let expected = filch_graph::components::components(&whole);
        for count in [1, 2, 3, 5, 8] {
            let results = ranks(count).run(|c| {
                let found = components(c, &edges.spread(c)?)?;
                assert_eq!(found.count(), expected.count() as u64, "{}, {count} ranks", edges.name);
                gather(c, &found.labels)
            });
            let labels = of_rank_0(results.expect("pools"));
            verify_components(&whole, &labels).unwrap_or_else(|wrong| panic!("{}, {count} ranks: {wrong}", edges.name));
            assert_eq!(labels, expected.labels(), "{}, {count} ranks", edges.name);
        }
    }
}

fn roots(edges: &Edges) -> Vec<usize> {
    let n = edges.num_vertices;
    if n == 0 { Vec::new() } else { vec![0, n / 2, n - 1] }
}

#[test]
fn searches_pass_the_verifier_on_any_number_of_ranks() {
    let mut went_up = false;
    for edges in all() {
        let whole = edges.whole();
        for count in [1, 2, 3, 5, 8] {
            for root in roots(&edges) {
                let results = ranks(count).run(|c| {
                    let found = bfs(c, &edges.spread(c)?, root)?;
                    let up = found.levels.iter().any(|level| level.1 == Direction::BottomUp);
                    Ok((gather(c, &found.depths)?, gather(c, &found.parents)?, found.num_reached(), up))
                });
                let (depths, parents, reached, up) = of_rank_0(results.expect("pools"));
                let verified = verify_bfs(&whole, root as u32, &depths, &parents);
                let summary = verified.unwrap_or_else(|wrong| panic!("{}, {count} ranks: {wrong}", edges.name));
                assert_eq!(summary.reached() as u64, reached);
                went_up |= up;
            }
        }
    }
    assert!(went_up, "no search has gone bottom-up");
}

#[test]
fn a_root_that_is_no_vertex_is_an_error_on_all_ranks() {
    for edges in all().iter().filter(|edges| edges.num_vertices < 2) {
        for result in ranks(2).run(|c| bfs(c, &edges.spread(c)?, 9).map(|_| ())).expect("pools") {
            assert_eq!(result, Err(GraphError::NoVertex { vertex: 9, num_vertices: edges.num_vertices }));
        }
    }
}

#[test]
fn scores_are_those_of_one_process_but_for_rounding() {
    for edges in all() {
        let whole = edges.whole();
        let expected = PageRank::new().update(Update::Synchronous).run(&whole);
        for count in [1, 2, 3, 8] {
            let results = ranks(count).run(|c| {
                let found = pagerank(c, &edges.spread(c)?, &PageRankOptions::default())?;
                Ok((gather(c, &found.scores)?, found.iterations, found.change))
            });
            let (scores, iterations, change) = of_rank_0(results.expect("pools"));
            let name = &edges.name;
            // An iteration more or less, where the change is next to the tolerance.
            if iterations == expected.iterations {
                let distance = scores.iter().zip(&expected.scores).map(|(a, b)| (a - b).abs()).sum::<f32>();
                assert!(distance < 1e-5, "{name}, {count} ranks: {distance}");
            } else {
                let near = (change - PageRank::TOLERANCE).abs().min((expected.change - PageRank::TOLERANCE).abs());
                assert!(near < 1e-6, "{name}: {iterations} iterations, expected {}", expected.iterations);
            }
            assert_eq!(scores.len(), whole.num_vertices());
        }
    }
}

#[test]
fn a_rank_that_is_lost_at_any_time_fails_all_and_nothing_hangs() {
    let all = all();
    let edges = all.iter().find(|edges| edges.name == "kronecker(9)").expect("a graph");
    for after in 0..40 {
        let results = Loopback::new(3).kill(1, after).run(|c| {
            let graph = edges.spread(c)?;
            components(c, &graph)?;
            bfs(c, &graph, 0)?;
            pagerank(c, &graph, &PageRankOptions::default()).map(|_| ())
        });
        for result in results.expect("pools") {
            let text = result.expect_err("a rank is lost").to_string();
            assert!(text.contains("rank 1: lost"), "{text}");
        }
    }
}
