//! `filch pagerank`, `triangles`, `cores` and `scc`: results, output files and refusals.

use std::fs;

use crate::helpers::{Directory, contains, done, figures, refused};

/// A cycle of three with a tail, and a vertex with a self-loop.
const ARCS: &str = "0 1\n1 2\n2 0\n2 3\n4 4\n";

#[test]
fn results_are_shown_verified_and_written() {
    let directory = Directory::new("algorithms");
    let path = |name: &str| directory.0.join(name).to_str().unwrap().to_owned();
    let [edges, text, array] = ["arcs.el", "found.txt", "found.npy"].map(path);
    fs::write(&edges, ARCS).unwrap();

    let shown = done(&["scc", &edges, "--verify", "--out", &text]);
    contains(&shown, &["components    3\n", "left to one worker 5", "every result verified"]);
    assert_eq!(fs::read_to_string(&text).unwrap(), "0\t0\n1\t0\n2\t0\n3\t3\n4\t4\n");

    let shown = done(&["cores", &edges, "--verify", "--out", &text]);
    contains(&shown, &["degeneracy    2\n", "every result verified", "vertices in the k-core"]);
    assert_eq!(fs::read_to_string(&text).unwrap(), "0\t2\n1\t2\n2\t2\n3\t1\n4\t0\n");

    contains(&done(&["triangles", &edges, "--verify"]), &["triangles     1\n", "every result verified"]);

    let shown = done(&["pagerank", &edges, "--verify", "--out", &array, "--top", "2"]);
    contains(&shown, &["every result verified", "highest", "score"]);
    let array = fs::read(&array).unwrap();
    assert!(array.starts_with(b"\x93NUMPY") && String::from_utf8_lossy(&array).contains("<f4"));
    let scores: Vec<f32> =
        array[array.len() - 5 * 4..].chunks(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect();
    done(&["pagerank", &edges, "--workers", "1", "--out", &text]);
    let lines = fs::read_to_string(&text).unwrap();
    for (line, score) in lines.lines().zip(scores) {
        let written: f32 = line.split_once('\t').unwrap().1.parse().unwrap();
        assert!((written - score).abs() < 1e-3, "{line}, {score}");
    }
    assert_eq!(lines.lines().count(), 5);
}

#[test]
fn every_algorithm_under_every_scheduler_is_verified() {
    let trial = ["--verify", "--workers", "2", "--scheduler", "all"];
    for graph in ["kronecker(7)", "path(300)"] {
        for command in [
            &["pagerank", "--update", "in-place,synchronous"][..],
            &["triangles", "--order", "auto,number,degree"],
            &["cores"],
            &["scc", "--algorithm", "auto,color,tarjan"],
        ] {
            contains(&done(&[command, &[graph], &trial].concat()), &["every result verified", "filch:cilk5"]);
        }
    }
}

#[test]
fn the_figures_of_each_problem_are_written() {
    let trial = ["--runs", "2", "--against", "serial", "--verify"];
    for (command, found) in
        [("pagerank", "iterations"), ("triangles", "triangles"), ("cores", "degeneracy"), ("scc", "components")]
    {
        let (rows, _) = figures(&[&[command, "torus(9)"][..], &trial].concat());
        let rows = rows.as_array().unwrap();
        assert_eq!(rows.len(), 2);
        for row in rows {
            assert_eq!((&row["program"], &row["verified"]), (&command.into(), &true.into()));
            assert!(row[found].is_number(), "{row}");
        }
    }
}

#[test]
fn words_that_mean_nothing_are_refused_with_what_is_expected() {
    refused(&["pagerank", "torus(3)", "--damping", "1"], &["--damping", "less than 1"]);
    refused(&["pagerank", "torus(3)", "--damping", "NaN"], &["--damping", "less than 1"]);
    refused(&["pagerank", "torus(3)", "--tolerance", "-1"], &["-1"]);
    refused(&["pagerank", "torus(3)", "--tolerance", "inf"], &["--tolerance", "from 0 up"]);
    refused(&["pagerank", "torus(3)", "--iterations", "0"], &["--iterations", "from 1 up"]);
    refused(&["pagerank", "torus(3)", "--update", "later"], &["later", "in-place", "synchronous"]);
    refused(&["triangles", "torus(3)", "--order", "magic"], &["magic", "number", "degree"]);
    refused(&["triangles", "torus(3)", "--out", "count.txt"], &["--out", "--format"]);
    refused(&["scc", "torus(3)", "--algorithm", "magic"], &["magic", "tarjan"]);
    for command in ["pagerank", "triangles", "cores", "scc"] {
        refused(&[command], &["<GRAPH>"]);
        refused(&[command, "missing.el"], &["missing.el", "no such file"]);
        refused(&[command, "torus(3)", "--against", "rayon"], &["rayon", "serial"]);
    }
    for command in ["pagerank", "cores", "scc"] {
        refused(&[command, "missing.el", "--out", "found.csv"], &["found.csv", ".npy"]);
    }
}
