//! The tests of rayon-core and of rayon, from their packages, on the drop-in.
//!
//! The unit tests of rayon-core lie within its modules. They are compiled in a package of their own, whose root
//! (`xtask/rayon/units.rs`) has what they use: the drop-in, and the few private functions of rayon-core that tests
//! call.

use super::packages::{Core, DROP_IN, FOLDER, absolute, copy, fetch, write};
use super::{CORE, RAYON};
use crate::files::read;
use crate::process::{command, limited};
use std::fs::File;
use std::path::Path;
use std::time::Duration;

/// Longer than all tests of a package take to build and to run. A test that hangs is killed then.
const LIMIT: Duration = Duration::from_secs(1_200);

/// The root of the package of unit tests.
const UNITS: &str = include_str!("../../rayon/units.rs");

/// The unit tests of rayon-core, by their paths in its package.
const FILES: [&str; 6] = ["test", "broadcast/test", "join/test", "scope/test", "spawn/test", "thread_pool/test"];

/// What the tests use other than the interface, and what stands for it in `UNITS`.
const REPLACED: [(&str, &str); 1] = [("thread_pool.registry", "crate::registry::of(&thread_pool)")];

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
    let package = fetch(CORE)?;
    let folder = Path::new(FOLDER).join("core");
    let manifest = format!(
        "[package]\nname = \"rayon-core-tests\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n\
         [dependencies]\nrayon-core = {{ path = {:?} }}\n\n[dev-dependencies]\nrand = \"0.9\"\n\
         rand_xorshift = \"0.4\"\nscoped-tls = \"1.0\"\nlibc = \"0.2\"\ncrossbeam-utils = \"0.8\"\n",
        absolute(DROP_IN)?.display().to_string()
    );
    for old in ["src", "tests"].map(|name| folder.join(name)).iter().filter(|old| old.is_dir()) {
        std::fs::remove_dir_all(old).map_err(|error| format!("{}: cannot be removed: {error}", old.display()))?;
    }
    write(&folder.join("Cargo.toml"), &manifest)?;
    write(&folder.join("src/lib.rs"), UNITS)?;
    for file in FILES {
        let mut text = read(&package.join(format!("src/{file}.rs")))?;
        for (name, other) in REPLACED {
            text = text.replace(name, other);
        }
        write(&folder.join(format!("src/{file}.rs")), &text)?;
    }
    let tests = package.join("tests");
    let entries = tests.read_dir().map_err(|error| format!("{}: cannot be read: {error}", tests.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default();
        write(&folder.join("tests").join(name), &read(&path)?)?;
    }
    EXCEPTIONS.iter().for_each(|name| println!("not run: {name}"));
    test(&folder, "rayon-core", &["--lib", "--tests"], &EXCEPTIONS)
}

/// The tests of rayon that `kinds` says.
pub(super) fn iterators(kinds: &[&str]) -> Result<(), String> {
    let folder = copy(&fetch(RAYON)?, RAYON.0, Core::Patched)?;
    test(&folder, "rayon", kinds, &[])
}

/// Runs the tests of the package in `folder`, other than `exceptions`, and says how many have passed.
fn test(folder: &Path, name: &str, kinds: &[&str], exceptions: &[&str]) -> Result<(), String> {
    let path = Path::new(FOLDER).join(format!("{name}{}.log", kinds.concat()));
    let unusable = |error| format!("{}: cannot be written: {error}", path.display());
    let log = File::create(&path).map_err(unusable)?;
    let mut cargo = command("cargo");
    cargo.args(["test", "--no-fail-fast"]).args(kinds).current_dir(folder);
    cargo.arg("--").args(exceptions.iter().flat_map(|name| ["--skip", name]));
    cargo.env("CARGO_TARGET_DIR", Core::Patched.target()?).env("CARGO_TERM_COLOR", "never");
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only");
    cargo.stdout(log.try_clone().map_err(unusable)?).stderr(log);
    let status = limited(&mut cargo, LIMIT).map_err(|error| format!("cargo test: cannot be run: {error}"))?;
    let counts = Counts::of(&read(&path)?);
    let Counts { passed, failed, ignored } = &counts;
    println!("{name} {}: {passed} passed, {} failed, {ignored} ignored", kinds.join(" "), failed.len());
    match status {
        Some(status) if status.success() && *passed > 0 => Ok(()),
        Some(status) => Err(format!("{name}: {status}, log {}: failed: {failed:?}", path.display())),
        None => Err(format!("{name}: not done after {} s, log {}", LIMIT.as_secs(), path.display())),
    }
}

/// What the output of `cargo test` says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: usize,
    ignored: usize,
    failed: Vec<String>,
}

impl Counts {
    fn of(log: &str) -> Self {
        let mut counts = Counts::default();
        for line in log.lines() {
            if let Some(result) = line.strip_prefix("test result: ") {
                let number = |what: &str| {
                    let before = result.split_once(what).map_or("", |(before, _)| before).trim_end();
                    before.rsplit(' ').next().and_then(|digits| digits.parse().ok()).unwrap_or(0)
                };
                counts.passed += number("passed");
                counts.ignored += number("ignored");
            } else if let Some(name) = line.strip_prefix("test ").and_then(|line| line.strip_suffix(" ... FAILED")) {
                counts.failed.push(name.to_owned());
            }
        }
        counts
    }
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn results_are_added_up_and_failures_named() {
        let log = "test a ... ok\ntest b::c ... FAILED\n\
                   test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured\n\
                   test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured\n";
        assert_eq!(Counts::of(log), Counts { passed: 13, ignored: 3, failed: vec!["b::c".to_owned()] });
    }
}
