//! Programs that tasks run: what they say, and no longer than they may take.

use crate::files::{found, read};
use regex_lite::Regex;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often an end is looked for. Short beside what any program takes here, long beside what a look costs.
pub(crate) const POLL: Duration = Duration::from_millis(20);

/// A command that does not see what `cargo run` told this process: no name, version and folder of `xtask`, and no
/// folders of libraries of the toolchain that built it.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let ours = Regex::new("^(CARGO|LD_LIBRARY_PATH|CARGO_(PKG|MANIFEST)_.*)$").expect("it is a pattern");
    let mut command = Command::new(program);
    command.stdin(Stdio::null());
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(|name| ours.is_match(name))) {
        command.env_remove(name);
    }
    command
}

/// Standard output of a command that must succeed.
pub(crate) fn bytes(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.output().map_err(|error| format!("{command:?}: cannot be run: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?}: failed with {}\n{said}", output.status));
    }
    Ok(output.stdout)
}

/// The same, as text.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    String::from_utf8(bytes(command)?).map_err(|_| format!("{command:?}: its output is no UTF-8"))
}

/// Runs a command for at most `limit`: whether it succeeds, and what it says, which is in `log` as well. None: it was
/// killed, as it took longer.
pub(crate) fn limited(command: &mut Command, limit: Duration, log: &Path) -> Result<(Option<bool>, String), String> {
    let mut run = || -> io::Result<Option<bool>> {
        log.parent().map_or(Ok(()), fs::create_dir_all)?;
        let file = File::create(log)?;
        let mut child = command.stdout(file.try_clone()?).stderr(file).spawn()?;
        let begun = Instant::now();
        while begun.elapsed() < limit {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status.success()));
            }
            thread::sleep(POLL);
        }
        child.kill()?;
        child.wait().map(|_| None)
    };
    let passed = run().map_err(|error| format!("{command:?}: cannot be run: {error}"))?;
    Ok((passed, read(log)?))
}

/// Longer than all tests that one command runs take to build and to run. A test that hangs is killed then.
const TESTS_LIMIT: Duration = Duration::from_secs(1_800);

/// Runs `cargo test`, with a log, and says how many tests have passed.
pub(crate) fn test(cargo: &mut Command, name: &str, log: &Path) -> Result<(), String> {
    cargo.env("CARGO_TERM_COLOR", "never");
    let (is_ok, said) = limited(cargo, TESTS_LIMIT, log)?;
    let of = |outcome: &str| said.lines().filter(|line| line.ends_with(outcome)).collect::<Vec<_>>();
    let (passed, failed) = (of(" ... ok").len(), of(" ... FAILED"));
    println!("{name}: {passed} passed, {} failed", failed.len());
    match is_ok {
        Some(true) if passed > 0 => Ok(()),
        Some(_) => Err(format!("{name}: failed, log {}\n{}", log.display(), failed.join("\n"))),
        None => Err(format!("{name}: not done after {} s, log {}", TESTS_LIMIT.as_secs(), log.display())),
    }
}

/// The target of this machine.
pub(crate) fn host() -> Result<String, String> {
    let about = output(command("rustc").arg("-vV"))?;
    let host = found("(?m)^host: (.*)", &about).first().map(|host| (*host).to_owned());
    host.ok_or_else(|| "rustc -vV: names no host".to_owned())
}
