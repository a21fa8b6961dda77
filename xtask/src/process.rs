//! Programs that tasks run: what they say, and no longer than they may take.

use std::ffi::OsStr;
use std::io;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often an end is looked for. Short beside what any program takes here, long beside what a look costs.
pub(crate) const POLL: Duration = Duration::from_millis(20);

/// A command that does not see what `cargo run` told this process: no name, version and folder of `xtask`, and no
/// folders of libraries of the toolchain that built it.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text == "CARGO"
            || text == "LD_LIBRARY_PATH"
            || text.starts_with("CARGO_PKG_")
            || text.starts_with("CARGO_MANIFEST_")
        {
            command.env_remove(&name);
        }
    }
    command.stdin(Stdio::null());
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

/// Runs a command for at most `limit`. None: it was killed, as it took longer.
pub(crate) fn limited(command: &mut Command, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let mut child = command.spawn()?;
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begun.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(POLL);
    }
}

/// Whether a command can be run and succeeds; what it says is dropped.
pub(crate) fn succeeds(program: &str, arguments: &[&str]) -> bool {
    bytes(command(program).args(arguments)).is_ok()
}

/// The target of this machine.
pub(crate) fn host() -> Result<String, String> {
    let about = output(command("rustc").arg("-vV"))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV: names no host".to_owned())
}
