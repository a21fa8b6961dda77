//! All refusals have one style, whatever the command: the progress so far, then `error: `, where it is, what was
//! expected and what was found, and exit code 2.

use std::process::Stdio;

use crate::helpers::{Directory, filch, refused};
use crate::messages::{commands, complete, with};

/// What is wrong with this refusal of a command line.
fn fault(line: &[String], words: &[&str]) -> Option<String> {
    let args: Vec<&str> = line.iter().map(String::as_str).collect();
    let output = filch(&args).stdin(Stdio::null()).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    let message: Vec<&str> = told.lines().filter(|line| !line.ends_with(" ...")).collect();
    let is_one =
        message.first().is_some_and(|first| first.starts_with("error: ")) && told.matches("error:").count() == 1;
    let is_clear = words.iter().any(|word| told.contains(word));
    let is_refused = output.status.code() == Some(2) && output.stdout.is_empty();
    (!is_one || !is_clear || !is_refused).then(|| format!("{line:?}: {:?}: {told}", output.status.code()))
}

#[test]
fn an_option_that_no_command_has_is_refused_by_each() {
    let faults: Vec<String> = commands()
        .iter()
        .filter_map(|(command, _)| {
            let mut line = complete(command);
            // What comes behind `--` is no option of the command.
            let end = line.iter().position(|word| word == "--").unwrap_or(line.len());
            line.insert(end, "--no-such-option".into());
            fault(&line, &["unexpected argument '--no-such-option' found"])
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_missing_file_and_a_folder_instead_of_a_file_are_refused_by_each() {
    let directory = Directory::new("folder.txt");
    let folder = directory.0.to_str().unwrap();
    let (mut tried, mut faults) = (0, Vec::new());
    for (command, arguments) in commands() {
        let is_file = |name: &str| ["FILE", "GRAPH", "PROGRAM=FILE"].contains(&name);
        let named = |argument: &&clap::Arg| {
            argument.get_value_names().is_some_and(|names| names.iter().any(|name| is_file(name)))
        };
        for argument in arguments.iter().filter(named) {
            for (value, words) in [("no/such/file.txt", ["no such", "expected"]), (folder, ["directory", "expected"])] {
                let input = format!("suffixarray={value}");
                let value = if argument.get_id() == "input" && command == "paper figure" { &input } else { value };
                tried += 1;
                faults.extend(fault(&with(&command, argument, value), &words));
            }
        }
    }
    assert!(faults.is_empty(), "{} of {tried}\n{}", faults.len(), faults.join("\n"));
    assert!(tried > 100, "{tried}");
}

#[test]
fn a_name_that_is_nearly_right_is_told() {
    let directory = Directory::new("nearly");
    let file = directory.0.join("roads.el");
    std::fs::write(&file, "0 1\n").unwrap();
    let there = file.display().to_string();
    refused(
        &["bfs", &there.replace("roads", "raods")],
        &["no such file", &format!("tip: a similar file exists: '{there}'")],
    );
    let recorded = directory.0.join("sort.filch").display().to_string();
    std::fs::write(&recorded, "").unwrap();
    refused(
        &["simulate", &recorded.replace("sort", "srot")],
        &["no such file", &format!("tip: a similar file exists: '{recorded}'")],
    );
    for (args, name) in [
        (&["bench", "fibb"][..], "fib"),
        (&["components", "debain"], "debian"),
        (&["components", "kroneker(9)"], "kronecker"),
        (&["generate", "toros(9)", "--out", "-"], "torus"),
        (&["bench", "zoo", "lolipop(9,9)"], "lollipop"),
        (&["components", "path(9)", "--algorithm", "aforest"], "afforest"),
        (&["bfs", "path(9)", "--algorithm", "auto,top-dwn"], "top-down"),
        (&["forest", "path(9)", "--algorithm", "pseudo-dsf"], "pseudo-dfs"),
        (&["bench", "fib", "--scheduler", "hartbeat,period=1ms"], "heartbeat"),
        (&["paper", "figure", "tascel-12"], "tascell-12"),
        (&["simulate", "mergsort:9"], "mergesort"),
        (&["search", "quens", "8"], "queens"),
    ] {
        refused(args, &[&format!("exists: '{name}'")]);
    }
}
