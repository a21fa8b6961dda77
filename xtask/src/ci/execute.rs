//! Runs steps, a few at a time, and reports them.
//!
//! One thread does all of it: it begins what the schedule says, looks which processes have ended, and whether a signal
//! has come. Each step is a process group of its own, so that all of it can be stopped: however this ends, no process
//! of a step is left, and every step that has begun is in the report.

use super::schedule::{self, State, next};
use super::steps::Step;
use crate::process::{POLL, bytes, command};
use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

/// The program that steps run as `cargo xtask`: a copy, since what builds the workspace may replace the original.
const XTASK: &str = "target/ci/xtask";

/// Runs the steps, `jobs` at a time. True: none has failed, and all have ended or cannot be made on this machine.
/// `turn` says to tests whose schedulers take turns which ones to use.
pub(super) fn execute(steps: &[Step], jobs: usize, turn: &str) -> io::Result<bool> {
    let (begun, logs) = (Instant::now(), Path::new("target/ci/logs"));
    fs::create_dir_all(logs)?;
    fs::copy(std::env::current_exe()?, XTASK)?;
    let is_stopped = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&is_stopped))?;
    }
    let report = run(steps, jobs, turn, logs, &is_stopped)?;
    println!();
    report.iter().for_each(|line| println!("{line}"));
    if report.len() < steps.len() {
        println!("INTERRUPTED: what is not listed has not begun");
    }
    println!("        {} s in all", begun.elapsed().as_secs());
    let is_fine = |line: &String| line.starts_with("ok") || line.starts_with("ABSENT");
    Ok(report.len() == steps.len() && report.iter().all(is_fine))
}

/// Runs steps until all have ended, or a signal comes: a line for each that has begun or cannot be made.
fn run(steps: &[Step], jobs: usize, turn: &str, logs: &Path, is_stopped: &AtomicBool) -> io::Result<Vec<String>> {
    let mut states = vec![State::Waiting; steps.len()];
    let (mut running, mut report, mut absent) = (Vec::<Running>::new(), Vec::new(), Vec::new());
    let log = |step: usize| logs.join(steps[step].file_name());
    while !is_stopped.load(Ordering::Relaxed) {
        if running.len() < jobs
            && let Some(number) = next(steps, &states)
        {
            let step = &steps[number];
            let is_met = |need: &String| bytes(command("xtask/need").args(need.split(' '))).is_ok();
            if let Some(need) = step.needs.iter().find(|need| !is_met(need)) {
                println!("!!! NOT CHECKED: {}: {need}: not here, and cannot be installed", step.name);
                absent.push(format!("ABSENT          {}: {need}", step.name));
                states[number] = State::Ended;
                continue;
            }
            println!("=== {} begins, log {}: {}", step.name, log(number).display(), step.command);
            running.push(Running::begin(number, &step.command, turn, File::create(log(number))?)?);
            states[number] = State::Running;
        } else if running.is_empty() {
            break;
        }
        for place in (0..running.len()).rev() {
            if let Some(status) = running[place].child.try_wait()? {
                let ended = running.remove(place);
                states[ended.step] = State::Ended;
                report.push(ended.line(steps, if status.success() { "ok     " } else { "FAILED " }));
                println!("{}", String::from_utf8_lossy(&fs::read(log(ended.step))?));
                if let Some(folder) = schedule::done_with(ended.step, steps, &states) {
                    // Together they would take more than some machines have. An error leaves it there.
                    _ = fs::remove_dir_all(folder);
                }
            }
        }
        thread::sleep(POLL);
    }
    report.extend(running.into_iter().map(|stopped| stopped.line(steps, "STOPPED")));
    Ok([report, absent].concat())
}

/// A step that runs. Stops with all processes that it has begun when it is dropped.
struct Running {
    step: usize,
    child: Child,
    begun: Instant,
}

impl Running {
    fn begin(step: usize, line: &str, turn: &str, log: File) -> io::Result<Self> {
        let mut shell = command("sh");
        shell.args(["-c", &line.replace("cargo xtask", XTASK)]).stdout(log.try_clone()?).stderr(log).process_group(0);
        // Nothing is built twice, so nothing is kept for building it again; and nobody debugs it.
        shell.envs([("CARGO_TERM_COLOR", "never"), ("CARGO_INCREMENTAL", "0")]);
        shell.envs([("CARGO_PROFILE_DEV_DEBUG", "false"), ("FILCH_TEST_TURN", turn)]);
        Ok(Running { step, child: shell.spawn()?, begun: Instant::now() })
    }

    /// For the report.
    fn line(&self, steps: &[Step], outcome: &str) -> String {
        let line = format!("{outcome} {:>5} s  {}", self.begun.elapsed().as_secs(), steps[self.step].name);
        println!("=== {line}");
        line
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            // An error says that there is no such process any more.
            _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
            _ = self.child.wait();
        }
    }
}

#[test]
fn failures_are_reported_what_a_machine_lacks_is_no_failure_and_a_signal_lets_nothing_begin() {
    let logs = tempfile::tempdir().expect("there is room for logs");
    let text = "a | 3 s | toolchain no-such/one\n    true\nb | 2 s | after a\n    A='1 2' test 1 = 1\n\
                c | 1 s\n    false\nd | 1 s | after c\n    no-such-command\n";
    let steps = super::steps::parse(text).expect("the list is right");
    let run = |is_stopped| run(&steps, 1, "0", logs.path(), &AtomicBool::new(is_stopped)).expect("steps run");
    let outcomes: Vec<String> = run(false).iter().map(|line| line[..6].to_owned()).collect();
    assert_eq!(outcomes, ["ok    ", "FAILED", "FAILED", "ABSENT"]);
    assert!(run(true).is_empty());
}

#[test]
fn all_processes_of_a_step_end_with_it() {
    let (mut said, out) = io::pipe().expect("a pipe");
    // The shell waits for a process of its own, which says so in the end.
    let line = "(sleep 60; echo late) & wait";
    drop(Running::begin(0, line, "0", File::from(std::os::fd::OwnedFd::from(out))).expect("a shell"));
    // Nobody has the other end any more.
    assert_eq!(io::read_to_string(&mut said).expect("it can be read"), "");
}
