//! The two rules, and what breaks them.
//!
//! 1. A module uses none of a layer above its own, nor another one of its own layer. The root has layers, and so have
//!    those folders that `layers.txt` orders.
//! 2. No circles. Within each folder, and at the root, the files and the folders in it are the modules, and `mod.rs` is
//!    one of them. So a child that uses what its `mod.rs` defines must not be used by the code of that `mod.rs`.

use super::graph::Graph;
use super::table::{Crate, Order};
use std::collections::{BTreeMap, BTreeSet};

/// How many uses of a circle are told; the weakest, since those are the ones to end.
const TOLD: usize = 10;

/// What is wrong with a crate, a text each.
pub(crate) fn violations(graph: &Graph, table: &Crate) -> Vec<String> {
    let mut found = Vec::new();
    let uses = without_allowed(graph, table, &mut found);
    for order in &table.orders {
        of_layers(graph, &uses, order, &mut found);
    }
    let folders: BTreeSet<&[String]> = graph.modules.iter().filter_map(|module| Some(module.split_last()?.1)).collect();
    for folder in folders {
        of_circles(folder, &uses, &mut found);
    }
    found.into_iter().map(|text| format!("{}: {text}", table.name)).collect()
}

type Uses<'a> = BTreeMap<(&'a [String], &'a [String]), &'a [String]>;

/// The uses that are not tolerated. What is tolerated must be there, and no more of it than is said.
fn without_allowed<'a>(graph: &'a Graph, table: &Crate, found: &mut Vec<String>) -> Uses<'a> {
    let mut uses: Uses<'a> = graph
        .uses
        .iter()
        .map(|((user, used), places)| ((user.as_slice(), used.as_slice()), places.as_slice()))
        .collect();
    for allowed in &table.allowed {
        let is_meant = |(user, used): &(&[String], &[String])| *user == allowed.user && *used == allowed.used;
        let there = uses.iter().find(|(key, _)| is_meant(key)).map_or(0, |(_, places)| places.len());
        uses.retain(|key, _| !is_meant(key));
        if there != allowed.count {
            let (user, used) = (shown(&allowed.user), shown(&allowed.used));
            found.push(format!("allowed are {} uses {user} -> {used}, there are {there}", allowed.count));
        }
    }
    uses
}

fn of_layers(graph: &Graph, uses: &Uses<'_>, order: &Order, found: &mut Vec<String>) {
    let own = own(&order.folder);
    let inside: BTreeSet<&str> =
        graph.modules.iter().filter_map(|module| child(&order.folder, module)).filter(|name| *name != own).collect();
    let place = if order.folder.is_empty() { String::new() } else { format!(" for {}", order.folder.join("/")) };
    for name in inside.iter().filter(|name| order.layer(name).is_none()) {
        found.push(format!("{name} stands in no layer of layers.txt{place}"));
    }
    for name in order.layers.iter().flatten().filter(|name| !inside.contains(name.as_str())) {
        found.push(format!("layers.txt has a module {name}{place}, which is not there"));
    }
    for (&(user, used), places) in uses {
        let (Some(above), Some(below)) = (child(&order.folder, user), child(&order.folder, used)) else { continue };
        let relation = match (order.layer(above), order.layer(below)) {
            // What a folder's own code may use, the rule of circles says; the root alone is above all.
            (Some(_), None) if below == own && order.folder.is_empty() => "the root, which is above it",
            (Some(user), Some(used)) if used < user => "which is above it",
            (Some(user), Some(used)) if used == user && above != below => "which is beside it",
            _ => continue,
        };
        found.push(format!("{} uses {}, {relation}: {}", shown(user), shown(used), told(places)));
    }
}

