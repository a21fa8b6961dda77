//! How a command begins and ends, whatever it does.

use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use clap::error::ErrorKind;

use crate::failure::Failure;
use crate::measure::allocator;
use crate::{interrupt, ranks, shortage};

/// Open MPI ends all ranks when one of them ends with an error. Until then rank 0 says why.
const FIRST_WORD: Duration = Duration::from_millis(500);

/// The function `main` of a command that does this, and whose allocator is [`shortage::Allocator`].
pub fn main(command: impl FnOnce() -> Result<(), Failure>) -> ExitCode {
    shortage::ends_well();
    allocator::keep_freed_memory();
    interrupt::end_on_ctrl_c();
    match command() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            if !ranks::speaks() {
                sleep(FIRST_WORD);
            }
            failure.exit_code()
        }
    }
}

/// What clap refuses, as all else that is refused. Pages of help are no refusals, and end the command here.
pub fn refusal(error: clap::Error) -> Failure {
    let is_page = !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if is_page && ranks::speaks() {
        error.exit();
    }
    let message = error.to_string();
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    let end = message.find("\n\nFor more information").unwrap_or(message.len());
    Failure::Usage(message[..end].trim_end().to_owned())
}
