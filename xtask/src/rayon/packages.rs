//! Packages from the registry, unpacked into `target/rayon`, with the drop-in or without it.

use super::CORE;
use crate::files::read;
use crate::process::{command, output};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where all of it lies.
pub(super) const FOLDER: &str = "target/rayon";

/// The drop-in.
pub(super) const DROP_IN: &str = "crates/filch-rayon";

/// Which rayon-core a package is built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Core {
    Stock,
    Patched,
}

impl Core {
    pub(super) const BOTH: [Core; 2] = [Core::Stock, Core::Patched];

    /// The folder of packages that are built with it.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Core::Stock => "stock",
            Core::Patched => "patched",
        }
    }

    /// Where such packages are built.
    pub(super) fn target(self) -> Result<PathBuf, String> {
        Ok(absolute(FOLDER)?.join("build").join(self.folder()))
    }
}

pub(super) fn absolute(path: impl AsRef<Path>) -> Result<PathBuf, String> {
    let path = path.as_ref();
    std::path::absolute(path).map_err(|error| format!("{}: has no absolute path: {error}", path.display()))
}

/// Where Cargo has the sources of a package. Downloads them if they are not there.
pub(super) fn fetch((name, version): (&str, &str)) -> Result<PathBuf, String> {
    if let Some(found) = unpacked(name, version)? {
        return Ok(found);
    }
    let folder = Path::new(FOLDER).join("fetch").join(name);
    let manifest = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\n{name} = \"={version}\"\n"
    );
    write(&folder.join("Cargo.toml"), &manifest)?;
    write(&folder.join("src/lib.rs"), "")?;
    output(command("cargo").args(["fetch", "--quiet"]).current_dir(&folder))?;
    unpacked(name, version)?.ok_or_else(|| format!("{name} {version}: cargo fetch has not unpacked it"))
}

/// The sources of a package, if Cargo has them.
fn unpacked(name: &str, version: &str) -> Result<Option<PathBuf>, String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let sources = home.ok_or("neither CARGO_HOME nor a home folder is known")?.join("registry/src");
    let Ok(registries) = fs::read_dir(&sources) else { return Ok(None) };
    let wanted = format!("{name}-{version}");
    Ok(registries.flatten().map(|registry| registry.path().join(&wanted)).find(|path| path.join(".cargo-ok").is_file()))
}

/// Copies a package to `target/rayon`, as a workspace of its own that is built with `core`.
pub(super) fn copy(source: &Path, name: &str, core: Core) -> Result<PathBuf, String> {
    let folder = Path::new(FOLDER).join(core.folder()).join(name);
    copy_all(source, &folder).map_err(|error| format!("{}: cannot be copied: {error}", source.display()))?;
    let manifest = folder.join("Cargo.toml");
    let mut text = read(&manifest)?;
    if !text.lines().any(|line| line.starts_with("[workspace")) {
        text.push_str("\n[workspace]\n");
    }
    if core == Core::Patched {
        let path = absolute(DROP_IN)?;
        text.push_str(&format!("\n[patch.crates-io]\nrayon-core = {{ path = {:?} }}\n", path.display().to_string()));
    }
    write(&manifest, &text)?;
    if core == Core::Patched {
        // A lock file that comes with the package may name an older version, for which the drop-in does not stand.
        // Without a version Cargo keeps that one if the package is also for a Rust that is older than the drop-in's.
        let update = ["update", "--quiet", "-p", CORE.0, "--precise", CORE.1];
        output(command("cargo").args(update).current_dir(&folder))?;
        if read(&folder.join("Cargo.lock"))?.contains("[[patch.unused]]") {
            return Err(format!("{}: is not built with the drop-in", folder.display()));
        }
    }
    Ok(folder)
}

/// Replaces what was there, other than what Cargo has built.
fn copy_all(source: &Path, target: &Path) -> io::Result<()> {
    if target.is_dir() {
        fs::remove_dir_all(target)?;
    }
    fs::create_dir_all(target)?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        let (from, to) = (entry.path(), target.join(entry.file_name()));
        if from.is_dir() {
            copy_all(&from, &to)?;
        } else {
            // Not `fs::copy`, which would keep a file read-only.
            fs::write(to, fs::read(from)?)?;
        }
    }
    Ok(())
}

/// Writes a file, and the folders that it lies in.
pub(super) fn write(path: &Path, text: &str) -> Result<(), String> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    written.map_err(|error| format!("{}: cannot be written: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_what_the_package_has_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let (source, target) = (folder.path().join("a"), folder.path().join("b"));
        write(&source.join("src/lib.rs"), "new").expect("written");
        write(&target.join("src/old.rs"), "old").expect("written");
        copy_all(&source, &target).expect("copied");
        assert_eq!(read(&target.join("src/lib.rs")).as_deref(), Ok("new"));
        assert!(!target.join("src/old.rs").exists());
    }
}
