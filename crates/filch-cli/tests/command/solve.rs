//! The commands of problems that need nothing but the graph: results, output files and refusals.

use std::fs;

use crate::helpers::{Directory, contains, done, figures, output, refused};

/// Two triangles that share vertex 2, a tail, and a vertex by itself.
const EDGES: &str = "0 1\n1 2\n2 0\n2 3\n3 4\n4 2\n4 5\n6 6\n";

/// Arcs without a cycle.
const ARCS: &str = "3 1\n1 0\n3 0\n2 0\n";

/// Each command, and the name of one of its figures.
const COMMANDS: [(&str, &str); 12] = [
    ("independent-set", "inside"),
    ("matching", "pairs"),
    ("colouring", "colours"),
    ("bipartite", "side_0"),
    ("biconnected", "components"),
    ("truss", "trussness"),
    ("clustering", "triangles"),
    ("communities", "communities"),
    ("betweenness", "sources"),
    ("closeness", "pairs"),
    ("distances", "farthest"),
    ("walks", "steps"),
];

#[test]
fn results_are_shown_verified_and_written() {
    let directory = Directory::new("solve");
    let path = |name: &str| directory.0.join(name).to_str().unwrap().to_owned();
    let [edges, arcs, text, array] = ["edges.el", "arcs.el", "found.txt", "found.npy"].map(path);
    fs::write(&edges, EDGES).unwrap();
    fs::write(&arcs, ARCS).unwrap();
    let found = |args: &[&str], words: &[&str]| {
        let shown = done(&[args, &["--verify", "--out", &text]].concat());
        contains(&shown, &[words, &["every result verified"]].concat());
        fs::read_to_string(&text).unwrap()
    };

    assert_eq!(found(&["topological-order", &arcs], &["3 levels"]), "0\t3\n1\t2\n2\t0\n3\t1\n");
    let lines = found(&["biconnected", &edges], &["components    3\n", "points        2\n", "bridges       1\n"]);
    assert_eq!(lines, "0\t0\n1\t1\n2\t1\n3\t3\n4\t3\n5\t5\n6\t6\n");
    let lines = found(&["truss", &edges], &["trussness     3\n", "innermost     6\n"]);
    assert_eq!(lines, "0\t1\t3\n0\t2\t3\n1\t2\t3\n2\t3\t3\n2\t4\t3\n3\t4\t3\n4\t5\t2\n");
    done(&["truss", &edges, "--out", &array]);
    let written = fs::read(&array).unwrap();
    assert!(written.starts_with(b"\x93NUMPY") && written.ends_with(&2_u32.to_le_bytes()));
    let lines = found(&["clustering", &edges], &["triangles     2\n", "transitivity  0.500000\n", "on average"]);
    assert!(lines.starts_with("0\t1\n1\t1\n2\t0.3333"), "{lines}");
    let lines = found(&["communities", &edges], &["communities   3\n", "modularity  "]);
    assert!(lines.starts_with("0\t0\n1\t0\n"), "{lines}");
    let lines = found(&["betweenness", &edges, "--symmetrize", "--top", "1"], &["sources       7\n", "highest", "2"]);
    assert!(lines.starts_with("0\t0\n1\t0\n2\t0.4"), "{lines}");
    let lines = found(&["closeness", &edges, "--symmetrize", "--harmonic"], &["highest"]);
    assert!(lines.starts_with("0\t3.33333"), "{lines}");
    assert_eq!(
        found(&["distances", &edges, "--source", "4", "--source=6", "--symmetrize"], &["pairs         7\n"]),
        "0\t2\t-1\n1\t2\t-1\n2\t1\t-1\n3\t1\t-1\n4\t0\t-1\n5\t1\t-1\n6\t-1\t0\n"
    );
    done(&["distances", &arcs, "--source", "1", "--out", &array]);
    let written = fs::read(&array).unwrap();
    let expected: Vec<u8> = [1_i64, 0, -1, -1].iter().flat_map(|distance| distance.to_le_bytes()).collect();
    assert!(written.starts_with(b"\x93NUMPY") && written.ends_with(&expected));
    let walks = ["walks", &arcs, "--start", "1", "--start", "3", "--length", "1", "--p", "2"];
    let lines = found(&walks, &["walks         2\n", "steps         2\n", "first walk    1, 0\n"]);
    assert!(["1\t0\n3\t0\n", "1\t0\n3\t1\n"].contains(&lines.as_str()), "{lines}");
    done(&["walks", &arcs, "--length", "3", "--per-vertex", "2", "--out", &array]);
    let written = fs::read(&array).unwrap();
    let from_0: Vec<u8> = [0_i64, -1, -1, -1].iter().flat_map(|step| step.to_le_bytes()).collect();
    let arrays = &written[written.len() - 2 * 4 * 4 * 8..];
    assert!(arrays.starts_with(&from_0) && arrays[4 * 4 * 8..].starts_with(&from_0));
    contains(&done(&["bipartite", &edges]), &["odd cycle", "not bipartite because of 1, 0, 2\n"]);
    assert_eq!(found(&["bipartite", "path(4)"], &["side 0        2\n"]), "0\t0\n1\t1\n2\t0\n3\t1\n");
    assert_eq!(found(&["colouring", "path(2)"], &["colours       2\n"]).len(), "0\t1\n1\t0\n".len());
    assert_eq!(found(&["matching", "path(2)"], &["pairs         1\n"]), "0\t1\n1\t0\n");
    let lines = found(&["independent-set", "path(2)"], &["inside        1\n"]);
    assert!(["0\t1\n1\t0\n", "0\t0\n1\t1\n"].contains(&lines.as_str()), "{lines}");
}

