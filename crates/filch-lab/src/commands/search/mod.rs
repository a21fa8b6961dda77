//! `filch search`: puzzles and other problems that backtracking solves.
//!
//! - [`args`]: arguments that several programs have
//! - [`boards`]: queens, pentominoes, sudoku, exact covers; [`best`]: knapsack, tsp, colour; [`trees`]: uts
//! - [`session`]: one search from start to end; [`by_ranks`]: by several processes
//! - [`watched`]: a search that counts its nodes; [`row`]: its figures

pub mod args;
pub mod best;
pub mod boards;
pub mod by_ranks;
pub mod puzzle;
pub mod row;
pub mod session;
pub mod trees;
pub mod watched;

use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;
use filch_bench::failure::Failure;
use filch_bench::values::whole;
use filch_programs::queens_search::MOST;
use filch_search::uts::Named;

use args::{AskArgs, Asked, RunArgs};
use session::Session;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch search queens 12 --count
  filch search pentomino 10x6 --all
  filch search sudoku hard.txt
  filch search queens 24 --any --workers 1,2    any solution, and how much faster two find one
  filch search knapsack things.txt --format json
  filch search tsp gr17.tsp --workers 2
  filch search colour myciel4.col
  filch search exact-cover rows.txt --all --scheduler tascell
  filch search uts T1 --workers 1,2             the size of a published tree
  mpirun -n 4 filch search queens 16 --count    by four processes (docs/cluster.md)

Solutions come in serial order, and each is shown as soon as those before it are known; with
--any one is shown, whichever is found first. Each that is shown is checked by code of its own.
FILE is - for standard input, or compressed. docs/search.md describes the formats of files.

Exit code: 0 success, also if there is no solution; 1 a solution failed its check; 2 bad usage
or bad input; 124 the time of --timeout is over: what was found by then has been shown.";

/// The problems.
#[derive(Debug, Subcommand)]
pub enum SearchCommand {
    /// Place queens on a board so that no two attack each other
    #[command(after_help = "Examples:
  filch search queens 12 --count
  filch search queens 8 --all
  filch search queens 24 --any --workers 1,2")]
    Queens {
        /// Number of queens, and of rows
        #[arg(value_name = "N", value_parser = whole::<u8>(1..=u64::from(MOST)))]
        n: u8,
        /// What is asked for.
        #[command(flatten)]
        ask: AskArgs,
        /// How it runs.
        #[command(flatten)]
        run: RunArgs,
    },
    /// Cover a rectangle with the pentominoes; symmetric solutions count as one
    #[command(after_help = "Examples:
  filch search pentomino 10x6 --all
  filch search pentomino 20x3
  filch search pentomino 15x6 --any")]
    Pentomino {
        /// Width and height of the rectangle: 60 squares for the twelve pieces, 90 for the eighteen one-sided ones
        #[arg(value_name = "WxH", value_parser = args::rectangle)]
        size: (u64, u64),
        /// What is asked for.
        #[command(flatten)]
        ask: AskArgs,
        /// How it runs.
        #[command(flatten)]
        run: RunArgs,
    },
    /// Solve the sudoku of a file
    #[command(after_help = "Examples:
  filch search sudoku hard.txt
  filch search sudoku hard.txt --count
  filch search sudoku - < hard.txt")]
    Sudoku {
        /// Boards of 9, 16 or 4 rows
        file: PathBuf,
        /// What is asked for.
        #[command(flatten)]
        ask: AskArgs,
        /// How it runs.
        #[command(flatten)]
        run: RunArgs,
    },
    /// Choose rows that cover each column once
    #[command(after_help = "Examples:
  filch search exact-cover rows.txt --all
  filch search exact-cover langford.dlx --dlx --count
  filch search exact-cover rows.txt.gz --any --format json")]
    ExactCover {
        /// Rows, each by the names of its columns, those after a | to be covered at most once
        file: PathBuf,
        /// The first line lists the items, as in the files of Knuth's DLX programs
        #[arg(long)]
        dlx: bool,
        /// What is asked for.
        #[command(flatten)]
        ask: AskArgs,
        /// How it runs.
        #[command(flatten)]
        run: RunArgs,
    },
    /// Find the most valuable of the things that a knapsack holds
    #[command(after_help = "Examples:
  filch search knapsack things.txt
  filch search knapsack things.txt --timeout 1min
  filch search knapsack things.txt --format json")]
    Knapsack {
        /// The number of things and the capacity, then a value and a weight per line
        file: PathBuf,
        /// How it runs.
        #[command(flatten)]
        run: RunArgs,
    },
    /// Find the shortest round trip
    #[command(after_help = "Examples:
  filch search tsp gr17.tsp
  filch search tsp gr17.tsp --workers 2
  filch search tsp gr17.tsp --format json")]
    Tsp {
        /// A file of TSPLIB, with up to 64 cities
        file: PathBuf,
        /// How it runs.
        #[command(flatten)]
        run: RunArgs,
    },
    /// Find the least number of colours of a graph
    #[command(after_help = "Examples:
  filch search colour myciel4.col
  filch search colour myciel4.col --timeout 1min
  filch search colour myciel4.col --format json")]
    Colour {
        /// A graph in the format of DIMACS
        file: PathBuf,
        /// How it runs.
        #[command(flatten)]
        run: RunArgs,
    },
    /// Count the nodes of an unbalanced tree (UTS), and compare them with the published number
    #[command(after_help = "Examples:
  filch search uts T3
  filch search uts T1 --workers 1,2
  filch search uts T1L --format json")]
    Uts {
        /// The tree, such as T1 or T3L
        #[arg(value_name = "TREE", value_parser = trees::named)]
        tree: &'static Named,
        /// How it runs.
        #[command(flatten)]
        run: RunArgs,
    },
}

