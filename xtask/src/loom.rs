//! `cargo xtask loom [NAME]`: the sources under the model checker. As they are, when all tests must pass; then with one
//! mistake at a time, when at least one test must fail.
//!
//! The mistakes stand in the sources, as `mutant!("name")` (`crates/filch/src/mutant.rs`), and nowhere else: this reads
//! them there. One build has them all, and a variable says which of them a run makes. The tests beside a mistake run
//! first, and the others only if these have not rejected it.

use crate::files::{found, rust};
use crate::process::{command, limited, output};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

const SOURCES: &str = "crates/filch/src";

/// A run that takes longer has found nothing.
const LIMIT: Duration = Duration::from_secs(300);

pub(crate) fn main(name: &str) -> Result<(), String> {
    let mut mutants: BTreeMap<String, String> = BTreeMap::new();
    for (path, text) in rust(SOURCES)? {
        mutants.extend(self::mutants(&text).map(|mutant| (mutant.to_owned(), tests_beside(Path::new(&path)))));
    }
    mutants.retain(|mutant, _| mutant.contains(name));
    if mutants.is_empty() {
        return Err(format!("loom: no `mutant!(\"…{name}…\")` in {SOURCES}"));
    }
    let tests = build()?;
    let (passed, log) = run(&tests, "", "")?;
    if passed != Some(true) {
        return Err(format!("loom: the sources as they are: tests fail, or take more than {LIMIT:?}\n{log}"));
    }
    println!("loom: ok ({} tests)", found(r"ok\. (\d+) passed", &log).concat());
    for (mutant, beside) in mutants {
        // Out of time is no answer. A deadlock that loom finds ends the process.
        let is_accepted = |filter: &str| run(&tests, &mutant, filter).map(|(passed, _)| passed != Some(false));
        if is_accepted(&beside)? && is_accepted("")? {
            return Err(format!("loom, {mutant}: NOT REJECTED within {LIMIT:?}"));
        }
        println!("loom, {mutant}: rejected");
    }
    Ok(())
}

/// The mutants that a source names, other than in comments.
fn mutants(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| found(r#"mutant!\("([^"]*)""#, line))
}

/// How the names of the tests begin that stand in the same folder as a source.
fn tests_beside(source: &Path) -> String {
    let folder = source.strip_prefix(SOURCES).ok().and_then(Path::parent).unwrap_or(Path::new(""));
    folder.iter().map(|name| format!("{}::", name.display())).collect()
}

/// Builds the tests of the runtime for the model checker; where they are.
fn build() -> Result<String, String> {
    let said = output(
        command("cargo")
            .args(["test", "--quiet", "-p", "filch", "--lib", "--no-run", "--message-format", "json"])
            .args(["--config", "profile.test.package.filch.opt-level=3"])
            .env("CARGO_TARGET_DIR", "target/ci/loom")
            .env("CARGO_PROFILE_TEST_OPT_LEVEL", "3")
            .env("RUSTFLAGS", "-D warnings --cfg loom"),
    )?;
    let built = found(r#""executable":"([^"]+)""#, &said).last().map(|path| (*path).to_owned());
    built.ok_or_else(|| "loom: cargo names no program that it has built".to_owned())
}

/// Runs the tests whose names contain `filter` with one mistake, or with none: whether all pass, and what they say.
/// None: they take too long.
fn run(tests: &str, mutant: &str, filter: &str) -> Result<(Option<bool>, String), String> {
    let mut command = command(tests);
    command.args(["--quiet", filter]).env("RUST_BACKTRACE", "0").env("FILCH_MUTANT", mutant);
    limited(&mut command, LIMIT, Path::new("target/ci/loom.log"))
}

#[test]
fn mutants_are_read_from_the_sources_and_tests_are_known_by_their_folder() {
    let text = "/// mutant!(\"told\")\nif mutant!(\"a\") { x } else if !mutant!(\"b_c\") || mutant!($name) { y }";
    assert_eq!(mutants(text).collect::<Vec<_>>(), ["a", "b_c"]);
    assert_eq!(tests_beside(Path::new("crates/filch/src/protocol/ask/word.rs")), "protocol::ask::");
    assert_eq!(tests_beside(Path::new("crates/filch/src/lib.rs")), "");
}
