//! What a user may say to `filch shapes`.

use clap::Args;
use filch::Scheduler;

use crate::cli::at_least_one;

/// What stands below the list of options.
pub const HELP: &str = "\
Examples:
  filch shapes
  filch shapes --scheduler cilk5 --runs 51

Pieces of work sleep, or keep a processor busy by the clock. The others are rayon, which runs
the same shapes, and joins of Filch's own, down to single pieces.

Exit code: 0 done, 2 bad usage.";

/// How often, and who runs them.
#[derive(Args, Debug)]
pub struct ShapesArgs {
    /// How often each shape is run, after once that is not counted
    #[arg(long, value_name = "K", default_value_t = 21, value_parser = at_least_one)]
    pub runs: usize,

    /// A scheduler; may be given repeatedly
    #[arg(long, default_values_t = [Scheduler::default()])]
    pub scheduler: Vec<Scheduler>,
}
