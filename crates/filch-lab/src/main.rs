//! The command `filch`.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use filch_lab::cli::Cli;
use filch_lab::failure::Failure;
use filch_lab::interrupt;
use filch_lab::measure::allocator;
use filch_lab::shortage::{self, Allocator};

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    shortage::ends_well();
    allocator::keep_freed_memory();
    interrupt::end_on_ctrl_c();
    let cli = Cli::parse();
    let out = &mut io::stdout().lock();
    match cli.run(out).and_then(|()| out.flush().map_err(Failure::Output)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            failure.exit_code()
        }
    }
}
