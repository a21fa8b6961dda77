//! Trees of which only the size is asked for.

use filch_bench::failure::Failure;
use filch_bench::show::numbers::grouped;
use filch_search::uts::{NAMED, Named, find};

use super::args::Asked;
use super::puzzle::{Ask, Puzzle};
use super::session::Session;

/// The published tree with this name.
pub fn named(name: &str) -> Result<&'static Named, String> {
    find(name).ok_or_else(|| {
        let names: Vec<_> = NAMED.iter().map(|named| named.name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// Runs `filch search uts`.
pub fn uts(named: &Named, session: &mut Session<'_>) -> Result<(), Failure> {
    session.solve(Puzzle {
        program: "uts",
        instance: named.name.to_owned(),
        problem: &named.tree,
        start: named.tree.root(),
        ask: Ask::Solutions(Asked::Count),
        keep: &|_| Vec::new(),
        show: &|_| Vec::new(),
        check: &|_| Ok(()),
        note: " leaves",
    })?;
    let leaves = named.leaves.map_or(String::new(), |leaves| format!(", {} leaves", grouped(leaves)));
    let published = format!("{} nodes{leaves}", grouped(named.nodes));
    let is_other = |nodes, leaves| nodes != named.nodes || named.leaves.is_some_and(|published| published != leaves);
    if let Some(row) = session.rows().iter().find(|row| is_other(row.nodes, row.solutions)) {
        let found = format!("{} nodes, {} leaves", grouped(row.nodes), grouped(row.solutions));
        return Err(Failure::Failed(format!("uts {}: found {found}, but published are {published}", named.name)));
    }
    session.line("published", &format!("{published}: the same"))
}
