//! Runs steps, a few at a time, and reports them.
//!
//! One thread does all of it: it begins what the schedule says, looks which processes have ended, and whether a signal
//! has come. Each step is a process group of its own, so that all of it can be stopped: however this ends, no process
//! of a step is left, and every step that has begun is in the report.

use super::schedule::{State, next};
use super::steps::Step;
use crate::process::{POLL, command, succeeds};
use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const LOGS: &str = "target/ci/logs";

/// The program that steps run as `cargo xtask`: a copy, since what builds the workspace may replace the original.
const XTASK: &str = "target/ci/xtask";

/// How long a step that is told to stop may take for it, before it is killed.
const GRACE: Duration = Duration::from_secs(3);

/// Runs the steps, `jobs` at a time. True: none has failed, and all have ended or cannot be made on this machine.
pub(super) fn execute(steps: &[Step], jobs: usize) -> io::Result<bool> {
    fs::create_dir_all(LOGS)?;
    fs::copy(std::env::current_exe()?, XTASK)?;
    let is_stopped = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&is_stopped))?;
    }
    let mut run = Run::new(steps, Path::new(LOGS));
    let begun = Instant::now();
    let ended = run.all(jobs, &is_stopped);
    run.stop();
    println!();
    run.report.iter().chain(&run.absent).for_each(|line| println!("{line}"));
    if run.states.contains(&State::Waiting) {
        run.has_failed = true;
        println!("INTERRUPTED: what is not listed has not begun");
    }
    println!("        {} s in all", begun.elapsed().as_secs());
    ended.map(|()| !run.has_failed)
}

/// What has begun and what has ended.
struct Run<'a> {
    steps: &'a [Step],
    /// The folder of logs.
    logs: &'a Path,
    states: Vec<State>,
    /// The steps that run, by their places in the list.
    running: Vec<(usize, Child, Instant)>,
    /// A line for each step that has ended.
    report: Vec<String>,
    /// A line for each that this machine cannot make.
    absent: Vec<String>,
    has_failed: bool,
}

impl<'a> Run<'a> {
    fn new(steps: &'a [Step], logs: &'a Path) -> Self {
        let states = vec![State::Waiting; steps.len()];
        Run { steps, logs, states, running: Vec::new(), report: Vec::new(), absent: Vec::new(), has_failed: false }
    }

    fn log(&self, step: usize) -> PathBuf {
        self.logs.join(self.steps[step].file_name())
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
        if let Some((need, _)) = step.needs.iter().find(|(_, get)| !succeeds("sh", &["-c", get])) {
            println!("!!! NOT CHECKED: {}: {need}: not here, and cannot be installed", step.name);
            self.absent.push(format!("ABSENT          {}: {need}", step.name));
            self.states[number] = State::Ended;
            return Ok(());
        }
        println!("=== {} begins, log {}: {}", step.name, self.log(number).display(), step.command);
        let log = File::create(self.log(number))?;
        let child = command("sh")
            .args(["-c", &step.command.replace("cargo xtask", XTASK)])
            // Nothing is built twice, so nothing is kept for building it again.
            .envs([("CARGO_TERM_COLOR", "never"), ("CARGO_INCREMENTAL", "0")])
            .stdout(log.try_clone()?)
            .stderr(log)
            .process_group(0)
            .spawn()?;
        self.states[number] = State::Running;
        self.running.push((number, child, Instant::now()));
        Ok(())
    }

    /// Closes the steps whose processes have ended.
    fn reap(&mut self) -> io::Result<()> {
        for place in (0..self.running.len()).rev() {
            if let Some(status) = self.running[place].1.try_wait()? {
                let (step, _, begun) = self.running.remove(place);
                self.close(step, if status.success() { "ok     " } else { "FAILED " }, begun)?;
            }
        }
        Ok(())
    }

    /// Puts a step into the report, and prints what it has said.
    fn close(&mut self, step: usize, outcome: &str, begun: Instant) -> io::Result<()> {
        self.states[step] = State::Ended;
        self.has_failed |= outcome != "ok     ";
        let line = format!("{outcome} {:>5} s  {}", begun.elapsed().as_secs(), self.steps[step].name);
        println!("=== {line}");
        self.report.push(line);
        let mut out = io::stdout().lock();
        io::copy(&mut File::open(self.log(step))?, &mut out)?;
        out.flush()
    }

    /// Stops what runs, with all processes that it has begun.
    fn stop(&mut self) {
        // An error says that there is no such process any more.
        let signal = |child: &Child, signal| _ = kill_process_group(Pid::from_child(child), signal);
        self.running.iter().for_each(|(_, child, _)| signal(child, Signal::TERM));
        let told = Instant::now();
        for (step, mut child, begun) in std::mem::take(&mut self.running) {
            while told.elapsed() < GRACE && matches!(child.try_wait(), Ok(None)) {
                thread::sleep(POLL);
            }
            // Also what its first process has left.
            signal(&child, Signal::KILL);
            _ = child.wait();
            if let Err(error) = self.close(step, "STOPPED", begun) {
                println!("its log cannot be read: {error}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::steps::parse;
    use super::*;

    #[test]
    fn failures_are_reported_what_a_machine_lacks_is_no_failure_and_the_others_run() {
        let logs = tempfile::tempdir().expect("there is room for logs");
        let run = |text: &str| {
            let steps = parse(text).expect("the list is right");
            let mut run = Run::new(&steps, logs.path());
            run.all(1, &AtomicBool::new(false)).expect("steps run");
            (
                run.report.iter().map(|line| line[..6].trim().to_owned()).collect::<Vec<_>>(),
                run.absent.len(),
                run.has_failed,
            )
        };
        let told = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let (absent, fine) =
            ("a | 3 s | toolchain no-such/one\n    true\n", "b | 2 s | after a\n    A='1 2' test 1 = 1\n");
        assert_eq!(run(&format!("{absent}{fine}")), (told(&["ok"]), 1, false));
        for failing in ["false", "no-such-command"] {
            assert_eq!(run(&format!("a | 3 s\n    {failing}\n{fine}")), (told(&["FAILED", "ok"]), 0, true));
        }
    }

    #[test]
    fn a_signal_lets_nothing_begin_and_ends_all_processes_of_a_step() {
        let logs = tempfile::tempdir().expect("there is room for logs");
        let (mut said, out) = io::pipe().expect("a pipe");
        // The shell waits for a process of its own, which ignores that it is told to stop, and says so in the end.
        let steps =
            parse("a | 2 s\n    (trap '' TERM; sleep 60; echo late) & wait\nb | 1 s\n    true\n").expect("right");
        let mut run = Run::new(&steps, logs.path());
        let mut shell = command("sh");
        shell.args(["-c", &steps[0].command]).stdout(out).process_group(0);
        let child = shell.spawn().expect("a shell");
        // The end of the pipe that this process has.
        drop(shell);
        run.states[0] = State::Running;
        fs::write(run.log(0), "").expect("a log");
        run.running.push((0, child, Instant::now()));
        run.all(2, &AtomicBool::new(true)).expect("nothing to do");
        run.stop();
        // Nobody has the other end any more.
        assert_eq!(io::read_to_string(&mut said).expect("it can be read"), "");
        assert!(run.report[0].starts_with("STOPPED") && run.has_failed && run.states[1] == State::Waiting);
    }
}
