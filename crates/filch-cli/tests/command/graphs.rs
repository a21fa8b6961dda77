//! Commands on graphs: results and output files.

use std::fs;

use serde_json::Value;

use crate::helpers::{Directory, contains, done, figures, filch, output, refused, stdout};

/// The numbers are those of `data/README.md`.
#[test]
fn debian_has_as_many_components_as_it_is_known_to_have() {
    let shown = done(&["components", "debian", "--verify", "--workers", "2"]);
    contains(&shown, &["debian: 63,436 vertices", "components    5,898\n", "56,746", "every result verified"]);
    let shown = done(&["forest", "debian", "--verify", "--workers", "2"]);
    contains(&shown, &["5,898 trees with 57,538 edges", "56,746", "every result verified"]);
}

#[test]
fn a_search_begins_at_a_package_by_its_name_and_names_others() {
    let shown = done(&["bfs", "debian", "--root", "bash", "--verify"]);
    contains(&shown, &["247,686 arcs", "root          bash", "reached       7 vertices", "gcc-12-base"]);
}

#[test]
fn a_graph_has_its_numbers_and_its_busiest_vertex_by_name() {
    let shown = done(&["graph", "info", "debian"]);
    contains(&shown, &["directed", "247,686 arcs", "5,898, the largest of 56,746", "21,809  libc6", "5,594 vertices"]);
    let shown = done(&["graph", "info", "torus(4)"]);
    contains(&shown, &["16 vertices, 32 edges", "undirected", "components    1, the largest of 16"]);
}

/// The triangle 1, 2, 3, the pair 4, 5, and the single vertex 6.
const EDGES: &str = "# a comment\n1 2\n2\t3\n\n3 1\n4 5\n6 6\n";

#[test]
fn results_are_written_as_text_by_name_or_number_and_as_arrays() {
    let directory = Directory::new("results");
    let path = |name: &str| directory.0.join(name).to_str().unwrap().to_owned();
    let [edges, labels, text, array] = ["edges.el", "labels.txt", "found.txt", "found.npy"].map(path);
    fs::write(&edges, EDGES).unwrap();
    fs::write(&labels, "one\ntwo\nthree\nfour\nfive\nsix\n").unwrap();

    done(&["components", &edges, "--one-based", "--out", &text]);
    assert_eq!(fs::read_to_string(&text).unwrap(), "1\t1\n2\t1\n3\t1\n4\t4\n5\t4\n6\t6\n");
    let shown = done(&["components", &edges, "--one-based", "--labels", &labels, "--out", &text]);
    contains(&shown, &["components    3", "3  50.0 %  one"]);
    contains(&fs::read_to_string(&text).unwrap(), &["three\tone\n", "five\tfour\n", "six\tsix\n"]);

    done(&["bfs", &edges, "--one-based", "--root", "3", "--out", &text]);
    assert_eq!(fs::read_to_string(&text).unwrap(), "1\t1\t3\n2\t2\t1\n3\t0\t3\n4\t-1\t-1\n5\t-1\t-1\n6\t-1\t-1\n");
    done(&["bfs", &edges, "--one-based", "--symmetrize", "--root", "3", "--out", &array]);
    let array = fs::read(&array).unwrap();
    assert!(array.starts_with(b"\x93NUMPY"));
    let values: Vec<i64> =
        array[array.len() - 6 * 8..].chunks(8).map(|bytes| i64::from_le_bytes(bytes.try_into().unwrap())).collect();
    assert_eq!(values, [1, 1, 0, -1, -1, -1]);

    let shown = done(&["forest", &edges, "--one-based", "--verify", "--out", &text]);
    contains(&shown, &["3 trees with 3 edges"]);
    assert_eq!(fs::read_to_string(&text).unwrap().lines().count(), 6);
    let mut entries = directory.entries();
    entries.sort();
    assert_eq!(entries, ["edges.el", "found.npy", "found.txt", "labels.txt"], "no temporary file is left");
}

