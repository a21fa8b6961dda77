//! The command `filch`.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::FromArgMatches;
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
    let matches = command.clone().try_get_matches().unwrap_or_else(|error| {
        if !ranks::speaks() {
            std::process::exit(error.exit_code());
        }
        error.exit()
    });
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let takes_standard_output = output::to_standard_output(&command, &matches)?.is_some();
    let mut out: Box<dyn Write> = match takes_standard_output {
        _ if !ranks::speaks() => Box::new(io::sink()),
        true => Box::new(io::stderr()),
        false => Box::new(io::stdout().lock()),
    };
    cli.run(&mut *out).and_then(|()| out.flush().map_err(Failure::Output))
}
