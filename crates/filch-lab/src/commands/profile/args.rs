//! The arguments of `filch profile`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use filch::Scheduler;
use filch_bench::values::{at_least_one, runs, whole};
use filch_sim::MAX_WORKERS;

use crate::output::{Destination, FormatArgs};
use crate::simulation::costs::CostArgs;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch profile -- target/release/sort words.txt
  filch profile --as 4,64,1024 --html sort.html -- ./sort words.txt
  filch profile --measure 1,2 --format json -- ./sort words.txt
  filch profile --save sort.profile -- ./sort words.txt && filch simulate sort.profile

The program runs on one thread and is timed at its forks. It is told that there are as many
workers as --as says, once for the least and once for the most; if it forks differently then, once
for each. What it writes to standard output goes to standard error, the first time; standard input
is empty. It must end by itself.

Exit code: 0 success, 1 the program failed, 2 bad usage, or no profile.";

/// The arguments of `filch profile`.
#[derive(Args, Debug)]
pub struct ProfileArgs {
    /// The program, which runs on Filch, and its arguments
    #[arg(value_name = "PROGRAM", last = true)]
    pub program: Vec<OsString>,

    /// Show a profile that --save or FILCH_PROFILE has written, without running anything
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath,
          conflicts_with_all = ["leaf", "measure", "runs", "same_recording", "save"])]
    pub read: Option<PathBuf>,

    /// Numbers of workers for which the time is predicted
    #[arg(long = "as", value_name = "W,…", value_delimiter = ',', value_parser = workers,
          default_values_t = [1, 2, 4, 16, 64, 256])]
    pub workers: Vec<usize>,

    /// Mean time below which forks are not divided, such as 500ns [default: 4us]
    #[arg(long, value_name = "TIME", value_parser = leaf)]
    pub leaf: Option<Scheduler>,

    /// Run the program only once for all numbers of workers
    #[arg(long)]
    pub same_recording: bool,

    /// Numbers of workers on which the program is run and timed, too, in turns
    #[arg(long, value_name = "W,…", value_delimiter = ',', value_parser = workers)]
    pub measure: Vec<usize>,

    /// Number of timed runs for each number of workers
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = runs)]
    pub runs: usize,

    /// Simulate at most so many events in all; a million take about half a second
    #[arg(long, value_name = "N", default_value_t = 200_000_000, value_parser = at_least_one::<u64>)]
    pub most_events: u64,

    /// The costs.
    #[command(flatten)]
    pub costs: CostArgs,

    /// Keep the profile in this file, for --read and for filch simulate
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub save: Option<Destination>,

    /// The form of the figures.
    #[command(flatten)]
    pub figures: FormatArgs,

    /// Draw the speed-up to this file
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub svg: Option<Destination>,

    /// Write the whole report as a page to this file
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub html: Option<Destination>,
}

fn workers(value: &str) -> Result<usize, String> {
    whole(1..=MAX_WORKERS as u64)(value)
}

/// A leaf, as the scheduler that has it.
fn leaf(value: &str) -> Result<Scheduler, String> {
    format!("profile,leaf={value}").parse().map_err(|error: filch::ParseSchedulerError| error.to_string())
}
