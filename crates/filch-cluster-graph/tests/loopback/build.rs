//! How graphs come to be spread.

use crate::graphs::{SIMPLE, all, ranks};
use filch_cluster_graph::{ClusterGraph, GraphError};
use filch_graph::{Graph, GraphSpec};
use filch_graph_io::read::{FirstVertex, ReadOptions, read_graph};
use std::fmt::Write;
use std::ops::ControlFlow;

#[test]
fn each_vertex_is_at_one_rank_with_the_arcs_that_it_has_in_one_process() {
    for edges in all() {
        let whole = edges.whole();
        for count in [1, 2, 3, 5, 8] {
            let blocks = ranks(count).run(|c| {
                let graph = edges.spread(c)?;
                assert_eq!((graph.num_vertices(), graph.num_arcs()), (whole.num_vertices(), whole.num_arcs() as u64));
                for v in graph.here() {
                    assert_eq!(graph.owner(v), c.rank());
                    // Rows of a graph of one process are in order, too.
                    assert_eq!(graph.row(v), whole.row(v as u32), "{}: {count} ranks, vertex {v}", edges.name);
                    assert_eq!(graph.in_row(v), whole.in_row(v as u32), "{}: {count} ranks, vertex {v}", edges.name);
                }
                Ok::<_, GraphError>(graph.here())
            });
            let blocks = blocks.expect("pools").into_iter().map(|block| block.expect("a graph"));
            let all = blocks.flatten().collect::<Vec<_>>();
            assert_eq!(all, (0..whole.num_vertices()).collect::<Vec<_>>(), "{}", edges.name);
        }
    }
}

#[test]
fn arcs_are_divided_evenly_although_degrees_are_not() {
    let arcs = ranks(4).run(|c| {
        // Sorted by degree, more or less: blocks of equal numbers of vertices would differ by a factor of 50.
        let graph = ClusterGraph::<u32>::generate(c, &"rmat(12,60000)".parse().expect("a graph"), 3)?;
        Ok::<_, GraphError>(graph.here().map(|v| graph.row(v).len()).sum::<usize>())
    });
    let arcs = arcs.expect("pools").into_iter().map(|arcs| arcs.expect("a graph")).collect::<Vec<_>>();
    let (least, most) = (arcs.iter().min().expect("ranks"), arcs.iter().max().expect("ranks"));
    assert!(most < &(2 * least), "{arcs:?}");
}

#[test]
fn generated_graphs_are_those_of_one_process_and_others_are_refused_on_all_ranks() {
    for spec in ["kronecker(8)", "gnm(50,80)", "torus(9),shuffled", "roads(9,9,30),reversed", "random(60,3,4)"] {
        let spec = spec.parse::<GraphSpec>().expect("a specification");
        let whole = spec.generate::<u32>(5).expect("a graph");
        let results = ranks(3).run(|c| {
            let graph = ClusterGraph::<u32>::generate(c, &spec, 5)?;
            assert!(graph.here().all(|v| graph.row(v) == whole.row(v as u32)), "{spec}");
            Ok::<_, GraphError>(())
        });
        assert_eq!(results.expect("pools"), [Ok(()), Ok(()), Ok(())]);
    }
    let twice = "path(3),twice".parse().expect("a specification");
    let results = ranks(2).run(|c| ClusterGraph::<u32>::generate(c, &twice, 5).map(|_| ())).expect("pools");
    assert!(results.iter().all(|result| matches!(result, Err(GraphError::Generate(_)))), "{results:?}");
}

#[test]
fn a_file_that_is_read_in_parts_is_the_graph_that_one_process_reads() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = fastrand::Rng::with_seed(2);
    for round in 0..20 {
        let path = folder.path().join("edges.el");
        let mut text = String::from(if round % 3 == 0 { "\u{feff}# a comment\n" } else { "" });
        for _ in 0..random.usize(1..200) {
            match random.u32(..12) {
                0 => text.push_str("# 1 2 3 and so on\n"),
                1 => text.push('\n'),
                // No line of it begins in the part of some rank.
                2 => writeln!(text, "%{}", "x".repeat(random.usize(..2_000))).expect("text"),
                _ => writeln!(text, "{} {}{}", random.u32(1..90), random.u32(1..90), ["", "\r"][round % 2])
                    .expect("text"),
            }
        }
        text.push_str("7 8");
        std::fs::write(&path, &text).expect("a file");
        let first_vertex = if round % 2 == 0 { FirstVertex::One } else { FirstVertex::Zero };
        let directed = round % 5 == 0;
        let options = ReadOptions {
            remove_duplicates: true,
            remove_self_loops: round % 4 == 0,
            first_vertex,
            directed,
            ..ReadOptions::default()
        };
        let whole = read_graph::<u32>(&path, &options, &mut |_| ControlFlow::Continue(())).expect("a graph").graph;
        for count in [1, 2, 3, 8] {
            let results = ranks(count).run(|c| {
                let graph = ClusterGraph::<u32>::read(c, &path, &options)?;
                assert_eq!(graph.num_vertices(), whole.num_vertices());
                assert!(graph.here().all(|v| graph.row(v) == whole.row(v as u32)), "round {round}, {count} ranks");
                Ok::<_, GraphError>(())
            });
            assert!(results.expect("pools").iter().all(Result::is_ok), "round {round}, {count} ranks");
        }
    }
}

#[test]
fn the_first_bad_line_is_named_on_all_ranks() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("edges.el");
    for bad in [1, 2, 500, 777, 1_000] {
        let line =
            |line: usize| if line == bad || line == 990 { format!("{line} two\n") } else { format!("{line} 5\n") };
        std::fs::write(&path, (1..=1_000).map(line).collect::<String>()).expect("a file");
        let bad = bad.min(990);
        let column = bad.to_string().len() + 2;
        let expected = format!("{}:{bad}:{column}: expected the number of a vertex, found \"two\"", path.display());
        for count in [1, 3, 8] {
            let options = ReadOptions::default();
            let results = ranks(count).run(|c| ClusterGraph::<u32>::read(c, &path, &options).map(|_| ()));
            for result in results.expect("pools") {
                assert_eq!(result, Err(GraphError::Input(expected.clone())), "{count} ranks");
            }
        }
    }
}

#[test]
fn files_that_cannot_be_read_in_parts_are_errors_on_all_ranks() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    };
    let gzip = write("edges.gz", &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let comments = write("comments.el", b"# nothing\n");
    let far = write("far.el", b"1 2\n3 400000000\n");
    let missing = folder.path().join("missing.el");
    let cases = [
        (&gzip, "decompress it first"),
        (&comments, "no edges found"),
        (&far, "highest vertex 400000000"),
        (&missing, "No such file"),
        (&folder.path().to_owned(), "expected a file"),
    ];
    for (path, expected) in cases {
        let results = ranks(3).run(|c| ClusterGraph::<u32>::read(c, path, &ReadOptions::default()).map(|_| ()));
        for result in results.expect("pools") {
            let text = result.expect_err("no graph").to_string();
            assert!(text.contains(expected), "{text}");
        }
    }
}

#[test]
fn an_edge_to_a_number_that_is_no_vertex_is_an_error_on_all_ranks() {
    let results = ranks(3).run(|c| ClusterGraph::<u32>::from_edges(c, 10, 5, |i| (i as u32, 10), SIMPLE).map(|_| ()));
    for result in results.expect("pools") {
        assert_eq!(result, Err(GraphError::NoVertex { vertex: 10, num_vertices: 10 }));
    }
}
