//! `filch machine`: the machine, and what Filch has measured on it.
//!
//! - [`args`]: the arguments
//! - [`latency`]: how soon work is shared
//! - [`price`]: what a fork costs, part by part
//! - [`idle`]: what idle workers cost, and how long it takes until they run again
//! - `row`: a line of the tables

pub mod args;
pub mod idle;
pub mod latency;
pub mod price;
mod row;

use std::io::Write;

use crate::failure::Failure;
use crate::measure::callgrind::check_valgrind;
use crate::measure::machine::pool::start;
use crate::measure::machine::report;
use args::MachineArgs;

/// Runs `filch machine`.
pub fn run(args: &MachineArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if args.instructions {
        check_valgrind()?;
    }
    let started = start()?;
    report::show(&started, out)?;
    drop(started); // its threads would be measured with the others
    writeln!(out)?;
    latency::show(out)?;
    writeln!(out)?;
    price::show_times(out)?;
    if args.instructions {
        writeln!(out)?;
        price::show_instructions(out)?;
    }
    if args.idle {
        writeln!(out)?;
        idle::show(args, out)?;
    }
    Ok(())
}
