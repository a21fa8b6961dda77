//! Figures 4, 7 and 8 of Chen, Huang, Guo and Zhou (2011).

use super::cab_points::{CACHE_BYTES, CORES, Figure, Point, SOCKETS};
use filch::Scheduler;
use filch_sim::{Sockets, rules};

use super::{Found, Setting};
use crate::chart::Panel;
use crate::figure::report::Report;
use filch_lab::failure::Failure;
use filch_lab::show::numbers::seconds;

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
    report.note(format!("flat: median time under {flat}; cab: under cab; gain: part of the former that is gained"));
    report.note("BL: the boundary level; * that of equation 4");
    report.note("misses: lines from memory under cab, in % of those of flat");
    report.note("affine: cab with affinity, so that a squad gets the part that it had last: gain and misses");
    report.note("paper: what the text of Chen et al. 2011, section V, says about the gain over Cilk");
    let header = ["program", "BL", "flat", "cab", "gain", "misses", "affine", "misses", "paper"];
    report.table(header.map(str::to_owned).to_vec(), points.iter().map(cells).collect());
    report.panel(panel(figure, &points));
    Ok(Found { report, rows: points, svg: None })
}

/// The boundary level of a scheduler on the paper's machine, for data that fills all caches; 0 if it is flat.
fn boundary_level(scheduler: &Scheduler) -> Result<u32, Failure> {
    let topology = Sockets::even(CORES, SOCKETS).map_err(Failure::usage)?.topology(CACHE_BYTES);
    let scheduler = scheduler.clone().for_data_bytes(SOCKETS as u64 * CACHE_BYTES);
    topology.map_or(Ok(0), |topology| scheduler.boundary_level(&topology)).map_err(Failure::usage)
}

fn cells(point: &Point) -> Vec<String> {
    vec![
        short(&point.program).to_owned(),
        format!("{}{}", point.boundary, if point.boundary == point.boundary_by_equation { " *" } else { "" }),
        seconds(point.flat_ns as f64 / 1e9),
        seconds(point.cab_ns as f64 / 1e9),
        format!("{:.0} %", point.gain_percent),
        format!("{:.0} %", 100.0 * point.cab_misses as f64 / point.flat_misses.max(1) as f64),
        format!("{:.0} %", 100.0 * (1.0 - point.affine_ns as f64 / point.flat_ns.max(1) as f64)),
        format!("{:.0} %", 100.0 * point.affine_misses as f64 / point.flat_misses.max(1) as f64),
        point.paper.map_or_else(String::new, said),
    ]
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
        Figure::Four | Figure::Seven => ("program", |point| short(&point.program).to_owned()),
        Figure::Eight => ("boundary level", |point| point.boundary.to_string()),
    };
    let relative = |point: &Point| Some(point.cab_ns as f64 / point.flat_ns.max(1) as f64);
    Panel {
        title: String::new(),
        across: across.into(),
        names: points.iter().map(name).collect(),
        up: "time relative to flat".into(),
        lines: vec![
            ("flat".into(), vec![Some(1.0); points.len()]),
            ("cab".into(), points.iter().map(relative).collect()),
        ],
        ..Panel::default()
    }
}