fn of_circles(folder: &[String], uses: &Uses<'_>, found: &mut Vec<String>) {
    let mut between: BTreeMap<(&str, &str), Vec<&String>> = BTreeMap::new();
    for (&(user, used), places) in uses {
        if let (Some(user), Some(used)) = (child(folder, user), child(folder, used))
            && user != used
        {
            between.entry((user, used)).or_default().extend(*places);
        }
    }
    for circle in circles(&between.keys().copied().collect()) {
        let mut edges: Vec<_> =
            between.iter().filter(|((user, used), _)| circle.contains(user) && circle.contains(used)).collect();
        edges.sort_by_key(|(_, places)| places.len());
        let place = if folder.is_empty() { "the root".to_owned() } else { folder.join("/") };
        let names: Vec<&str> = circle.iter().copied().collect();
        let mut text = format!("circle in {place}: {}", names.join(", "));
        for ((user, used), places) in edges.iter().take(TOLD) {
            let places: Vec<String> = places.iter().map(|place| (*place).clone()).collect();
            text += &format!("\n    {user} -> {used}: {}", told(&places));
        }
        if edges.len() > TOLD {
            text += &format!("\n    and {} more", edges.len() - TOLD);
        }
        found.push(text);
    }
}

/// Which file or folder of a folder a module is in.
fn child<'a>(folder: &[String], module: &'a [String]) -> Option<&'a str> {
    let below = module.strip_prefix(folder)?;
    Some(below.first().map_or(own(folder), String::as_str))
}

/// The file with the code of a folder itself.
fn own(folder: &[String]) -> &'static str {
    if folder.is_empty() { "lib" } else { "mod" }
}

/// The sets of modules in which each uses each, itself included, directly or not.
fn circles<'a>(uses: &BTreeSet<(&'a str, &'a str)>) -> BTreeSet<BTreeSet<&'a str>> {
    let reached = |from: &'a str| {
        let (mut reached, mut todo) = (BTreeSet::new(), vec![from]);
        while let Some(user) = todo.pop() {
            for (_, used) in uses.iter().filter(|(other, _)| *other == user) {
                if reached.insert(*used) {
                    todo.push(used);
                }
            }
        }
        reached
    };
    let all: BTreeMap<&str, BTreeSet<&str>> = uses.iter().map(|(user, _)| (*user, reached(user))).collect();
    let circle = |(name, reached): (&&'a str, &BTreeSet<&'a str>)| {
        let members: BTreeSet<&str> =
            reached.iter().copied().filter(|other| all.get(other).is_some_and(|back| back.contains(name))).collect();
        (!members.is_empty()).then_some(members)
    };
    all.iter().filter_map(circle).collect()
}

/// How many places there are, and the first of them.
fn told(places: &[String]) -> String {
    match places {
        [place] => place.clone(),
        [first, ..] => format!("{first} and {} more", places.len() - 1),
        [] => "nowhere".to_owned(),
    }
}

fn shown(module: &[String]) -> String {
    if module.is_empty() { "lib".to_owned() } else { module.join("::") }
}

