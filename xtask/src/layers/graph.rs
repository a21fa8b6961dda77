//! Which module of a crate uses which, and at which places.
//!
//! A module is a file. A name is followed to the file that defines it, through the `use` of every module on the way:
//! who says `super::Rung` uses `rung.rs`, if that is where `mod.rs` has it from. A `mod.rs` that declares its children
//! and re-exports what they define does not use them.

use super::source::Sources;
use std::collections::BTreeMap;

/// From a module to another one, and where: a path of a file and a line.
pub(super) type Uses = BTreeMap<(String, String), Vec<String>>;

/// Longer chains of re-exports are circles of them.
const MAX_STEPS: usize = 16;

impl Sources {
    pub(super) fn uses(&self) -> Uses {
        let mut uses = Uses::new();
        for named in &self.named {
            let user = self.file_of(&named.module);
            let path = self.absolute(&named.module, &named.path);
            let Some(used) = path.and_then(|path| self.definer(&path, 0)) else { continue };
            let is_declared = named.is_reexport && used.starts_with(&format!("{user}::"));
            if used != user && !is_declared {
                let place = format!("{}:{}", self.files[user], named.line);
                uses.entry((user.to_owned(), used)).or_default().push(place);
            }
        }
        uses
    }

    /// The file that a module stands in.
    fn file_of<'a>(&self, module: &'a str) -> &'a str {
        let mut above = std::iter::successors(Some(module), |module| Some(module.rsplit_once("::")?.0));
        above.find(|module| self.files.contains_key(*module)).unwrap_or("crate")
    }

    /// The path from the root of the crate. `None`: it leads out of the crate, or is no path of modules.
    fn absolute(&self, module: &str, path: &str) -> Option<String> {
        let (first, rest) = path.split_once("::").unwrap_or((path, ""));
        match first {
            "crate" => Some(path.to_owned()),
            "super" if rest.starts_with("super") => self.absolute(module.rsplit_once("::")?.0, rest),
            "super" => self.absolute(module.rsplit_once("::")?.0, &format!("self::{rest}")),
            "self" => Some(format!("{module}::{rest}").trim_end_matches("::").to_owned()),
            _ => self.modules.contains(&format!("{module}::{first}")).then(|| format!("{module}::{path}")),
        }
    }

    /// The module whose file defines what a path names. `None` if another crate defines it.
    fn definer(&self, path: &str, steps: usize) -> Option<String> {
        let ends = || path.match_indices("::").map(|(end, _)| end).chain([path.len()]);
        let known =
            ends().take_while(|end| self.modules.contains(&path[..*end])).last().filter(|_| steps < MAX_STEPS)?;
        let module = &path[..known];
        let file = Some(self.file_of(module).to_owned());
        let Some(end) = ends().find(|end| *end > known) else { return file };
        let (named, name) = (&path[..end], &path[known..end]);
        if self.defined.contains(named) {
            return file;
        }
        if let Some(import) = self.imports.get(named) {
            return self.definer(&self.absolute(module, &import.path)?, steps + 1);
        }
        let globs = self.globs.iter().filter(|glob| glob.module == module);
        let mut beyond = globs.filter_map(|glob| Some(self.absolute(module, &glob.path)? + name));
        let is_there = |path: &String| self.defined.contains(path) || self.imports.contains_key(path);
        beyond.find(is_there).map_or(file, |path| self.definer(&path, steps + 1))
    }
}
