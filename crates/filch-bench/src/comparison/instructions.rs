//! Instructions per fork, counted by callgrind.
//!
//! A program runs at two sizes. The difference between the sizes cancels the fixed cost of a run, and the difference to
//! the serial elision cancels the work that the program does besides forking.

use clap::ValueEnum;
use filch_kernels::Program;

use super::row::Row;
use super::target::Target;
use crate::failure::Failure;
use crate::measure::callgrind::collect;
use crate::measure::runner::{CHILI, RAYON, Runner};

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
    collect(&args).map(|[instructions, _, _]| instructions)
}
