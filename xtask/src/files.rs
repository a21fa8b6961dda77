//! The files that checks read and write, and what all checks have in common.

use crate::process::{command, output};
use regex_lite::Regex;
use std::fs;
use std::path::Path;

/// The Rust sources in a folder of the repository, in the order of their paths, each with its text.
pub(crate) fn rust(folder: &str) -> Result<Vec<(String, String)>, String> {
    let mut paths = listed()?;
    paths.retain(|path| path.starts_with(&format!("{folder}/")) && path.ends_with(".rs"));
    paths.sort();
    paths.into_iter().map(|path| read(Path::new(&path)).map(|text| (path, text))).collect()
}

/// The text of a file. The error names it.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: cannot be read: {error}", path.display()))
}

/// The files that git lists, also those that are not committed yet.
pub(crate) fn listed() -> Result<Vec<String>, String> {
    let list = output(command("git").args(["ls-files", "--cached", "--others", "--exclude-standard"]))?;
    Ok(list.lines().filter(|path| Path::new(path).exists()).map(str::to_owned).collect())
}

/// What the group of a pattern stands for, wherever the pattern occurs.
pub(crate) fn found<'a>(pattern: &str, text: &'a str) -> Vec<&'a str> {
    let pattern = Regex::new(pattern).expect("it is a pattern");
    pattern.captures_iter(text).filter_map(|captures| Some(captures.get(1)?.as_str())).collect()
}

/// Removes what an earlier run has left, and makes the folder above.
pub(crate) fn clear(folder: &Path) -> Result<(), String> {
    let cleared = if folder.is_dir() { fs::remove_dir_all(folder) } else { Ok(()) };
    let cleared = cleared.and_then(|()| folder.parent().map_or(Ok(()), fs::create_dir_all));
    cleared.map_err(|error| format!("{}: cannot be replaced: {error}", folder.display()))
}

/// Writes a file, and the folders that it lies in.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    written.map_err(|error| format!("{}: cannot be written: {error}", path.display()))
}

/// Prints what a check has found. The error says how much, and what to do.
pub(crate) fn report(found: &[String], ok: &str, wrong: &str) -> Result<(), String> {
    found.iter().for_each(|found| println!("{found}"));
    if found.is_empty() {
        println!("{ok}");
        return Ok(());
    }
    Err(format!("{} {wrong}", found.len()))
}

/// The names that are asked for, which must be known; all that are known if there are none.
pub(crate) fn chosen<'a>(names: &[&'a str], known: &[&'a str]) -> Result<Vec<&'a str>, String> {
    match names.iter().find(|name| !known.contains(name)) {
        Some(unknown) => Err(format!("{unknown}: expected one of {}", known.join(", "))),
        None => Ok(if names.is_empty() { known } else { names }.to_vec()),
    }
}