#[test]
fn vertices_have_the_numbers_of_the_file_in_arguments_and_in_output() {
    let directory = Directory::new("numbers");
    let path = |name: &str| directory.0.join(name).to_str().unwrap().to_owned();
    let (text, roads) = (path("found.txt"), path("roads.gr"));
    fs::write(&roads, "p sp 3 2\na 1 2 5\na 2 3 2\n").unwrap();
    let found = |args: &[&str]| {
        let shown = done(&[args, &["--workers", "1", "--verify", "--out", &text]].concat());
        contains(&shown, &["roads.gr: 3 vertices, 2 ", "; numbered from 1"]);
        fs::read_to_string(&text).unwrap()
    };
    assert_eq!(found(&["sssp", &roads, "--root", "1"]), "1\t0\n2\t5\n3\t7\n");
    assert_eq!(found(&["sssp", &roads, "--root", "3"]), "1\tinf\n2\tinf\n3\t0\n");
    assert_eq!(found(&["bfs", &roads, "--root", "2"]), "1\t-1\t-1\n2\t0\t2\n3\t1\t2\n");
    assert_eq!(found(&["forest", &roads, "--root", "2"]), "1\t2\n2\t2\n3\t2\n");
    assert_eq!(found(&["components", &roads]), "1\t1\n2\t1\n3\t1\n");
    assert_eq!(found(&["scc", &roads]), "1\t1\n2\t2\n3\t3\n");
    assert_eq!(found(&["cores", &roads]), "1\t1\n2\t1\n3\t1\n");
    assert_eq!(found(&["msf", &roads]), "2\t3\t2\n1\t2\t5\n");
    assert!(found(&["pagerank", &roads]).starts_with("1\t"));
    for root in ["0", "4"] {
        refused(&["bfs", &roads, "--root", root], &["no vertex", "from 1 to 3"]);
    }
    contains(&done(&["graph", "info", &roads]), &["numbered from 1", "0.67    1  1\n"]);
    let shown = done(&["graph", "convert", &roads, "--out", &path("roads.wel")]);
    contains(&shown, &["renumbered    from 0 on"]);
    assert_eq!(fs::read_to_string(path("roads.wel")).unwrap(), "0 1 5\n1 2 2\n");

    let loops = path("loops.mtx");
    fs::write(&loops, "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n").unwrap();
    let message = ["cannot write", "no self-loops, but vertex 3 has one"];
    refused(&["graph", "convert", &loops, "--out", &path("loops.graph")], &message);
}

#[test]
fn what_a_file_says_of_vertices_is_named_as_left_out() {
    let directory = Directory::new("left-out");
    let file = directory.0.join("sizes.graph");
    fs::write(&file, "2 1 111\n7 3 2 5\n8 4 1 5\n").unwrap();
    let shown = done(&["graph", "info", file.to_str().unwrap()]);
    contains(&shown, &["left out      the sizes and the weights of the vertices\n", "whole numbers from 5 to 5"]);
}

#[test]
fn words_and_numbers_of_any_size_are_renumbered_and_keep_their_names() {
    let directory = Directory::new("renumbered");
    let path = |name: &str| directory.0.join(name).to_str().unwrap().to_owned();
    let (list, text) = (path("users.txt"), path("found.txt"));
    fs::write(&list, "# who knows whom\n18446744073709551616 7\n7 9000000000\nbob c\n9000000000 7\n").unwrap();
    let found = |args: &[&str]| {
        done(&[args, &["--renumber", "--verify", "--workers", "1", "--out", &text]].concat());
        fs::read_to_string(&text).unwrap()
    };
    let components = "7\t7\n9000000000\t7\n18446744073709551616\t7\nbob\tbob\nc\tbob\n";
    assert_eq!(found(&["components", &list]), components);
    let depths = "7\t1\t9000000000\n9000000000\t0\t9000000000\n18446744073709551616\t-1\t-1\nbob\t-1\t-1\nc\t-1\t-1\n";
    assert_eq!(found(&["bfs", &list, "--root", "9000000000"]), depths);
    contains(&done(&["bfs", &list, "--renumber", "--root", "bob"]), &["root          bob", "reached       2 vertices"]);
    refused(&["bfs", &list, "--renumber", "--root", "0"], &["no vertex has the name `0`"]);
    refused(&["bfs", &list], &["users.txt:2:1", "18446744073709551616", "--renumber"]);
    refused(&["bfs", "torus(3)", "--renumber"], &["--renumber", "files only"]);
    refused(&["bfs", &list, "--renumber", "--vertices", "9"], &["--renumber", "--vertices"]);

    // The names stay with a graph in a format without names.
    let [graph, names] = ["users.sg", "names.txt"].map(path);
    let convert = ["graph", "convert", &list, "--renumber", "--out", &graph];
    refused(&convert, &["--renumber", "--write-labels"]);
    done(&[&convert[..], &["--write-labels", &names]].concat());
    assert_eq!(fs::read_to_string(&names).unwrap(), "7\n9000000000\n18446744073709551616\nbob\nc\n");
    done(&["components", &graph, "--labels", &names, "--workers", "1", "--out", &text]);
    assert_eq!(fs::read_to_string(&text).unwrap(), components);
    refused(&["bfs", &graph, "--renumber"], &["--renumber", "edge lists", "serialized graph"]);

    // With weights, and words that begin lines of other formats.
    fs::write(path("roads.txt"), "p c 5\nc a 2.5\n").unwrap();
    assert_eq!(found(&["sssp", &path("roads.txt"), "--root", "p"]), "a\t7.5\nc\t5\np\t0\n");
}

