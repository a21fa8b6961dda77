//! The two rules, and what breaks them.
//!
//! 1. A module uses none of a layer above its own, nor another one of its own layer. The root has layers, and so have
//!    those folders that `layers.txt` orders.
//! 2. No circles. Within each folder, and at the root, the files and the folders in it are the modules, and `mod.rs` is
//!    one of them. So a child that uses what its `mod.rs` defines must not be used by the code of that `mod.rs`.

use super::graph::Uses;
use super::source::Sources;
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use std::collections::{BTreeMap, BTreeSet};

/// How many uses of a circle are told, at most; the weakest, since those are the ones to end.
const TOLD: usize = 10;

/// The layers of one crate.
pub(super) struct Table {
    /// The name of its folder in `crates`.
    pub(super) name: String,
    /// The order at the root, and in the folders that have one. The root comes first.
    orders: Vec<Order>,
}

/// The layers in one folder: how far down each module stands.
struct Order {
    folder: String,
    layers: BTreeMap<String, usize>,
}

/// Reads the table. The error names the line.
pub(super) fn parse(text: &str) -> Result<Vec<Table>, String> {
    let mut tables: Vec<Table> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
        let wrong = |expected: &str| format!("layers.txt:{number}: expected {expected}, found `{line}`");
        match (&words[..], tables.last_mut()) {
            ([], _) => {}
            (["crate", name], _) => tables.push(Table { name: (*name).to_owned(), orders: vec![Order::of("crate")] }),
            (_, None) => return Err(wrong("`crate NAME` before all else")),
            (["in", folder], Some(table)) => table.orders.push(Order::of(&format!("crate::{folder}"))),
            (names, Some(table)) => {
                let layers = &mut table.orders.last_mut().expect("a table has the order of its root").layers;
                for name in names {
                    // The line, since the layers further down have higher ones.
                    if layers.insert((*name).to_owned(), number).is_some() {
                        return Err(wrong(&format!("{name} to stand in one layer")));
                    }
                }
            }
        }
    }
    Ok(tables)
}

impl Order {
    fn of(folder: &str) -> Self {
        Order { folder: folder.to_owned(), layers: BTreeMap::new() }
    }
}

/// What is wrong with a crate, a text each.
pub(super) fn violations(sources: &Sources, uses: &Uses, table: &Table) -> Vec<String> {
    let mut found = Vec::new();
    for order in &table.orders {
        of_layers(sources, uses, order, &mut found);
    }
    let folders: BTreeSet<&str> = sources.files.keys().filter_map(|module| Some(module.rsplit_once("::")?.0)).collect();
    for folder in folders {
        of_circles(folder, uses, &mut found);
    }
    found.into_iter().map(|text| format!("{}: {text}", table.name)).collect()
}

fn of_layers(sources: &Sources, uses: &Uses, order: &Order, found: &mut Vec<String>) {
    let folder = order.folder.as_str();
    let inside: BTreeSet<&str> = sources.files.keys().filter_map(|module| child(folder, module)).collect();
    for name in inside.iter().filter(|name| **name != OWN && !order.layers.contains_key(**name)) {
        found.push(format!("{name} stands in no layer of layers.txt for {folder}"));
    }
    for name in order.layers.keys().filter(|name| !inside.contains(name.as_str())) {
        found.push(format!("layers.txt has a module {name} for {folder}, which is not there"));
    }
    for ((user, used), places) in uses {
        let (Some(above), Some(below)) = (child(folder, user), child(folder, used)) else { continue };
        let relation = match (order.layers.get(above), order.layers.get(below)) {
            // What a folder's own code may use, the rule of circles says; the root alone is above all.
            (Some(_), None) if used == "crate" => "the root, which is above it",
            (Some(user), Some(used)) if used < user => "which is above it",
            (Some(user), Some(used)) if used == user && above != below => "which is beside it",
            _ => continue,
        };
        found.push(format!("{user} uses {used}, {relation}: {}", told(places)));
    }
}

fn of_circles(folder: &str, uses: &Uses, found: &mut Vec<String>) {
    let mut between: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for ((user, used), places) in uses {
        if let (Some(user), Some(used)) = (child(folder, user), child(folder, used))
            && user != used
        {
            between.entry((user, used)).or_default().extend_from_slice(places);
        }
    }
    let graph: DiGraphMap<&str, ()> = between.keys().copied().collect();
    for mut circle in tarjan_scc(&graph).into_iter().filter(|circle| circle.len() > 1) {
        circle.sort_unstable();
        let within = |(user, used): &(&str, &str)| circle.contains(user) && circle.contains(used);
        let mut edges: Vec<_> = between.iter().filter(|(edge, _)| within(edge)).collect();
        edges.sort_by_key(|(_, places)| places.len());
        let mut text = format!("circle in {folder}: {}", circle.join(", "));
        for ((user, used), places) in edges.iter().take(TOLD) {
            text += &format!("\n    {user} -> {used}: {}", told(places));
        }
        found.push(text);
    }
}

