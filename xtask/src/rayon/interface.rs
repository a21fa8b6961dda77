//! The interface of the drop-in against that of rayon-core, item by item. A program of its own reads both
//! (`xtask/rayon/interface.rs`), by the crate `public-api`.

use super::CORE;
use super::packages::{Core, DROP_IN, FOLDER, absolute, copy, fetch, write};
use crate::process::{command, output};
use std::path::{Path, PathBuf};

const PROGRAM: &str = include_str!("../../rayon/interface.rs");

/// It reads the JSON of the nightly toolchains of its time.
const PUBLIC_API: &str = "=0.52.2";

pub(super) fn main() -> Result<(), String> {
    let folder = Path::new(FOLDER).join("interface");
    let manifest = format!(
        "[package]\nname = \"interface\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\npublic-api = \"{PUBLIC_API}\"\n"
    );
    write(&folder.join("Cargo.toml"), &manifest)?;
    write(&folder.join("src/main.rs"), PROGRAM)?;
    let theirs = json(&copy(&fetch(CORE)?, CORE.0, Core::Stock)?, Core::Stock)?;
    let ours = json(Path::new(DROP_IN), Core::Patched)?;
    let mut run = command("cargo");
    run.args(["run", "--quiet", "--"]).arg(theirs).arg(ours).current_dir(&folder);
    let run = run.status().map_err(|error| format!("cargo run: cannot be run: {error}"))?;
    if run.success() { Ok(()) } else { Err("interface: the drop-in does not have that of rayon-core".to_owned()) }
}

/// What rustdoc says about a crate.
fn json(folder: &Path, core: Core) -> Result<PathBuf, String> {
    let target = absolute(FOLDER)?.join("json").join(core.folder());
    output(
        command("cargo")
            .args(["+nightly", "rustdoc", "--quiet", "--lib"])
            .args(["--", "-Z", "unstable-options", "--output-format", "json"])
            .current_dir(folder)
            .env("CARGO_TARGET_DIR", &target),
    )?;
    Ok(target.join("doc/rayon_core.json"))
}
