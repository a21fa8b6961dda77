//! The program that is profiled, as a process.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio, id};
use std::time::{Duration, Instant};

use filch::Scheduler;
use filch_bench::failure::Failure;

use crate::process;

/// The pauses between two looks at a process.
const LEAST_PAUSE: Duration = Duration::from_micros(50);
const MOST_PAUSE: Duration = Duration::from_millis(20);

/// A program and its arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Program<'p> {
    line: &'p [OsString],
}

/// Where its standard output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// To standard error, so that the report stands alone.
    Shown,
    /// Nowhere: it has been shown before.
    Dropped,
}

impl<'p> Program<'p> {
    /// The line has a program at least.
    pub(super) fn new(line: &'p [OsString]) -> Self {
        Program { line }
    }

    /// As it was typed.
    pub(super) fn shown(&self) -> String {
        let words: Vec<_> = self.line.iter().map(|word| word.to_string_lossy()).collect();
        words.join(" ")
    }

    /// Its name without its folder.
    pub(super) fn name(&self) -> String {
        let name = &self.line[0];
        Path::new(name).file_name().unwrap_or(name).to_string_lossy().into_owned()
    }

    /// Runs it on so many workers, with this scheduler if one is given. The result is its time in seconds, from its
    /// start to its end.
    pub(super) fn run(
        &self,
        workers: usize,
        scheduler: Option<&Scheduler>,
        profile: Option<&Path>,
        output: Output,
    ) -> Result<f64, Failure> {
        let name = Path::new(&self.line[0]).display();
        let mut command = Command::new(&self.line[0]);
        command.args(&self.line[1..]).stdin(Stdio::null());
        command.stdout(if output == Output::Shown { io::stderr().into() } else { Stdio::null() });
        command.env("FILCH_WORKERS", workers.to_string()).env_remove("FILCH_TOPOLOGY");
        // What the drop-in for rayon reads.
        command.env("RAYON_NUM_THREADS", workers.to_string());
        set(&mut command, "FILCH_SCHEDULER", scheduler.map(|scheduler| scheduler.to_string().into()));
        set(&mut command, "FILCH_PROFILE", profile.map(Into::into));
        let begun = Instant::now();
        let child = command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Failure::Usage(format!("cannot run {name}: there is no such program")),
            _ => Failure::Usage(format!("cannot run {name}: {error}")),
        })?;
        // A two-hundredth of its time, which is therefore known to half a percent.
        let pause = || (begun.elapsed() / 200).clamp(LEAST_PAUSE, MOST_PAUSE);
        let status =
            process::ended(child, pause).map_err(|error| Failure::Failed(format!("cannot await {name}: {error}")))?;
        let time = begun.elapsed().as_secs_f64();
        let Some(how) = process::failure(status) else { return Ok(time) };
        let why = match (profile, scheduler) {
            (Some(_), _) => "while it was profiled".to_owned(),
            (None, Some(scheduler)) => format!("under FILCH_SCHEDULER={scheduler}"),
            (None, None) => format!("with FILCH_WORKERS={workers}"),
        };
        Err(Failure::Failed(format!("{name} {how} {why}")))
    }
}

fn set(command: &mut Command, name: &str, value: Option<OsString>) {
    match value {
        Some(value) => command.env(name, value),
        None => command.env_remove(name),
    };
}

/// A file of the temporary directory, which is removed in the end.
#[derive(Debug)]
pub(super) struct Temporary(PathBuf);

impl Temporary {
    pub(super) fn new() -> Self {
        Temporary(env::temp_dir().join(format!("filch-{}.profile", id())))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // The program may have written none.
        let _ = fs::remove_file(&self.0);
    }
}
