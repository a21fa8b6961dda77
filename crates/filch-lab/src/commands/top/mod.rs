//! `filch top`: what the workers of running programs are doing.
//!
//! - [`process`]: programs on Filch, and their pages
//! - [`page`]: what a page says; [`head`]: where it says it
//! - [`rates`]: what has been done between two readings
//! - [`show`]: tables and figures

pub mod head;
pub mod page;
pub mod process;
pub mod rates;
pub mod show;

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use clap::Args;
use console::Term;
use filch_bench::failure::Failure;
use filch_bench::timeout::time;
use filch_bench::values::whole;

use crate::output::{Format, FormatArgs};
use process::Process;
use rates::Rates;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch top                           all your programs on Filch, every second
  filch top 4711 --interval 200ms
  filch top 4711 --once               one table, about the next second
  filch top 4711 --once --format json

Programs need no preparation: on Linux, each process that has a pool shows what its workers do on
a page of memory, which its user can read.

A worker is busy (it runs something), searching (for work, or it has asked for some), waiting (for
what has moved to another worker), asleep, blocked (in a blocking section), or away (nobody works
there). The columns behind that are of the last interval: the share of the time for which it was
busy, as seen at 50 moments of it; visits to other workers that had something to share, and those
of them that asked; forks that it gave, and forks that it took; spawned tasks that it got; and how
often it went to sleep. Steals are forks and tasks that have gone to another worker.

Exit code: 0 success, 2 bad usage, no such process, or none that can be shown.";

/// The arguments of `filch top`.
#[derive(Args, Debug)]
pub struct TopArgs {
    /// The process [default: all of yours that have a pool]
    #[arg(value_name = "PID", value_parser = whole::<u32>(1..=u32::MAX.into()))]
    pub process: Option<u32>,

    /// The time between two tables, such as 200ms or 1s
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = time)]
    pub interval: Duration,

    /// Show one table, and end
    #[arg(long)]
    pub once: bool,

    /// The form of the figures.
    #[command(flatten)]
    pub figures: FormatArgs,
}

/// How many lines a terminal has, if there is one.
fn lines_of_terminal() -> Option<usize> {
    io::stdout().is_terminal().then(|| usize::from(Term::stdout().size().0))
}

/// Clears a terminal.
const CLEAR: &str = "\x1b[H\x1b[2J";

/// Runs `filch top`.
pub fn run(args: &TopArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if args.figures.format != Format::Text && !args.once {
        return Err(Failure::Usage("--format: expected --once as well, since figures are written once".into()));
    }
    let mut processes = match args.process {
        Some(id) => vec![Process::find(id).map_err(Failure::usage)?],
        None => process::all().map_err(Failure::usage)?,
    };
    loop {
        let measured = rates::measure(&processes, args.interval);
        let mut all: Vec<(&Process, Rates)> = Vec::new();
        for (process, rates) in processes.iter().zip(measured) {
            match rates {
                Ok(rates) => all.push((process, rates)),
                // Of all processes, one that cannot be shown any more is left out.
                Err(_) if args.process.is_none() => {}
                Err(error) => return Err(Failure::Usage(format!("process {}: {error}", process.id()))),
            }
        }
        let text = all.iter().map(|(process, rates)| show::text(process, rates)).collect::<Vec<_>>().join("\n");
        if args.once {
            out.write_all(text.as_bytes())?;
            let figures: Vec<_> = all.iter().map(|(process, rates)| show::figures(process, rates)).collect();
            return args.figures.write(&figures);
        }
        match lines_of_terminal() {
            Some(lines) => write!(out, "{CLEAR}{}", show::cut(&text, lines))?,
            None => writeln!(out, "{text}")?,
        }
        out.flush()?;
        if args.process.is_none() {
            // Some may have come.
            processes = process::all().unwrap_or_default();
        }
        processes.retain(Process::lives);
        if processes.is_empty() {
            let who = if args.process.is_some() { "the process has" } else { "all processes have" };
            writeln!(out, "{who} ended")?;
            return Ok(());
        }
    }
}
