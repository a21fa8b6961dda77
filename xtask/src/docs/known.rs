//! What there is: read from the sources as text, so that nothing has to be built.

use crate::files::read;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What pages may name.
#[derive(Debug, Default)]
pub(super) struct Known {
    paths: Vec<String>,
    words: BTreeSet<String>,
    /// The commands of `filch`, with those below them.
    pub(super) commands: BTreeSet<String>,
    /// The options of all of them.
    pub(super) options: BTreeSet<String>,
    /// The tasks of `cargo xtask`.
    pub(super) tasks: BTreeSet<String>,
    /// The places in each page.
    places: BTreeMap<String, BTreeSet<String>>,
}

/// Files whose words are names.
const SOURCES: [&str; 7] = [".rs", ".pml", ".toml", ".sh", ".py", ".patch", ".txt"];

impl Known {
    /// What these files have.
    pub(super) fn read(paths: &[&str]) -> Result<Self, String> {
        let mut known = Self::default();
        for path in paths {
            known.add_path(path);
            if path.ends_with(".md") {
                known.add_page(path, &read(Path::new(path))?);
            } else if SOURCES.iter().any(|ending| path.ends_with(ending)) {
                known.add_source(&read(Path::new(path))?);
            }
        }
        // `cargo xtask`'s own list, and what every command of clap has.
        let usage = read(Path::new("xtask/src/main.rs"))?;
        let tasks = usage.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
        known.tasks.extend(tasks.map(str::to_owned));
        known.options.extend(["--help", "--version"].map(str::to_owned));
        Ok(known)
    }

    pub(super) fn add_path(&mut self, path: &str) {
        self.paths.push(format!("/{path}"));
    }

    pub(super) fn add_source(&mut self, text: &str) {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.contains('_'));
        self.words.extend(words.map(str::to_owned));
        let (mut is_option, mut is_command) = (false, false);
        let mut name = None;
        for (raw, line) in text.lines().map(|line| (line, line.trim())) {
            if line.starts_with("#[arg(") {
                is_option = line.contains("long");
            } else if is_option
                && let Some((field, _)) = line.trim_start_matches("pub ").split_once(": ")
                && field.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            {
                self.options.insert(format!("--{}", field.replace('_', "-")));
                is_option = false;
            }
            if line.starts_with("pub enum ") && line.ends_with("Command {") {
                is_command = true;
            } else if raw == "}" {
                is_command = false;
            } else if is_command {
                if let Some((_, rest)) = line.split_once("name = \"") {
                    name = rest.split('"').next().map(str::to_owned);
                }
                let variant: String = line.chars().take_while(char::is_ascii_alphanumeric).collect();
                if variant.starts_with(|c: char| c.is_ascii_uppercase()) {
                    self.commands.insert(name.take().unwrap_or_else(|| kebab(&variant)));
                }
            }
        }
    }

    pub(super) fn add_page(&mut self, path: &str, text: &str) {
        let titles = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
        self.places.insert(path.to_owned(), titles.map(anchor).collect());
    }

    /// Whether there is a file or folder whose path ends so.
    pub(super) fn has_path(&self, path: &str) -> bool {
        let is_folder = path.ends_with('/');
        let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
        self.paths.iter().any(|known| {
            let known: Vec<&str> = known.split('/').collect();
            let known = if is_folder { &known[..known.len() - 1] } else { &known[..] };
            let ends = if is_folder { 1..=known.len() } else { known.len()..=known.len() };
            ends.into_iter().any(|end| {
                end >= parts.len()
                    && known[end - parts.len()..end].iter().zip(&parts).all(|(known, part)| matches(part, known))
            })
        })
    }

    /// Whether a source has this word, or one that begins so.
    pub(super) fn has_word(&self, word: &str) -> bool {
        match word.strip_suffix('…') {
            None => self.words.contains(word),
            Some(start) => self.words.range(start.to_owned()..).next().is_some_and(|found| found.starts_with(start)),
        }
    }

    /// Whether a link on a page leads somewhere.
    pub(super) fn has_place(&self, page: &str, link: &str) -> bool {
        let (file, place) = link.split_once('#').map_or((link, None), |(file, place)| (file, Some(place)));
        let mut path: Vec<&str> = page.split('/').collect();
        path.pop();
        if file.is_empty() {
            path = page.split('/').collect();
        }
        for part in file.split('/').filter(|part| !part.is_empty() && *part != ".") {
            if part == ".." {
                path.pop();
            } else {
                path.push(part);
            }
        }
        let path = path.join("/");
        match place {
            Some(place) => self.places.get(&path).is_some_and(|places| places.contains(place)),
            None => {
                let (file, folder) = (format!("/{path}"), format!("/{path}/"));
                self.paths.iter().any(|known| *known == file || known.starts_with(&folder))
            }
        }
    }
}

/// Whether a part of a path is meant by this one, in which `*` stands for anything.
fn matches(pattern: &str, part: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == part,
        Some((before, after)) => part.len() >= pattern.len() - 1 && part.starts_with(before) && part.ends_with(after),
    }
}

/// The name of a place under a title, as code forges make it.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

fn kebab(variant: &str) -> String {
    let mut name = String::new();
    for c in variant.chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}
