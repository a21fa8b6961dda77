//! `filch report`: what is on the page, and that it needs nothing else.

use std::fs;

use clap::CommandFactory;
use filch_cli::Cli;

use crate::helpers::{Directory, contains, done, filch, output, refused};

/// Elements that have no end.
const VOID: [&str; 3] = ["meta", "br", "hr"];

/// Fails unless each element ends, inside of the one in which it began.
#[track_caller]
fn is_well_formed(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let (_, page) = page.split_once("<!doctype html>").unwrap();
    for part in page.split('<').skip(1) {
        let (tag, _) = part.split_once('>').unwrap_or_else(|| panic!("a tag without an end: {part}"));
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{part}");
        } else if !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn the_page_has_for_each_figure_its_command_and_what_was_verified_and_needs_no_other_file() {
    let directory = Directory::new("report");
    let [html, markdown] = ["report.html", "benchmarks.md"].map(|name| directory.0.join(name));
    let [page, text] = [&html, &markdown].map(|path| path.to_str().unwrap());
    done(&["report", "--quick", "--only", "spanning trees", "--out", page, "--markdown", text]);
    let (page, text) = (fs::read_to_string(&html).unwrap(), fs::read_to_string(&markdown).unwrap());

    is_well_formed(&page);
    contains(&page, &["prefers-color-scheme", "<h2 id=\"spanning-trees\">", "href=\"#spanning-trees\"", "<table>"]);
    let figures: Vec<&str> = page.split("<h3>").skip(1).collect();
    assert_eq!((figures.len(), page.matches("<svg role=\"img\" aria-label=").count()), (3, 2));
    for figure in figures {
        contains(figure, &["<code class=\"language-sh\">filch paper figure ", "Verified: every tree", "medians of "]);
    }
    let others = page.replace("http://www.w3.org/2000/svg", "").replace("href=\"#", "");
    for link in ["http:", "https:", "src=", "href=", "url(", "@import", "<script"] {
        assert!(!others.contains(link), "{link}");
    }

    contains(&text, &["\n```sh\nfilch paper figure tascell-12 --size tiny ", "](pictures/xws-1.svg)", "|--:|"]);
    assert!(text.lines().all(|line| line.starts_with(['|', '!']) || line.chars().count() <= 120), "{text}");
    let mut pictures: Vec<_> =
        fs::read_dir(directory.0.join("pictures")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    pictures.sort();
    assert_eq!(pictures, ["tascell-12.svg", "xws-1.svg"]);
}

#[test]
fn every_command_of_the_report_can_be_typed() {
    for quick in [&["report", "--list", "--quick"][..], &["report", "--list"]] {
        let commands = done(quick);
        assert!(commands.lines().count() > 20, "{commands}");
        for line in commands.lines() {
            let words = line.split(' ').map(|word| word.trim_matches('\''));
            Cli::command().try_get_matches_from(words).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
    }
}

#[test]
fn a_command_that_fails_is_told_on_the_page_and_by_the_exit_code() {
    let directory = Directory::new("report-failed");
    let file = directory.0.join("report.html");
    let args = ["report", "--quick", "--only", "schedulers", "--out", file.to_str().unwrap()];
    let output = filch(&args).env("FILCH_WORKERS", "none").output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    contains(&String::from_utf8(output.stderr).unwrap(), &["error: filch bench fib ", " ended with exit code 2"]);
    let page = fs::read_to_string(&file).unwrap();
    is_well_formed(&page);
    contains(&page, &["<strong>Failed</strong>: the command ended with exit code 2", "FILCH_WORKERS=none"]);
}

#[test]
fn sections_that_are_not_there_and_files_that_cannot_be_written_are_refused_before_anything_runs() {
    refused(&["report", "--only", "weather"], &["--only weather", "expected", "Spanning trees"]);
    refused(&["report", "--out", "no/such/directory/report.html"], &["no/such/directory/report.html"]);
    refused(&["report", "--out", "same", "--markdown", "./same"], &["--out and --markdown name the same file"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_command_that_runs_and_leaves_no_file() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let directory = Directory::new("report-interrupted");
    let file = directory.0.join("report.html");
    let mut child = filch(&["report", "--only", "schedulers", "--out", file.to_str().unwrap()])
        .env("TMPDIR", &directory.0)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(told.any(|line| line.unwrap().starts_with("running ")), "the first command has begun");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    // Standard error ends with the last process that has it.
    assert!(told.all(|line| line.is_ok()));
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(directory.entries().is_empty(), "{:?}", directory.entries());
}

#[test]
fn a_report_on_standard_output_is_the_page_alone() {
    let output = output(&["report", "--quick", "--only", "schedulers", "--markdown", "-"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(page.starts_with("# Benchmarks\n"), "{page}");
    contains(&page, &["\n## Schedulers\n", "| fib ", "filch:heartbeat, its time / the peer's"]);
}
