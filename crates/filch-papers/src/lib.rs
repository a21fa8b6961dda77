//! What papers on work stealing have measured, repeated on this machine or simulated: the commands `filch paper …`.
//!
//! The measurements use the instruments of [`filch_lab`]; [`trees`] has the algorithms for spanning trees as two papers
//! describe them, which are for comparison only.
//!
//! ```
//! use filch_graph::{Csr, GraphSpec, verify::verify_forest};
//! use filch_papers::trees::{LinkedRows, Options, spanning_tree};
//!
//! let graph: Csr = "torus(100)".parse::<GraphSpec>()?.generate(1)?;
//! let tree = spanning_tree(&LinkedRows::new(&graph, 1)?, Options::default())?;
//! assert_eq!(verify_forest(&graph, &tree.parents)?.roots, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each module uses only modules above it in this list:
//!
//! - [`trees`]: spanning trees by the algorithms of the papers; [`arranged`]: on graphs whose rows are arranged in
//!   several ways; [`chart`]: pictures of lines
//! - [`knary`], [`steals`] (Frigo et al. 1998); [`sweep`] (Acar et al. 2018, Chen et al. 2011); [`shapes`] (what
//!   several papers say about idle workers); [`forest`]
//! - [`figure`]: tables and figures

pub mod arranged;
pub mod chart;
pub mod figure;
pub mod forest;
pub mod knary;
pub mod shapes;
pub mod steals;
pub mod sweep;
pub mod trees;

use std::io::Write;

use clap::Subcommand;
use filch_bench::failure::Failure;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch paper figure tascell-table-3
  filch paper knary --workers 2,4 --scheduler cilk5
  filch paper forest 'torus(1000)' --algorithm stack,long-term --runs 7

docs/papers.md says which paper says what. Each command has its own --help.";

/// The measurements.
#[derive(Debug, Subcommand)]
pub enum PaperCommand {
    /// Repeat a table or a figure, measured or simulated
    #[command(after_help = figure::HELP)]
    Figure(figure::args::FigureArgs),
    /// Build spanning trees of a graph by the algorithms of two papers
    #[command(after_help = forest::HELP)]
    Forest(forest::ForestArgs),
    /// Fit the overhead on the span, c∞, to synthetic trees
    #[command(after_help = knary::HELP)]
    Knary(knary::KnaryArgs),
    /// Count steals on random trees and compare them with the span
    #[command(after_help = steals::HELP)]
    Steals(steals::StealsArgs),
    /// Measure how soon other workers get work: after a serial stretch, in bursts, or from slowing loops
    #[command(after_help = shapes::HELP)]
    Shapes(shapes::ShapesArgs),
    /// Vary how much is shared, under heartbeat scheduling and CAB
    #[command(subcommand, after_help = sweep::HELP)]
    Sweep(sweep::SweepCommand),
}

/// Runs `filch paper`.
pub fn run(command: &PaperCommand, out: &mut dyn Write) -> Result<(), Failure> {
    match command {
        PaperCommand::Figure(args) => figure::run(args, out),
        PaperCommand::Forest(args) => forest::run(args, out),
        PaperCommand::Knary(args) => knary::run(args, out),
        PaperCommand::Steals(args) => steals::run(args, out),
        PaperCommand::Shapes(args) => shapes::run(args, out),
        PaperCommand::Sweep(command) => sweep::run(command, out),
    }
}
