//! What one source says about modules: what it defines, what it imports, which paths it names.

use super::tokens::Token;
use std::collections::{BTreeMap, BTreeSet};

/// The names from the root of a crate down to a module; none for the root itself.
pub(crate) type ModulePath = Vec<String>;

/// The facts of one source, those of modules in braces among them.
#[derive(Default)]
pub(crate) struct Source {
    /// Modules in braces.
    pub(crate) inline: BTreeSet<ModulePath>,
    /// By module, the names that it defines.
    pub(crate) defined: BTreeMap<ModulePath, BTreeSet<String>>,
    /// By module and name, what the name stands for there. None: something of another crate.
    pub(crate) imports: BTreeMap<(ModulePath, String), Option<ModulePath>>,
    /// By module, what it imports all names of.
    pub(crate) globs: BTreeMap<ModulePath, Vec<ModulePath>>,
    pub(crate) references: Vec<Reference>,
}

/// A path into its own crate, in code or in a `use`.
pub(crate) struct Reference {
    pub(crate) path: ModulePath,
    pub(crate) line: usize,
    /// In a `pub use` of any visibility.
    pub(crate) is_reexport: bool,
}

/// Reads the tokens of the source of `module`, in a crate that has these modules in files.
pub(crate) fn read(tokens: &[Token<'_>], module: &[String], files: &BTreeSet<ModulePath>) -> Source {
    let mut reader = Reader {
        tokens,
        place: 0,
        module: module.to_vec(),
        open: Vec::new(),
        depth: 0,
        files,
        source: Source::default(),
    };
    while reader.place < tokens.len() {
        reader.step();
    }
    reader.source
}

struct Reader<'a> {
    tokens: &'a [Token<'a>],
    place: usize,
    module: ModulePath,
    /// The depths of braces at which modules in braces have begun.
    open: Vec<usize>,
    depth: usize,
    files: &'a BTreeSet<ModulePath>,
    source: Source,
}

