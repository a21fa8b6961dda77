//! The page as Markdown.

use std::env;
use std::fmt::Write;
use std::time::SystemTime;

use filch_bench::measure::machine::facts;

use super::contents::Section;
use super::made::Made;

/// The folder of the pictures, beside the page.
pub(super) const PICTURES: &str = "pictures";

/// The width of a line.
const COLUMNS: usize = 120;

/// The length of a date.
const DATE: usize = 10;

/// The whole page.
pub(super) fn page(made: &[(&Section, Vec<Made>)], is_quick: bool) -> String {
    let mut page = String::from("# Benchmarks\n");
    paragraph(&mut page, &head(is_quick));
    page.push('\n');
    for (section, _) in made {
        push(&mut page, format_args!("- [{}](#{})\n", section.title, place(section.title)));
    }
    for (section, figures) in made {
        push(&mut page, format_args!("\n## {}\n", section.title));
        paragraph(&mut page, section.about);
        figures.iter().for_each(|made| figure(&mut page, made));
    }
    page
}

/// What is true of all figures.
fn head(is_quick: bool) -> String {
    let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let mut head = format!(
        "Filch {} on {}, on {}. Each figure has the command that made it, which makes it again. `filch report{}` makes \
         the page.",
        env!("CARGO_PKG_VERSION"),
        &date[..DATE],
        facts::in_short(),
        if is_quick { " --quick" } else { "" },
    );
    if is_quick {
        head += " Sizes are small and runs are few: this shows what there is, and not how fast it is.";
    }
    if cfg!(debug_assertions) {
        head += " A debug build: its times are meaningless.";
    }
    let set = env::vars().filter(|(name, _)| ["FILCH_SCHEDULER", "FILCH_WORKERS", "FILCH_TOPOLOGY"].contains(&&**name));
    let set: Vec<String> = set.map(|(name, value)| format!("`{name}={value}`")).collect();
    if !set.is_empty() {
        head += &format!(" The environment has {}.", set.join(", "));
    }
    head
}

fn figure(page: &mut String, made: &Made) {
    push(page, format_args!("\n### {}\n\n```sh\n{}```\n", made.figure.title, continued(&made.command)));
    let verified = match &made.failed {
        None => format!("Verified: {}.", made.figure.verified),
        Some(how) => format!("**Failed**: the command {how}. What follows is what it had shown."),
    };
    paragraph(page, &verified);
    if let Some((name, _)) = made.picture() {
        push(page, format_args!("\n![{}]({PICTURES}/{name})\n", made.figure.title));
    }
    let lines: Vec<&str> = made.shown.lines().collect();
    for part in lines.chunk_by(|one, next| is_table(one) == is_table(next)) {
        let text = part.join("\n");
        match is_table(&text) {
            true => push(page, format_args!("\n{text}\n")),
            false if text.trim().is_empty() => {}
            false => push(page, format_args!("\n```text\n{}\n```\n", text.trim_matches('\n'))),
        }
    }
}

/// Whether a line, or what begins with it, is a table of Markdown.
fn is_table(line: &str) -> bool {
    line.starts_with('|')
}

/// A paragraph in lines.
fn paragraph(page: &mut String, text: &str) {
    page.push('\n');
    broken(page, text, "", "");
}

/// A command in lines that a shell takes for one.
fn continued(command: &str) -> String {
    let mut lines = String::new();
    broken(&mut lines, command, " \\", "    ");
    lines
}

/// Adds words in lines, each but the last with this end, each but the first with this start.
fn broken(page: &mut String, text: &str, end: &str, start: &str) {
    let mut width = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length + end.len() > COLUMNS {
            push(page, format_args!("{end}\n{start}"));
            width = start.len();
        } else if width > 0 {
            page.push(' ');
            width += 1;
        }
        page.push_str(word);
        width += length;
    }
    page.push('\n');
}

/// The place of a heading, as pages of GitHub and of mdBook call it.
pub(super) fn place(title: &str) -> String {
    title.to_lowercase().replace(' ', "-")
}

fn push(page: &mut String, text: std::fmt::Arguments<'_>) {
    page.write_fmt(text).expect("a string has room");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_command_is_broken_such_that_a_shell_takes_it_for_one() {
        let command = format!("filch bench {}--runs 3", "program ".repeat(40));
        let lines = continued(&command);
        assert!(lines.lines().all(|line| line.len() <= COLUMNS), "{lines}");
        assert_eq!(lines.replace(" \\\n    ", " "), command + "\n");
    }
}
