//! `cargo xtask layers`: which module of a crate may use which, and that none uses itself through others.
//!
//! - [`table`]: the order of layers, from `xtask/layers.txt`;
//! - [`tokens`]: a source without comments, texts and test code;
//! - [`source`]: the paths that it names;
//! - [`graph`]: who uses whom;
//! - [`check`]: the rules.
//!
//! What it does not see: methods, since they name no module, and what macros put together.

mod check;
mod graph;
mod source;
mod table;
mod tokens;

use crate::files::{read, rust};
use std::path::Path;

const TABLE: &str = "xtask/layers.txt";

pub(crate) fn main(options: &[&str]) -> Result<(), String> {
    let tells_uses = match options {
        [] => false,
        ["--uses"] => true,
        _ => return Err(format!("layers: unknown options\n\n{}", super::USAGE)),
    };
    let mut count = 0;
    let tables = table::parse(&read(Path::new(TABLE))?)?;
    for name in crates()?.iter().filter(|name| !tables.iter().any(|table| table.name == **name)) {
        println!("{name}: not in {TABLE}");
        count += 1;
    }
    for table in tables {
        let folder = Path::new("crates").join(&table.name).join("src");
        if !folder.is_dir() {
            println!("{}: in {TABLE}, and not in crates", table.name);
            count += 1;
            continue;
        }
        let sources: Vec<(String, String)> = rust(&folder)?
            .into_iter()
            .map(|(path, text)| (path.strip_prefix(&folder).unwrap_or(&path).display().to_string(), text))
            .collect();
        let graph = graph::graph(&sources);
        if tells_uses {
            check::summary(&graph).iter().for_each(|line| println!("{}: {line}", table.name));
        }
        let found = check::violations(&graph, &table);
        found.iter().for_each(|violation| println!("{violation}"));
        count += found.len();
        if found.is_empty() {
            println!("{}: ok ({} modules)", table.name, graph.modules.len());
        }
    }
    if count == 0 { Ok(()) } else { Err(format!("layers: {count} violations of {TABLE}")) }
}

/// The crates of the project, by their folders.
fn crates() -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir("crates").map_err(|error| format!("crates: cannot be read: {error}"))?;
    let mut names: Vec<String> = entries.flatten().map(|entry| entry.file_name().display().to_string()).collect();
    names.sort();
    Ok(names)
}
