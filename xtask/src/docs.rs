//! `cargo xtask docs`: what the pages name exists: files and folders, tests and other names of the sources, commands
//! with their options, tasks, and places in other pages; and the files of the runtime that comments and models name.
//! Sources are read as text, so that nothing has to be built. [`book`]: whether the pages are one book.
//!
//! A name is what stands in backticks and looks like one; what looks like none is not checked. `…` at the end of a
//! name, and `*` in a path, stand for anything.

mod book;

use crate::files::{found, listed, read, report};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Files whose words are names.
const SOURCES: [&str; 7] = ["rs", "pml", "toml", "sh", "py", "patch", "txt"];

pub(crate) fn main() -> Result<(), String> {
    let (mut known, mut pages, mut in_comments) = (Known::default(), BTreeMap::new(), Vec::new());
    let mut tested = BTreeSet::new();
    for path in listed()? {
        known.add_path(&path);
        let extension = Path::new(&path).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if SOURCES.contains(&extension) {
            let text = read(Path::new(&path))?;
            known.add_source(&text);
            tested.extend(book::included(&text).into_iter().map(str::to_owned));
            if path.starts_with("crates/") {
                in_comments.extend(files_of_the_runtime(&text).into_iter().map(|name| (path.clone(), name.to_owned())));
            }
        } else if extension == "md" {
            let text = read(Path::new(&path))?;
            known.add_page(&path, &text);
            pages.insert(path, text);
        }
    }
    let (mut count, mut wrong) = (0, book::missing(&pages, &tested));
    for (path, text) in pages.iter().filter(|(path, _)| *path != "CHANGELOG.md") {
        let checked = known.page(path, text);
        count += checked.len();
        wrong.extend(
            checked.into_iter().filter_map(|(line, checked)| Some(format!("{path}:{line}: {}", checked.err()?))),
        );
    }
    let missing = in_comments.iter().filter(|(_, name)| !known.has_path(name));
    wrong.extend(missing.map(|(path, name)| format!("{path}: there is no file `{name}`")));
    report(&wrong, &format!("docs: ok ({count} names)"), "names of what does not exist: correct or remove them")
}

/// The files of the runtime that comments of a source or a model name.
fn files_of_the_runtime(text: &str) -> Vec<&str> {
    found(r"\b((?:constructs|engine|pool|protocol)/[\w/]+\.rs)\b", text)
}

/// Whether something that a page names exists, or why it is thought not to.
type Checked = Result<(), String>;

/// What pages may name.
#[derive(Default)]
struct Known {
    /// Files, and folders with a `/` at their end; all with one in front.
    paths: BTreeSet<String>,
    words: BTreeSet<String>,
    /// The commands of `filch`, with those below them, and the options of all of them.
    commands: BTreeSet<String>,
    options: BTreeSet<String>,
    /// The places in each page, as paths.
    places: BTreeSet<String>,
}

impl Known {
    fn add_path(&mut self, path: &str) {
        let path = format!("/{path}");
        self.paths.extend(path.match_indices('/').map(|(place, _)| path[..=place].to_owned()));
        self.paths.insert(path);
    }

