//! `filch paper figure`: tables and figures of the papers: those on spanning trees and two of programs,
//! measured here, and others, simulated.
//!
//! - [`args`]: the arguments; [`size`]: the graphs
//! - [`performance`]: figure 6 of Frigo, Leiserson and Randall (1998), measured
//! - [`blocks`]: figure 8 of Acar, Charguéraud, Guatto, Rainey and Sieczkowski (2018), measured
//! - [`level_zero`]: figure 9 of Chen, Huang, Guo and Zhou (2011), measured
//! - [`printed`]: what the papers print
//! - [`measure`]: programs on a graph; [`report`]: what is shown
//! - [`tascell`]: Yasugi, Hiraishi, Umatani and Yuasa (2012)
//! - [`xws`]: Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen (2008)
//! - [`simulated`]: figures for more workers than this machine has cores

pub mod args;
pub mod blocks;
pub mod level_zero;
pub mod measure;
pub mod performance;
pub mod printed;
pub mod report;
pub mod simulated;
pub mod size;
pub mod tascell;
pub mod xws;

use std::io::Write;

use filch_bench::failure::Failure;
use filch_bench::measure::others::Watch;
use serde::Serialize;

use crate::chart;
use args::{FigureArgs, Name};
use filch_lab::graphs::report::count;
use measure::Bench;
use report::Report;
use simulated::{Found, Setting, cab_footprint, cab_points};
use size::Size;

/// The end of `--help`.
pub const HELP: &str = "\
Examples:
  filch paper figure tascell-table-3
  filch paper figure tascell-12 --workers 1,2 --svg figure-12.svg
  filch paper figure xws-table-1 --size paper --runs 21 --format json
  filch paper figure cilk5-6 --size paper --workers 2
  filch paper figure cilk5-8 --svg figure-8.svg
  filch paper figure heartbeat-8 --input suffixarray=english.txt --input suffixarray=dna.txt
  filch paper figure heartbeat-7 --workers 128 --scheduler heartbeat,balancer=private
  filch paper figure cab-4 --scheduler default --cost far-line=60ns

The figures of CAB but cab-9, cilk5-8, heartbeat-7 and those whose name says so are simulated:
docs/scale.md says what the model leaves out. The others are measured, cab-9 and cilk5-6 on programs
and the rest on graphs.
Each result is verified.
Figure 14 of Yasugi et al. is no measurement but an idea, concurrent rewriting: cargo run --release
-p filch-graph --example rewriting. The programs can be run on other graphs by
filch forest GRAPH --algorithm NAME.

Exit code: 0 success, 1 a tree is wrong, 2 bad usage.";

/// How a figure is produced.
enum Way {
    Measured(fn(&Bench<'_>, Size) -> Result<Report, Failure>),
    Simulated(fn(&Setting) -> Result<Found, Failure>),
    Virtual(fn(&Setting) -> Result<Found<simulated::tascell::Point>, Failure>),
    OnSockets(cab_points::Figure),
    OfPrograms(fn(&FigureArgs, &mut dyn Write) -> Result<(), Failure>),
    Footprints,
}

fn way(name: Name) -> Way {
    match name {
        Name::Cab2 => Way::Footprints,
        Name::Cab4 => Way::OnSockets(cab_points::Figure::Four),
        Name::Cab5 => Way::OnSockets(cab_points::Figure::Five),
        Name::Cab6 => Way::OnSockets(cab_points::Figure::Six),
        Name::Cab7 => Way::OnSockets(cab_points::Figure::Seven),
        Name::Cab8 => Way::OnSockets(cab_points::Figure::Eight),
        Name::Cab8Others => Way::OnSockets(cab_points::Figure::EightOthers),
        Name::Cab9 => Way::OfPrograms(level_zero::run),
        Name::CabManual => Way::OnSockets(cab_points::Figure::Manual),
        Name::CabTable4 => Way::OnSockets(cab_points::Figure::TableFour),
        Name::Cilk56 => Way::OfPrograms(performance::run),
        Name::Cilk56Simulated => Way::Simulated(simulated::cilk5::figure_6),
        Name::Cilk58 => Way::Simulated(simulated::cilk5::figure_8),
        Name::Heartbeat8 => Way::OfPrograms(blocks::run),
        Name::Heartbeat7 => Way::Simulated(simulated::heartbeat::figure_7),
        Name::Tascell10 => Way::Measured(tascell::figure_10),
        Name::Tascell11 => Way::Measured(tascell::figure_11),
        Name::Tascell12 => Way::Measured(tascell::figure_12),
        Name::Tascell13 => Way::Measured(tascell::figure_13),
        Name::Tascell12Simulated => Way::Virtual(simulated::tascell::figure_12),
        Name::Tascell13Simulated => Way::Virtual(simulated::tascell::figure_13),
        Name::TascellTable2 => Way::Measured(tascell::table_2),
        Name::TascellTable3 => Way::Measured(tascell::table_3),
        Name::Xws1 => Way::Measured(xws::figure_1),
        Name::Xws1Simulated => Way::Simulated(simulated::xws::figure_1),
        Name::XwsBatches => Way::Measured(xws::batches_of_bfs),
        Name::XwsTable1 => Way::Measured(xws::table_1),
    }
}

/// Runs `filch paper figure`.
pub fn run(args: &FigureArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let is_drawn =
        !matches!(args.name, Name::Cab2 | Name::Cilk56 | Name::Heartbeat8 | Name::TascellTable2 | Name::TascellTable3);
    if args.files.svg.is_some() && !is_drawn {
        return Err(Failure::Usage("--svg: a table of numbers with different units cannot be drawn".into()));
    }
    if let (Some(input), false) = (args.input.first(), matches!(args.name, Name::Heartbeat8)) {
        let message =
            format!("--input {}: expected heartbeat-8, whose programs alone read files", input.path.display());
        return Err(Failure::Usage(message));
    }
    let machine = args.costs.machine.as_deref().map(|path| ("--machine", path));
    args.files.check(machine)?;

    let figure = match way(args.name) {
        Way::Virtual(figure) => return show(&figure(&Setting::of(args)?)?, args, out),
        Way::Simulated(figure) => return show(&figure(&Setting::of(args)?)?, args, out),
        Way::OnSockets(figure) => return show(&simulated::cab::figure(figure, &Setting::of(args)?)?, args, out),
        Way::Footprints => return show(&cab_footprint::figure(&Setting::of(args)?)?, args, out),
        Way::OfPrograms(figure) => return figure(args, out),
        Way::Measured(figure) => figure,
    };
    if let Some(option) = args.costs.given() {
        return Err(Failure::Usage(format!("{option}: this figure is measured, not simulated")));
    }
    let bench = Bench::new(args)?;
    let watch = Watch::begin();
    let report = figure(&bench, args.size)?;
    let others = watch.others();
    report.show(&format!("medians of {}, each tree verified", count(args.runs, "run", "runs")), out)?;
    if let Some(others) = others {
        writeln!(out, "\n({others})")?;
    }
    args.files.write(&report.measured, || chart::draw(&report.title, &report.panels))
}

/// Shows and writes what was simulated.
fn show<R: Serialize>(found: &Found<R>, args: &FigureArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let Found { report, rows, svg } = found;
    report.show(&format!("simulated: medians of {}", count(args.runs, "seed", "seeds")), out)?;
    let draw = || svg.clone().unwrap_or_else(|| chart::draw(&report.title, &report.panels));
    args.files.write(rows, draw)
}
