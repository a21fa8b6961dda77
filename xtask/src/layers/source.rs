//! What the sources of a crate say about modules: what each defines and imports, and which paths it names.
//!
//! Words, not a syntax tree: the paths in what a macro is given count, too. Code that is there for tests or for the
//! model checker does not: items, fields, arms and statements under `#[test]`, `#[cfg(test)]` or `#[cfg(loom)]`, and
//! files with `#![cfg(test)]`.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// Modules and items are told by their paths, which begin with `crate`.
#[derive(Default)]
pub(super) struct Sources {
    /// The modules that are files, each with its path below `src`.
    pub(super) files: BTreeMap<String, String>,
    /// The modules in braces as well.
    pub(super) modules: BTreeSet<String>,
    pub(super) defined: BTreeSet<String>,
    /// What an imported name stands for, by the path under which it is known then.
    pub(super) imports: BTreeMap<String, Named>,
    /// What a module imports all names of.
    pub(super) globs: Vec<Named>,
    /// All paths, those of imports among them.
    pub(super) named: Vec<Named>,
}

/// A path as a module has it.
#[derive(Clone)]
pub(super) struct Named {
    pub(super) module: String,
    pub(super) path: String,
    pub(super) line: usize,
    /// In a `pub use` of any visibility.
    pub(super) is_reexport: bool,
}

impl Named {
    fn new(module: &str, path: &str, at: &TokenTree) -> Self {
        Named { module: module.to_owned(), path: path.to_owned(), line: at.span().start().line, is_reexport: false }
    }
}

impl Sources {
    /// Reads a source, whose path is relative to `src`. Programs, test code, and what is there for the model checker
    /// are left out.
    pub(super) fn add(&mut self, path: &str, text: &str) -> Result<(), String> {
        let names = path.trim_end_matches(".rs").trim_end_matches("/mod");
        let is_checker = names.rsplit('/').next() == Some("loom");
        if names.ends_with("tests") || is_checker || names == "main" || names.starts_with("bin/") {
            return Ok(());
        }
        let module = if names == "lib" { "crate".to_owned() } else { format!("crate/{names}").replace('/', "::") };
        let tokens = text.parse().map_err(|error| format!("{path}: {error}"))?;
        self.files.insert(module.clone(), path.to_owned());
        self.modules.insert(module.clone());
        self.read(&module, tokens);
        Ok(())
    }

    /// Reads what stands in a module, or in one pair of brackets in it.
    fn read(&mut self, module: &str, tokens: TokenStream) {
        let (words, trees) = words(tokens);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut at = 0;
        while at < words.len() {
            let before = at.checked_sub(1).map_or("", |before| words[before]);
            at += match words[at..] {
                ["#", "!", "[", ..] if is_for_tests(&trees[at + 2]) => return,
                ["#", "[", ..] if is_for_tests(&trees[at + 1]) => 2 + length_of_item(&words[at + 2..]),
                ["#", "[", ..] => 2,
                ["#", "!", "[", ..] => 3,
                ["mod", name, "{", ..] => {
                    self.modules.insert(format!("{module}::{name}"));
                    self.read(&format!("{module}::{name}"), inside(&trees[at + 2]));
                    3
                }
                ["use", next, ..] if next != "<" => {
                    let length = words[at..].iter().take_while(|word| **word != ";").count();
                    let named =
                        Named { is_reexport: matches!(before, "pub" | "("), ..Named::new(module, "", &trees[at]) };
                    self.import(&named, trees[at + 1..at + length].iter().cloned().collect());
                    length
                }
                ["struct" | "enum" | "trait" | "fn" | "type" | "const" | "static" | "union", name, ..]
                | ["macro_rules", "!", name, ..]
                    if is_name(name) =>
                {
                    self.defined.insert(format!("{module}::{name}"));
                    1
                }
                // Not in `pub(in …)`.
                [name, "::", ..] if is_name(name) && !matches!(before, "::" | ".") && (before != "in" || at > 1) => {
                    let (path, length) = path(&words[at..]);
                    self.named.push(Named::new(module, &path, &trees[at]));
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

    /// Reads a tree of a `use`, or several with commas between them, which stand behind a path.
    fn import(&mut self, behind: &Named, tokens: TokenStream) {
        let (words, trees) = words(tokens);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut at = 0;
        for tree in words.split(|word| *word == ",").take_while(|tree| !tree.is_empty()) {
            let mut named = Named { line: trees[at].span().start().line, ..behind.clone() };
            let (path, _) = path(tree);
            let is_all_before = path == "self" && !behind.path.is_empty();
            if is_name(tree[0]) && !is_all_before {
                named.path = if behind.path.is_empty() { path } else { format!("{}::{path}", behind.path) };
            }
            at += tree.len() + 1;
            match tree[tree.len() - 1] {
                "{" => {
                    self.import(&named, inside(&trees[at - 2]));
                    continue;
                }
                "*" => self.globs.push(named.clone()),
                last => {
                    let before = named.path.rsplit("::").next().unwrap_or_default();
                    let known_as = if last == "self" { before } else { last };
                    self.imports.insert(format!("{}::{known_as}", named.module), named.clone());
                }
            }
            self.named.push(named);
        }
    }
}

/// The path that begins here, and how many words it has.
fn path(words: &[&str]) -> (String, usize) {
    let (mut path, mut length) = (words[0].to_owned(), 1);
    while let ["::", "::", name, ..] = words[length..]
        && is_name(name)
    {
        path += &format!("::{name}");
        length += 3;
    }
    (path, length)
}

/// The words and signs, each with what it stands for. A pair of brackets is told as the opening one, and both halves of
/// `::` as all of it.
fn words(tokens: TokenStream) -> (Vec<String>, Vec<TokenTree>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let colon = |place: usize| match &trees[place] {
        TokenTree::Punct(sign) if sign.as_char() == ':' => Some(sign.spacing()),
        _ => None,
    };
    let is_half = |place| colon(place) == Some(Spacing::Joint) || place > 0 && colon(place - 1) == Some(Spacing::Joint);
    let word = |(place, tree): (usize, &TokenTree)| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => "(".to_owned(),
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => "[".to_owned(),
        TokenTree::Group(_) => "{".to_owned(),
        _ if colon(place).is_some() && is_half(place) => "::".to_owned(),
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
    let items = "fn struct enum union impl mod use const static trait type unsafe extern macro_rules let";
    let first = words.iter().take_while(|word| matches!(**word, "#" | "[" | "pub" | "(")).count();
    let is_item = words.get(first).is_some_and(|word| items.split(' ').any(|item| item == *word));
    let is_use = words.get(first) == Some(&"use");
    let ends = |word: &str| word == ";" || word == "{" && !is_use || word == "," && !is_item;
    words[first..].iter().position(|word| ends(word)).map_or(words.len(), |end| first + end + 1)
}
