//! `filch profile`: how parallel a program is, where its span is, and how fast it would be on more workers.
//!
//! - [`args`]: the arguments
//! - `child`: the program, as a process
//! - `recorded`: the recordings of it; `measured`: its times as it is
//! - `report`: what follows from them, as text, JSON, a picture and a page

pub mod args;
mod child;
mod measured;
mod recorded;
mod report;

use std::io::Write;
use std::path::Path;

use filch::Pool;
use filch_bench::failure::Failure;
use filch_bench::values::once_each;

use crate::output;
use crate::simulation::costs::of_this_machine;
use args::ProfileArgs;
use child::Program;
use measured::Measured;
use recorded::Recordings;
use report::Report;
use report::{html, plot, text};

/// Runs `filch profile`.
pub fn run(args: &ProfileArgs, out: &mut dyn Write) -> Result<(), Failure> {
    check(args)?;
    if args.read.is_none() {
        // Profiles have the cost of moving work in them, which programs that are short do not measure.
        Pool::measure_costs();
    }
    let costs = args.costs.over(of_this_machine())?;
    let mut workers = [&args.workers[..], &args.measure].concat();
    workers.sort_unstable();
    let workers = once_each(workers);
    let (name, recordings, measured) = match &args.read {
        Some(path) => (path.display().to_string(), Recordings::read(path)?, Measured::default()),
        None => {
            let program = Program::new(&args.program);
            let recordings = Recordings::of_program(program, &workers, args)?;
            (program.shown(), recordings, Measured::of(program, &args.measure, args.runs)?)
        }
    };
    if let Some(path) = &args.save {
        let mut file = Vec::new();
        recordings.shown().profile.write(&mut file)?;
        output::write_whole(path, &file)?;
    }
    let report = Report::new(name, &recordings, measured, &workers, costs, args.most_events)?;
    if let Some(path) = &args.svg {
        output::write_whole(path, plot::draw(&report).as_bytes())?;
    }
    if let Some(path) = &args.html {
        output::write_whole(path, html::page(&report).as_bytes())?;
    }
    text::write(&report, out)?;
    args.figures.write(&report)
}

/// Refuses what cannot be, before anything runs.
fn check(args: &ProfileArgs) -> Result<(), Failure> {
    let written = [("--save", &args.save), ("--svg", &args.svg), ("--html", &args.html)];
    let written: Vec<(&str, &Path)> =
        written.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))).collect();
    let read = args.read.as_deref().map(|path| ("--read", path));
    let machine = args.costs.machine.as_deref().map(|path| ("--machine", path));
    output::check_distinct(read.into_iter().chain(machine), &written)?;
    written.iter().try_for_each(|(_, path)| output::check_writable(path))?;
    match &args.read {
        Some(path) if !args.program.is_empty() => {
            Err(Failure::Usage(format!("--read {}: expected no PROGRAM beside it", path.display())))
        }
        None if args.program.is_empty() => Err(Failure::Usage(
            "expected `--` and a PROGRAM, as in filch profile -- ./sort words.txt, or --read".into(),
        )),
        _ => Ok(()),
    }
}
