//! The command `filch`.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::FromArgMatches;
use clap::parser::ValueSource;
use filch_bench::entry::{self, refusal};
use filch_bench::failure::Failure;
use filch_bench::ranks;
use filch_bench::shortage::Allocator;
use filch_cli::Cli;
use filch_lab::output;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    entry::main(run)
}

fn run() -> Result<(), Failure> {
    let command = Cli::line();
    let matches = command.clone().try_get_matches().map_err(refusal)?;
    let cli = Cli::from_arg_matches(&matches).map_err(refusal)?;
    if let (Some(ValueSource::CommandLine), Some(command)) = (matches.value_source("from"), matches.subcommand_name()) {
        return Err(Failure::Usage(format!("--from: expected no command beside it; found {command}")));
    }
    let to_standard_output = output::to_standard_output(&command, &matches)?;
    // Nobody wants to see the same figures twice.
    let is_seen = to_standard_output.as_deref() == Some("--format") && io::stdout().is_terminal();
    let mut out: Box<dyn Write> = match to_standard_output {
        _ if !ranks::speaks() => Box::new(io::sink()),
        Some(_) if cli.quiet || is_seen => Box::new(io::sink()),
        Some(_) => Box::new(io::stderr()),
        None => Box::new(io::stdout().lock()),
    };
    cli.run(&mut *out).and_then(|()| out.flush().map_err(Failure::Output))
}
