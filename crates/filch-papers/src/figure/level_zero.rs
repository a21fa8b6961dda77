//! Figure 9 of Chen, Huang, Guo and Zhou (2011), measured: what `cab` costs programs that are bound by the processor,
//! whose boundary level is 0.

use std::io::Write;

use filch::Scheduler;
use filch_bench::failure::Failure;
use filch_bench::measure::median::Median;
use filch_bench::measure::others::Watch;
use filch_bench::measure::runner::Runner;
use filch_bench::measure::series::{Plan, Series};
use filch_bench::show::numbers::seconds;
use filch_bench::show::progress::samples::Samples;
use filch_kernels::Program;
use filch_lab::memory;
use filch_programs::find;
use serde::Serialize;

use super::args::FigureArgs;
use super::report::Report;
use super::size::Size;
use crate::chart::{self, Panel};
use crate::sweep::cab::squads::Squads;
use filch_lab::graphs::report::count;

/// The programs of the figure, and what the paper says about each. Its queens ends at the first solution.
const PROGRAMS: [(&str, &str); 4] =
    [("queens-any", "1 to 2 %"), ("fft", "below 5 %"), ("ck", "1 to 2 %"), ("cholesky", "1 to 2 %")];

/// The board of the paper's queens.
const QUEENS: u64 = 20;

/// A program. Times are in seconds, by run.
#[derive(Debug, Serialize)]
struct Row {
    program: &'static str,
    n: u64,
    workers: usize,
    /// The boundary level under `cab`.
    boundary: u32,
    rival_s: Vec<f64>,
    again_s: Vec<f64>,
    cab_s: Vec<f64>,
}

impl Row {
    fn against_rival(&self, seconds: &[f64]) -> Median {
        Median::of_paired_ratios(seconds, &self.rival_s)
    }
}

/// Measures the figure and shows it.
pub fn run(args: &FigureArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(option) = args.costs.given() {
        return Err(Failure::Usage(format!("{option}: this figure is measured, not simulated")));
    }
    if !args.workers.is_empty() {
        return Err(Failure::Usage("--workers: this figure has those of its squads; expected --topology".into()));
    }
    let squads = Squads::of(&args.topology)?;
    let rival = squads.pools.scheduler(args.scheduler.as_ref())?;
    let progress = Samples::new(3 * PROGRAMS.len(), args.runs);
    let watch = Watch::begin();
    let rows = PROGRAMS.map(|(name, _)| measure(find(name).expect("there is one"), args, &squads, &rival, &progress));
    let rows = rows.into_iter().collect::<Result<Vec<_>, _>>()?;
    let others = watch.others();
    drop(progress);
    let report = report(&rows, &squads, &rival);
    report.show(&format!("medians of {}, each result verified", count(args.runs, "run", "runs")), out)?;
    if let Some(others) = others {
        writeln!(out, "\n({others})")?;
    }
    args.files.write(&rows, || chart::draw(&report.title, &report.panels))
}

fn measure(
    program: &'static Program,
    args: &FigureArgs,
    squads: &Squads,
    rival: &Scheduler,
    progress: &Samples,
) -> Result<Row, Failure> {
    let is_of_paper = program.name == "queens-any" && args.size == Size::Paper;
    let n = if is_of_paper { QUEENS } else { args.size.of_program(program.sizes) };
    memory::check(program, n.into(), None)?;
    progress.begin(&format!("{} {n}", program.name));
    let cab = Scheduler::cab().with_data_bytes(program.data_bytes_of_bound(n));
    let boundary = cab.boundary_level(&squads.topology).map_err(Failure::usage)?;
    let workers = squads.topology.workers();
    let runners = [rival, rival, &cab].map(|scheduler| Runner::filch(&squads.pools, scheduler, workers));
    let runners = runners.into_iter().collect::<Result<Vec<_>, _>>()?;
    let entrants: Vec<&Runner> = runners.iter().collect();
    let mut instance = program.prepare(n).map_err(Failure::usage)?;
    let series = Series::measure(&mut *instance, &entrants, &Plan::of(args.runs), progress).verified(program.name)?;
    let [rival_s, again_s, cab_s] = [0, 1, 2].map(|place| series.tracks[place].seconds.clone());
    Ok(Row { program: program.name, n, workers, boundary, rival_s, again_s, cab_s })
}

fn report(rows: &[Row], squads: &Squads, rival: &Scheduler) -> Report {
    let mut report = Report::new(format!("cab at boundary level 0 beside {rival}, on {}", squads.topology));
    report.note("BL: the boundary level by the rule of thumb of section IV-D");
    report.note(format!("cab: time relative to that under {rival}; again: {rival} once more, to show the noise"));
    report.note("paper: by how much CAB is slower than Cilk");
    if squads.is_crowded() {
        report.note("There are more workers than processors, so times say little.");
    }
    let cells = |(row, (_, paper)): (&Row, &(&str, &str))| {
        let Row { program, n, boundary, rival_s, again_s, cab_s, .. } = row;
        vec![
            (*program).to_owned(),
            n.to_string(),
            boundary.to_string(),
            seconds(Median::of(rival_s.clone()).value),
            row.against_rival(again_s).to_string(),
            row.against_rival(cab_s).to_string(),
            (*paper).to_owned(),
        ]
    };
    let header = ["program", "n", "BL", "time", "again", "cab", "paper"].map(str::to_owned);
    report.table(header.to_vec(), rows.iter().zip(&PROGRAMS).map(cells).collect());
    let relative = |of: fn(&Row) -> &[f64]| rows.iter().map(|row| Some(row.against_rival(of(row)).value)).collect();
    report.panel(Panel {
        across: "program".into(),
        names: rows.iter().map(|row| row.program.to_owned()).collect(),
        up: format!("time relative to {rival}"),
        lines: vec![("again".into(), relative(|row| &row.again_s)), ("cab".into(), relative(|row| &row.cab_s))],
        ..Panel::default()
    });
    report
}
