//! Figures 4 to 8 and table IV, and a comparison of section IV-D, of Chen, Huang, Guo and Zhou (2011).

use super::cab_points::{CACHE_BYTES, CORES, Figure, PRIVATE_BYTES, Point, Runs, SOCKETS};
use filch::Scheduler;
use filch_bench::failure::Failure;
use filch_bench::show::numbers::seconds;
use filch_sim::{Sockets, rules};

use super::{Found, Setting};
use crate::chart::Panel;
use crate::figure::report::Report;

/// A figure on the paper's machine. The setting's scheduler is the flat one, with which `cab` is compared.
pub fn figure(figure: Figure, setting: &Setting) -> Result<Found<Point>, Failure> {
    if !setting.workers.is_empty() {
        return Err(Failure::Usage(format!("--workers: this figure has the {CORES} of the paper's machine")));
    }
    let flat = &setting.scheduler;
    rules(flat, &setting.costs, CORES).map_err(|error| Failure::Usage(format!("--scheduler: {error}")))?;
    if boundary_level(flat)? > 0 {
        return Err(Failure::Usage(format!("--scheduler {flat}: expected a flat one, with which cab is compared")));
    }
    let points = figure.points(flat, &setting.costs, setting.seeds as u64);

    let cores = CORES / SOCKETS;
    let title =
        format!("CAB beside {flat}: {SOCKETS} sockets, {cores} cores and {} MiB of cache each", CACHE_BYTES >> 20);
    let mut report = Report::new(title);
    report.note("BL: the boundary level; * that of equation 4");
    report.note("affine: cab with affinity, so that a squad gets the part that it had last");
    let rows: Vec<Vec<String>> = points.iter().map(|point| cells(point, figure.is_of_misses())).collect();
    if figure.is_of_misses() {
        report.note(format!("own: lines not in the cache of {} KiB of each core", PRIVATE_BYTES >> 10));
        report.note("misses: lines from memory");
        report.note(format!("Both are in % of those of {flat}; the paper's, in % of those of Cilk."));
        let header = ["program", "BL", "own: cab", "affine", "paper", "misses: cab", "affine", "paper"];
        report.table(header.map(str::to_owned).to_vec(), rows);
    } else {
        report
            .note(format!("flat: median time under {flat}; cab: gain of cab, in % of that; misses: lines from memory"));
        report.note(format!("under cab, in % of those of {flat}; paper: the gain over Cilk"));
        let header = ["program", "BL", "flat", "cab", "misses", "affine", "misses", "paper"];
        report.table(header.map(str::to_owned).to_vec(), rows);
    }
    report.panel(panel(figure, &points));
    Ok(Found { report, rows: points, svg: None })
}

/// The boundary level of a scheduler on the paper's machine, for data that fills all caches; 0 if it is flat.
fn boundary_level(scheduler: &Scheduler) -> Result<u32, Failure> {
    let topology = Sockets::even(CORES, SOCKETS).map_err(Failure::usage)?.topology(CACHE_BYTES);
    let scheduler = scheduler.clone().for_data_bytes(SOCKETS as u64 * CACHE_BYTES);
    topology.map_or(Ok(0), |topology| scheduler.boundary_level(&topology)).map_err(Failure::usage)
}

fn cells(point: &Point, is_of_misses: bool) -> Vec<String> {
    let Point { flat, cab, affine, paper, .. } = *point;
    let is_of_equation = point.boundary == point.boundary_by_equation;
    let mut cells =
        vec![short(&point.program).to_owned(), format!("{}{}", point.boundary, if is_of_equation { " *" } else { "" })];
    let share =
        |misses: fn(Runs) -> u64, of| format!("{:.0} %", 100.0 * misses(of) as f64 / misses(flat).max(1) as f64);
    let shared: fn(Runs) -> u64 = |runs| runs.misses;
    if is_of_misses {
        let kinds: [fn(Runs) -> u64; 2] = [|runs| runs.private_misses, shared];
        for (place, misses) in kinds.into_iter().enumerate() {
            let printed = paper.misses.map_or_else(String::new, |printed| format!("{:.0} %", printed[place]));
            cells.extend([share(misses, cab), share(misses, affine), printed]);
        }
    } else {
        cells.push(seconds(flat.time_ns as f64 / 1e9));
        for runs in [cab, affine] {
            cells.extend([format!("{:.0} %", runs.gain_over(flat)), share(shared, runs)]);
        }
        cells.push(paper.gain.map_or_else(String::new, said));
    }
    cells
}

/// The program up to what its leaves are.
fn short(program: &str) -> &str {
    let end = [",steps", ",point"].into_iter().filter_map(|setting| program.find(setting)).min();
    &program[..end.unwrap_or(program.len())]
}

/// What the paper says about a gain.
fn said([from, to]: [f64; 2]) -> String {
    if from == to {
        format!("{to:.0} %")
    } else if from.is_finite() {
        format!("{from:.0} to {to:.0} %")
    } else {
        format!("below {to:.0} %")
    }
}

fn panel(figure: Figure, points: &[Point]) -> Panel {
    let (across, name): (_, fn(&Point) -> String) = match figure {
        Figure::Eight => ("boundary level", |point| point.boundary.to_string()),
        Figure::EightOthers | Figure::Manual => ("program, boundary level", |point| {
            let program = point.program.split(':').next().unwrap_or_default();
            format!("{program} {}", point.boundary)
        }),
        _ => ("program", |point| short(&point.program).to_owned()),
    };
    let (up, value): (_, fn(Runs) -> u64) = match figure.is_of_misses() {
        true => ("lines from memory relative to flat", |runs| runs.misses),
        false => ("time relative to flat", |runs| runs.time_ns),
    };
    let relative = |runs: fn(&Point) -> Runs| {
        points.iter().map(|point| Some(value(runs(point)) as f64 / value(point.flat).max(1) as f64)).collect()
    };
    Panel {
        title: String::new(),
        across: across.into(),
        names: points.iter().map(name).collect(),
        up: up.into(),
        lines: vec![
            ("flat".into(), relative(|point| point.flat)),
            ("cab".into(), relative(|point| point.cab)),
            ("cab with affinity".into(), relative(|point| point.affine)),
        ],
        ..Panel::default()
    }
}