/// The file with the code of a folder itself.
const OWN: &str = "self";

/// Which file or folder of a folder a module is in.
fn child<'a>(folder: &str, module: &'a str) -> Option<&'a str> {
    match module.strip_prefix(folder)? {
        "" => Some(OWN),
        below => below.strip_prefix("::")?.split("::").next(),
    }
}

/// The first of some places, and how many more there are.
fn told(places: &[String]) -> String {
    match places {
        [first, _, ..] => format!("{first} and {} more", places.len() - 1),
        _ => places.concat(),
    }
}

#[test]
fn modules_use_what_is_below_them_and_nothing_else_and_no_circle_goes_unseen() {
    let folder = |of_top, of_a, of_b| [("top/mod.rs", of_top), ("top/a.rs", of_a), ("top/b.rs", of_b)];
    let check = |files: &[(&str, &str)], table: &str, expected: &str| {
        let mut sources = Sources::default();
        for path in ["lib.rs", "top.rs", "left.rs", "right.rs", "bottom.rs"] {
            if !files.iter().any(|(file, _)| file.replace("/mod.rs", ".rs") == path) {
                sources.add(path, "pub struct Thing;").expect("it is Rust");
            }
        }
        files.iter().for_each(|(path, text)| sources.add(path, text).expect("it is Rust"));
        let table = format!("crate x\n top # above all\n left right\n bottom\n{table}");
        let table = &parse(&table).expect("the table is right")[0];
        let found = violations(&sources, &sources.uses(), table).join("; ");
        assert!(if expected.is_empty() { found.is_empty() } else { found.contains(expected) }, "{files:?}: {found}");
    };
    for (file, text, expected) in [
        ("top.rs", "use crate::left::Thing;", ""),
        ("left.rs", "pub(in crate::top) struct A(crate::bottom::Thing, std::top::X);", ""),
        ("left.rs", "#[cfg(test)] mod tests { use crate::top::T; } #[test] fn f() { crate::top::f() }", ""),
        ("left.rs", "struct S { #[cfg(loom)] pub a: crate::top::Thing, b: u8 } // crate::top::Thing", ""),
        ("left.rs", "#![cfg(test)] use crate::top::Thing;", ""),
        (
            "left.rs",
            "\n#[cfg(not(loom))]\nuse crate::{bottom::*, top::{self as t}};",
            "top, which is above it: left.rs:3",
        ),
        ("left.rs", "struct S { #[cfg(loom)] pub a: u8, b: crate::top::T }", "top, which is above it: left.rs:1"),
        ("left.rs", "fn f() { print!(\"{}\", super::top::g()) }", "top, which is above it: left.rs:1"),
        ("left.rs", "mod m { fn f() { super::super::top::g() } }", "top, which is above it: left.rs:1"),
        (
            "right.rs",
            "fn f() { crate::left::g(); crate::left::h() }",
            "left, which is beside it: right.rs:1 and 1 more",
        ),
        ("left.rs", "use crate::Thing;", "crate, the root, which is above it: left.rs:1"),
        ("other.rs", "", "x: other stands in no layer of layers.txt for crate"),
    ] {
        check(&[(file, text)], "", expected);
    }
    check(&[], " gone\n", "x: layers.txt has a module gone for crate, which is not there");
    let files = folder("mod a; mod b; mod c;", "use super::b::B;", "pub struct B;");
    check(&files, "in top\n a\n b\n", "");
    check(&files, "in top\n b\n a\n", "x: crate::top::a uses crate::top::b, which is above it");
    for (of_top, of_a, of_b, expected) in [
        // Declared and re-exported is not used.
        ("mod a; pub use a::A; pub struct T;", "use super::T; pub struct A;", "use super::A;", ""),
        ("pub use a::A;", "use super::b; pub struct A;", "use super::A;", "x: circle in crate::top: a, b\n"),
        ("pub use a::*;", "use super::b; pub fn f() {}", "use super::f;", "x: circle in crate::top: a, b\n"),
        ("pub struct T; fn f(_: a::A) {}", "use super::T;", "", "x: circle in crate::top: a, self\n"),
    ] {
        check(&folder(of_top, of_a, of_b), "", expected);
    }
}