#[test]
fn a_generated_graph_is_the_same_through_every_kind_of_file() {
    let directory = Directory::new("generated");
    for name in ["a.sg", "a.el", "a.el.gz", "a.txt.zst"] {
        let file = directory.0.join(name);
        let file = file.to_str().unwrap();
        let shown = done(&["generate", "meshes(5,8),shuffled", "--seed", "7", "--out", file]);
        contains(&shown, &["89 vertices, 153 edges", name]);
        let shown = done(&["forest", file, "--verify"]);
        contains(&shown, &["89 vertices, 153 edges", "1 tree with 88 edges", "verified"]);
    }
    let [from, to] = ["a.sg", "converted.el.gz"].map(|name| directory.0.join(name).to_str().unwrap().to_owned());
    contains(&done(&["graph", "convert", &from, "--out", &to]), &["89 vertices, 153 edges", "converted.el.gz"]);
    contains(&done(&["graph", "info", &to, "--symmetrize"]), &["89 vertices, 153 edges", "undirected"]);
    let seeds = ["1", "2"].map(|seed| {
        let file = directory.0.join("seed.el");
        done(&["generate", "random(50,2)", "--seed", seed, "--out", file.to_str().unwrap()]);
        fs::read(file).unwrap()
    });
    assert_ne!(seeds[0], seeds[1]);
}

#[test]
fn an_edge_list_whose_last_vertices_have_no_edges_is_written_with_what_reads_it_again() {
    let directory = Directory::new("edgeless");
    let path = |name: &str| directory.0.join(name).to_str().unwrap().to_owned();
    let matrix = path("m.mtx");
    for (entries, vertices) in [("5 5 1\n2 1\n", "2 vertices"), ("5 5 0\n", "no edges")] {
        fs::write(&matrix, format!("%%MatrixMarket matrix coordinate pattern symmetric\n{entries}")).unwrap();
        let list = path("list.el");
        let shown = done(&["graph", "convert", &matrix, "--out", &list]);
        contains(&shown, &["to read it    --vertices 5, because the last vertex has no edges"]);
        let read = output(&["graph", "info", &list]);
        let said = [read.stdout, read.stderr].concat();
        contains(&String::from_utf8(said).unwrap(), &[vertices]);
        contains(&done(&["graph", "info", &list, "--vertices", "5"]), &["5 vertices"]);
    }
    // Other formats have the number.
    assert!(!done(&["graph", "convert", &matrix, "--out", &path("list.adj")]).contains("--vertices"));
    assert!(!done(&["generate", "path(3)", "--out", &path("path.el")]).contains("--vertices"));
}

#[test]
fn one_of_something_is_said_in_the_singular() {
    let directory = Directory::new("singular");
    let list = directory.0.join("list.el");
    fs::write(&list, "1 1\n1 1\n").unwrap();
    let shown = done(&["graph", "info", list.to_str().unwrap()]);
    contains(
        &shown,
        &["2 vertices", "1 arc that repeats another one", "isolated      1 vertex\n", "the largest of 1 vertex\n"],
    );
}

