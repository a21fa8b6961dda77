//! Which module of a crate uses which, and at which places.
//!
//! A module is a file. A name is followed to the file that defines it, through the `use` of every module on the way:
//! who says `super::Rung` uses `rung.rs`, if that is where `mod.rs` has it from. A `mod.rs` that declares its children
//! and re-exports what they define does not use them.

use super::source::{Module, Named, Sources, below};
use std::collections::BTreeMap;

/// From a module to another one, and where: a path of a file and a line.
pub(super) type Uses = BTreeMap<(Module, Module), Vec<String>>;

/// Longer chains of re-exports are circles of them.
const MAX_STEPS: usize = 16;

impl Sources {
    pub(super) fn uses(&self) -> Uses {
        let mut uses = Uses::new();
        for named in &self.named {
            let Some(user) = self.file_of(&named.module) else { continue };
            let Some(used) = self.absolute(named).and_then(|path| self.definer(&path, 0)) else { continue };
            let is_declared = named.is_reexport && used.starts_with(&user);
            if used != user && !is_declared {
                let place = format!("{}:{}", self.files[&user], named.line);
                uses.entry((user, used)).or_default().push(place);
            }
        }
        uses
    }

    fn is_module(&self, path: &[String]) -> bool {
        self.files.contains_key(path) || self.inline.contains(path)
    }

    /// The file that a module stands in.
    fn file_of(&self, module: &[String]) -> Option<Module> {
        let above = (0..=module.len()).rev().map(|length| &module[..length]);
        above.into_iter().find(|above| self.files.contains_key(*above)).map(<[String]>::to_vec)
    }

    /// The path from the root of the crate. `None`: it leads out of the crate, or is no path of modules.
    fn absolute(&self, Named { module, names, .. }: &Named) -> Option<Module> {
        let supers = names.iter().take_while(|name| *name == "super").count();
        match names.first()?.as_str() {
            "crate" => Some(names[1..].to_vec()),
            "self" => Some([module, &names[1..]].concat()),
            "super" => Some([&module[..module.len().saturating_sub(supers)], &names[supers..]].concat()),
            first => self.is_module(&below(module, &[first])).then(|| [&module[..], names].concat()),
        }
    }

    /// The module whose file defines what a path names. `None` if another crate defines it.
    fn definer(&self, path: &[String], steps: usize) -> Option<Module> {
        if steps > MAX_STEPS {
            return None;
        }
        let known = (0..path.len()).take_while(|&known| self.is_module(&path[..=known])).count();
        let (module, file) = (&path[..known], self.file_of(&path[..known])?);
        let Some(name) = path.get(known) else { return Some(file) };
        let named = &path[..=known];
        if self.defined.contains(named) {
            return Some(file);
        }
        if let Some(import) = self.imports.get(named) {
            return self.definer(&self.absolute(import)?, steps + 1);
        }
        let globs = self.globs.iter().filter(|glob| glob.module == module).filter_map(|glob| self.absolute(glob));
        let beyond = globs
            .map(|glob| below(&glob, &[name]))
            .find(|path| self.defined.contains(path) || self.imports.contains_key(path));
        beyond.map_or(Some(file), |path| self.definer(&path, steps + 1))
    }
}
