//! Processes that keep cores busy while others are measured: what a machine with more to do than cores is like.
//!
//! Each is this command once more. It runs until its standard input ends, which is a pipe that this process holds open:
//! the system closes it when this process ends, whether it returns, panics, is interrupted or is killed. So no busy
//! process outlives it.

use std::env;
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;

use crate::failure::Failure;

/// The hidden command that such a process runs.
const COMMAND: &str = "keep-busy";

/// Busy processes; they end when this is dropped.
#[derive(Debug)]
pub struct Busy {
    processes: Vec<Child>,
}

impl Busy {
    /// Starts so many, and returns once each is at work.
    pub fn start(count: usize) -> Result<Self, Failure> {
        // What has been started is ended, too, if the next one cannot be.
        let mut busy = Self { processes: Vec::new() };
        for _ in 0..count {
            busy.add().map_err(|error| Failure::Failed(format!("cannot start a busy process: {error}")))?;
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
            // One that has ended by itself needs neither.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// Keeps a core busy until standard input ends.
pub fn run_process(out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out)?;
    out.flush()?;
    thread::spawn(|| {
        let mut number = 0_u64;
        loop {
            // Not the processor's spin hint, at which a virtual machine may hand over the core.
            number = black_box(number.wrapping_add(1));
        }
    });
    // An error is an end, too.
    let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
    Ok(())
}
