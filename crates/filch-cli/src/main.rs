//! The command `filch`.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::FromArgMatches;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use filch_cli::Cli;
use filch_lab::failure::Failure;
use filch_lab::measure::allocator;
use filch_lab::shortage::{self, Allocator};
use filch_lab::{interrupt, output, ranks};

/// Open MPI ends all ranks when one of them ends with an error. Until then rank 0 says why.
const FIRST_WORD: Duration = Duration::from_millis(500);

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    shortage::ends_well();
    allocator::keep_freed_memory();
    interrupt::end_on_ctrl_c();
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            if !ranks::speaks() {
                std::thread::sleep(FIRST_WORD);
            }
            failure.exit_code()
        }
    }
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

/// What clap refuses, as all else that is refused. Pages of help are no refusals, and end the command here.
fn refusal(error: clap::Error) -> Failure {
    let is_page = !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if is_page && ranks::speaks() {
        error.exit();
    }
    let message = error.to_string();
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    let end = message.find("\n\nFor more information").unwrap_or(message.len());
    Failure::Usage(message[..end].trim_end().to_owned())
}
