//! Runs steps, a few at a time, and reports them.
//!
//! One thread does all of it: it begins what the schedule says, looks which processes have ended, and whether a signal
//! has come. Each step is a process group of its own, so that all of it can be stopped: however this ends, no process
//! of a step is left, and every step that has begun is in the report.

use super::needs::Need;
use super::schedule::{State, next};
use super::step::Step;
use super::steps::COMMON;
use crate::process::{POLL, command};
use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const LOGS: &str = "target/ci/logs";

/// The program that steps run as `xtask`: a copy, since what builds the workspace may replace the original.
const XTASK: &str = "target/ci/xtask";

/// How long a step that is told to stop may take for it, before it is killed.
const GRACE: Duration = Duration::from_secs(3);

/// Runs the steps, `jobs` at a time. True: none has failed, and all have ended or cannot be made on this machine.
pub(crate) fn execute(steps: &[Step], jobs: usize) -> io::Result<bool> {
    fs::create_dir_all(LOGS)?;
    fs::copy(std::env::current_exe()?, XTASK)?;
    let is_stopped = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&is_stopped))?;
    }
    let mut run = Run::new(steps, Path::new(LOGS), Need::meet);
    let begun = Instant::now();
    let ended = run.all(jobs, &is_stopped);
    run.stop();
    println!();
    for line in run.report.iter().chain(&run.absent) {
        println!("{line}");
    }
    if run.states.contains(&State::Waiting) {
        run.has_failed = true;
        println!("INTERRUPTED: what is not listed has not begun");
    }
    println!("        {} s in all", begun.elapsed().as_secs());
    ended?;
    Ok(!run.has_failed)
}

/// What has begun and what has ended.
struct Run<'a> {
    steps: &'a [Step],
    /// The folder of logs.
    logs: &'a Path,
    /// Gets what a step needs.
    meet: fn(&Need) -> Result<(), String>,
    states: Vec<State>,
    running: Vec<Running>,
    /// A line for each step that has ended.
    report: Vec<String>,
    /// A line for each that this machine cannot make.
    absent: Vec<String>,
    has_failed: bool,
}

struct Running {
    step: usize,
    child: Child,
    begun: Instant,
}

impl<'a> Run<'a> {
    fn new(steps: &'a [Step], logs: &'a Path, meet: fn(&Need) -> Result<(), String>) -> Self {
        Run {
            steps,
            logs,
            meet,
            states: vec![State::Waiting; steps.len()],
            running: Vec::new(),
            report: Vec::new(),
            absent: Vec::new(),
            has_failed: false,
        }
    }

    fn log(&self, step: &Step) -> PathBuf {
        self.logs.join(step.file_name())
    }

    /// Until all have ended, or a signal comes.
    fn all(&mut self, jobs: usize, is_stopped: &AtomicBool) -> io::Result<()> {
        while !is_stopped.load(Ordering::Relaxed) {
            if self.running.len() < jobs
                && let Some(step) = next(self.steps, &self.states)
            {
                self.begin(step)?;
            } else if self.running.is_empty() {
                break;
            } else {
                self.reap()?;
                thread::sleep(POLL);
            }
        }
        Ok(())
    }

    fn begin(&mut self, number: usize) -> io::Result<()> {
        let step = &self.steps[number];
        for need in &step.needs {
            if let Err(missing) = (self.meet)(need) {
                println!("!!! NOT CHECKED: {}: {missing}", step.name);
                self.absent.push(format!("ABSENT          {}: {missing}", step.name));
                self.states[number] = State::Ended;
                return Ok(());
            }
        }
        let log = self.log(step);
        println!("=== {} begins, log {}: {}", step.name, log.display(), step.typed());
        let file = File::create(log)?;
        let (program, arguments) = step.command.split_first().expect("a step has a command");
        let program = if program == "xtask" { Path::new(XTASK).canonicalize()? } else { PathBuf::from(program) };
        let child = command(program)
            .args(arguments)
            .envs(COMMON)
            .envs(step.variables.iter().map(|(name, value)| (name, value)))
            .stdout(file.try_clone()?)
            .stderr(file)
            .stdin(Stdio::null())
            .process_group(0)
            .spawn();
        match child {
            Ok(child) => {
                self.states[number] = State::Running;
                self.running.push(Running { step: number, child, begun: Instant::now() });
            }
            Err(error) => {
                fs::write(self.log(step), format!("{}: cannot be run: {error}\n", step.typed()))?;
                self.close(number, "FAILED ", Duration::ZERO)?;
            }
        }
        Ok(())
    }

