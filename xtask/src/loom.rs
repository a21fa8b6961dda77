//! `cargo xtask loom [NAME]`: the sources under the model checker. As they are, when all tests must pass; then with one
//! mistake at a time, when at least one test must fail.
//!
//! The mistakes stand in the sources, as `mutant!("name")` (`crates/filch/src/mutant.rs`), and nowhere else: this reads
//! them there. One build has them all, and a variable says which of them a run makes. The tests beside a mistake run
//! first, and the others only if these have not rejected it.

use crate::process::{command, limited, output};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::Duration;

const SOURCES: &str = "crates/filch/src";
const LOG: &str = "target/ci/loom.log";

/// A run that takes longer has found nothing.
const LIMIT: Duration = Duration::from_secs(300);

pub(crate) fn main(name: &str) -> Result<(), String> {
    let sources = crate::files::rust(Path::new(SOURCES))?;
    let mut mutants: BTreeMap<&str, String> = BTreeMap::new();
    for (path, text) in &sources {
        mutants.extend(self::mutants(text).into_iter().map(|mutant| (mutant, tests_beside(path))));
    }
    mutants.retain(|mutant, _| mutant.contains(name));
    if mutants.is_empty() {
        return Err(format!("loom: no `mutant!(\"…{name}…\")` in {SOURCES}"));
    }
    std::fs::create_dir_all("target/ci").map_err(|error| format!("target/ci: cannot be made: {error}"))?;
    let tests = build()?;
    match run(&tests, "", "")? {
        Some(status) if status.success() => println!("loom: ok{}", passed()),
        outcome => return Err(format!("loom: the sources as they are: {}\n{}", told(outcome), log())),
    }
    for (mutant, beside) in mutants {
        if !is_rejected(run(&tests, mutant, &beside)?) {
            let outcome = run(&tests, mutant, "")?;
            if !is_rejected(outcome) {
                return Err(format!("loom, {mutant}: NOT REJECTED: {}", told(outcome)));
            }
        }
        println!("loom, {mutant}: rejected");
    }
    Ok(())
}

/// Out of time is no answer. A deadlock that loom finds ends the process.
fn is_rejected(outcome: Option<ExitStatus>) -> bool {
    outcome.is_some_and(|status| !status.success())
}

/// The mutants that a source names, other than in comments.
fn mutants(text: &str) -> Vec<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let calls = code.flat_map(|line| line.split(r#"mutant!(""#).skip(1));
    calls.filter_map(|rest| rest.split_once('"').map(|(name, _)| name)).collect()
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
    let (_, rest) = said.rsplit_once(r#""executable":""#).ok_or("loom: cargo names no program that it has built")?;
    rest.split_once('"').map(|(path, _)| path.to_owned()).ok_or_else(|| "loom: cargo's output ends early".to_owned())
}

/// Runs the tests whose names contain `filter` with one mistake, or with none. None: they take too long.
fn run(tests: &str, mutant: &str, filter: &str) -> Result<Option<ExitStatus>, String> {
    let unusable = |error| format!("{LOG}: cannot be written: {error}");
    let log = File::create(LOG).map_err(unusable)?;
    let mut command: Command = command(tests);
    command.args(["--quiet", filter]).env("RUST_BACKTRACE", "0").env("FILCH_MUTANT", mutant);
    command.stdout(log.try_clone().map_err(unusable)?).stderr(log);
    limited(&mut command, LIMIT).map_err(|error| format!("{tests}: cannot be run: {error}"))
}

fn told(outcome: Option<ExitStatus>) -> String {
    outcome.map_or_else(|| format!("not done after {} s", LIMIT.as_secs()), |status| status.to_string())
}

fn log() -> String {
    std::fs::read_to_string(LOG).unwrap_or_default()
}

/// How many tests there were, if the log says so.
fn passed() -> String {
    let log = log();
    let count = log.split_once("ok. ").and_then(|(_, rest)| rest.split_once(" passed"));
    count.map_or_else(String::new, |(count, _)| format!(" ({count} tests)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_are_read_from_the_sources() {
        let text = r#"if mutant!("a") { x } else if !mutant!("b_c") || mutant!($name) { y }"#;
        assert_eq!(mutants(&format!("/// mutant!(\"told\")\n{text}")), ["a", "b_c"]);
    }

    #[test]
    fn the_tests_of_a_folder_are_known_by_its_name() {
        assert_eq!(tests_beside(Path::new("crates/filch/src/protocol/ask/word.rs")), "protocol::ask::");
        assert_eq!(tests_beside(Path::new("crates/filch/src/lib.rs")), "");
    }
}