#[test]
fn the_figures_have_a_row_for_each_entrant_with_the_documented_fields() {
    let trial = ["--workers", "1,2", "--runs", "6", "--against", "serial", "--verify"];
    let algorithms = ["forest", "torus(9)", "--algorithm", "auto,pseudo-dfs", "--batches", "adaptive,1"];
    let (rows, shown) = figures(&[&algorithms[..], &trial].concat());
    let rows = rows.as_array().unwrap();
    contains(&shown, &["pseudo-dfs(1)", "against serial", "against the first", "95 % interval"]);
    let name = |row: &Value| format!("{} {}", row["runner"].as_str().unwrap(), row["algorithm"].as_str().unwrap());
    let names: Vec<String> = rows.iter().map(name).collect();
    let on_each = ["filch:default auto", "filch:default pseudo-dfs", "filch:default pseudo-dfs(1)"];
    assert_eq!(names, [&on_each[..], &on_each, &["serial "]].concat());
    for row in rows {
        assert_eq!((&row["program"], &row["graph"]), (&"forest".into(), &"torus(9)".into()));
        assert_eq!((&row["vertices"], &row["arcs"], &row["symmetric"]), (&81.into(), &324.into(), &true.into()));
        assert_eq!((&row["trees"], &row["edges"]), (&1.into(), &80.into()));
        assert_eq!((&row["runs"], &row["verified"]), (&6.into(), &true.into()));
        for number in ["build_s", "median_s", "min_s", "max_s", "edges_per_s"] {
            assert!(row[number].as_f64().is_some_and(|number| number > 0.0), "{number}: {row}");
        }
        assert!(row["counters"].is_object() && row["ratios"].is_array() && row.get("read_s").is_none(), "{row}");
        let has_ratio =
            |against: &str| row["ratios"].as_array().unwrap().iter().any(|ratio| ratio["against"] == against);
        assert_eq!(has_ratio("serial"), row["runner"] != "serial", "{row}");
        assert_eq!(row["speedup"].is_number(), row["runner"] != "serial", "{row}");
    }

    for (args, found) in
        [(["components", "torus(9)"], ["components", "largest"]), (["bfs", "torus(9)"], ["reached", "levels"])]
    {
        let (rows, _) = figures(&[&args[..], &trial].concat());
        let rows = rows.as_array().unwrap();
        assert_eq!(rows.len(), 3);
        assert!(rows.iter().all(|row| found.iter().all(|name| row[name].is_number())), "{rows:?}");
    }

    let (info, _) = figures(&["graph", "info", "debian"]);
    assert_eq!((&info["components"], &info["largest"], &info["arcs"]), (&5898.into(), &56_746.into(), &247_686.into()));
    assert_eq!((&info["in_degree"]["max"], &info["in_degree"]["max_vertex"]), (&21_809.into(), &"libc6".into()));
}

#[test]
fn facts_plan_and_reason_are_shown_if_they_are_asked_for_and_a_reason_follows_each_plan() {
    for (command, graph, plan) in [
        ("forest", "torus(150)", "plan          descend"),
        ("forest", "torus(20)", "plan          serial"),
        ("components", "torus(150)", "plan          sweep"),
        ("bfs", "kronecker(12)", "plan          1 level"),
    ] {
        let shown = done(&[command, graph, "--explain"]);
        let begins = |line: &str, name: &str| line.starts_with(&format!("{name:<14}"));
        let lines: Vec<&str> = shown.lines().collect();
        let plans = || (0..lines.len()).filter(|&line| begins(lines[line], "plan"));
        assert!(plans().count() > 0 && plans().all(|line| begins(lines[line - 1], "facts")), "{shown}");
        assert!(plans().all(|line| begins(lines[line + 1], "reason")), "{shown}");
        assert!(lines.iter().all(|line| line.chars().count() <= 80) && shown.contains(plan), "{shown}");
        assert!(!done(&[command, graph]).contains("reason"));
    }
}

#[test]
fn every_algorithm_under_every_scheduler_is_verified() {
    let schedulers =
        ["--scheduler", "default", "--scheduler", "cilk5", "--scheduler", "serial", "--scheduler", "chaos"];
    let trial = [&["--verify", "--workers", "2"][..], &schedulers].concat();
    for graph in ["kronecker(7)", "path(300)"] {
        for (command, algorithms) in [
            ("forest", "auto,pseudo-dfs,phased-bfs,pull,descend,sweep"),
            ("components", "auto,afforest,search,sweep"),
            ("bfs", "auto,top-down,bottom-up"),
        ] {
            let shown = done(&[&[command, graph, "--algorithm", algorithms][..], &trial].concat());
            contains(&shown, &["every result verified", "runner", "filch:cilk5"]);
        }
    }
}

#[test]
fn a_file_that_is_called_like_a_generator_is_read() {
    let directory = Directory::new("called");
    fs::write(directory.0.join("torus(3)"), "0 1\n").unwrap();
    let output = filch(&["forest", "torus(3)"]).current_dir(&directory.0).output().unwrap();
    contains(&stdout(&output), &["torus(3): 2 vertices, 1 edge"]);
}
