//! The pages of `--help`, which fit on a screen, and of `--help-all`.
//!
//! A command has one text, its `after_help`: examples, then explanations. Its page of `--help` begins with the first
//! examples and has the options that are used often. That of `--help-all` has everything.

use clap::{Arg, ArgAction, Command};

/// The number of examples on a page of `--help`.
pub const EXAMPLES: usize = 3;

/// The line in front of the examples.
const HEADING: &str = "Examples:";

const TEMPLATE: &str = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// The place of options that all commands have.
pub(crate) const LAST: usize = 1000;

/// Options that only `--help-all` shows.
const RARE: &[&str] = &[
    "array",
    "baseline",
    "batches",
    "busy",
    "cache",
    "calls",
    "claims",
    "cost",
    "counters",
    "depth",
    "extra-columns",
    "forks",
    "grain",
    "instructions",
    "labels",
    "limit",
    "machine",
    "most-events",
    "no-swaps",
    "normalised",
    "one-based",
    "pause",
    "private-cache",
    "record",
    "renumber",
    "rows",
    "samples",
    "scheduler",
    "seed",
    "stages",
    "summary",
    "timeout",
    "topology",
    "trace",
    "update",
    "vertices",
];

/// The examples of a command, and the rest of its text.
pub fn parts(text: &str) -> (Vec<&str>, String) {
    let (before, after) = text.split_once(HEADING).unwrap_or((text, ""));
    let (examples, rest) = after.trim_start_matches('\n').split_once("\n\n").unwrap_or((after, ""));
    let rest = [before.trim_end(), rest].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
    (examples.lines().filter(|line| !line.is_empty()).collect(), rest.join("\n\n"))
}

/// The command and those inside of it, with both pages.
pub(crate) fn pages(command: Command) -> Command {
    if command.is_hide_set() {
        return command;
    }
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (examples, rest) = parts(&text);
    let shown = |examples: &[&str]| format!("{HEADING}\n{}", examples.join("\n"));
    command
        .before_help(shown(&examples[..examples.len().min(EXAMPLES)]))
        .before_long_help(shown(&examples))
        .after_help("")
        .after_long_help(rest)
        .help_template(TEMPLATE)
        .mut_args(|arg| if is_rare(&arg) { arg.hide_short_help(true) } else { arg })
        .disable_help_flag(true)
        .arg(flag("help", ArgAction::HelpShort, "Print help").short('h'))
        .arg(all())
        .mut_subcommands(pages)
}

/// The option that shows the long page.
pub(crate) fn all() -> Arg {
    flag("help-all", ArgAction::HelpLong, "Print help with all options")
}

fn flag(name: &'static str, action: ArgAction, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(action).help(help).display_order(LAST)
}

fn is_rare(arg: &Arg) -> bool {
    arg.get_long().is_some_and(|name| RARE.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_examples_and_the_rest() {
        assert_eq!(
            parts("Examples:\n  a\n  b  c\n\nWhat it does.\n\nExit code"),
            (vec!["  a", "  b  c"], "What it does.\n\nExit code".into())
        );
        assert_eq!(parts("First.\n\nExamples:\n  a"), (vec!["  a"], "First.".into()));
    }
}
