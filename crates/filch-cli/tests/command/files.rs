//! Output files, which are written completely or not at all.

use std::fs;

use crate::helpers::{Directory, output, refused};

#[test]
fn no_file_is_touched_when_something_else_is_wrong() {
    let directory = Directory::new("untouched");
    let file = directory.0.join("rows.json");
    refused(&["bench", "fib", "--n", "99", "--json", file.to_str().unwrap()], &["from 0 to 60"]);
    assert!(directory.entries().is_empty());
}

#[test]
fn bench_writes_a_picture_and_a_page_that_holds_it() {
    let directory = Directory::new("page");
    let [json, svg, html] = ["rows.json", "ratios.svg", "page.html"].map(|name| directory.0.join(name));
    let [json, svg, html] = [&json, &svg, &html].map(|path| path.to_str().unwrap());
    let output = output(&[
        "bench",
        "fib",
        "queens",
        "--n",
        "8",
        "--runs",
        "6",
        "--workers",
        "1,2",
        "--json",
        json,
        "--svg",
        svg,
        "--html",
        html,
    ]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let mut entries = directory.entries();
    entries.sort();
    assert_eq!(entries, ["page.html", "ratios.svg", "rows.json"], "no temporary file is left");

    let [svg, html] = [svg, html].map(|path| fs::read_to_string(path).unwrap());
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
    for word in ["\nfib\n", "\nqueens\n", "\nfilch:default\n", "\nrayon\n", "\nchili\n", "\nP = 2\n", "of 6 runs"] {
        assert!(svg.contains(word), "{word:?}: {svg}");
    }
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>") && html.contains(&svg), "{html}");
    for word in
        ["--runs 6 --workers 1,2", "The results of all 16 rows are verified.", "serial-again is the serial program,"]
    {
        assert!(html.contains(word), "{word:?}: {html}");
    }
    assert_eq!(html.matches("<td>verified</td>").count(), 16, "{html}");
}

/// Linux and macOS allow any name.
#[cfg(unix)]
#[test]
fn the_page_shows_the_command_line_as_text_whatever_is_in_it() {
    let directory = Directory::new("escaped");
    let file = directory.0.join("<b>'&.html");
    let output = output(&[
        "bench",
        "fib",
        "--n",
        "8",
        "--runs",
        "1",
        "--workers",
        "1",
        "--against",
        "rayon",
        "--html",
        file.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let page = fs::read_to_string(file).unwrap();
    assert!(page.contains("&lt;b&gt;") && !page.contains("<b>"), "{page}");
    assert!(page.contains("There is no picture"), "{page}");
}

#[test]
fn files_that_cannot_be_written_as_asked_are_refused_before_anything_is_measured() {
    let directory = Directory::new("refused");
    let file = directory.0.join("file");
    let (file, same) = (file.to_str().unwrap(), directory.0.join(".").join("file"));
    let same = same.to_str().unwrap();
    // This would run for hours.
    let bench = ["bench", "fib", "--size", "paper", "--runs", "100000"];
    let refused = |args: &[&str], words: &[&str]| refused(&[&bench[..], args].concat(), words);
    refused(&["--svg", file, "--html", same], &["--svg", "--html", "same file"]);
    refused(&["--json", file, "--svg", file], &["--json", "--svg", "same file"]);
    refused(&["--json", file, "--html", file], &["--json", "--html", "same file"]);
    refused(&["--json", file, "--svg", "no/such/directory/a.svg"], &["no/such/directory/a.svg"]);
    refused(&["--json", file, "--html", "/"], &["/", "directory"]);
    refused(&["--svg", file, "--against", "rayon"], &["--svg", "serial", "--against"]);
    assert!(directory.entries().is_empty());
}
