//! Output files, which are written completely or not at all.

use std::fs;

use crate::helpers::{Directory, done, refused};

#[test]
fn no_file_is_touched_when_something_else_is_wrong() {
    let directory = Directory::new("untouched");
    let file = directory.0.join("ratios.svg");
    refused(&["bench", "fib", "--n", "99", "--svg", file.to_str().unwrap()], &["from 0 to 60"]);
    assert!(directory.entries().is_empty());
}

#[test]
fn bench_writes_a_picture_of_every_program_and_runner() {
    let directory = Directory::new("page");
    let svg = directory.0.join("ratios.svg");
    let svg = svg.to_str().unwrap();
    done(&["bench", "fib", "queens", "--n", "8", "--runs", "6", "--workers", "1,2", "--svg", svg]);
    assert_eq!(directory.entries(), ["ratios.svg"], "no temporary file is left");

    let svg = fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
    for word in ["\nfib\n", "\nqueens\n", "\nfilch:default\n", "\nrayon\n", "\nchili\n", "\nP = 2\n", "of 6 runs"] {
        assert!(svg.contains(word), "{word:?}: {svg}");
    }
}

#[test]
fn files_that_cannot_be_written_as_asked_are_refused_before_anything_is_measured() {
    let directory = Directory::new("refused");
    let file = directory.0.join("file");
    let file = file.to_str().unwrap();
    // This would run for hours.
    let bench = ["bench", "fib", "--size", "paper", "--runs", "100000"];
    let refused = |args: &[&str], words: &[&str]| refused(&[&bench[..], args].concat(), words);
    refused(&["--svg", "no/such/directory/a.svg"], &["no/such/directory/a.svg"]);
    refused(&["--svg", "/"], &["/", "directory"]);
    refused(&["--svg", file, "--against", "rayon"], &["--svg", "serial", "--against"]);
    assert!(directory.entries().is_empty());
}
