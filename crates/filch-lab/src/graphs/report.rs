//! What the commands on graphs print: the stages with their times, a table of the entrants, and counts.

use std::io::{self, Write};

use filch_bench::measure::median::note_on_few;
pub use filch_bench::show::numbers::number_of as count;
use filch_bench::show::numbers::{grouped, scaled, seconds};
use filch_bench::show::table::{plain_table, text};

use super::row::{FIRST, Row, SERIAL};
use super::trials::Counted;

/// The width of the names in front of lines.
const NAME: usize = 14;

/// The maximum width of every line, unless names are longer.
const COLUMNS: usize = 80;

/// The unit of bytes; all other units count edges.
pub const BYTES: &str = "B";

/// Writes a line of a report: a name and a value.
pub fn line(out: &mut dyn Write, name: &str, value: &str) -> io::Result<()> {
    writeln!(out, "{name:<NAME$}{value}")
}

/// A time and a rate: `0.42 s, 310 M edges/s`. Without a count or a time, there is no rate.
pub fn time_and_rate(time: f64, count: usize, unit: &str) -> String {
    let mut words = seconds(time);
    if count > 0 && time > 0.0 {
        // 4.24 MB/s, but 4.24 M edges/s.
        let rate = scaled(count as f64 / time);
        let gap = if unit == BYTES && rate.ends_with(char::is_alphabetic) { "" } else { " " };
        words += &format!(", {rate}{gap}{unit}/s");
    }
    words
}

/// Explains what the table of entrants shows.
pub fn explain(out: &mut dyn Write, rows: &[Row], edges: &str) -> io::Result<()> {
    let Some(runs) = rows.iter().map(|row| row.runs).max() else { return Ok(()) };
    writeln!(out)?;
    writeln!(out, "P        number of workers")?;
    writeln!(out, "time     median of {}", count(runs, "run", "runs"))?;
    writeln!(out, "edges/s  {edges}, divided by that time")?;
    if rows.iter().any(|row| row.exhausted_at_depth.is_some()) {
        writeln!(out, "stack at the depth of recursion at which an algorithm without a bound gave up")?;
    }
    if rows.iter().any(|row| !row.ratios.is_empty()) {
        writeln!(out, "against  own time / the peer's, so less than 1 is faster: the median of the")?;
        writeln!(out, "         ratios in each run, in which all take turns, with its 95 % interval")?;
        if let Some(note) = note_on_few(runs) {
            writeln!(out, "         {note}")?;
        }
    }
    Ok(())
}

/// The table of entrants. If all of them but the serial one have the same scheduler, only the header names it.
pub fn entrants(rows: &[Row]) -> String {
    let has = |against: &str| rows.iter().any(|row| row.ratio(against).is_some());
    let compared: Vec<(&str, &str)> = [(SERIAL, "against serial"), (FIRST, "against the first")]
        .into_iter()
        .filter(|(against, _)| has(against))
        .collect();
    let first = &rows[0].runner;
    let one_scheduler = rows.iter().all(|row| row.runner == *first || row.runner == SERIAL);
    let mut header = vec![if one_scheduler { first.clone() } else { "runner".into() }];
    header.extend(["P", "time", "edges/s"].map(str::to_owned));
    header.extend(compared.iter().map(|(_, title)| (*title).to_owned()));
    let mut table = plain_table(header);
    for row in rows {
        let runner = match (one_scheduler, row.runner == SERIAL) {
            (_, true) => row.runner.clone(),
            (true, _) => row.algorithm.clone(),
            (false, _) => format!("{} {}", row.runner, row.algorithm),
        };
        let (time, rate) = match row.exhausted_at_depth {
            _ if row.verified == Some(false) => ("WRONG".into(), scaled(row.edges_per_s)),
            Some(depth) => (format!("stack at {}", grouped(depth as u64)), String::new()),
            None => (seconds(row.median_s), scaled(row.edges_per_s)),
        };
        let mut cells = vec![runner, row.workers.to_string(), time, rate];
        cells.extend(compared.iter().map(|(against, _)| row.ratio(against).map_or(String::new(), ToString::to_string)));
        table.add_row(cells);
    }
    text(table)
}

/// Shows the counts of a run, in as many lines as it takes.
pub fn counted(out: &mut dyn Write, counted: &Counted) -> io::Result<()> {
    let words = counted.iter().map(|&(name, count)| format!("{} {}", name.replace('_', " "), grouped(count)));
    let (mut name, mut text) = ("counted", String::new());
    for word in words {
        if !text.is_empty() && NAME + text.len() + ", ".len() + word.len() + ",".len() > COLUMNS {
            line(out, name, &format!("{text},"))?;
            (name, text) = ("", String::new());
        }
        if !text.is_empty() {
            text += ", ";
        }
        text += &word;
    }
    if text.is_empty() { Ok(()) } else { line(out, name, &text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_shown_in_lines_that_fit() {
        let all: Counted = vec![("largest_batch", 12_345_678); 5];
        let mut shown = Vec::new();
        counted(&mut shown, &all).unwrap();
        counted(&mut shown, &Vec::new()).unwrap();
        let shown = String::from_utf8(shown).unwrap();
        assert!(shown.lines().all(|line| line.len() <= COLUMNS) && shown.lines().count() == 3, "{shown}");
        assert_eq!(shown.matches("largest batch 12,345,678").count(), 5, "{shown}");
    }

    #[test]
    fn a_rate_needs_a_time() {
        assert_eq!(time_and_rate(0.5, 2_000_000, "edges"), "500 ms, 4.00 M edges/s");
        assert_eq!(time_and_rate(0.5, 2_000_000, BYTES), "500 ms, 4.00 MB/s");
        assert_eq!(time_and_rate(0.5, 7, BYTES), "500 ms, 14.0 B/s");
        assert_eq!(time_and_rate(0.5, 0, "edges"), "500 ms");
        assert_eq!(time_and_rate(0.0, 1, "edges"), "0.000 ns");
    }
}
