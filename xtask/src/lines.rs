//! `cargo xtask lines`: no source is longer than 400 lines, and no line of a text is longer than 120 characters.
//!
//! A source that is longer has a second concept in it. A line may be longer only where it cannot be broken: a row of a
//! table in Markdown, or a line with an address on the web. Files that are not listed by git are not looked at, nor are
//! pictures and data.

use crate::files::{listed, read};
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
    found.iter().for_each(|violation| println!("{violation}"));
    if found.is_empty() {
        println!("lines: ok ({looked_at} files)");
        Ok(())
    } else {
        Err(format!("lines: {} violations: shorten lines, and split files by concept", found.len()))
    }
}

fn is_text(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.map_or(path.starts_with(".ci"), |extension| TEXTS.contains(&extension))
}

/// What is too long in a file, each with its place.
fn violations(path: &Path, text: &str) -> Vec<String> {
    let shown = path.display();
    let mut found = Vec::new();
    let is_source = path.extension().is_some_and(|extension| extension == "rs");
    let count = text.lines().count();
    if is_source && count > MAX_LINES {
        found.push(format!("{shown}: {count} lines, at most {MAX_LINES}"));
    }
    let is_table = path.extension().is_some_and(|extension| extension == "md");
    for (number, line) in text.lines().enumerate() {
        let columns = line.chars().count();
        let is_unbreakable = line.contains("://") || is_table && line.starts_with('|');
        if columns > MAX_COLUMNS && !is_unbreakable {
            found.push(format!("{shown}:{}: {columns} columns, at most {MAX_COLUMNS}", number + 1));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        violations(Path::new(path), text).len()
    }

    #[test]
    fn a_source_of_401_lines_is_too_long_and_a_page_is_not() {
        assert_eq!(found("crates/a/src/lib.rs", &"x\n".repeat(400)), 0);
        assert_eq!(found("crates/a/src/lib.rs", &"x\n".repeat(401)), 1);
        assert_eq!(found("crates/a/tests/all.rs", &"x\n".repeat(401)), 1);
        assert_eq!(found("docs/a.md", &"x\n".repeat(401)), 0);
    }

    #[test]
    fn columns_are_characters() {
        assert_eq!(found("a.rs", &"é".repeat(120)), 0);
        assert_eq!(found("a.rs", &"é".repeat(121)), 1);
    }

    #[test]
    fn only_what_cannot_be_broken_is_longer() {
        let long = "x".repeat(121);
        assert_eq!(found("a.md", &format!("| {long} |")), 0);
        assert_eq!(found("a.rs", &format!("| {long} |")), 1);
        assert_eq!(found("a.toml", &format!("# https://{long}")), 0);
    }

    #[test]
    fn texts_are_known_by_their_names() {
        for (path, is) in [(".ci/run", true), ("docs/a.svg", false), ("a.gz", false), ("LICENSE-MIT", false)] {
            assert_eq!(is_text(Path::new(path)), is, "{path}");
        }
    }
}
