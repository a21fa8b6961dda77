//! Instructions per fork of fib, with strands and without: a line for each scheduler that is named. For `cargo xtask
//! instructions`, and for `cargo xtask disassembly`, which looks at the functions: those of the tour, which are
//! compiled in a library, as those of the command `filch` are.

use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use filch::Scheduler;
use filch_bench::comparison::plan::{Comparison, Peer, Task};
use filch_bench::comparison::run::compare;
use filch_bench::comparison::target::{self, TargetArgs};
use filch_bench::entry;
use filch_bench::failure::Failure;
use filch_bench::measure::pools::Pools;
use filch_bench::shortage::Allocator;
use filch_kernels::Program;
use filch_tour::PROGRAMS;

#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    schedulers: Vec<Scheduler>,
}

#[derive(Subcommand)]
enum Command {
    /// What this command runs under callgrind.
    CallgrindTarget(TargetArgs),
}

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    let cli = Cli::parse();
    entry::main(|| match cli.command {
        Some(Command::CallgrindTarget(args)) => {
            let program = programs().find(|program| program.name == args.program);
            target::run(program.expect("this command names one of them"), &args)
        }
        None => count(cli.schedulers),
    })
}

/// With strands and without.
fn programs() -> impl Iterator<Item = &'static Program> {
    PROGRAMS.iter().map(|(program, _)| program).filter(|program| ["fib", "fib-implicit"].contains(&program.name))
}

fn count(schedulers: Vec<Scheduler>) -> Result<(), Failure> {
    let comparison = Comparison {
        pools: Pools::default(),
        schedulers,
        workers: vec![1],
        against: vec![Peer::Serial],
        grain: None,
        busy: 0,
        runs: 1,
        details: false,
        counters: false,
        instructions: true,
    };
    let task = |program| Task { program, size: "small", n: 20.into(), grains: None, input: None };
    let tasks: Vec<Task> = programs().map(task).collect();
    let measured = compare(&tasks, &comparison, &mut io::sink())?;
    for row in &measured.rows {
        if let Some(instructions) = row.instructions_per_fork {
            println!("{} {} {instructions:.2}", row.program, row.runner);
        }
    }
    measured.verified()
}