    /// Closes the steps whose processes have ended.
    fn reap(&mut self) -> io::Result<()> {
        let mut place = 0;
        while let Some(running) = self.running.get_mut(place) {
            if let Some(status) = running.child.try_wait()? {
                let ended = self.running.remove(place);
                let outcome = if status.success() { "ok     " } else { "FAILED " };
                self.close(ended.step, outcome, ended.begun.elapsed())?;
            } else {
                place += 1;
            }
        }
        Ok(())
    }

    /// Puts a step into the report, and prints what it has said.
    fn close(&mut self, number: usize, outcome: &str, took: Duration) -> io::Result<()> {
        let step = &self.steps[number];
        self.states[number] = State::Ended;
        self.has_failed |= outcome != "ok     ";
        let line = format!("{outcome} {:>5} s  {}", took.as_secs(), step.name);
        println!("=== {line}");
        self.report.push(line);
        let mut out = io::stdout().lock();
        io::copy(&mut File::open(self.log(step))?, &mut out)?;
        out.flush()
    }

    /// Stops what runs, with all processes that it has begun.
    fn stop(&mut self) {
        for running in &self.running {
            signal_group(&running.child, Signal::TERM);
        }
        let told = Instant::now();
        for mut running in std::mem::take(&mut self.running) {
            while told.elapsed() < GRACE && matches!(running.child.try_wait(), Ok(None)) {
                thread::sleep(POLL);
            }
            // Also what its first process has left.
            signal_group(&running.child, Signal::KILL);
            _ = running.child.wait();
            if let Err(error) = self.close(running.step, "STOPPED", running.begun.elapsed()) {
                println!("its log cannot be read: {error}");
            }
        }
    }
}

/// An error says that there is no such process any more.
fn signal_group(child: &Child, signal: Signal) {
    _ = kill_process_group(Pid::from_child(child), signal);
}

#[cfg(test)]
mod tests {
    use super::super::step::step;
    use super::*;

    /// Runs the steps to their end, on a machine that lacks everything.
    fn run<'a>(steps: &'a [Step], logs: &'a tempfile::TempDir) -> Run<'a> {
        let mut run = Run::new(steps, logs.path(), |_| Err("it is not there".to_owned()));
        run.all(1, &AtomicBool::new(false)).expect("steps run");
        run
    }

    fn logs() -> tempfile::TempDir {
        tempfile::tempdir().expect("there is room for logs")
    }

    #[test]
    fn a_step_that_fails_is_reported_and_the_others_run() {
        let (steps, logs) = ([step("a", 2, "false"), step("b", 1, "true")], logs());
        let run = run(&steps, &logs);
        assert_eq!(run.report.iter().map(|line| &line[..6]).collect::<Vec<_>>(), ["FAILED", "ok    "]);
        assert!(run.has_failed);
    }

    #[test]
    fn a_command_that_is_not_there_fails() {
        let (steps, logs) = ([step("a", 1, "no-such-command")], logs());
        assert!(run(&steps, &logs).has_failed);
    }

    #[test]
    fn what_a_machine_lacks_is_absent_and_no_failure() {
        let (steps, logs) = ([step("a", 1, "true").needs(Need::MiriSetup), step("b", 1, "true").after("a")], logs());
        let run = run(&steps, &logs);
        assert_eq!((run.absent.len(), run.report.len(), run.has_failed), (1, 1, false));
    }

    #[test]
    fn nothing_begins_after_a_signal() {
        let (steps, logs) = ([step("a", 1, "true")], logs());
        let mut run = Run::new(&steps, logs.path(), Need::meet);
        run.all(1, &AtomicBool::new(true)).expect("steps run");
        assert_eq!(run.states, [State::Waiting]);
    }

    #[test]
    fn stopping_ends_all_processes_of_a_step() {
        let (steps, logs) = ([step("a", 1, "a shell")], logs());
        let mut run = Run::new(&steps, logs.path(), Need::meet);
        // The shell waits for a process of its own, which ignores that it is told to stop, and says so in the end.
        let (mut said, out) = io::pipe().expect("a pipe");
        let mut shell = command("sh");
        shell.args(["-c", "(trap '' TERM; sleep 60; echo late) & wait"]).stdout(out).process_group(0);
        let child = shell.spawn().expect("a shell");
        // The end of the pipe that this process has.
        drop(shell);
        run.states[0] = State::Running;
        fs::write(run.log(&steps[0]), "").expect("a log");
        run.running.push(Running { step: 0, child, begun: Instant::now() });
        run.stop();
        // Nobody has the other end any more.
        assert_eq!(io::read_to_string(&mut said).expect("it can be read"), "");
        assert!(run.report[0].starts_with("STOPPED") && run.has_failed);
    }
}
