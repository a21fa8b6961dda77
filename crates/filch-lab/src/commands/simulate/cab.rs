//! Figures of Chen, Huang, Guo and Zhou (2011), on virtual workers, beside what the paper says about them.

use std::io::Write;
use std::path::Path;

use clap::ValueEnum;
use filch_sim::Costs;
use filch_sim::cab::{Figure, Point};
use serde::Serialize;

use crate::failure::Failure;
use crate::output;
use crate::show::json::to_json;
use crate::show::numbers::seconds;
use crate::show::table::{plain_table, text};

/// A figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Name {
    /// Chen et al. 2011, figure 4: four programs that are bound by memory
    #[value(name = "cab-4")]
    Cab4,
    /// Figure 7: heat with leaves of several sizes
    #[value(name = "cab-7")]
    Cab7,
    /// Figure 8: heat under each boundary level
    #[value(name = "cab-8")]
    Cab8,
}

/// A point, as it is written to the file.
#[derive(Serialize)]
struct Row<'p> {
    program: &'p str,
    boundary: u32,
    boundary_by_equation: u32,
    flat_ns: u64,
    cab_ns: u64,
    gain_percent: f64,
    flat_misses: u64,
    cab_misses: u64,
}

/// Simulates a figure and shows it.
pub(super) fn run(
    name: Name,
    costs: &Costs,
    seeds: u64,
    json: Option<&Path>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if let Some(path) = json {
        output::check_writable(path)?;
    }
    let figure = match name {
        Name::Cab4 => Figure::Four,
        Name::Cab7 => Figure::Seven,
        Name::Cab8 => Figure::Eight,
    };
    let points = figure.points(costs, seeds);
    writeln!(out, "A simulation of 4 sockets with 4 cores and 6 MiB of cache each, {seeds} seeds.")?;
    writeln!(out, "flat     median time under cilk5; cab: under cab; gain: part of the former that is gained")?;
    writeln!(out, "misses   lines from memory under cab, in % of those under cilk5")?;
    writeln!(out, "paper    what the text of Chen et al. 2011, section V, says about the gain\n")?;
    let header = ["program", "BL", "flat", "cab", "gain", "misses", "paper"];
    let mut table = plain_table(header.map(str::to_owned).to_vec());
    for point in &points {
        let [flat, cab] = point.misses;
        table.add_row([
            short(&point.program).to_owned(),
            format!("{}{}", point.boundary, if point.boundary == point.by_equation { " *" } else { "" }),
            seconds(point.flat_ns as f64 / 1e9),
            seconds(point.cab_ns as f64 / 1e9),
            format!("{:.0} %", point.gain()),
            format!("{:.0} %", 100.0 * cab as f64 / flat.max(1) as f64),
            point.paper.map_or_else(String::new, said),
        ]);
    }
    writeln!(out, "{}\n\n* the boundary level of equation 4", text(table))?;
    if let Some(path) = json {
        let rows: Vec<Row<'_>> = points.iter().map(row).collect();
        output::write_whole(path, &to_json(&rows))?;
    }
    Ok(())
}

/// The program up to what its leaves are.
fn short(program: &str) -> &str {
    let end = [",steps", ",point"].into_iter().filter_map(|setting| program.find(setting)).min();
    &program[..end.unwrap_or(program.len())]
}

fn said([from, to]: [f64; 2]) -> String {
    if from == to {
        format!("{to:.0} %")
    } else if from.is_finite() {
        format!("{from:.0} to {to:.0} %")
    } else {
        format!("below {to:.0} %")
    }
}

fn row(point: &Point) -> Row<'_> {
    let [flat_misses, cab_misses] = point.misses;
    Row {
        program: &point.program,
        boundary: point.boundary,
        boundary_by_equation: point.by_equation,
        flat_ns: point.flat_ns,
        cab_ns: point.cab_ns,
        gain_percent: point.gain(),
        flat_misses,
        cab_misses,
    }
}
