//! Which module of a crate uses which, and at how many places.
//!
//! A module is a file. A name is followed to the file that defines it, through the `use` of every module on the way:
//! who says `super::Rung` uses `rung.rs`, if that is where `mod.rs` has it from. A `mod.rs` that declares its children
//! and re-exports what they define does not use them.

use super::source::{ModulePath, Source, read};
use super::tokens::tokens;
use std::collections::{BTreeMap, BTreeSet};

/// The uses within one crate.
#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) modules: BTreeSet<ModulePath>,
    /// From a module to another one, and where: a path of a file and a line.
    pub(crate) uses: BTreeMap<(ModulePath, ModulePath), Vec<String>>,
}

/// The graph of the sources of a crate: the path of each below `src`, with slashes, and its text.
pub(crate) fn graph(sources: &[(String, String)]) -> Graph {
    let files: Vec<(&str, &str, ModulePath)> =
        sources.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_str(), module(path)?))).collect();
    let modules: BTreeSet<ModulePath> = files.iter().map(|(_, _, module)| module.clone()).collect();
    let sources: BTreeMap<ModulePath, Source> =
        files.iter().map(|(_, text, module)| (module.clone(), read(&tokens(text), module, &modules))).collect();
    let names = Names { modules: &modules, sources: &sources };
    let mut uses: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for (path, _, user) in &files {
        for reference in &sources[user].references {
            let Some(used) = names.file(&reference.path, 0) else { continue };
            let is_declared = reference.is_reexport && used.starts_with(user);
            if used != *user && !is_declared {
                uses.entry((user.clone(), used)).or_default().push(format!("{path}:{}", reference.line));
            }
        }
    }
    Graph { modules, uses }
}

/// The module that a file is. None: it is a program of its own, or test code, or there for the model checker.
fn module(path: &str) -> Option<ModulePath> {
    let path = path.strip_suffix(".rs")?;
    let mut names: ModulePath = path.split('/').map(str::to_owned).collect();
    let last = names.last()?.as_str();
    if last.ends_with("tests") || last == "loom" || path == "main" || path.starts_with("bin/") {
        return None;
    }
    if last == "mod" || path == "lib" {
        names.pop();
    }
    Some(names)
}

struct Names<'a> {
    modules: &'a BTreeSet<ModulePath>,
    sources: &'a BTreeMap<ModulePath, Source>,
}

/// Longer chains of re-exports are circles of them.
const MAX_STEPS: usize = 16;

impl Names<'_> {
    /// The module whose file defines what a path names. `None` if another crate defines it, or no file does.
    fn file(&self, path: &[String], steps: usize) -> Option<ModulePath> {
        if steps > MAX_STEPS {
            return None;
        }
        let mut known = 0;
        while known < path.len() && self.is_module(&path[..=known]) {
            known += 1;
        }
        let module = &path[..known];
        let (file, source) = self.source(module)?;
        let Some(name) = path.get(known) else { return Some(file) };
        if source.defined.get(module).is_some_and(|names| names.contains(name)) {
            return Some(file);
        }
        if let Some(import) = source.imports.get(&(module.to_vec(), name.clone())) {
            return self.file(import.as_ref()?, steps + 1);
        }
        for glob in source.globs.get(module).into_iter().flatten() {
            let beyond: ModulePath = glob.iter().chain([name]).cloned().collect();
            if self.has(glob, name) {
                return self.file(&beyond, steps + 1);
            }
        }
        Some(file)
    }

    fn is_module(&self, path: &[String]) -> bool {
        self.modules.contains(path) || self.source(path).is_some_and(|(_, source)| source.inline.contains(path))
    }

    /// The file that a module stands in, and what it says.
    fn source(&self, module: &[String]) -> Option<(ModulePath, &Source)> {
        (0..=module.len()).rev().find_map(|length| {
            let source = self.sources.get(&module[..length])?;
            Some((module[..length].to_vec(), source))
        })
    }

    fn has(&self, module: &[String], name: &str) -> bool {
        self.source(module).is_some_and(|(_, source)| {
            source.defined.get(module).is_some_and(|names| names.contains(name))
                || source.imports.contains_key(&(module.to_vec(), name.to_owned()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(sources: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<_> = sources.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        graph(&sources).uses.keys().map(|(user, used)| format!("{} {}", user.join("::"), used.join("::"))).collect()
    }

    #[test]
    fn a_name_is_followed_to_the_file_that_defines_it() {
        assert_eq!(
            uses(&[
                ("lib.rs", "mod a; mod b; pub use a::Rung;"),
                ("a/mod.rs", "mod rung; mod take; pub(crate) use rung::Rung; struct Ladder;"),
                ("a/rung.rs", "pub struct Rung;"),
                ("a/take.rs", "use super::{Ladder, Rung};"),
                ("b.rs", "fn f(rung: crate::Rung) {}"),
            ]),
            ["a::take a", "a::take a::rung", "b a::rung"]
        );
    }

    #[test]
    fn a_parent_uses_a_child_if_its_code_does() {
        let child = ("a/c.rs", "pub struct C;");
        assert_eq!(uses(&[("a/mod.rs", "mod c; pub use c::C;"), child]), [""; 0]);
        assert_eq!(uses(&[("a/mod.rs", "mod c; use c::C;"), child]), ["a a::c"]);
        assert_eq!(uses(&[("a/mod.rs", "mod c; fn f() { c::g() }"), child]), ["a a::c"]);
    }

    #[test]
    fn names_come_through_imports_of_all_names() {
        assert_eq!(
            uses(&[
                ("lib.rs", ""),
                ("a/mod.rs", "mod c; mod d; pub use c::*;"),
                ("a/c.rs", "pub fn f() {}"),
                ("a/d.rs", "use super::f;"),
            ]),
            ["a::d a::c"]
        );
    }

    #[test]
    fn tests_and_other_crates_are_not_used() {
        assert_eq!(
            uses(&[
                ("lib.rs", ""),
                ("a.rs", "use std::mem; #[cfg(test)] mod tests { use crate::b::B; }"),
                ("b.rs", "pub struct B;"),
                ("c/loom_tests.rs", "use crate::b::B;"),
            ]),
            [""; 0]
        );
    }
}
