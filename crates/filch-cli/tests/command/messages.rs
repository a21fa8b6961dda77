//! What is said about wrong values: where, what was found, and what is expected. Every option of every command is
//! tried, as clap's own list has them.

use std::process::Stdio;

use clap::{Arg, Command, CommandFactory};
use filch_cli::Cli;

use crate::helpers::filch;

/// A command line that is complete and ends soon, for each command that needs arguments. The tests put a wrong value in
/// front of one of them, or add a wrong option.
const COMPLETE: [(&str, &[&str]); 46] = [
    ("bench", &["fib"]),
    ("bench zoo", &["path(9)"]),
    ("paper sweep heartbeat", &["fib"]),
    ("paper sweep overhead", &["fib"]),
    ("paper sweep tasks", &["fib"]),
    ("paper sweep cab", &["heat"]),
    ("simulate", &["fib:3"]),
    ("profile", &["--", "true"]),
    ("forest", &["path(9)"]),
    ("paper figure", &["heartbeat-7"]),
    ("paper forest", &["path(9)"]),
    ("components", &["path(9)"]),
    ("bfs", &["path(9)"]),
    ("pagerank", &["path(9)"]),
    ("triangles", &["path(9)"]),
    ("cores", &["path(9)"]),
    ("scc", &["path(9)"]),
    ("topological-order", &["path(1)"]),
    ("independent-set", &["path(9)"]),
    ("matching", &["path(9)"]),
    ("colouring", &["path(9)"]),
    ("bipartite", &["path(9)"]),
    ("biconnected", &["path(9)"]),
    ("truss", &["path(9)"]),
    ("clustering", &["path(9)"]),
    ("communities", &["path(9)"]),
    ("betweenness", &["path(9)"]),
    ("closeness", &["path(9)"]),
    ("distances", &["path(9)"]),
    ("walks", &["path(9)"]),
    ("sssp", &["path(9)"]),
    ("msf", &["path(9)"]),
    ("generate", &["path(9)", "--out", "no/such?"]),
    ("graph info", &["path(9)"]),
    ("graph convert", &["path(9)", "--out", "no/such?"]),
    ("search queens", &["4"]),
    ("search pentomino", &["10x6"]),
    ("search sudoku", &["no/such?"]),
    ("search exact-cover", &["no/such?"]),
    ("search knapsack", &["no/such?"]),
    ("search tsp", &["no/such?"]),
    ("search colour", &["no/such?"]),
    ("search uts", &["T3"]),
    ("completions", &["bash"]),
    ("man", &["/dev/null/man"]),
    ("keep-busy", &[]),
];

pub(crate) fn complete(command: &str) -> Vec<String> {
    let rest = COMPLETE.iter().find(|(name, _)| *name == command).map_or(&[][..], |(_, rest)| rest);
    command.split_whitespace().chain(rest.iter().copied()).map(str::to_owned).collect()
}

/// All commands that can be run, by their full names, with the arguments that take values.
pub(crate) fn commands() -> Vec<(String, Vec<Arg>)> {
    fn collect(command: &Command, name: &str, all: &mut Vec<(String, Vec<Arg>)>) {
        let arguments = command.get_arguments().filter(|argument| argument.get_action().takes_values());
        if !command.is_subcommand_required_set() && !command.is_hide_set() {
            all.push((name.to_owned(), arguments.cloned().collect()));
        }
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            collect(inner, format!("{name} {}", inner.get_name()).trim_start(), all);
        }
    }
    let mut all = Vec::new();
    let mut cli = Cli::command();
    cli.build();
    collect(&cli, "", &mut all);
    all
}