#[test]
fn every_problem_under_every_scheduler_is_verified_beside_its_rival() {
    let trial = ["--against", "serial", "--verify", "--workers", "2", "--scheduler", "all"];
    for graph in ["kronecker(6)", "torus(8)"] {
        for (command, figure) in COMMANDS {
            let (rows, shown) = figures(&[&[command, graph][..], &trial].concat());
            contains(&shown, &["every result verified", "filch:cilk5", "serial"]);
            for row in rows.as_array().unwrap() {
                assert_eq!((&row["program"], &row["verified"]), (&command.into(), &true.into()));
                let is_odd = command == "bipartite" && graph.starts_with("kron");
                assert!(row[if is_odd { "odd_cycle" } else { figure }].is_number(), "{row}");
            }
        }
    }
}

#[test]
fn what_cannot_be_solved_is_refused_with_the_reason() {
    let directory = Directory::new("solve-refused");
    let cyclic = directory.0.join("cyclic.el");
    fs::write(&cyclic, "0 1\n1 2\n2 1\n").unwrap();
    for (args, cycle) in
        [(&[cyclic.to_str().unwrap()][..], "1 -> 2 -> 1"), (&["path(3)", "--runs", "2"], "0 -> 1 -> 0")]
    {
        // The graph has been shown before that is found.
        let output = output(&[&["topological-order", "--against", "serial"], args].concat());
        assert_eq!(output.status.code(), Some(2));
        contains(&String::from_utf8(output.stderr).unwrap(), &["a cycle", cycle]);
    }
    refused(&["colouring", "torus(3)", "--order", "magic"], &["magic", "largest-log-degree"]);
    refused(&["communities", "torus(3)", "--resolution=-1"], &["--resolution", "a number from 0"]);
    refused(&["communities", "torus(3)", "--method", "magic"], &["magic", "louvain"]);
    refused(&["betweenness", "torus(3)", "--sample", "0"], &["--sample", "from 1 up"]);
    refused(&["distances", "path(3)", "--source", "7"], &["no vertex 7", "from 0 to 2"]);
    refused(&["distances", "path(3000000)"], &["not enough memory", "--source"]);
    refused(&["walks", "path(3)", "--start", "x"], &["no vertex `x`", "from 0 to 2"]);
    refused(&["walks", "path(3)", "--length", "18446744073709551615"], &["not enough memory", "3 walks"]);
    refused(&["walks", "path(3)", "--per-vertex", "18446744073709551615"], &["not enough memory"]);
    refused(&["walks", "path(3)", "--q", "0"], &["--q", "above 0"]);
    for (command, _) in COMMANDS {
        refused(&[command, "missing.el", "--out", "found.csv"], &["found.csv", ".npy"]);
    }
}
