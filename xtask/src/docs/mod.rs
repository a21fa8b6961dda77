//! `cargo xtask docs`: what the pages name exists: files and folders, tests and other names of the sources, commands
//! with their options, tasks, and places in other pages.
//!
//! - [`page`]: what a page names
//! - [`known`]: what there is, by reading the sources, which takes less than a second
//!
//! A name is what stands in backticks and looks like one; what looks like none is not checked. `…` at the end of a
//! name, and `*` in a path, stand for anything.

mod known;
mod page;

use crate::files::read;
use crate::process::{command, output};
use known::Known;
use page::Named;
use std::path::Path;

pub(crate) fn main() -> Result<(), String> {
    // Also what is not committed yet.
    let list = output(command("git").args(["ls-files", "--cached", "--others", "--exclude-standard"]))?;
    let paths: Vec<&str> = list.lines().filter(|path| Path::new(path).exists()).collect();
    let is_page = |path: &&&str| path.ends_with(".md") && **path != "CHANGELOG.md";
    let known = Known::read(&paths)?;
    let (mut wrong, mut count) = (Vec::new(), 0);
    for path in paths.iter().filter(is_page) {
        for (line, named) in page::named(&read(Path::new(path))?) {
            count += 1;
            if let Err(reason) = known.check(path, &named) {
                wrong.push(format!("{path}:{line}: {reason}"));
            }
        }
    }
    wrong.iter().for_each(|wrong| println!("{wrong}"));
    if wrong.is_empty() {
        println!("docs: ok ({count} names)");
        Ok(())
    } else {
        Err(format!("docs: {} names of what does not exist: correct or remove them", wrong.len()))
    }
}

impl Known {
    /// Why there is no such thing, if there is none.
    fn check(&self, page: &str, named: &Named) -> Result<(), String> {
        match named {
            Named::Path(path) => match page::alternatives(path).iter().find(|path| !self.has_path(path)) {
                None => Ok(()),
                Some(path) => Err(format!("there is no file or folder `{path}`")),
            },
            Named::Word(word) if !self.has_word(word) => Err(format!("no source has the name `{word}`")),
            Named::Command(words) => self.check_command(words),
            Named::Task(task) if !self.tasks.contains(task) => Err(format!("there is no `cargo xtask {task}`")),
            Named::Link(link) if !self.has_place(page, link) => Err(format!("there is no place `{link}`")),
            Named::Word(_) | Named::Task(_) | Named::Link(_) => Ok(()),
        }
    }

    fn check_command(&self, words: &[String]) -> Result<(), String> {
        if let Some(first) = words.first().filter(|first| first.starts_with(|c: char| c.is_ascii_lowercase()))
            && !self.commands.contains(first)
        {
            return Err(format!("there is no command `filch {first}`"));
        }
        match words.iter().find(|word| word.starts_with("--") && !self.options.contains(word.as_str())) {
            None => Ok(()),
            Some(option) => Err(format!("`filch {}`: no command has the option {option}", words.join(" "))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Known {
        let mut known = Known::default();
        for path in ["crates/filch/src/engine/beat.rs", "crates/filch/models/ask.pml", "docs/fork.md"] {
            known.add_path(path);
        }
        known
            .add_source("fn the_oldest_fork_moves_first() {}\n#[arg(long, value_name = \"N\")]\npub no_swaps: bool,\n");
        known.add_source(
            "pub enum SweepCommand {\n    #[command(name = \"pagerank\")]\n    PageRank(A),\n    Cab(B),\n}\n",
        );
        known.add_page("docs/fork.md", "# Forks\n\n## The count of `x`\n");
        known.tasks.insert("loom".into());
        known
    }

    fn wrong(text: &str) -> Vec<String> {
        page::named(text).into_iter().filter_map(|(_, named)| known().check("docs/a.md", &named).err()).collect()
    }

    #[test]
    fn what_exists_is_found_by_the_end_of_its_path_by_its_beginning_or_by_its_name() {
        let text = "`engine/beat.rs`, `beat.rs`, `engine/`, `models/{ask}.pml`, `models/*.pml`,\n\
                    (`the_oldest_fork_…`), `filch cab --no-swaps=3 FILE`, `filch pagerank`, `filch\n  cab`, `x/y.z`\n\
                    `cargo xtask loom NAME`, [a](fork.md#the-count-of-x)\n\
                    `T1/P`, `a || b`, `x_y`, [b](https://example.org/c.md)\n\n    filch cab | sort\n";
        assert_eq!(wrong(text), [""; 0]);
    }

    #[test]
    fn what_does_not_exist_is_named_with_its_line() {
        for (text, name) in [
            ("`engine/bear.rs`", "engine/bear.rs"),
            ("`models/{ask,task}.pml`", "models/task.pml"),
            ("`engines/`", "engines/"),
            ("`the_youngest_fork_…`", "the_youngest_fork_…"),
            ("`the_oldest_fork_moves`", "the_oldest_fork_moves"),
            ("`filch dance`", "dance"),
            ("`filch\n  dance` and `engine/beat.rs`", "dance"),
            ("`filch\n  cab` and `engine/bear.rs`", "bear"),
            ("    filch cab --swaps", "--swaps"),
            ("`cargo xtask dance`", "dance"),
            ("[a](fork.md#the-cost)", "fork.md#the-cost"),
            ("[a](spoon.md)", "spoon.md"),
        ] {
            let wrong = wrong(text);
            assert!(wrong.len() == 1 && wrong[0].contains(name), "{text}: {wrong:?}");
        }
        assert_eq!(page::named("a\nb `c/d.rs`")[0].0, 2);
    }
}
