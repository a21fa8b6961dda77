//! Arguments that several programs of `filch search` have.

use clap::Args;
use filch::Scheduler;
use filch_bench::measure::pools::TopologyArgs;
use filch_bench::timeout::TimeoutArgs;
use filch_bench::values::at_least_one;
use serde::Serialize;

use crate::output::FormatArgs;

/// The arguments on what is asked for.
#[derive(Args, Debug)]
#[group(multiple = false)]
pub struct AskArgs {
    /// Count all solutions
    #[arg(long)]
    pub count: bool,

    /// Show the first solution; this is the default
    #[arg(long)]
    pub first: bool,

    /// Show whichever solution is found first
    #[arg(long)]
    pub any: bool,

    /// Show all solutions
    #[arg(long)]
    pub all: bool,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Asked {
    /// The number of solutions.
    Count,
    /// The first solution in serial order.
    First,
    /// The one that some worker finds before all others.
    Any,
    /// All solutions.
    All,
    /// A solution of the best value.
    Best,
}

impl AskArgs {
    /// What is asked for.
    pub fn asked(&self) -> Asked {
        match self {
            Self { count: true, .. } => Asked::Count,
            Self { any: true, .. } => Asked::Any,
            Self { all: true, .. } => Asked::All,
            Self { .. } => Asked::First,
        }
    }
}

/// The arguments on how a search runs.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// Numbers of workers; if there are several, each is compared with the first [default: FILCH_WORKERS, or one per
    /// core]
    #[arg(long, value_name = "W,…", value_delimiter = ',', value_parser = at_least_one::<usize>)]
    pub workers: Vec<usize>,

    /// Filch's scheduler [default: FILCH_SCHEDULER, or default]
    #[arg(long)]
    pub scheduler: Option<Scheduler>,

    /// The topology.
    #[command(flatten)]
    pub topology: TopologyArgs,

    /// The limit.
    #[command(flatten)]
    pub timeout: TimeoutArgs,

    /// The form of the figures.
    #[command(flatten)]
    pub figures: FormatArgs,
}

/// The width and the height of a rectangle.
pub fn rectangle(text: &str) -> Result<(u64, u64), String> {
    let size = text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    size.ok_or_else(|| "expected a width and a height, such as 10x6".into())
}
