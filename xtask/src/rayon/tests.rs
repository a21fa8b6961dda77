//! The tests of rayon-core and of rayon, from their packages, on the drop-in, and the interface of rayon-core.
//!
//! The unit tests of rayon-core lie within its modules. They are compiled in a package of their own, whose root
//! (`xtask/rayon/units.rs`) has what they use: the drop-in, and the few private functions of rayon-core that tests
//! call.

use super::packages::{DROP_IN, FOLDER, PATCHED, STOCK, absolute, copy, fetch, package, target};
use super::{CORE, RAYON};
use crate::files::{clear, read, write};
use crate::process::{self, command, output};
use std::path::{Path, PathBuf};

/// The unit tests of rayon-core, by their paths in its package.
const FILES: [&str; 6] = ["test", "broadcast/test", "join/test", "scope/test", "spawn/test", "thread_pool/test"];

/// What the tests use other than the interface, and what stands for it in `units.rs`.
const REPLACED: (&str, &str) = ("thread_pool.registry", "crate::registry::of(&thread_pool)");

/// Tests that expect the tasks of two scopes in one order, in which a thread has spawned them. At the end of the inner
/// scope, Filch runs its tasks first. The documentation of rayon's `scope`, section "Task execution": "There is no
/// guaranteed order of execution for spawns in a scope".
const EXCEPTIONS: [&str; 4] = [
    "scope::test::mixed_fifo_lifo_order",
    "scope::test::mixed_fifo_order",
    "scope::test::mixed_lifo_fifo_order",
    "scope::test::mixed_lifo_order",
];

/// Unit and integration tests of rayon-core.
pub(super) fn core() -> Result<(), String> {
    let (theirs, folder) = (fetch(CORE)?, Path::new(FOLDER).join("core"));
    let dependencies = format!(
        "rayon-core = {{ path = {:?} }}\n\n[dev-dependencies]\nrand = \"0.9\"\nrand_xorshift = \"0.4\"\n\
         scoped-tls = \"1.0\"\nlibc = \"0.2\"\ncrossbeam-utils = \"0.8\"",
        absolute(DROP_IN)
    );
    clear(&folder.join("src"))?;
    clear(&folder.join("tests"))?;
    package(&folder, 2021, &dependencies, "src/lib.rs", include_str!("../../rayon/units.rs"))?;
    for file in FILES.map(|file| format!("src/{file}.rs")) {
        write(&folder.join(&file), &read(&theirs.join(&file))?.replace(REPLACED.0, REPLACED.1))?;
    }
    output(command("cp").arg("-R").args([&theirs.join("tests"), &folder]))?;
    EXCEPTIONS.iter().for_each(|name| println!("not run: {name}"));
    test(&folder, "rayon-core", &["--lib", "--tests"], &EXCEPTIONS)
}

/// The tests of rayon that `kinds` says.
pub(super) fn iterators(kinds: &[&str]) -> Result<(), String> {
    test(&copy(&fetch(RAYON)?, RAYON.0, PATCHED)?, "rayon", kinds, &[])
}

/// Runs the tests of the package in `folder`, other than `exceptions`, and says how many have passed.
fn test(folder: &Path, name: &str, kinds: &[&str], exceptions: &[&str]) -> Result<(), String> {
    let mut cargo = command("cargo");
    cargo.args(["test", "--no-fail-fast"]).args(kinds).current_dir(folder);
    cargo.arg("--").args(exceptions.iter().flat_map(|name| ["--skip", name]));
    cargo.env("CARGO_TARGET_DIR", target(PATCHED)).env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only");
    let log = Path::new(FOLDER).join(format!("{name}{}.log", kinds.concat()));
    process::test(&mut cargo, &format!("{name} {}", kinds.join(" ")), &log)
}

/// The interface of the drop-in against that of rayon-core, item by item. A program of its own reads both
/// (`xtask/rayon/interface.rs`), by the crate `public-api`, which reads the JSON of the nightly toolchains of its time.
pub(super) fn interface() -> Result<(), String> {
    let folder = Path::new(FOLDER).join("interface");
    let program = include_str!("../../rayon/interface.rs");
    package(&folder, 2024, "public-api = \"=0.52.2\"", "src/main.rs", program)?;
    let theirs = json(&copy(&fetch(CORE)?, CORE.0, STOCK)?, STOCK)?;
    let ours = json(Path::new(DROP_IN), PATCHED)?;
    let mut run = command("cargo");
    run.args(["run", "--quiet", "--"]).arg(theirs).arg(ours).current_dir(&folder);
    let run = run.status().map_err(|error| format!("cargo run: cannot be run: {error}"))?;
    if run.success() { Ok(()) } else { Err("interface: the drop-in does not have that of rayon-core".to_owned()) }
}

/// What rustdoc says about a crate.
fn json(folder: &Path, core: &str) -> Result<PathBuf, String> {
    let built = absolute(FOLDER).join("json").join(core);
    let mut cargo = command("cargo");
    cargo.args(["+nightly", "rustdoc", "--quiet", "--lib", "--", "-Z", "unstable-options", "--output-format", "json"]);
    output(cargo.current_dir(folder).env("CARGO_TARGET_DIR", &built))?;
    Ok(built.join("doc/rayon_core.json"))
}