    fn add_source(&mut self, text: &str) {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.contains('_'));
        self.words.extend(words.map(str::to_owned));
        // Clap's attributes, and its enums.
        if text.contains("#[arg(") {
            let fields = found(r"(?m)^ *#\[arg\(.*long.*\n(?:.*\n)*? *(?:pub )?([A-Za-z0-9_]+): ", text);
            self.options.extend(fields.iter().map(|field| format!("--{}", field.replace('_', "-"))));
            let named = found(r#"(?m)^ *#\[arg\(.*long = "([^"]+)""#, text);
            self.options.extend(named.iter().map(|name| format!("--{name}")));
        }
        for body in found(r"(?m)^pub enum \w*Command \{\n((?:.*\n)*?)\}", text) {
            let mut named = None;
            for line in body.lines() {
                named = found(r#"name = "([^"]+)""#, line).first().copied().or(named);
                if let [variant] = found(r"^ *([A-Z]\w*)", line)[..] {
                    self.commands.insert(named.take().map_or_else(|| kebab(variant), str::to_owned));
                }
            }
        }
    }

    fn add_page(&mut self, path: &str, text: &str) {
        for title in text.lines().filter(|line| line.starts_with('#')) {
            // As code forges make it.
            let kept =
                title.trim_start_matches('#').trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect();
            self.places.insert(format!("/{path}#{anchor}"));
        }
    }

    /// What a page names, each with its line.
    fn page(&self, page: &str, text: &str) -> Vec<(usize, Checked)> {
        let mut all = Vec::new();
        let mut is_in_code = false;
        for (event, place) in Parser::new(text).into_offset_iter() {
            let line = 1 + text[..place.start].matches('\n').count();
            match event {
                Event::Start(Tag::CodeBlock(_)) => is_in_code = true,
                Event::End(TagEnd::CodeBlock) => is_in_code = false,
                Event::Text(code) if is_in_code => {
                    for (number, code) in (line..).zip(code.lines()) {
                        let parts = code.split(['|', ';']).flat_map(|part| part.split("&&"));
                        all.extend(parts.filter_map(|part| Some((number, self.command(part)?))));
                    }
                }
                Event::Code(span) => all.extend(self.command(&span).or_else(|| self.name(&span)).map(|it| (line, it))),
                Event::Start(Tag::Link { dest_url: target, .. } | Tag::Image { dest_url: target, .. })
                    if !target.contains("://") =>
                {
                    all.push((line, self.link(page, &target)));
                }
                _ => {}
            }
        }
        all
    }

    /// Whether there is what stands in backticks, if it looks like a path or the name of a test.
    fn name(&self, span: &str) -> Option<Checked> {
        let is_plain = |also: &str| span.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || also.contains(c));
        let has_ending = |endings: &[&str]| endings.iter().any(|ending| span.ends_with(ending));
        let is_path = has_ending(&[".rs", ".pml", ".md"])
            || span.contains('/') && has_ending(&[".toml", ".txt", ".sh", ".yml"])
            || span.len() > 1 && span.ends_with('/');
        if is_path && is_plain("-./{},*") && !span.starts_with(['.', '/']) {
            let missing = alternatives(span).into_iter().find(|path| !self.has_path(path));
            return Some(missing.map_or(Ok(()), |path| Err(format!("there is no file or folder `{path}`"))));
        }
        // Words of other languages and programs are seldom as long as names of tests.
        let is_word = !found(r"^(_*[a-z0-9]+(?:_+[a-z0-9]+){2,}_*…*)$", span).is_empty();
        let exists = || match span.strip_suffix('…') {
            None => self.words.contains(span),
            Some(start) => self.words.range(start.to_owned()..).next().is_some_and(|found| found.starts_with(start)),
        };
        is_word.then(|| check(exists(), || format!("no source has the name `{span}`")))
    }

    /// Whether there is a file or folder whose path ends so.
    fn has_path(&self, path: &str) -> bool {
        let Some((before, after)) = path.split_once('*') else {
            return self.paths.iter().any(|known| known.ends_with(&format!("/{path}")));
        };
        let before = format!("/{before}");
        let middle = |known: &str| Some(known.strip_suffix(after)?.rsplit_once(&before)?.1.contains('/'));
        self.paths.iter().any(|known| middle(known) == Some(false))
    }

    /// Whether a command line of this repository names a command, options and a task that there are.
    fn command(&self, text: &str) -> Option<Checked> {
        // Variables may be set in front of it, and a comment may stand behind it.
        let is_variable = |word: &&str| word.contains('=') && word.starts_with(|c: char| c.is_ascii_uppercase());
        let words = text.split(" # ").next()?.split_whitespace().skip_while(is_variable);
        let words: Vec<&str> = words.take_while(|word| !word.starts_with('>')).collect();
        let words = match words[..] {
            ["filch", ref words @ ..] => words,
            ["cargo", "xtask", task, ..] => {
                let is_known = found(r"(?m)^  ([a-z]+)", super::USAGE).contains(&task);
                return Some(check(is_known, || format!("there is no `cargo xtask {task}`")));
            }
            ["cargo", "run", ref words @ ..] => {
                // That of another package is none of `filch`.
                let end = words.iter().position(|word| *word == "--")?;
                let is_other = words[..end].iter().any(|word| ["-p", "--example", "--manifest-path"].contains(word));
                (!is_other).then_some(&words[end + 1..])?
            }
            _ => return None,
        };
        // What follows `--` is for another program.
        let words = words.split(|word| *word == "--").next()?;
        let bare =
            |word: &&'_ str| word.trim_matches(['[', ']', '…', ',', '\'', '"']).split('=').next().map(str::to_owned);
        let words: Vec<String> = words.iter().filter_map(bare).collect();
        if let Some(first) = words.first().filter(|first| first.starts_with(|c: char| c.is_ascii_lowercase()))
            && !self.commands.contains(first)
        {
            return Some(Err(format!("there is no command `filch {first}`")));
        }
        let is_known = |word: &str| ["--help", "--version"].contains(&word) || self.options.contains(word);
        let unknown = words.iter().find(|word| word.starts_with("--") && !is_known(word));
        Some(unknown.map_or(Ok(()), |option| Err(format!("`{text}`: no command has the option {option}"))))
    }

    /// Whether a link on a page leads somewhere.
    fn link(&self, page: &str, link: &str) -> Checked {
        let place = link.split_once('#').map(|(_, place)| place);
        let path = target(page, link);
        let is_there = match place {
            Some(place) => self.places.contains(&format!("{path}#{place}")),
            None => self.paths.contains(&path) || self.paths.contains(&format!("{path}/")),
        };
        check(is_there, || format!("there is no place `{link}`"))
    }
}

