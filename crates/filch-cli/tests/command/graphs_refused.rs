//! Commands on graphs that fail: exit code 2, a message with file, line and fault, and no output file.

use std::fs;
use std::path::Path;

use crate::helpers::{Directory, output, refused};

/// Every command that reads graphs must refuse this input with these words, and must write nothing.
#[track_caller]
fn refused_input(test: &str, content: &[u8], options: &[&str], words: &[&str]) {
    let directory = Directory::new(test);
    let input = directory.0.join("input.el");
    fs::write(&input, content).unwrap();
    let input = input.to_str().unwrap();
    let named: Vec<&str> = words.iter().copied().chain(["input.el"]).collect();
    refused_by_all(&directory, input, options, &named);
    assert_eq!(directory.entries(), ["input.el"]);
}

#[track_caller]
fn refused_by_all(directory: &Directory, input: &str, options: &[&str], words: &[&str]) {
    let out = directory.0.join("out.txt");
    let files = ["--out", out.to_str().unwrap()];
    for command in ["forest", "components", "bfs"] {
        refused(&[&[command, input], options, &files].concat(), words);
    }
    refused(&[&["graph", "info", input], options].concat(), words);
}

#[test]
fn bad_lines_are_refused_by_number_and_column() {
    refused_input("lines", b"0 1\n1 -2\n", &[], &["2:3", "-2"]);
    refused_input("lines", b"0 1\n1 99999999999999999999999\n", &[], &["2:3", "99999999999999999999999"]);
    refused_input("lines", b"0 1\n1 4294967296\n", &[], &["2:3", "4294967296"]);
    refused_input("lines", b"# three\n0 1\n1 3\n", &["--vertices", "3"], &["3:3", "3 is out of range"]);
    refused_input("lines", b"0 1\n1 two\n", &[], &["2:3", "two", "--renumber"]);
    refused_input("lines", b"a,b\nann,bob\n", &["--renumber"], &["1:1", "separated by spaces or tabs", "a,b"]);
    refused_input("lines", b"% bip unweighted\n1 1\n1 2\n", &[], &["1:1", "bipartite", "two kinds of vertices"]);
    refused_input("lines", b"0 1\n1\n", &[], &["2:", "second vertex"]);
    refused_input("lines", b"0 1\n1 99999999\n", &[], &["highest vertex 99999999", "--vertices"]);
    refused_input("lines", b"\xff\xfe0\0 \x001\0\n\0", &[], &["1:1", "UTF-16"]);
    refused_input("lines", b"1 2\n0 1\n", &["--one-based"], &["2:1", "vertex 0", "--one-based"]);
}

#[test]
fn a_third_column_is_refused_where_it_is_no_weight() {
    let directory = Directory::new("column");
    let input = directory.0.join("input.el");
    fs::write(&input, "0 1 0.5\n").unwrap();
    for command in ["forest", "components", "bfs"] {
        refused(&[command, input.to_str().unwrap()], &["input.el:1:5", "0.5", "--extra-columns"]);
    }
}

#[test]
fn a_file_that_cannot_have_the_weights_is_refused_before_the_graph_is_made() {
    let directory = Directory::new("before");
    let path = |name: &str| directory.0.join(name).to_str().unwrap().to_owned();
    let [weighted, plain] = ["out.wel", "out.sg"].map(path);
    for (command, words) in [
        (&["generate", "torus(3)", "--out", &weighted][..], "requires weights"),
        (&["generate", "torus(3)", "--weights", "--out", &plain][..], "has no weights"),
        (&["graph", "convert", "torus(3)", "--weights", "none", "--out", &weighted][..], "requires weights"),
        (&["graph", "convert", "torus(3)", "--weights", "unit", "--out", &plain][..], "has no weights"),
    ] {
        refused(command, &["cannot write", words]);
        let said = String::from_utf8(output(command).stderr).unwrap();
        assert!(!said.contains("generating"), "{said}");
    }
    assert!(directory.entries().is_empty());
}

#[test]
fn names_that_begin_like_comments_of_other_formats_are_names() {
    refused_input("names", b"cat dog\n", &[], &["1:1", "cat", "--renumber"]);
}

