//! The command `filch`.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use filch_lab::bench::{self, busy, instructions};
use filch_lab::cli::{Cli, Command};
use filch_lab::failure::Failure;
use filch_lab::machine::{self, price};
use filch_lab::{completions, graph, interrupt, knary, shapes, steals, stress, tour};

fn main() -> ExitCode {
    interrupt::end_on_ctrl_c();
    let cli = Cli::parse();
    let out = &mut io::stdout().lock();
    if matches!(
        cli.command,
        Some(Command::Machine(_) | Command::Bench(_) | Command::Shapes(_) | Command::CallgrindTarget(_))
    ) {
        // Figures are for pools that know what sharing costs here.
        filch::Pool::measure_costs();
    }
    let done = match cli.command {
        None => tour::run(&cli.from, out),
        Some(Command::Machine(args)) => machine::run(&args, out),
        Some(Command::Bench(args)) => bench::run(args, out),
        Some(Command::Knary(args)) => knary::run(&args, out),
        Some(Command::Steals(args)) => steals::run(&args, out),
        Some(Command::Shapes(args)) => shapes::run(&args, out),
        Some(Command::Stress(args)) => stress::run(&args, out),
        Some(Command::Forest(args)) => graph::forest::run(&args, out),
        Some(Command::Components(args)) => graph::components::run(&args, out),
        Some(Command::Bfs(args)) => graph::bfs::run(&args, out),
        Some(Command::Generate(args)) => graph::generate::run(&args, out),
        Some(Command::Graph(command)) => graph::info::run(&command, out),
        Some(Command::Completions(args)) => completions::run(&args, out),
        Some(Command::CallgrindTarget(args)) => instructions::run_target(&args),
        Some(Command::CallgrindPart(args)) => price::run_part(&args),
        Some(Command::KeepBusy) => busy::run_process(out),
    };
    match done.and_then(|()| out.flush().map_err(Failure::Output)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            failure.exit_code()
        }
    }
}
