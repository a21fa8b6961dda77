//! `-` as an output: standard output then has the output alone, and what is meant for people goes to standard error.

use std::fs;

use serde_json::Value;

use crate::helpers::{Directory, filch, refused, stdout};

/// What the command writes to standard output, and to standard error. No file may be called `-`.
#[track_caller]
fn both(args: &[&str]) -> (String, String) {
    let directory = Directory::new(&format!("standard-{}", args.join("-").replace(['/', '(', ')', ','], "_")));
    let output = filch(args).current_dir(&directory.0).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
    assert!(directory.entries().is_empty(), "{args:?}: {:?}", directory.entries());
    (stdout(&output), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn figures_on_standard_output_are_json_alone_whatever_the_command() {
    for args in [
        &["bench", "fib", "--n", "5", "--runs", "1", "--workers", "1"][..],
        &["bench", "zoo", "path(9)", "--runs", "1"],
        &["paper", "sweep", "heartbeat", "fib", "--n", "5", "--runs", "1", "--periods", "1ms..1ms", "--workers", "1"],
        &["paper", "sweep", "tasks", "fib", "--n", "5", "--runs", "1", "--workers", "1"],
        &["simulate", "fib:5", "--workers", "2"],
        &["paper", "figure", "heartbeat-7", "--size", "tiny"],
        &["forest", "path(9)"],
        &["components", "path(9)"],
        &["graph", "info", "path(9)"],
        &["search", "queens", "5"],
        &["machine"],
    ] {
        let (shown, told) = both(&[args, &["--json", "-"]].concat());
        serde_json::from_str::<Value>(&shown).unwrap_or_else(|error| panic!("{args:?}: {error}: {shown}"));
        assert!(told.lines().count() > 1, "{args:?}: the tables are on standard error: {told}");
    }
}

#[test]
fn results_graphs_and_pictures_on_standard_output_are_as_in_a_file() {
    let directory = Directory::new("standard-files");
    let written = |name: &str, args: &[&str], option: &str| {
        let file = directory.0.join(name);
        let output = filch(&[args, &[option, file.to_str().unwrap()]].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        fs::read_to_string(file).unwrap()
    };
    let one = ["--workers", "1"];
    for (name, args, option) in [
        ("a.el", &["generate", "random(50,4)"][..], "--out"),
        ("b.wel", &["generate", "random(50,4)", "--weights"], "--out"),
        ("c.el", &["graph", "convert", "torus(5)"], "--out"),
        ("d.txt", &[&["components", "random(50,1)"], &one[..]].concat(), "--out"),
        ("e.txt", &[&["bfs", "torus(5)"], &one[..]].concat(), "--parents"),
        ("f.txt", &[&["sssp", "torus(5)", "--weights", "uniform"], &one[..]].concat(), "--out"),
        ("g.txt", &[&["msf", "torus(5)", "--weights", "uniform"], &one[..]].concat(), "--out"),
        ("h.txt", &[&["pagerank", "torus(5)"], &one[..]].concat(), "--out"),
        ("i.svg", &["simulate", "fib:9", "--workers", "2", "--seeds", "1"], "--svg"),
        ("j.svg", &["simulate", "fib:9", "--workers", "2", "--seeds", "1"], "--timeline"),
    ] {
        let (shown, _) = both(&[args, &[option, "-"]].concat());
        assert_eq!(shown, written(name, args, option), "{args:?}");
    }
}

#[test]
fn a_recording_on_standard_output_is_one_that_can_be_simulated() {
    let directory = Directory::new("standard-record");
    let output = filch(&["bench", "fib", "--n", "5", "--record", "-"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let file = directory.0.join("fib.filch");
    fs::write(&file, output.stdout).unwrap();
    let simulated = filch(&["simulate", file.to_str().unwrap(), "--workers", "2", "--seeds", "1"]).output().unwrap();
    assert_eq!(simulated.status.code(), Some(0), "{simulated:?}");
}

#[test]
fn two_outputs_cannot_both_be_standard_output() {
    refused(&["bench", "fib", "--json", "-", "--svg", "-"], &["--json and --svg both", "standard output"]);
    refused(&["bfs", "path(9)", "--out", "-", "--parents", "-"], &["--parents", "--out", "both name standard output"]);
}

#[test]
fn a_file_that_is_called_so_is_written_by_its_path() {
    let directory = Directory::new("standard-path");
    let output = filch(&["generate", "path(3)", "--out", "./-.el"]).current_dir(&directory.0).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let output = filch(&["search", "queens", "4", "--json", "./-"]).current_dir(&directory.0).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let mut entries = directory.entries();
    entries.sort();
    assert_eq!(entries, ["-", "-.el"]);
}
