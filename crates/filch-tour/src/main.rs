//! The tour alone: `cargo tour`.

use std::io;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser};
use filch_bench::entry;
use filch_bench::failure::Failure;
use filch_bench::shortage::Allocator;
use filch_tour::{TourArgs, run, with_variable};

/// How to run anything else.
const OTHERS: &str = "`cargo run --release -- --help` lists the other commands";

/// The command line.
#[derive(Debug, Parser)]
#[command(
    bin_name = "cargo tour",
    about = "This machine, a real graph, and Filch beside serial code, rayon and chili (half a minute)",
    after_help = format!("Example: cargo tour --from cowsay\n\n{OTHERS}.")
)]
struct Cli {
    #[command(flatten)]
    tour: TourArgs,
}

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    entry::main(|| {
        let matches = with_variable(Cli::command()).try_get_matches().map_err(refusal)?;
        let cli = Cli::from_arg_matches(&matches).map_err(refusal)?;
        run(&cli.tour, &mut io::stdout().lock())
    })
}

/// What clap refuses. A word that it does not expect may be another command.
fn refusal(error: clap::Error) -> Failure {
    let is_unknown = error.kind() == ErrorKind::UnknownArgument;
    match entry::refusal(error) {
        Failure::Usage(message) if is_unknown => Failure::Usage(format!("{message}\n\n  {OTHERS}")),
        failure => failure,
    }
}
