//! The pages of `--help` and `--help-all`.

use clap::Command;
use filch_cli::Cli;
use filch_cli::help::{EXAMPLES, parts};

/// All commands that users see but the first, by their full names.
fn commands() -> Vec<(String, Command)> {
    fn collect(command: &Command, name: &str, all: &mut Vec<(String, Command)>) {
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help" && !inner.is_hide_set()) {
            let name = format!("{name} {}", inner.get_name());
            collect(inner, &name, all);
            all.push((name, inner.clone()));
        }
    }
    let mut whole = Cli::line();
    whole.build();
    let mut all = Vec::new();
    collect(&whole, "filch", &mut all);
    assert!(all.len() > 40, "{}", all.len());
    all
}

const SCREEN: (usize, usize) = (80, 40);

#[test]
fn each_page_begins_with_three_examples_and_ends_within_a_screen() {
    let mut wrong = Vec::new();
    for (name, command) in commands() {
        let page = command.term_width(SCREEN.0).render_help().to_string();
        let examples = page.lines().skip_while(|line| *line != "Examples:").skip(1);
        let examples = examples.take_while(|line| line.starts_with("  ")).filter(|line| line.contains("filch")).count();
        let is_first = page.find("Examples:").is_some_and(|place| place < page.find("Usage:").unwrap_or_default());
        let (lines, columns) = (page.lines().count(), page.lines().map(|line| line.chars().count()).max());
        if examples != EXAMPLES || !is_first || lines > SCREEN.1 || columns > Some(SCREEN.0) {
            wrong.push(format!("{name}: {examples} examples, {lines} lines, {columns:?} columns\n{page}"));
        }
    }
    assert!(wrong.is_empty(), "{} pages\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_long_page_has_every_option() {
    for (name, mut command) in commands() {
        let page = command.render_long_help().to_string();
        for option in command.get_arguments().filter_map(|argument| argument.get_long()) {
            assert!(page.contains(&format!("--{option}")), "{name}: --{option}: {page}");
        }
    }
}

/// The words of a line as a shell has them, in which single quotes are the only special characters, up to a comment.
fn words(line: &str) -> Vec<String> {
    let (line, _) = line.trim_start().split_once("   ").unwrap_or((line.trim(), ""));
    let (mut words, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
    for c in line.trim().chars().chain([' ']) {
        match c {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty())),
            c => word.push(c),
        }
    }
    words
}

#[test]
fn every_example_parses() {
    let mut tried = 0;
    for (name, command) in commands() {
        let text = command.get_before_long_help().unwrap().to_string();
        let (examples, _) = parts(&text);
        for example in examples {
            for part in words(example).split(|word| ["&&", "|"].contains(&&**word)) {
                let end = part.iter().position(|word| [">", "<"].contains(&&**word)).unwrap_or(part.len());
                let Some(begin) = part.iter().position(|word| word == "filch") else { continue };
                let parsed = Cli::line().try_get_matches_from(&part[begin..end]);
                assert!(parsed.is_ok(), "{name}: {example}: {}", parsed.unwrap_err());
                tried += 1;
            }
        }
    }
    assert!(tried > 150, "{tried}");
}
