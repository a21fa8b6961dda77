//! `filch figure`: the tables and figures of the papers on spanning trees, measured here.
//!
//! - [`args`]: the arguments; [`size`]: the graphs
//! - [`printed`]: what the papers print
//! - [`measure`]: programs on a graph; [`report`]: what is shown; [`chart`]: pictures
//! - [`tascell`]: Yasugi, Hiraishi, Umatani and Yuasa (2012)
//! - [`xws`]: Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen (2008)

pub mod args;
pub mod chart;
pub mod measure;
pub mod printed;
pub mod report;
pub mod size;
pub mod tascell;
pub mod xws;

use std::io::Write;

use crate::failure::Failure;
use crate::measure::others::Watch;
use crate::output;
use crate::show::json::to_json;
use args::{FigureArgs, Name};
use measure::Bench;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch figure tascell-table-3
  filch figure tascell-12 --workers 1,2 --svg figure-12.svg
  filch figure xws-table-1 --size paper --runs 21 --json table-1.json

Each tree is verified. Figure 14 of Yasugi et al. is no measurement but an idea, concurrent
rewriting: cargo run --release -p filch-graph --example rewriting. The programs can be run on
other graphs by filch forest GRAPH --algorithm NAME.

Exit code: 0 success, 1 a tree is wrong, 2 bad usage.";

/// Runs `filch figure`.
pub fn run(args: &FigureArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let is_drawn = !matches!(args.name, Name::TascellTable2 | Name::TascellTable3);
    if args.svg.is_some() && !is_drawn {
        return Err(Failure::Usage("--svg: a table of numbers with different units cannot be drawn".into()));
    }
    let files: Vec<_> = [("--json", &args.json), ("--svg", &args.svg)]
        .into_iter()
        .filter_map(|(option, path)| Some((option, path.as_deref()?)))
        .collect();
    files.iter().try_for_each(|(_, path)| output::check_writable(path))?;
    output::check_distinct([], &files)?;

    let bench = Bench::new(args)?;
    let watch = Watch::begin();
    let report = match args.name {
        Name::Tascell10 => tascell::figure_10,
        Name::Tascell11 => tascell::figure_11,
        Name::Tascell12 => tascell::figure_12,
        Name::Tascell13 => tascell::figure_13,
        Name::TascellTable2 => tascell::table_2,
        Name::TascellTable3 => tascell::table_3,
        Name::Xws1 => xws::figure_1,
        Name::XwsTable1 => xws::table_1,
    }(&bench, args.size)?;
    let others = watch.others();
    report.show(args.runs, out)?;
    if let Some(others) = others {
        writeln!(out, "\n({others})")?;
    }
    if let Some(path) = &args.json {
        output::write_whole(path, &to_json(&report.measured))?;
    }
    if let Some(path) = &args.svg {
        output::write_whole(path, chart::draw(&report.title, &report.panels).as_bytes())?;
    }
    Ok(())
}
