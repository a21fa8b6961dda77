//! What the sources of a crate say about modules: what each defines and imports, and which paths it names.
//!
//! Words, not a syntax tree: the paths in what a macro is given count, too. Code that is there for tests or for the
//! model checker does not: items, fields, arms and statements under `#[test]`, `#[cfg(test)]` or `#[cfg(loom)]`, and
//! files with `#![cfg(test)]`.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use syn::{ItemUse, UseTree};

/// The names from the root of a crate down to a module; none for the root itself.
pub(super) type Module = Vec<String>;

#[derive(Default)]
pub(super) struct Sources {
    /// The modules that are files, each with its path below `src`.
    pub(super) files: BTreeMap<Module, String>,
    /// The modules in braces.
    pub(super) inline: BTreeSet<Module>,
    /// The paths of items.
    pub(super) defined: BTreeSet<Module>,
    /// What an imported name stands for, by the path under which it is known then.
    pub(super) imports: BTreeMap<Module, Named>,
    /// What a module imports all names of.
    pub(super) globs: Vec<Named>,
    /// All paths, those of imports among them.
    pub(super) named: Vec<Named>,
}

/// A path that a module names.
#[derive(Clone)]
pub(super) struct Named {
    pub(super) module: Module,
    pub(super) names: Vec<String>,
    pub(super) line: usize,
    /// In a `pub use` of any visibility.
    pub(super) is_reexport: bool,
}

impl Sources {
    /// Reads a source, whose path is relative to `src`. Programs, test code, and what is there for the model checker
    /// are left out.
    pub(super) fn add(&mut self, path: &str, text: &str) -> Result<(), String> {
        let Some(mut module) =
            path.strip_suffix(".rs").map(|path| path.split('/').map(str::to_owned).collect::<Module>())
        else {
            return Ok(());
        };
        let last = module[module.len() - 1].as_str();
        if last.ends_with("tests") || last == "loom" || path == "main.rs" || path.starts_with("bin/") {
            return Ok(());
        }
        if last == "mod" || path == "lib.rs" {
            module.pop();
        }
        let tokens = text.parse().map_err(|error| format!("{path}: {error}"))?;
        self.files.insert(module.clone(), path.to_owned());
        self.read(&module, tokens);
        Ok(())
    }

    /// Reads what stands in a module, or in one pair of brackets in it.
    fn read(&mut self, module: &Module, tokens: TokenStream) {
        let (words, trees) = words(tokens);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut at = 0;
        while at < words.len() {
            let before = at.checked_sub(1).map_or("", |before| words[before]);
            at += match words[at..] {
                ["#", "!", "[", ..] if is_for_tests(&trees[at + 2]) => return,
                ["#", "!", "[", ..] => 3,
                ["#", "[", ..] if is_for_tests(&trees[at + 1]) => 2 + length_of_item(&words[at + 2..]),
                ["#", "[", ..] => 2,
                ["mod", name, "{", ..] => {
                    let inner = below(module, &[name]);
                    self.inline.insert(inner.clone());
                    self.read(&inner, inside(&trees[at + 2]));
                    3
                }
                ["use", next, ..] if next != "<" => {
                    let length = words[at..].iter().position(|word| *word == ";").map_or(1, |end| end + 1);
                    let import = trees[at..at + length].iter().cloned().collect();
                    self.import(module, import, matches!(before, "pub" | "("));
                    length
                }
                ["struct" | "enum" | "trait" | "fn" | "type" | "const" | "static" | "union", name, ..]
                | ["macro_rules", "!", name, ..]
                    if is_name(name) =>
                {
                    self.defined.insert(below(module, &[name]));
                    1
                }
                [name, "::", ..] if is_name(name) && !matches!(before, "::" | ".") => {
                    let is_next = |part: &&[&str]| matches!(part, ["::", "::", name] if is_name(name));
                    let more = words[at + 1..].chunks(3).take_while(is_next).map(|part| part[2]);
                    let names: Vec<String> = [name].into_iter().chain(more).map(str::to_owned).collect();
                    let length = 3 * names.len() - 2;
                    // Not in `pub(in …)`.
                    if !(before == "in" && at == 1) {
                        let line = trees[at].span().start().line;
                        self.named.push(Named { module: module.clone(), names, line, is_reexport: false });
                    }
                    length
                }
                ["{" | "(" | "[", ..] => {
                    self.read(module, inside(&trees[at]));
                    1
                }
                _ => 1,
            };
        }
    }

