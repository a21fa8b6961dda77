//! Processes that the lab starts.

use std::io;
use std::process::{Child, ExitStatus};
use std::thread::sleep;
use std::time::Duration;

use filch_bench::interrupt;

/// Awaits a process, and kills it if Ctrl-C comes. `pause` is the time until it is looked at again.
pub fn ended(mut child: Child, pause: impl Fn() -> Duration) -> io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if interrupt::came() {
            child.kill()?;
            return child.wait();
        }
        sleep(pause());
    }
}

/// How a process ended, if not well.
pub fn failure(status: ExitStatus) -> Option<String> {
    match status.code() {
        _ if status.success() => None,
        Some(code) => Some(format!("ended with exit code {code}")),
        None => Some(format!("was ended by a signal ({status})")),
    }
}
