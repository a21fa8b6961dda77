//! The tables of `filch simulate`.

use std::io::Write;

use filch_bench::failure::Failure;
use filch_bench::show::numbers::{decimals, scaled, seconds};
use filch_bench::show::table::{plain_table, text};
use filch_sim::Costs;

use super::row::Row;

/// What is shown of the counts, each by its word in the table and its name.
const COUNTS: [(&str, &str); 8] = [
    ("tries", "attempts"),
    ("moved", "moved"),
    ("asks", "asks"),
    ("refused", "refusals"),
    ("gifts", "gifts"),
    ("back", "reclaimed"),
    ("takes", "takes"),
    ("woken", "calls"),
];

/// What is shown of them in addition if there are several sockets.
const FAR: [(&str, &str); 2] = [("far", "messages_far"), ("moved far", "moved_far")];

pub(super) fn show(rows: &[Row], costs: &Costs, out: &mut dyn Write) -> Result<(), Failure> {
    for of_one in rows.chunk_by(|one, next| one.setting() == next.setting()) {
        writeln!(out, "\n{}\n{}\n\n{}", of_one[0].setting(), times(of_one), counts(of_one, &COUNTS, Some(costs)))?;
        if of_one[0].sockets > 1 {
            writeln!(out, "\n{}", counts(of_one, &FAR, None))?;
        }
        for row in of_one.iter().filter(|row| row.mean("misses_near") > 0.0) {
            let [near, far] = ["misses_near", "misses_far"].map(|name| scaled(row.mean(name)));
            writeln!(out, "P = {}: lines from the own socket's memory {near}, from others' {far}", row.workers)?;
            if row.mean("misses_private") > 0.0 {
                writeln!(out, "  not in the worker's own cache {}", scaled(row.mean("misses_private")))?;
            }
        }
        for line in of_one.iter().flat_map(Row::bounds) {
            writeln!(out, "{line}")?;
        }
    }
    out.flush()?;
    Ok(())
}

fn spread(spread: Option<f64>) -> String {
    spread.map_or(String::new(), |spread| format!("{:.1} %", 100.0 * spread))
}

/// The table of times and what follows from them.
fn times(rows: &[Row]) -> String {
    let header = ["P", "T_P", "T1/P+T∞", "T1/T_P", "c∞", "idle", "90 %"];
    let mut table = plain_table(header.map(str::to_owned).to_vec());
    for row in rows {
        let number = |value: f64| format!("{value:.*}", decimals(value));
        table.add_row([
            row.workers.to_string(),
            seconds(row.time_ns.value / 1e9),
            seconds(row.bound_ns() / 1e9),
            number(row.speed_up()),
            scaled(row.overhead().max(0.0)),
            format!("{:.1} %", 100.0 * row.idle_share),
            row.ramp_ns.map_or("never".into(), |ns| seconds(ns / 1e9)),
        ]);
        if row.has_spread() {
            let [time, idle, ramp] = row.spreads().map(spread);
            table.add_row(["±".into(), time.clone(), String::new(), time, String::new(), idle, ramp]);
        }
    }
    text(table)
}

/// The table of these counts; with the attempts beside P·T∞ if the costs are given.
fn counts(rows: &[Row], names: &[(&str, &str)], costs: Option<&Costs>) -> String {
    let words = names.iter().map(|(word, _)| *word).chain(costs.map(|_| "c"));
    let mut table = plain_table(std::iter::once("P").chain(words).map(str::to_owned).collect());
    for row in rows {
        let means = names.iter().map(|(_, count)| scaled(row.mean(count)));
        let attempts = costs.map(|costs| scaled(row.attempts_per_span(costs.give_ns)));
        table.add_row(std::iter::once(row.workers.to_string()).chain(means).chain(attempts));
        if row.has_spread() {
            let spreads = names.iter().map(|(_, count)| spread(row.spread_of(count)));
            table.add_row(std::iter::once("±".to_owned()).chain(spreads).chain(costs.map(|_| String::new())));
        }
    }
    text(table)
}