    fn import(&mut self, module: &Module, tokens: TokenStream, is_reexport: bool) {
        // In the rules of a macro it may be none.
        let Ok(item) = syn::parse2::<ItemUse>(tokens) else { return };
        let mut leaves = Vec::new();
        let start = if item.leading_colon.is_some() { vec![String::new()] } else { Vec::new() };
        self::leaves(&item.tree, start, &mut leaves);
        for (names, name, line) in leaves {
            let named = Named { module: module.clone(), names, line, is_reexport };
            if name == "*" {
                self.globs.push(named.clone());
            } else {
                self.imports.insert(below(module, &[&name]), named.clone());
            }
            self.named.push(named);
        }
    }
}

/// The names in a tree, which stands behind `names`, what each is called here, and its line.
fn leaves(tree: &UseTree, names: Vec<String>, found: &mut Vec<(Vec<String>, String, usize)>) {
    let with = |name: &syn::Ident| {
        if name == "self" && !names.is_empty() { names.clone() } else { below(&names, &[&name.to_string()]) }
    };
    match tree {
        UseTree::Path(path) => leaves(&path.tree, with(&path.ident), found),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, names.clone(), found)),
        UseTree::Glob(glob) => found.push((names.clone(), "*".to_owned(), glob.star_token.span.start().line)),
        UseTree::Name(leaf) => {
            let names = with(&leaf.ident);
            let name = names.last().cloned().unwrap_or_default();
            found.push((names, name, leaf.ident.span().start().line));
        }
        UseTree::Rename(leaf) => {
            found.push((with(&leaf.ident), leaf.rename.to_string(), leaf.ident.span().start().line))
        }
    }
}

pub(super) fn below(module: &[String], names: &[&str]) -> Module {
    module.iter().cloned().chain(names.iter().map(|name| (*name).to_owned())).collect()
}

/// The words and signs, each with what it stands for. A pair of brackets is told as the opening one, and both halves of
/// `::` as all of it.
fn words(tokens: TokenStream) -> (Vec<String>, Vec<TokenTree>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_joint = |tree: &TokenTree| match tree {
        TokenTree::Punct(sign) => sign.as_char() == ':' && sign.spacing() == Spacing::Joint,
        _ => false,
    };
    let word = |(place, tree): (usize, &TokenTree)| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => "(".to_owned(),
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => "[".to_owned(),
        TokenTree::Group(_) => "{".to_owned(),
        TokenTree::Punct(_) if is_joint(tree) || place > 0 && is_joint(&trees[place - 1]) => "::".to_owned(),
        other => other.to_string(),
    };
    (trees.iter().enumerate().map(word).collect(), trees)
}

fn inside(tree: &TokenTree) -> TokenStream {
    if let TokenTree::Group(group) = tree { group.stream() } else { TokenStream::new() }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

/// Whether what has this attribute is there for tests or for the model checker only.
fn is_for_tests(attribute: &TokenTree) -> bool {
    let text = inside(attribute).to_string();
    let has = |word: &str| text.split([' ', '(', ')', ',']).any(|other| other == word);
    let asks = has("test") || has("loom") || has("doctest");
    text == "test" || has("cfg") && asks && !has("not") && (!has("any") || has("loom") && has("test"))
}

/// How long the item, field, arm or statement is that begins here, perhaps with more attributes.
fn length_of_item(words: &[&str]) -> usize {
    const ITEMS: [&str; 15] = [
        "fn",
        "struct",
        "enum",
        "union",
        "impl",
        "mod",
        "use",
        "const",
        "static",
        "trait",
        "type",
        "unsafe",
        "extern",
        "macro_rules",
        "let",
    ];
    let is_before = |place: usize| matches!(words[place], "#" | "[" | "pub" | "(");
    let first = (0..words.len()).find(|&place| !is_before(place)).unwrap_or(words.len());
    let is_item = words.get(first).is_some_and(|word| ITEMS.contains(word));
    let is_use = words.get(first) == Some(&"use");
    let ends = |word: &str| word == ";" || word == "{" && !is_use || word == "," && !is_item;
    words[first..].iter().position(|word| ends(word)).map_or(words.len(), |end| first + end + 1)
}