#[test]
fn files_without_a_graph_are_refused() {
    refused_input("empty", b"", &[], &["no edges"]);
    refused_input("empty", b"# nothing\n\n", &[], &["no edges"]);
    let directory = Directory::new("no-graph");
    let missing = directory.0.join("missing.el");
    refused_by_all(&directory, missing.to_str().unwrap(), &[], &["missing.el", "no such file"]);
    refused_by_all(&directory, directory.0.to_str().unwrap(), &[], &["directory"]);
    assert!(directory.entries().is_empty());
}

#[test]
fn truncated_files_are_refused() {
    let directory = Directory::new("truncated");
    for name in ["whole.el.gz", "whole.el.zst", "whole.sg"] {
        let whole = directory.0.join(name);
        let generated = output(&["generate", "random(3000,2)", "--out", whole.to_str().unwrap()]);
        assert_eq!(generated.status.code(), Some(0), "{generated:?}");
        let content = fs::read(&whole).unwrap();
        fs::remove_file(&whole).unwrap();
        let cut = directory.0.join(format!("cut-{name}"));
        fs::write(&cut, &content[..content.len() / 2]).unwrap();
        refused_by_all(&directory, cut.to_str().unwrap(), &[], &[&format!("cut-{name}")]);
        fs::remove_file(cut).unwrap();
    }
    assert!(directory.entries().is_empty());
}

/// Root can read everything, so for root there is nothing to refuse.
#[cfg(unix)]
#[test]
fn a_file_that_must_not_be_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let directory = Directory::new("permission");
    let secret = directory.0.join("secret.el");
    fs::write(&secret, "0 1\n").unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&secret).is_err() {
        refused_by_all(&directory, secret.to_str().unwrap(), &[], &["secret.el", "permission"]);
    }
    assert_eq!(directory.entries(), ["secret.el"]);
}

/// A limit on the size of files stands for a full disk: a write fails in the middle of the file.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_and_no_output_is_left() {
    use std::process::Command;
    let directory = Directory::new("full");
    for (command, option, name) in [
        ("generate", "--out", "out.el"),
        ("generate", "--out", "out.sg"),
        ("components", "--out", "out.txt"),
        ("forest", "--out", "out.npy"),
    ] {
        let limited = r#"trap '' XFSZ && ulimit -f 8 && exec "$0" "$@""#;
        let file = directory.0.join(name);
        let args = [command, "random(20000,2)", option, file.to_str().unwrap()];
        let output = Command::new("sh").args(["-c", limited, env!("CARGO_BIN_EXE_filch")]).args(args).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.contains("cannot write") && message.contains(name), "{args:?}: {message}");
        assert!(directory.entries().is_empty(), "{:?}", directory.entries());
    }
}

#[test]
fn outputs_that_cannot_be_written_as_asked_are_refused_before_anything_is_read() {
    let refused = |args: &[&str], words: &[&str]| {
        // This file would be refused too, but later.
        refused(&[&["components", "missing.el"], args].concat(), words);
    };
    refused(&["--out", "labels.csv"], &["labels.csv", ".npy", ".txt"]);
    refused(&["--out", "no/such/directory/labels.npy"], &["no/such/directory/labels.npy"]);
}