/// Who uses whom at the root, from the uses of all modules below.
pub(crate) fn summary(graph: &Graph) -> Vec<String> {
    let mut used: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for ((user, other), places) in &graph.uses {
        if let (Some(user), Some(other)) = (user.first(), other.first())
            && user != other
        {
            *used.entry(user).or_default().entry(other).or_default() += places.len();
        }
    }
    let line = |(user, used): (&&str, &BTreeMap<&str, usize>)| {
        let used: Vec<String> = used.iter().map(|(name, count)| format!("{name} ({count})")).collect();
        format!("{user} -> {}", used.join(", "))
    };
    used.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::super::graph::graph;
    use super::super::table::parse;
    use super::*;

    const TABLE: &str = "crate x\n top\n left right\n bottom\n";

    fn found(files: &[(&str, &str)], table: &str) -> Vec<String> {
        let mut sources: Vec<_> = ["top.rs", "left.rs", "right.rs", "bottom.rs", "lib.rs"]
            .into_iter()
            .filter(|path| !files.iter().any(|(file, _)| file == path || file.replace("/mod.rs", ".rs") == **path))
            .map(|path| (path.to_owned(), "pub struct Thing;".to_owned()))
            .collect();
        sources.extend(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
        violations(&graph(&sources), &parse(table).expect("the table is right")[0])
    }

    #[test]
    fn using_what_is_below_is_right() {
        let files = [("top.rs", "use crate::left::Thing;"), ("left.rs", "struct Thing(crate::bottom::Thing);")];
        assert_eq!(found(&files, TABLE), [""; 0]);
    }

    #[test]
    fn using_what_is_above_beside_or_the_root_is_wrong() {
        for (file, text, says) in [
            ("bottom.rs", "use crate::left::Thing;", "left, which is above it: bottom.rs:1"),
            ("right.rs", "fn f() { crate::left::g() }", "left, which is beside it: right.rs:1"),
            ("left.rs", "use crate::Thing;", "lib, the root, which is above it: left.rs:1"),
        ] {
            let found = found(&[(file, text)], TABLE);
            assert!(found.len() == 1 && found[0].ends_with(says), "{found:?}");
        }
    }

    #[test]
    fn a_module_without_a_layer_and_a_layer_without_a_module_are_wrong() {
        assert_eq!(found(&[("other.rs", "")], TABLE), ["x: other stands in no layer of layers.txt"]);
        assert_eq!(found(&[], &format!("{TABLE} gone\n")), ["x: layers.txt has a module gone, which is not there"]);
    }

    #[test]
    fn a_folder_may_have_layers_of_its_own() {
        let files = [
            ("top/mod.rs", "mod a; mod b; mod c;"),
            ("top/a.rs", "use super::b::B; use super::c::C;"),
            ("top/b.rs", "pub struct B;"),
            ("top/c.rs", "pub struct C;"),
        ];
        assert_eq!(found(&files, &format!("{TABLE} in top\n a\n b c\n")), [""; 0]);
        let found = found(&files, &format!("{TABLE} in top\n b c\n a\n"));
        assert!(found.len() == 2 && found[0].starts_with("x: top::a uses top::b, which is above"), "{found:?}");
    }

    #[test]
    fn siblings_that_use_each_other_are_a_circle() {
        let files = [
            ("top/mod.rs", "mod a; mod b; mod c; pub use a::A;"),
            ("top/a.rs", "use super::b::B; pub struct A;"),
            ("top/b.rs", "use super::c::C; pub struct B;"),
            ("top/c.rs", "use super::A; pub struct C;"),
        ];
        let found = found(&files, TABLE);
        assert!(found.len() == 1 && found[0].starts_with("x: circle in top: a, b, c\n"), "{found:?}");
    }

    #[test]
    fn a_child_and_the_code_of_its_parent_that_use_each_other_are_a_circle() {
        let child = ("top/a.rs", "use super::Thing; pub struct A(Thing);");
        let declared = ("top/mod.rs", "mod a; pub use a::A; pub struct Thing;");
        assert_eq!(found(&[child, declared], TABLE), [""; 0]);
        let used = ("top/mod.rs", "mod a; pub struct Thing; fn f(_: a::A) {}");
        let found = found(&[child, used], TABLE);
        assert!(found.len() == 1 && found[0].starts_with("x: circle in top: a, mod\n"), "{found:?}");
    }

    #[test]
    fn what_is_tolerated_is_counted() {
        let files = [("bottom.rs", "use crate::left::Thing; fn f() { crate::left::g() }")];
        assert_eq!(found(&files, &format!("{TABLE} allow 2 bottom -> left\n")), [""; 0]);
        for count in [1, 3] {
            let found = found(&files, &format!("{TABLE} allow {count} bottom -> left\n"));
            assert_eq!(found, [format!("x: allowed are {count} uses bottom -> left, there are 2")]);
        }
    }
}
