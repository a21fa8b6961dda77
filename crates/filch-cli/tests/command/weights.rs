//! Graphs with weights: converting them, shortest paths and minimum spanning forests.

use std::fs;

use crate::helpers::{Directory, contains, done, refused};

#[test]
fn graphs_are_converted_among_all_formats() {
    let directory = Directory::new("convert");
    let path = |name: &str| directory.0.join(name).to_str().unwrap().to_owned();
    done(&["generate", "uniform(6,4)", "--weights", "--out", &path("0.wsg")]);
    let names = ["1.gr", "2.mtx.gz", "3.graph", "4.adj.zst", "5.wsg"];
    let mut last = path("0.wsg");
    for name in names {
        done(&["graph", "convert", &last, "--symmetrize", "--out", &path(name)]);
        last = path(name);
    }
    assert_eq!(fs::read(path("0.wsg")).unwrap(), fs::read(&last).unwrap());
    done(&["graph", "convert", &last, "--weights", "none", "--out", &path("6.sg")]);
    done(&["graph", "convert", &path("6.sg"), "--weights", "uniform", "--out", &path("7.wsg")]);
    assert_eq!(fs::read(path("0.wsg")).unwrap(), fs::read(path("7.wsg")).unwrap());
    refused(&["graph", "convert", &last, "--out", &path("8.sg")], &["8.sg", "no weights, but the graph has"]);
    refused(&["graph", "convert", &path("6.sg"), "--out", &path("8.gr")], &["8.gr", "requires weights"]);
    refused(&["graph", "convert", &last, "--one-based", "--out", &path("8.gr")], &["--one-based", "serialized graph"]);
    assert!(!directory.entries().iter().any(|name| name.starts_with('8')));
}

#[test]
fn shortest_paths_and_forests_are_found_verified_and_written() {
    let directory = Directory::new("weights");
    let path = |name: &str| directory.0.join(name).to_str().unwrap().to_owned();
    fs::write(path("roads"), "c roads\np sp 4 4\na 1 2 7\na 2 1 7\na 2 3 2\na 3 2 2\n").unwrap();
    let shown = done(&["sssp", &path("roads"), "--root", "1", "--verify", "--out", &path("distances.txt")]);
    contains(&shown, &["those of the file", "3 vertices, 75.0 %", "farthest at distance 9", "every result verified"]);
    assert_eq!(fs::read_to_string(path("distances.txt")).unwrap(), "1\t0\n2\t7\n3\t9\n4\tinf\n");
    let shown = done(&["msf", &path("roads"), "--verify", "--out", &path("forest.txt")]);
    contains(&shown, &["2 trees with 2 edges of weight 9", "every result verified"]);
    assert_eq!(fs::read_to_string(path("forest.txt")).unwrap(), "2\t3\t2\n1\t2\t7\n");

    for command in ["sssp", "msf"] {
        let args = ["torus(100)", "--verify", "--workers", "1,2", "--runs", "2", "--against", "serial"];
        let shown = done(&[&[command], &args[..]].concat());
        contains(&shown, &["drawn from 1 to 255, seed 1", "every result verified", "against serial"]);
    }
    contains(
        &done(&["sssp", "torus(9)", "--weights", "unit", "--delta", "1,2"]),
        &["farthest at distance 8", "delta=2"],
    );
}

#[test]
fn whole_weights_are_exact_in_every_output_and_refused_where_they_would_be_rounded() {
    let directory = Directory::new("whole-weights");
    let path = |name: &str| directory.0.join(name).to_str().unwrap().to_owned();
    // As scipy writes whole numbers in an array of floats.
    let matrix = "%%MatrixMarket matrix coordinate real general\n%\n2 2 1\n1 2 1.23456789E8\n";
    fs::write(path("scipy.mtx"), matrix).unwrap();
    fs::write(path("whole.wel"), "0 1 16777217.0\n").unwrap();
    for command in [&["sssp"][..], &["msf"], &["graph", "info"]] {
        refused(&[command, &[&path("scipy.mtx")]].concat(), &["scipy.mtx:4:5", "1.23456789E8 would be rounded"]);
        refused(&[command, &[&path("whole.wel")]].concat(), &["whole.wel:1:5", "16777217.0 would be rounded"]);
    }
    // Where weights do not matter, they may be anything.
    contains(&done(&["sssp", &path("scipy.mtx"), "--weights", "unit", "--verify"]), &["1 for every arc"]);
    done(&["bfs", &path("scipy.mtx"), "--verify"]);

    fs::write(path("large.mtx"), matrix.replace("1.23456789E8", "1.23456792E8")).unwrap();
    done(&["msf", &path("large.mtx"), "--verify", "--out", &path("forest.txt")]);
    assert_eq!(fs::read_to_string(path("forest.txt")).unwrap(), "1\t2\t123456792\n");
    done(&["sssp", &path("large.mtx"), "--root", "1", "--out", &path("distances.txt")]);
    assert_eq!(fs::read_to_string(path("distances.txt")).unwrap(), "1\t0\n2\t123456792\n");
    contains(&done(&["graph", "info", &path("large.mtx")]), &["whole numbers from 123456792 to 123456792"]);
}

#[test]
fn what_weights_do_not_allow_is_refused() {
    let directory = Directory::new("refused-weights");
    let path = |name: &str| directory.0.join(name).to_str().unwrap().to_owned();
    fs::write(path("lie.mtx"), "%%MatrixMarket matrix coordinate real general\r\n2 2 2\r\n1 2 -1\r\n").unwrap();
    for command in ["sssp", "msf", "bfs", "components"] {
        refused(&[command, &path("lie.mtx")], &["lie.mtx:2:1", "declares 2 entries, but the file has 1"]);
    }
    fs::write(path("less.mtx"), "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 -1.5").unwrap();
    refused(&["sssp", &path("less.mtx"), "--root", "1"], &["less.mtx", "from vertex 1 to 2", "-1.5"]);
    contains(&done(&["msf", &path("less.mtx"), "--verify"]), &["weight -1.5"]);
    fs::write(path("far.gr"), "p sp 4000000000 0\n").unwrap();
    refused(&["msf", &path("far.gr")], &["far.gr:1:1", "4000000000 vertices", "--vertices"]);
    fs::write(path("plain.el"), "0 1\n").unwrap();
    refused(&["sssp", &path("plain.el"), "--weights", "file"], &["plain.el", "no weights"]);
    refused(&["sssp", "torus(3)", "--delta", "0"], &["a number above 0"]);
    refused(&["msf", "torus(3)", "--out", &path("forest.npy")], &[".txt"]);
    assert_eq!(directory.entries().len(), 4);
}
