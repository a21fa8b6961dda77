//! `filch graph`: looks at a graph, or writes it in another form.

pub mod convert;
pub mod info;

use std::io::Write;

use clap::Subcommand;
use filch_bench::failure::Failure;

use crate::graphs::args::InputArgs;
use convert::ConvertArgs;
use info::InfoArgs;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch graph info debian
  filch graph convert roads.el.gz --symmetrize --out roads.sg
  filch graph info 'kronecker(16)' --format json";

/// The subcommands of `filch graph`.
#[derive(Debug, Subcommand)]
pub enum GraphCommand {
    /// Show the size of a graph, its components and its degrees
    #[command(after_help = info::HELP)]
    Info(InfoArgs),
    /// Write a graph in another form
    #[command(after_help = convert::HELP)]
    Convert(ConvertArgs),
}

impl GraphCommand {
    /// The graph.
    pub fn input(&self) -> &InputArgs {
        match self {
            GraphCommand::Info(args) => &args.input,
            GraphCommand::Convert(args) => &args.input,
        }
    }
}

/// Runs `filch graph`.
pub fn run(command: &GraphCommand, out: &mut dyn Write) -> Result<(), Failure> {
    match command {
        GraphCommand::Info(args) => info::run(args, out),
        GraphCommand::Convert(args) => convert::run(args, out),
    }
}
