//! `filch paper sweep`: the effect of sharing more or less, and of sharing between more or fewer workers.
//!
//! About heartbeat scheduling (Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018):
//!
//! - [`heartbeat`]: time and promotions against the period N (figure 7)
//! - [`overhead`]: what promotions cost at the period that Filch uses, and how busy the workers are
//! - [`tasks`]: threads created and idle time against eager creation (figure 8, columns 8 and 9)
//! - [`sequentialise`]: an irrevocable decision to run code serially (section 6)
//!
//! About CAB (Chen, Huang, Guo and Zhou 2011):
//!
//! - [`cab`]: time and inter-socket tasks against the boundary level and the size of leaves (figures 7 and 8)
//!
//! [`args`] and [`programs`] are what they share.

pub mod args;
pub mod cab;
pub mod heartbeat;
pub mod overhead;
pub mod programs;
pub mod sequentialise;
pub mod tasks;

use std::io::Write;

use clap::Subcommand;
use filch_bench::failure::Failure;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch paper sweep heartbeat fib                     the period N
  filch paper sweep overhead fib queens --at-most 5   the cost of promotions
  filch paper sweep tasks fib queens cilksort         threads, idle time
  filch paper sweep sequentialise                     why a serial decision must not be final
  filch paper sweep cab heat --topology 2x2           time against the boundary level of squads

Each of them has its own --help.";

/// What is varied.
#[derive(Debug, Subcommand)]
pub enum SweepCommand {
    /// Vary the period N of heartbeat scheduling from 1 µs to 10 ms
    #[command(after_help = heartbeat::HELP)]
    Heartbeat(heartbeat::HeartbeatArgs),
    /// Measure what promotions cost at N = 20 τ, and how busy the workers are
    #[command(after_help = overhead::HELP)]
    Overhead(overhead::OverheadArgs),
    /// Count threads created and idle time: heartbeat scheduling against eager creation
    #[command(after_help = tasks::HELP)]
    Tasks(programs::ProgramsArgs),
    /// Show that a worker that decides to run a large task serially loses its parallelism
    #[command(after_help = sequentialise::HELP)]
    Sequentialise(sequentialise::SequentialiseArgs),
    /// Vary the boundary level and the leaf size under CAB
    #[command(after_help = cab::HELP)]
    Cab(cab::CabArgs),
}

/// Runs `filch paper sweep`.
pub fn run(command: &SweepCommand, out: &mut dyn Write) -> Result<(), Failure> {
    match command {
        SweepCommand::Heartbeat(args) => heartbeat::run(args, out),
        SweepCommand::Overhead(args) => overhead::run(args, out),
        SweepCommand::Tasks(args) => tasks::run(args, out),
        SweepCommand::Sequentialise(args) => sequentialise::run(args, out),
        SweepCommand::Cab(args) => cab::run(args, out),
    }
}