impl<'a> Reader<'a> {
    fn text(&self, place: usize) -> &'a str {
        self.tokens.get(place).map_or("", |token| token.text)
    }

    /// The token before the current one by so many.
    fn before(&self, count: usize) -> &'a str {
        self.place.checked_sub(count).map_or("", |place| self.text(place))
    }

    fn step(&mut self) {
        let (text, next) = (self.text(self.place), self.text(self.place + 1));
        match text {
            "{" => self.depth += 1,
            "}" => {
                self.depth = self.depth.saturating_sub(1);
                if self.open.last() == Some(&self.depth) {
                    self.open.pop();
                    self.module.pop();
                }
            }
            "mod" if self.text(self.place + 2) == "{" => {
                self.module.push(next.to_owned());
                self.source.inline.insert(self.module.clone());
                self.open.push(self.depth);
                self.place += 1;
            }
            "use" if next != "<" => return self.import(),
            "struct" | "enum" | "trait" | "fn" | "type" | "const" | "static" | "union" if is_name(next) => {
                self.define(next);
            }
            "macro_rules" => self.define(self.text(self.place + 2)),
            _ if next == "::" && is_name(text) && self.begins_path() => return self.path(),
            _ => {}
        }
        self.place += 1;
    }

    fn define(&mut self, name: &str) {
        self.source.defined.entry(self.module.clone()).or_default().insert(name.to_owned());
    }

    /// Not within a path, behind a value, or in `pub(in …)`.
    fn begins_path(&self) -> bool {
        let is_visibility = self.before(1) == "in" && self.before(2) == "(";
        !is_visibility && !matches!(self.before(1), "::" | ".")
    }

    fn path(&mut self) {
        let line = self.tokens[self.place].line;
        let mut names = vec![self.text(self.place).to_owned()];
        self.place += 1;
        while self.text(self.place) == "::" && is_name(self.text(self.place + 1)) {
            names.push(self.text(self.place + 1).to_owned());
            self.place += 2;
        }
        if let Some(path) = self.absolute(&names) {
            self.source.references.push(Reference { path, line, is_reexport: false });
        }
    }

    /// A path from the root of the crate. None: it leads out of the crate, or is no path of modules.
    fn absolute(&self, names: &[String]) -> Option<ModulePath> {
        let mut base = self.module.clone();
        let mut names = names;
        match names.first()?.as_str() {
            "crate" => (base, names) = (Vec::new(), &names[1..]),
            "self" => names = &names[1..],
            "super" => {
                while names.first().is_some_and(|name| name == "super") {
                    base.pop();
                    names = &names[1..];
                }
            }
            first => {
                base.push(first.to_owned());
                let is_module = self.files.contains(&base) || self.source.inline.contains(&base);
                base.pop();
                if !is_module {
                    return None;
                }
            }
        }
        base.extend_from_slice(names);
        Some(base)
    }

    fn import(&mut self) {
        let is_reexport = matches!(self.before(1), "pub" | ")");
        self.place += 1;
        let is_external = self.text(self.place) == "::";
        if is_external {
            self.place += 1;
        }
        let mut leaves = Vec::new();
        self.tree(&mut Vec::new(), &mut leaves);
        for leaf in leaves {
            let path = if is_external { None } else { self.absolute(&leaf.names) };
            if let Some(path) = &path {
                self.source.references.push(Reference { path: path.clone(), line: leaf.line, is_reexport });
                if leaf.name == "*" {
                    self.source.globs.entry(self.module.clone()).or_default().push(path.clone());
                }
            }
            if leaf.name != "*" {
                self.source.imports.insert((self.module.clone(), leaf.name), path);
            }
        }
    }

    /// Reads a tree of a `use`, which begins here behind these names.
    fn tree(&mut self, prefix: &mut Vec<String>, leaves: &mut Vec<Leaf>) {
        let known = prefix.len();
        while let Some(&Token { text, line }) = self.tokens.get(self.place) {
            self.place += 1;
            match text {
                "{" => {
                    while !matches!(self.text(self.place), "}" | "") {
                        self.tree(prefix, leaves);
                        if self.text(self.place) == "," {
                            self.place += 1;
                        }
                    }
                    self.place += 1;
                    break;
                }
                "*" => {
                    leaves.push(Leaf { names: prefix.clone(), name: "*".to_owned(), line });
                    break;
                }
                name => {
                    // `self` in braces is what stands before them.
                    if name != "self" || prefix.is_empty() {
                        prefix.push(name.to_owned());
                    }
                    if self.text(self.place) != "::" {
                        let mut known_as = prefix.last().cloned().unwrap_or_default();
                        if self.text(self.place) == "as" {
                            known_as = self.text(self.place + 1).to_owned();
                            self.place += 2;
                        }
                        leaves.push(Leaf { names: prefix.clone(), name: known_as, line });
                        break;
                    }
                    self.place += 1;
                }
            }
        }
        prefix.truncate(known);
    }
}

/// One name of a `use`.
struct Leaf {
    names: Vec<String>,
    /// What it is called here; `*` for all of them.
    name: String,
    line: usize,
}

fn is_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn path(text: &str) -> ModulePath {
        text.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    /// The paths that the source of `a::b` names, with its children `c` and `d`.
    fn paths(source: &str) -> Vec<String> {
        let files = ["", "a", "a::b", "a::b::c", "a::b::d", "e"].map(path).into_iter().collect();
        let source = read(&tokens(source), &path("a::b"), &files);
        source.references.iter().map(|reference| reference.path.join("::")).collect()
    }

    #[test]
    fn a_tree_of_names_is_taken_apart() {
        assert_eq!(paths("use crate::{e::{self, F as G}, a::*}; use super::x;"), ["e", "e::F", "a", "a::x"]);
    }

    #[test]
    fn paths_in_code_count_and_those_of_other_crates_do_not() {
        assert_eq!(
            paths("fn f() { c::g(crate::e::H::<u8>::new()); x.c::y; std::mem::take(s); }"),
            ["a::b::c::g", "e::H"]
        );
        assert_eq!(paths("pub(in crate::a) fn f() -> impl A + use<'_> { use ::e::x; }"), [""; 0]);
    }

    #[test]
    fn a_module_in_braces_is_one_further_in() {
        assert_eq!(
            paths("mod m { use super::x; fn f() { { super::super::y::z() } } } use super::w;"),
            ["a::b::x", "a::y::z", "a::w"]
        );
    }
}
