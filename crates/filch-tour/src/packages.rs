//! The packages of Debian as a graph: its components, its spanning forest, and the dependencies of a package.

use std::io::Write;
use std::time::Instant;

use filch::Pool;
use filch_bench::debian::{DEBIAN, Package};
use filch_bench::failure::Failure;
use filch_bench::show::numbers::{grouped, seconds};
use filch_graph::bfs::{self, BfsTree, UNREACHED};
use filch_graph::forest::forest;
use filch_graph::verify::{verify_bfs, verify_components, verify_forest};
use filch_graph::{Csr, components};

/// The width of the first column, as in the answers that follow.
const NAME: usize = 24;

/// The maximum width of every line.
const COLUMNS: usize = 80;

/// Computes everything on the pool, checks it and shows it. Dependencies are followed from a package.
pub fn show(from: Package, pool: &Pool, out: &mut dyn Write) -> Result<(), Failure> {
    let [packages, dependencies] = [DEBIAN.names.len(), DEBIAN.dependencies.len()].map(count);
    writeln!(out, "Debian 12: {packages} packages, {dependencies} dependencies")?;
    let [directed, graph] = [false, true].map(|symmetrize| graph(symmetrize, pool));

    let (found, time) = timed(|| pool.run(|_| components::components(&graph)));
    let right = verify_components(&graph, found.labels()).map_err(|wrong| failed("components", wrong))?;
    let sizes = pool.run(|_| found.sizes());
    let alone = sizes.iter().filter(|size| size.vertices == 1).count();
    line(out, "connected", &format!("{} components, found in {time}", count(right.components)))?;
    line(out, "", &format!("{} packages are in the largest, {} alone", count(right.largest), count(alone)))?;
    if let Some(second) = sizes.get(1) {
        let of = name(second.representative);
        line(out, "", &format!("{} in the second largest, that of {of}", count(second.vertices)))?;
    }

    let (found, time) = timed(|| pool.run(|_| forest(&graph)));
    let forest = found.map_err(|error| failed("spanning forest", error))?;
    let right = verify_forest(&graph, &forest.parents).map_err(|wrong| failed("spanning forest", wrong))?;
    let all = pool.run(|_| graph.num_edges());
    let words = format!("{} of {} links suffice, found in {time}", count(right.edges), count(all));
    line(out, "held together", &words)?;
    line(out, "", "by a spanning forest: a tree for each component")?;

    let (found, time) = timed(|| pool.run(|_| bfs::bfs(&directed, from)));
    verify_bfs(&directed, from, &found.depths, &found.parents).map_err(|wrong| failed("levels", wrong))?;
    show_levels(from, &found, &time, out)?;
    writeln!(out, "  components, forest and levels are verified\n")?;
    Ok(())
}

/// Shows the dependencies of the package, their dependencies, and so on.
fn show_levels(from: Package, found: &BfsTree, time: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let others = found.num_reached() - 1;
    line(
        out,
        &format!("from {}", name(from)),
        &format!("dependencies lead to {} others, found in {time}", count(others)),
    )?;
    let mut levels: Vec<Vec<Package>> = vec![Vec::new(); found.levels.len()];
    for (package, &depth) in (0..).zip(&found.depths) {
        if depth != UNREACHED {
            levels[depth as usize].push(package);
        }
    }
    for (depth, level) in levels.iter().enumerate().skip(1) {
        let steps = if depth == 1 { "1 step".into() } else { format!("{depth} steps") };
        line(out, &format!("  in {steps}"), &some(level))?;
    }
    let mut chain: Vec<Package> = levels.last().and_then(|last| last.first()).copied().into_iter().collect();
    while let Some(&package) = chain.last().filter(|&&package| package != from) {
        chain.push(found.parents[package as usize]);
    }
    if chain.len() > 2 {
        chain.reverse();
        let names: Vec<_> = chain.iter().map(|&package| name(package)).collect();
        wrapped(out, "  farthest, by way of", &names.join(" > "))?;
    }
    Ok(())
}

/// The number of packages, and as many of their names as fit into a line.
fn some(packages: &[Package]) -> String {
    let mut words = format!("{:>4}: ", count(packages.len()));
    for (place, &package) in packages.iter().enumerate() {
        let name = name(package);
        let separator = if place == 0 { "" } else { ", " };
        if NAME + 2 + words.len() + separator.len() + name.len() + ", ...".len() > COLUMNS {
            return words + if place == 0 { "..." } else { ", ..." };
        }
        words += separator;
        words += name;
    }
    words
}

fn name(package: Package) -> &'static str {
    DEBIAN.names[package as usize]
}

/// The packages, with an edge from each to those that it depends on, or with edges that lead both ways.
fn graph(symmetrize: bool, pool: &Pool) -> Csr {
    let builder = Csr::builder(DEBIAN.names.len()).symmetrize(symmetrize).remove_duplicates(true);
    pool.run(|_| builder.build(DEBIAN.dependencies.clone())).expect("the built-in data makes a graph")
}

fn count(number: usize) -> String {
    grouped(number as u64)
}

fn timed<R>(find: impl FnOnce() -> R) -> (R, String) {
    let begin = Instant::now();
    let found = find();
    (found, seconds(begin.elapsed().as_secs_f64()))
}

fn failed(what: &str, wrong: impl std::error::Error) -> Failure {
    Failure::Failed(format!("{what} of Debian: {wrong}"))
}

/// Writes a line with a name, or two lines if the name is too long.
fn line(out: &mut dyn Write, name: &str, value: &str) -> Result<(), Failure> {
    if name.len() < NAME {
        writeln!(out, "  {name:<NAME$}{value}")?;
    } else {
        writeln!(out, "  {name}\n  {:<NAME$}{value}", "")?;
    }
    Ok(())
}

/// Writes words in as many lines as they need.
fn wrapped(out: &mut dyn Write, name: &str, words: &str) -> Result<(), Failure> {
    let (mut name, mut text) = (name, String::new());
    for word in words.split(' ') {
        if !text.is_empty() && NAME + 2 + text.len() + 1 + word.len() > COLUMNS {
            line(out, name, &text)?;
            (name, text) = ("", String::new());
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text += word;
    }
    line(out, name, &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(from: &str) -> String {
        let pool = Pool::builder().workers(2).build().unwrap();
        let mut shown = Vec::new();
        show(DEBIAN.find(from).unwrap(), &pool, &mut shown).unwrap();
        String::from_utf8(shown).unwrap()
    }

    /// The numbers are those of `filch-bench/data/README.md`, and those of a search from bash by hand.
    #[test]
    fn the_graph_has_the_components_that_it_is_known_to_have() {
        let shown = shown("bash");
        for words in [
            "Debian 12: 63,436 packages, 247,686 dependencies",
            "5,898 components",
            "56,746 packages are in the largest",
            "57,538 of ",
            "dependencies lead to 6 others",
            "bash > libc6 > libgcc-s1 > gcc-12-base",
            "verified",
        ] {
            assert!(shown.contains(words), "{words:?}: {shown}");
        }
    }

    #[test]
    fn lines_are_no_wider_than_a_terminal_and_every_package_can_be_asked_for() {
        // A deep search, a leaf that depends on nothing, and the longest name.
        let longest = DEBIAN.names.iter().max_by_key(|name| name.len()).unwrap();
        for from in ["gnome", "gcc-12-base"] {
            let shown = shown(from);
            assert!(shown.lines().all(|line| line.chars().count() <= COLUMNS), "{shown}");
        }
        assert!(shown(longest).contains(&format!("from {longest}\n")));
    }
}
