//! `--format`, and `-` as an input or output: standard output then has what was asked for alone, and what is meant for
//! people goes to standard error.

use std::fs;
use std::io::Read;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::helpers::{Directory, done, fed, figures, filch, gzip, refused, stdout};

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
fn standard_output_has_figures_in_one_form_alone_whatever_the_command() {
    for args in [
        &["bench", "fib", "--n", "5", "--runs", "1", "--workers", "1"][..],
        &["bench", "zoo", "path(9)", "--runs", "1"],
        &["paper", "sweep", "heartbeat", "fib", "--n", "5", "--runs", "1", "--periods", "1ms..1ms", "--workers", "1"],
        &["paper", "sweep", "tasks", "fib", "--n", "5", "--runs", "1", "--workers", "1"],
        &["simulate", "fib:5", "--workers", "2"],
        &["paper", "figure", "cilk5-6-simulated", "--size", "tiny", "--runs", "1"],
        &["forest", "path(9)"],
        &["components", "path(9)"],
        &["graph", "info", "path(9)"],
        &["search", "queens", "5"],
        &["doctor"],
        &["stress", "--cases", "1"],
        &["paper", "knary", "--nodes", "50", "--runs", "1", "--workers", "2"],
        &["paper", "steals", "--nodes", "50", "--runs", "1", "--workers", "2"],
        &["paper", "sweep", "sequentialise", "--leaves", "2", "--runs", "1", "--workers", "2"],
    ] {
        let (shown, told) = both(&[args, &["--format", "json"]].concat());
        serde_json::from_str::<Value>(&shown).unwrap_or_else(|error| panic!("{args:?}: {error}: {shown}"));
        assert!(told.lines().count() > 1, "{args:?}: the tables are on standard error: {told}");
        let (shown, told) = both(&[args, &["--format", "csv", "--quiet"]].concat());
        let (header, lines) = shown.split_once('\n').unwrap();
        assert!(header.split(',').count() > 2 && lines.lines().count() > 0, "{args:?}: {shown}");
        assert_eq!(told, "", "{args:?}");
        let (shown, _) = both(&[args, &["--format", "markdown", "--quiet"]].concat());
        let is_row = |line: &str| line.starts_with('|') && line.ends_with('|');
        assert!(shown.lines().count() > 2 && shown.lines().all(is_row), "{args:?}: {shown}");
    }
}

#[test]
fn a_quiet_command_says_nothing_but_its_result() {
    let (shown, told) = both(&["bench", "fib", "--n", "5", "--runs", "1", "--workers", "1", "--quiet"]);
    assert!(shown.contains("\nfib 5: ") && told.is_empty(), "{told}");
    let (shown, told) = both(&["--quiet", "generate", "path(3)", "--out", "-"]);
    assert_eq!((shown.lines().count(), &*told), (4, ""));
    let output = filch(&["components", "none.el", "--quiet"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: none.el: no such file"), "{output:?}");
}

/// What a shell does with this line, in which `filch` is the command that is tested.
#[cfg(unix)]
fn shell(line: &str) -> Output {
    let line = line.replace("filch ", &format!("{} ", env!("CARGO_BIN_EXE_filch")));
    Command::new("sh").args(["-c", &line]).output().unwrap()
}

#[cfg(unix)]
#[test]
fn commands_compose_by_pipes_also_compressed() {
    for through in ["", "gzip -c | "] {
        let generated = "filch generate 'kronecker(10)' --out - 2>/dev/null";
        let output = shell(&format!("{generated} | {through}filch components - --format json --quiet"));
        let rows: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&rows[0]["graph"], &rows[0]["symmetric"]), (&"standard input".into(), &true.into()), "{rows}");
        assert!(rows[0]["components"].as_u64().unwrap() > 0 && output.stderr.is_empty(), "{output:?}");
    }
    let converted =
        shell("filch graph convert 'torus(3)' --out - | filch graph convert - --out - | filch bfs - --out -");
    assert_eq!(stdout(&converted).lines().count(), 9, "{converted:?}");
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_enough_ends_the_command_quietly() {
    for args in [
        &["generate", "path(1000000)", "--out", "-"][..],
        &["components", "path(1000000)", "--out", "-"],
        &["msf", "path(1000000)", "--weights", "unit", "--out", "-"],
        &["search", "queens", "12", "--all"],
        &["completions", "bash"],
        &["bench", "--help-all"],
    ] {
        let mut child = filch(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut out = child.stdout.take().unwrap();
        out.read_exact(&mut [0; 2]).unwrap();
        drop(out);
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(!told.contains("error") && !told.contains("panic"), "{args:?}: {told}");
    }
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    // A frame of raw blocks: magic, no content size, blocks of up to 128 KiB.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
    let last = bytes.chunks(1 << 17).count() - 1;
    for (place, block) in bytes.chunks(1 << 17).enumerate() {
        let header = (block.len() as u32) << 3 | u32::from(place == last);
        frame.extend(&header.to_le_bytes()[..3]);
        frame.extend(block);
    }
    frame
}

#[test]
fn graphs_of_every_text_format_are_read_from_standard_input_compressed_or_not() {
    let directory = Directory::new("standard-formats");
    for (ending, weights) in
        [("el", "none"), ("mtx", "none"), ("graph", "none"), ("adj", "none"), ("wel", "unit"), ("gr", "unit")]
    {
        let file = directory.0.join(format!("torus.{ending}"));
        let path = file.to_str().unwrap();
        done(&["graph", "convert", "torus(4)", "--weights", weights, "--out", path]);
        let bytes = fs::read(&file).unwrap();
        let (expected, _) = figures(&["graph", "info", path]);
        for input in [bytes.clone(), gzip(&bytes), zstd(&bytes)] {
            let found: Value = serde_json::from_str(&fed(&["graph", "info", "-", "--format", "json"], &input)).unwrap();
            for figure in ["vertices", "arcs", "edges", "symmetric", "weights", "components"] {
                assert_eq!(found[figure], expected[figure], "{ending}: {figure}");
            }
        }
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
    refused(&["bench", "fib", "--format", "csv", "--svg", "-"], &["--format and --svg both", "standard output"]);
    refused(&["bfs", "path(9)", "--out", "-", "--parents", "-"], &["--parents", "--out", "both name standard output"]);
}

#[test]
fn a_file_that_is_called_so_is_written_by_its_path() {
    let directory = Directory::new("standard-path");
    let output = filch(&["generate", "path(3)", "--out", "./-.el"]).current_dir(&directory.0).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let output = filch(&["paper", "knary", "--nodes", "20", "--runs", "1", "--workers", "2", "--svg", "./-"])
        .current_dir(&directory.0)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let mut entries = directory.entries();
    entries.sort();
    assert_eq!(entries, ["-", "-.el"]);
}