/// The command line of this command, with this value for this argument.
pub(crate) fn with(command: &str, argument: &Arg, value: &str) -> Vec<String> {
    match argument.get_long() {
        // Options that exclude each other, or need each other, are not this test's concern.
        Some(long) => {
            let mut line = complete(command);
            if let Some(place) = line.iter().position(|word| *word == format!("--{long}")) {
                line.drain(place..place + 2);
            }
            let idle = ["seconds", "samples", "calls", "forks", "pause"];
            if command == "machine" && idle.contains(&long) {
                line.push("--idle".into());
            }
            // What comes behind `--` is no option of the command.
            let end = line.iter().position(|word| word == "--").unwrap_or(line.len());
            line.insert(end, format!("--{long}={value}"));
            line
        }
        None => {
            let mut line = complete(command);
            let words = command.split_whitespace().count();
            let place = if line.get(words).is_some_and(|word| word == "--") { words + 1 } else { words };
            match line.get_mut(place) {
                Some(positional) => value.clone_into(positional),
                None => line.push(value.to_owned()),
            }
            line
        }
    }
}

fn says_what_is_expected(message: &str) -> bool {
    let phrases =
        ["expected", "possible values: ", "a value is required for", "no such ", "similar", "is no ", "one of"];
    phrases.iter().any(|phrase| message.contains(phrase))
}

const WRONG: [&str; 5] = ["", "no/such?", "-1", "0.5x", "99999999999999999999999999"];

#[test]
fn every_value_that_cannot_be_read_is_named_with_its_option_and_what_is_expected() {
    let (mut tried, mut unclear) = (0, Vec::new());
    for (command, arguments) in commands() {
        for argument in &arguments {
            for value in WRONG {
                let line = with(&command, argument, value);
                let Err(error) =
                    Cli::command().try_get_matches_from(["filch".to_owned()].into_iter().chain(line.clone()))
                else {
                    continue;
                };
                tried += 1;
                let message = error.to_string();
                let name = argument.get_long().map_or_else(|| argument.to_string(), |long| format!("--{long}"));
                let is_clear = says_what_is_expected(&message)
                    && message.contains(value)
                    && message.contains(name.trim_end_matches("..."))
                    && !["invalid digit", "too large to fit", "is not in", "must be"]
                        .iter()
                        .any(|it| message.contains(it));
                if !is_clear {
                    unclear.push(format!("{line:?}: {message}"));
                }
            }
        }
    }
    assert!(unclear.is_empty(), "{}", unclear.join("\n"));
    assert!(tried > 300, "{tried}");
}

#[test]
fn every_value_that_only_the_command_can_judge_is_refused_with_what_is_expected() {
    let (mut tried, mut unclear) = (0, Vec::new());
    for (command, arguments) in commands() {
        for argument in &arguments {
            // A folder that is not there is made by `man`, but none can be made below a file.
            let nowhere = if command == "man" { "Cargo.toml/no?" } else { "no/such?" };
            for value in ["", nowhere] {
                let line = with(&command, argument, value);
                if Cli::command().try_get_matches_from(["filch".to_owned()].into_iter().chain(line.clone())).is_err() {
                    continue;
                }
                tried += 1;
                let words: Vec<&str> = line.iter().map(String::as_str).collect();
                let output = filch(&words).stdin(Stdio::null()).output().unwrap();
                let message = String::from_utf8(output.stderr).unwrap();
                let is_clear = output.status.code() == Some(2) && output.stdout.is_empty();
                if !is_clear
                    || !says_what_is_expected(&message)
                    || !message.contains(value) && !message.contains("--out writes")
                {
                    unclear.push(format!("{line:?}: {:?}: {message}", output.status.code()));
                }
            }
        }
    }
    assert!(unclear.is_empty(), "{}", unclear.join("\n"));
    assert!(tried > 50, "{tried}");
}

#[test]
fn no_command_takes_more_runs_than_it_can_count() {
    let mut tried = 0;
    for (command, arguments) in commands() {
        for argument in arguments.iter().filter(|argument| argument.get_long() == Some("runs")) {
            for value in ["1000001", "18446744073709551615"] {
                let line = with(&command, argument, value);
                let parsed = Cli::command().try_get_matches_from(["filch".to_owned()].into_iter().chain(line.clone()));
                let message = parsed.expect_err(&format!("{line:?}")).to_string();
                assert!(message.contains("--runs") && message.contains("from 1 to 1000000"), "{line:?}: {message}");
                tried += 1;
            }
        }
    }
    assert!(tried > 30, "{tried}");
}
