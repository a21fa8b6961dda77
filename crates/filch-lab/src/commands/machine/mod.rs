//! `filch machine`: the machine, and what Filch has measured on it.
//!
//! - [`args`]: the arguments
//! - `tree`: the sockets, caches and squads
//! - `figures`: what `--format` writes
//! - [`latency`]: how soon work is shared
//! - [`price`]: what a fork costs, part by part
//! - `deques`: what it would cost on a deque with THE, or with a lock
//! - [`idle`]: what idle workers cost, and how long it takes until they run again
//! - `row`: a line of the tables

pub mod args;
mod deques;
mod figures;
pub mod idle;
pub mod latency;
pub mod price;
mod row;
mod tree;

use std::io::Write;

use filch::Pool;
use filch_bench::failure::Failure;
use filch_bench::measure::callgrind::check_valgrind;
use filch_bench::measure::machine::pool::start;
use filch_bench::measure::machine::report;

use args::MachineArgs;
use figures::Figures;

/// Runs `filch machine`.
pub fn run(args: &MachineArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if args.instructions {
        check_valgrind()?;
    }
    let pools = args.topology.pools()?;
    let topology = pools.squads().cloned().unwrap_or_else(Pool::detect_topology);
    let started = start(&pools)?;
    report::show(&started, out)?;
    writeln!(out)?;
    tree::show(&topology, out)?;
    args.figures.write(&Figures::of(&topology, &started.pool))?;
    drop(started); // its threads would be measured with the others
    writeln!(out)?;
    latency::show(out)?;
    writeln!(out)?;
    price::show_times(out)?;
    writeln!(out)?;
    deques::show(out)?;
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
