//! `cargo xtask publish --check`: whether the crates that users depend on can be published.
//!
//! cargo puts them into its order and makes packages of them as if they were published, which finds dependencies that
//! are not, or have no version. Each must say what cargo does not ask for, too, and have both licences and a page of
//! its own. `cargo xtask publish` also builds each from its package.

use crate::files::{listed, read};
use crate::process::{command, output};
use std::path::Path;

/// What a package must say of itself.
const SAID: [&str; 6] = ["description = ", "keywords = ", "categories = ", "repository.", "license.", "rust-version."];

/// What must be in a package.
const FILES: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "README.md"];

pub(crate) fn main(builds: bool) -> Result<(), String> {
    let mut names = Vec::new();
    for path in listed()?.iter().filter(|path| path.starts_with("crates/") && path.ends_with("/Cargo.toml")) {
        let manifest = read(Path::new(path))?;
        let is_member = manifest.contains("version.workspace = true");
        if !is_member || manifest.contains("publish = false") {
            continue;
        }
        if let Some(missing) = SAID.iter().find(|said| !manifest.lines().any(|line| line.starts_with(**said))) {
            return Err(format!("{path}: expected a line that begins with `{missing}`"));
        }
        let name = path.split('/').nth(1).unwrap_or_default().to_owned();
        let packed = output(cargo("package").args(["--list", "-p", &name]))?;
        if let Some(missing) = FILES.iter().find(|file| !packed.lines().any(|packed| packed == **file)) {
            return Err(format!("{name}: expected {missing} in its package"));
        }
        names.push(name);
    }
    let mut publish = cargo("publish");
    publish.args(["--dry-run", "--quiet"]).args(names.iter().flat_map(|name| ["-p", name]));
    if !builds {
        publish.arg("--no-verify");
    }
    let done = publish.output().map_err(|error| format!("{publish:?}: cannot be run: {error}"))?;
    let said = String::from_utf8_lossy(&done.stderr);
    // Of a dry run, cargo says itself that it has not published anything.
    let warned = said.lines().any(|line| line.starts_with("warning:") && !line.contains("dry run"));
    if warned || !done.status.success() {
        return Err(format!("publish: expected no warnings and no errors; found\n{said}"));
    }
    println!("{} crates can be published: {}", names.len(), names.join(", "));
    Ok(())
}

/// The state of a working tree is looked at as it is.
fn cargo(task: &str) -> std::process::Command {
    let mut cargo = command("cargo");
    cargo.args([task, "--allow-dirty"]);
    cargo
}
