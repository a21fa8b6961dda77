//! `cargo xtask lines`: no source is longer than 400 lines, and no line of a text is longer than 120 characters.
//!
//! A source that is longer has a second concept in it. A line may be longer only where it cannot be broken: a row of a
//! table in Markdown, or a line with an address on the web. Files that are not listed by git are not looked at, nor are
//! pictures and data.

use crate::files::{listed, read, report};
use std::path::Path;

const MAX_LINES: usize = 400;
const MAX_COLUMNS: usize = 120;

/// Extensions of the files whose lines are measured; those in `.ci` have none.
const TEXTS: [&str; 8] = ["rs", "md", "toml", "sh", "pml", "txt", "yml", "html"];

pub(crate) fn main() -> Result<(), String> {
    let (mut found, mut looked_at) = (Vec::new(), 0);
    for path in listed()?.iter().map(Path::new).filter(|path| is_text(path)) {
        looked_at += 1;
        found.extend(violations(path, &read(path)?));
    }
    report(&found, &format!("lines: ok ({looked_at} files)"), "too long: shorten lines, and split files by concept")
}

fn is_text(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.map_or(path.starts_with(".ci"), |extension| TEXTS.contains(&extension))
}

/// What is too long in a file, each with its place.
fn violations(path: &Path, text: &str) -> Vec<String> {
    let is = |extension: &str| path.extension().is_some_and(|other| other == extension);
    let shown = path.display();
    let mut found = Vec::new();
    let count = text.lines().count();
    if is("rs") && count > MAX_LINES {
        found.push(format!("{shown}: {count} lines, at most {MAX_LINES}"));
    }
    for (number, line) in (1..).zip(text.lines()) {
        let columns = line.chars().count();
        let is_unbreakable = line.contains("://") || is("md") && line.starts_with('|');
        if columns > MAX_COLUMNS && !is_unbreakable {
            found.push(format!("{shown}:{number}: {columns} columns, at most {MAX_COLUMNS}"));
        }
    }
    found
}

#[test]
fn a_source_of_401_lines_and_a_line_of_121_characters_are_too_long_unless_it_cannot_be_broken() {
    let (lines, line) = ("x\n".repeat(401), "é".repeat(121));
    for (path, text, count) in [
        ("a.rs", &lines[2..], 0),
        ("a.rs", &lines, 1),
        ("a.md", &lines, 0),
        ("a.rs", &line[2..], 0),
        ("a.rs", &format!("| {line}"), 1),
        ("a.md", &format!("| {line}"), 0),
        ("a.toml", &format!("# https://{line}"), 0),
    ] {
        assert_eq!(violations(Path::new(path), text).len(), count, "{path}: {text}");
    }
}
