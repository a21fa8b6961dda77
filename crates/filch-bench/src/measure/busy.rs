//! Processes that keep cores busy during a measurement, as on a machine with more runnable threads than cores.
//!
//! Each process runs this command again, which must be `filch`, with its hidden subcommand `keep-busy`. It writes a
//! newline when it is running, and ends when its standard input ends. Its standard input is a pipe that the measuring
//! process holds open. The system closes the pipe when that process ends, whether it returns, panics, is interrupted or
//! is killed. So no busy process outlives it.

use std::env;
use std::io::{self, Read};
use std::process::{Child, Command, Stdio};

use crate::failure::Failure;

/// The hidden subcommand that a busy process runs.
const COMMAND: &str = "keep-busy";

/// Running busy processes. Dropping this value kills them.
#[derive(Debug)]
pub struct Busy {
    processes: Vec<Child>,
}

impl Busy {
    /// Starts `count` processes and returns when all of them are running.
    pub fn start(count: usize) -> Result<Self, Failure> {
        // If one process cannot be started, dropping `busy` ends those that are already running.
        let mut busy = Self { processes: Vec::new() };
        for _ in 0..count {
            busy.add().map_err(|error| Failure::Usage(format!("cannot start a busy process: {error}")))?;
        }
        Ok(busy)
    }

    fn add(&mut self) -> io::Result<()> {
        let mut command = Command::new(env::current_exe()?);
        command.arg(COMMAND).stdin(Stdio::piped()).stdout(Stdio::piped());
        self.processes.push(command.spawn()?);
        let process = self.processes.last_mut().expect("pushed above");
        process.stdout.as_mut().expect("asked for above").read_exact(&mut [0])
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for process in &mut self.processes {
            // Both fail for a process that has already ended, which does no harm.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