/// The path to which a link on a page leads.
fn target(page: &str, link: &str) -> String {
    let file = link.split('#').next().unwrap_or_default();
    let mut path: Vec<&str> = page.split('/').collect();
    if !file.is_empty() {
        path.pop();
    }
    for part in file.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." { _ = path.pop() } else { path.push(part) }
    }
    format!("/{}", path.join("/"))
}

fn check(is_there: bool, reason: impl FnOnce() -> String) -> Checked {
    if is_there { Ok(()) } else { Err(reason()) }
}

/// The paths that `a/{b,c}.rs` stands for.
fn alternatives(path: &str) -> Vec<String> {
    let parts = path.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    let Some((before, (within, after))) = parts else { return vec![path.to_owned()] };
    within.split(',').flat_map(|one| alternatives(&format!("{before}{one}{after}"))).collect()
}

fn kebab(variant: &str) -> String {
    let words = found("([A-Z][a-z0-9]*)", variant);
    words.join("-").to_ascii_lowercase()
}

#[test]
fn what_does_not_exist_is_named_with_its_line_and_what_exists_is_not() {
    let mut known = Known::default();
    known.add_path("crates/filch/src/engine/beat.rs");
    known.add_source("fn the_oldest_fork_moves_first() {}\n#[arg(long, value_name = \"N\")]\npub no_swaps: bool,\n");
    known.add_source("#[arg(long = \"as\", value_name = \"W\")]\npub workers: usize,\n");
    known.add_source(
        "pub enum SweepCommand {\n    #[command(name = \"pagerank\")]\n    PageRank(A),\n    CabTwo(B),\n}\n",
    );
    known.add_page("docs/fork.md", "# Forks\n\n## The count of `x`\n");
    for (wrong, right) in [
        ("`engine/bear.rs`", "`engine/beat.rs`, `beat.rs`, `engine/*.rs`, `x/y.z`, `T1/P`, `a || b`, `x_y`"),
        ("`{beat,task}.rs`", "`{beat,engine/beat}.rs`"),
        ("`engines/`", "`engine/`"),
        ("`the_youngest_fork_…`", "`the_oldest_fork_…`"),
        ("`the_oldest_fork_moves`", "`the_oldest_fork_moves_first`"),
        ("`filch\n  dance`", "`filch\n  cab-two --no-swaps=3 FILE`, `filch pagerank --as 4 -- program --swaps`"),
        ("p\n\n    filch cab-two --swaps", "p\n\n    filch cab-two --no-swaps | sort"),
        ("`cargo xtask dance`", "`cargo xtask loom NAME`"),
        ("[a](fork.md#the-cost)", "[a](fork.md#the-count-of-x), [b](https://example.org/c.md)"),
        ("[a](spoon.md)", "[a](../crates/filch/)"),
    ] {
        let found = |text: &str| known.page("docs/a.md", text).into_iter().filter(|(_, found)| found.is_err()).count();
        assert_eq!((found(wrong), found(right)), (1, 0), "{wrong}, {right}");
    }
    assert_eq!(known.page("a.md", "a\nb `c/d.rs`")[0].0, 2);
}
