//! Packages from the registry, unpacked into `target/rayon`, with the drop-in or without it.

use super::CORE;
use crate::files::{clear, read, write};
use crate::process::{command, output};
use std::fs;
use std::path::{Path, PathBuf};

/// Where all of it lies.
pub(super) const FOLDER: &str = "target/rayon";

/// The drop-in.
pub(super) const DROP_IN: &str = "crates/rayon-core";

/// Which rayon-core a package is built with: the folder of such packages.
pub(super) const STOCK: &str = "stock";
pub(super) const PATCHED: &str = "patched";

/// Where such packages are built.
pub(super) fn target(core: &str) -> PathBuf {
    absolute(FOLDER).join("build").join(core)
}

pub(super) fn absolute(path: impl AsRef<Path>) -> PathBuf {
    std::path::absolute(path).expect("the root of the workspace has a path")
}

/// Where Cargo has the sources of a package. Downloads them if they are not there.
pub(super) fn fetch((name, version): (&str, &str)) -> Result<PathBuf, String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let sources = home.ok_or("neither CARGO_HOME nor a home folder is known")?.join("registry/src");
    let unpacked = || {
        let registries = fs::read_dir(&sources).ok()?.flatten();
        let paths = registries.map(|registry| registry.path().join(format!("{name}-{version}")));
        paths.into_iter().find(|path| path.join(".cargo-ok").is_file())
    };
    if unpacked().is_none() {
        let folder = Path::new(FOLDER).join("fetch").join(name);
        package(&folder, 2024, &format!("{name} = \"={version}\""), "src/lib.rs", "")?;
        output(command("cargo").args(["fetch", "--quiet"]).current_dir(folder))?;
    }
    unpacked().ok_or_else(|| format!("{name} {version}: cargo fetch has not unpacked it"))
}

/// Makes a package of that edition with these dependencies and this source.
pub(super) fn package(folder: &Path, edition: u32, dependencies: &str, source: &str, text: &str) -> Result<(), String> {
    let head = format!("[package]\nname = \"made\"\nversion = \"0.0.0\"\nedition = \"{edition}\"\n\n[workspace]\n");
    write(&folder.join("Cargo.toml"), &format!("{head}\n[dependencies]\n{dependencies}\n"))?;
    write(&folder.join(source), text)
}

/// Copies a package to `target/rayon`, as a workspace of its own that is built with `core`.
pub(super) fn copy(source: &Path, name: &str, core: &str) -> Result<PathBuf, String> {
    let folder = Path::new(FOLDER).join(core).join(name);
    clear(&folder)?;
    output(command("cp").arg("-R").arg(source).arg(&folder))?;
    output(command("chmod").args(["-R", "u+w"]).arg(&folder))?;
    let manifest = folder.join("Cargo.toml");
    let mut text = read(&manifest)?;
    if !text.lines().any(|line| line.starts_with("[workspace")) {
        text.push_str("\n[workspace]\n");
    }
    if core == PATCHED {
        text.push_str(&format!("\n[patch.crates-io]\nrayon-core = {{ path = {:?} }}\n", absolute(DROP_IN)));
    }
    write(&manifest, &text)?;
    if core == PATCHED {
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
