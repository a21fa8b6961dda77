//! `cargo xtask ci`: all checks of the project.
//!
//! - [`steps`]: the list of them, from `xtask/steps.txt`;
//! - [`schedule`]: which one begins next;
//! - [`execute`]: processes, logs, signals, and the report.

mod execute;
mod schedule;
mod steps;

use crate::process::{command, output};
use steps::Step;

/// How many run at a time. Few steps keep more than one processor busy, and CI's machine has two.
const JOBS: usize = 2;

pub(crate) fn main(options: &[&str]) -> Result<(), String> {
    let mut options = options.to_vec();
    let is_whole = options.iter().position(|option| *option == "--all").map(|place| options.remove(place)).is_some();
    let behind = |option| options.windows(2).filter(move |pair| pair[0] == option).map(|pair| pair[1]);
    let (names, lists): (Vec<&str>, _) = (behind("--only").collect(), options.contains(&"--list"));
    let jobs: Vec<usize> = behind("--jobs").filter_map(|jobs| jobs.parse().ok().filter(|jobs| *jobs > 0)).collect();
    if options.len() != 2 * (names.len() + jobs.len()) + usize::from(lists) {
        return Err(format!("ci: unknown options {}\n\n{}", options.join(" "), super::USAGE));
    }
    let jobs = jobs.last().copied().unwrap_or(JOBS);
    let steps = chosen(steps::steps()?, &names)?;
    let number = number_of_commit()?;
    let is_split = !is_whole && names.is_empty();
    let (steps, later) = if is_split { schedule::in_turn(&steps, number) } else { (steps, Vec::new()) };
    let turn = if is_whole { "all".to_owned() } else { number.to_string() };
    for step in &later {
        println!("not the turn of this commit: {}; `cargo xtask ci --all` makes all", step.name);
    }
    if lists {
        for step in &steps {
            println!("{}, about {} s: {}", step.name, step.seconds, step.command);
        }
        println!("\nabout {} min, {jobs} at a time", schedule::expected(&steps, jobs).div_ceil(60));
        return Ok(());
    }
    match execute::execute(&steps, jobs, &turn) {
        Ok(true) => Ok(()),
        Ok(false) => Err("ci: at least one step has failed, see above".to_owned()),
        Err(error) => Err(format!("ci: a process or a log cannot be used: {error}")),
    }
}

/// A number that differs from commit to commit: the end of its name.
fn number_of_commit() -> Result<u32, String> {
    let name = output(command("git").args(["rev-parse", "--short=7", "HEAD"]))?;
    u32::from_str_radix(name.trim(), 16).map_err(|error| format!("ci: the name of the commit, {name}: {error}"))
}

/// The steps whose names contain one of `names`, and those that they wait for. All of them if there are no names.
fn chosen(steps: Vec<Step>, names: &[&str]) -> Result<Vec<Step>, String> {
    if let Some(name) = names.iter().find(|name| !steps.iter().any(|step| step.name.contains(**name))) {
        return Err(format!("ci: no step has a name that contains {name}; `cargo xtask ci --list` lists them"));
    }
    let mut chosen: Vec<Step> = Vec::new();
    // A step stands behind what it waits for.
    for step in steps.into_iter().rev() {
        let is_awaited = chosen.iter().any(|other| other.after.as_ref() == Some(&step.name));
        if is_awaited || names.is_empty() || names.iter().any(|name| step.name.contains(name)) {
            chosen.insert(0, step);
        }
    }
    Ok(chosen)
}