/// Runs `filch search`.
pub fn run(command: &SearchCommand, out: &mut dyn Write) -> Result<(), Failure> {
    let in_order = command.ask().is_some_and(|ask| matches!(ask.asked(), Asked::First | Asked::All));
    Failure::of_ranks(in_order, "solutions come in serial order", "--count or --any")?;
    let mut session = Session::begin(command.run_args(), out)?;
    let solved = match command {
        SearchCommand::Queens { n, ask, .. } => boards::queens(*n, ask.asked(), &mut session),
        SearchCommand::Pentomino { size, ask, .. } => boards::pentomino(*size, ask.asked(), &mut session),
        SearchCommand::Sudoku { file, ask, .. } => boards::sudoku(file, ask.asked(), &mut session),
        SearchCommand::ExactCover { file, dlx, ask, .. } => boards::exact_cover(file, *dlx, ask.asked(), &mut session),
        SearchCommand::Knapsack { file, .. } => best::knapsack(file, &mut session),
        SearchCommand::Tsp { file, .. } => best::tsp(file, &mut session),
        SearchCommand::Colour { file, .. } => best::colour(file, &mut session),
        SearchCommand::Uts { tree, .. } => trees::uts(tree, &mut session),
    };
    session.finish(solved)
}

impl SearchCommand {
    /// How it runs.
    pub fn run_args(&self) -> &RunArgs {
        match self {
            Self::Queens { run, .. }
            | Self::Pentomino { run, .. }
            | Self::Sudoku { run, .. }
            | Self::ExactCover { run, .. }
            | Self::Knapsack { run, .. }
            | Self::Tsp { run, .. }
            | Self::Colour { run, .. }
            | Self::Uts { run, .. } => run,
        }
    }

    fn ask(&self) -> Option<&AskArgs> {
        match self {
            Self::Queens { ask, .. }
            | Self::Pentomino { ask, .. }
            | Self::Sudoku { ask, .. }
            | Self::ExactCover { ask, .. } => Some(ask),
            Self::Knapsack { .. } | Self::Tsp { .. } | Self::Colour { .. } | Self::Uts { .. } => None,
        }
    }
}