#[test]
fn words_that_mean_nothing_are_refused_with_what_is_expected() {
    refused(&["forest", "ball(3)"], &["ball(3)"]);
    refused(&["forest", "torus(0)"], &["torus(0)"]);
    refused(&["forest", "torus(many)"], &["torus(many)"]);
    refused(&["forest", "debian", "--one-based"], &["--one-based", "debian"]);
    refused(&["forest", "torus(3)", "--algorithm", "magic"], &["magic", "descend", "pseudo-dfs"]);
    refused(&["forest", "torus(3)", "--batches", "0"], &["--batches", "adaptive"]);
    refused(&["forest", "torus(3)", "--algorithm", "sweep", "--batches", "8"], &["--batches", "pseudo-dfs"]);
    refused(&["components", "torus(3)", "--algorithm", "magic"], &["magic", "afforest"]);
    refused(&["bfs", "torus(3)", "--algorithm", "sideways"], &["sideways", "top-down"]);
    refused(&["bfs", "torus(3)", "--root", "-1"], &["-1", "from 0 to 8"]);
    refused(&["components", "torus(3)", "--vertices", "0"], &["--vertices", "from 1 up"]);
    refused(&["generate", "random(3000000000,4000)", "--out", "r.sg"], &["random(3000000000,4000): no memory"]);
    refused(&["bfs", "torus(3)", "--root", "9"], &["9", "from 0 to 8"]);
    refused(&["bfs", "torus(3)", "--root", "libc6"], &["libc6", "--labels"]);
    refused(&["bfs", "debian", "--root", "firefox"], &["firefox", "firefox-esr"]);
    refused(&["forest", "torus(3)", "--runs", "0"], &["--runs", "from 1 to 1000000"]);
    refused(&["forest", "torus(3)", "--workers", "0"], &["--workers", "from 1 up"]);
    refused(&["forest", "torus(3)", "--scheduler", "fast"], &["fast", "cilk5"]);
    refused(&["forest", "torus(3)", "--against", "rayon"], &["rayon", "serial"]);
    refused(&["forest"], &["<GRAPH>"]);
    refused(&["generate", "torus(3)"], &["--out"]);
    refused(&["generate", "debian", "--out", "debian.sg"], &["debian"]);
    refused(&["generate", "torus(3)", "--out", "torus.npy"], &["torus.npy", ".sg"]);
    refused(&["generate", "kronecker(99)", "--out", "k.sg"], &["kronecker(99"]);
    assert!(!Path::new("k.sg").exists() && !Path::new("debian.sg").exists());
}

#[test]
fn names_that_do_not_fit_the_graph_are_refused() {
    let directory = Directory::new("labels-of-a-graph");
    let [few, twice] = ["few.txt", "twice.txt"].map(|name| directory.0.join(name));
    fs::write(&few, "a\nb\n").unwrap();
    fs::write(&twice, "a\nb\na\n").unwrap();
    refused(&["forest", "path(3)", "--labels", few.to_str().unwrap()], &["few.txt", "2 names", "expected 3"]);
    refused(&["forest", "path(3)", "--labels", twice.to_str().unwrap()], &["twice.txt:3", "line 1"]);
    refused(&["forest", "path(3)", "--labels", "missing.txt"], &["missing.txt", "no such file"]);
}

#[test]
fn a_file_that_is_read_is_not_replaced_by_results() {
    let directory = Directory::new("read-and-written");
    let [graph, names] = ["graph.txt", "names.txt"].map(|name| directory.0.join(name).to_str().unwrap().to_owned());
    fs::write(&graph, "0 1\n").unwrap();
    fs::write(&names, "a\nb\n").unwrap();
    refused(&["forest", &graph, "--out", &graph], &["GRAPH and --out name the same file"]);
    let labels = ["bfs", &graph, "--labels", &names, "--parents", &names];
    refused(&labels, &["--labels and --parents name the same file"]);
    refused(&["graph", "convert", &graph, "--out", &graph], &["GRAPH and --out name the same file"]);
    assert_eq!((fs::read(&graph).unwrap(), fs::read(&names).unwrap()), (b"0 1\n".to_vec(), b"a\nb\n".to_vec()));
}

#[test]
fn what_is_about_edge_lists_is_refused_with_a_serialized_graph() {
    let directory = Directory::new("serialized");
    let file = directory.0.join("torus.sg");
    let file = file.to_str().unwrap();
    assert_eq!(output(&["generate", "torus(3)", "--out", file]).status.code(), Some(0));
    for option in [&["--one-based"][..], &["--vertices", "9"], &["--extra-columns"]] {
        refused(
            &[&["components", file], option].concat(),
            &[option[0], "edge lists", "torus.sg is a serialized graph"],
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_never_end_are_refused() {
    refused(&["forest", "path(3)", "--labels", "/dev/zero"], &["/dev/zero:1:", "a line of more than"]);
}
