//! Instructions per fork, counted by valgrind's callgrind. The count is the same in every run.
//!
//! The command runs itself under callgrind, which collects only inside functions of a type named `Counted`. It does so
//! at two sizes. The difference between the sizes cancels the fixed cost of a run, and the difference to the serial
//! elision cancels the work that the program does besides forking.

use std::env;
use std::io;
use std::process::{Command, Stdio};

use clap::ValueEnum;
use filch::Strand;
use filch_programs::runtime::Tunings;
use filch_programs::{Instance, Mismatch, Program};

use super::row::Row;
use super::runner::{CHILI, RAYON, Runner, SERIAL};
use crate::cli::{Target, TargetArgs};
use crate::failure::Failure;
use crate::programs::find_program;

/// Fails if valgrind cannot be run. The message says what to do.
pub fn check_valgrind() -> Result<(), Failure> {
    let status = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Failure::Usage(format!("cannot run valgrind: {error}")))
        }
        _ => Err(Failure::Usage(
            "--instructions needs valgrind on PATH; install it (on Debian: apt install valgrind) \
             or leave the option out"
                .into(),
        )),
    }
}

/// Adds the instructions per fork to the rows of all runners with one worker.
pub fn add_to(rows: &mut [Row], program: &Program, runners: &[&Runner]) -> Result<(), Failure> {
    let Some(forks) = program.forks else {
        return Ok(());
    };
    let [small, large] = forks.sizes;
    let difference = |runner: Target, scheduler: Option<String>| {
        let count = |n| count(program, n, runner, scheduler.as_deref());
        Ok::<_, Failure>(count(large)? - count(small)?)
    };
    let forked = (forks.at)(large) - (forks.at)(small);
    let serial = difference(Target::Serial, None)?;
    for (row, runner) in rows.iter_mut().zip(runners) {
        let target = match (&runner.scheduler, runner.name.as_str()) {
            _ if runner.workers != 1 => continue,
            (Some(_), _) => Target::Filch,
            (None, RAYON) => Target::Rayon,
            (None, CHILI) => Target::Chili,
            _ => continue,
        };
        let scheduler = runner.scheduler.as_ref().map(ToString::to_string);
        let above = difference(target, scheduler)? - serial;
        row.instructions_per_fork = Some(above / forked as f64);
    }
    Ok(())
}

/// The number of instructions of one call of the program.
fn count(program: &Program, n: u64, runner: Target, scheduler: Option<&str>) -> Result<f64, Failure> {
    let n = n.to_string();
    let runner = runner.to_possible_value().expect("none is skipped");
    let mut args = vec!["callgrind-target", program.name, "--n", &n, "--runner", runner.get_name()];
    args.extend(scheduler.iter().flat_map(|scheduler| ["--scheduler", scheduler]));
    collect(&args)
}

/// The number of instructions executed inside functions of a type named `Counted` when this command is run with `args`.
pub fn collect(args: &[&str]) -> Result<f64, Failure> {
    let failed = |what: String| Failure::Failed(format!("counting the instructions of {}: {what}", args.join(" ")));
    let this = env::current_exe().map_err(|error| failed(error.to_string()))?;
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(["--collect-atstart=no", "--toggle-collect=*Counted*"])
        .arg(this)
        .args(args);
    let output = command.output().map_err(|error| failed(error.to_string()))?;
    let report = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(failed(report.into_owned()));
    }
    collected(&report).ok_or_else(|| failed(format!("no count in valgrind's report:\n{report}")))
}

/// Reads the line `==123== Collected : 456`.
fn collected(report: &str) -> Option<f64> {
    let line = report.lines().find(|line| line.contains("Collected :"))?;
    line.rsplit(' ').next()?.parse().ok().filter(|&count| count > 0.0)
}

/// Runs one program once, under callgrind.
pub fn run_target(args: &TargetArgs) -> Result<(), Failure> {
    let program = find_program(&args.program)?;
    let mut instance = program.prepare(args.n).map_err(Failure::usage)?;
    let runner = match args.runner {
        Target::Serial => Runner::serial(SERIAL),
        Target::Filch => Runner::filch(&args.scheduler, 1)?,
        Target::Rayon => Runner::rayon(1)?,
        Target::Chili => Runner::chili(1),
    };
    runner.sample(&mut Counted(&mut *instance), 1, Tunings::NONE);
    instance.verify().map_err(|mismatch| Failure::Failed(mismatch.to_string()))
}

/// An instance whose methods have names that callgrind is told to collect.
struct Counted<'a>(&'a mut dyn Instance);

impl Instance for Counted<'_> {
    #[inline(never)]
    fn serial(&mut self) {
        self.0.serial();
    }

    #[inline(never)]
    fn filch(&mut self, s: Strand<'_>) {
        self.0.filch(s);
    }

    #[inline(never)]
    fn rayon(&mut self) {
        self.0.rayon();
    }

    #[inline(never)]
    fn chili(&mut self, scope: &mut chili::Scope<'_>) {
        self.0.chili(scope);
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.0.verify()
    }

    fn set_grain(&mut self, grain: u64) {
        self.0.set_grain(grain);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_read_from_valgrinds_report() {
        let report = "==7== Events    : Ir\n==7== Collected : 48133\n==7==\n";
        assert_eq!(collected(report), Some(48133.0));
        assert_eq!(collected("==7== Collected : 0\n"), None);
        assert_eq!(collected("nothing"), None);
    }
}
