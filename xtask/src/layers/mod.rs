//! `cargo xtask layers`: which module of a crate may use which, and that none uses itself through others.
//!
//! - [`source`]: what the sources of a crate say about modules;
//! - [`graph`]: which module uses which;
//! - [`rules`]: the order of layers, from `xtask/layers.txt`, and what breaks it.
//!
//! What it does not see: methods, since they name no module, and what macros put together.

mod graph;
mod rules;
mod source;

use crate::files::{listed, read, report, rust};
use source::Sources;
use std::collections::BTreeSet;
use std::path::Path;

const TABLE: &str = "xtask/layers.txt";

pub(crate) fn main(options: &[&str]) -> Result<(), String> {
    let lists_uses = match options {
        [] => false,
        ["--uses"] => true,
        _ => return Err(format!("layers: unknown options\n\n{}", super::USAGE)),
    };
    let tables = rules::parse(&read(Path::new(TABLE))?)?;
    let paths = listed()?;
    let crates: BTreeSet<&str> = paths
        .iter()
        .filter_map(|path| path.strip_prefix("crates/")?.split_once('/'))
        .filter_map(|(name, file)| file.starts_with("src/").then_some(name))
        .collect();
    let missing = crates.iter().filter(|name| !tables.iter().any(|table| table.name == **name));
    let mut found: Vec<String> = missing.map(|name| format!("{name}: not in {TABLE}")).collect();
    for table in tables {
        let folder = format!("crates/{}/src", table.name);
        let mut sources = Sources::default();
        for (path, text) in rust(&folder)? {
            sources.add(&path[folder.len() + 1..], &text)?;
        }
        let uses = sources.uses();
        for ((user, used), places) in uses.iter().filter(|_| lists_uses) {
            println!("{}: {user} -> {used} ({})", table.name, places.len());
        }
        let violations = rules::violations(&sources, &uses, &table);
        if violations.is_empty() {
            println!("{}: ok ({} modules)", table.name, sources.files.len());
        }
        found.extend(violations);
    }
    report(&found, "layers: ok", "violations of xtask/layers.txt")
}
