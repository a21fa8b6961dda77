//! Tables over several programs: Filch against each peer, and the noise of the machine.

use comfy_table::Table;
use filch_kernels::Extent;

use super::row::Row;
use super::table::PEERS;
use crate::measure::median::FEWEST_FOR_CONFIDENCE;
use crate::measure::ratio::Ratio;
use crate::measure::runner::{RAYON, RAYON_TUNED, SERIAL, SERIAL_AGAIN};
use crate::show::table::{plain_table, text};

/// For each of Filch's schedulers, a table with a row for each program and number of workers, followed by the geometric
/// means. If rayon's loops have been tuned, a second table has the programs with loops.
pub fn of(rows: &[Row]) -> String {
    let mut runners: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|row| row.is_filch) {
        if !runners.contains(&row.runner.as_str()) {
            runners.push(&row.runner);
        }
    }
    let tables: Vec<String> = runners.into_iter().map(|runner| of_runner(runner, rows)).collect();
    tables.join("\n\n")
}

fn of_runner(runner: &str, rows: &[Row]) -> String {
    let own: Vec<&Row> = rows.iter().filter(|row| row.runner == runner).collect();
    let has_noise = rows.iter().any(|row| row.runner == SERIAL_AGAIN);
    let mut summary = format!("{runner}, its time / the peer's\n{}", table(&own, &PEERS, has_noise.then_some(rows)));
    if has_noise {
        summary += &format!("\nnoise: how far two measurements of the serial program differed ({})", interval(rows));
    }
    let is_tuned = |row: &Row| {
        rows.iter()
            .any(|other| other.runner == RAYON_TUNED && (other.program, other.extent()) == (row.program, row.extent()))
    };
    let loops: Vec<&Row> = own.into_iter().filter(|row| is_tuned(row)).collect();
    if !loops.is_empty() {
        let table = table(&loops, &[RAYON, RAYON_TUNED], None);
        summary += &format!("\n\n{runner}, its time / the peer's, programs with loops\n{table}");
    }
    summary
}

/// A table with a line for each of the rows in `own`, with its ratios to those peers that it is compared with. If `all`
/// has all rows, there is a column for the noise.
fn table(own: &[&Row], peers: &[&str], all: Option<&[Row]>) -> String {
    let is_met = |peer: &&str| own.iter().any(|row| row.ratio(peer).is_some());
    let peers: Vec<&str> = peers.iter().copied().filter(is_met).collect();
    let mut header = vec!["program".to_owned(), "P".into()];
    header.extend(peers.iter().map(|peer| format!("against {peer}")));
    header.extend(all.map(|_| "noise".into()));
    let mut table = plain_table(header);
    let mut shown = Vec::new();
    for row in own {
        let is_first = !shown.contains(&(row.program, row.extent()));
        let name = if is_first { row.marked(row.program) } else { String::new() };
        let mut cells = vec![name, row.workers.to_string()];
        cells.extend(peers.iter().map(|peer| match row.ratio(peer) {
            Some(_) if !row.verified => "WRONG".into(),
            Some(ratio) => ratio.to_string(),
            None => String::new(),
        }));
        cells.extend(all.map(|rows| {
            let noise = noise(row.program, row.extent(), rows).filter(|_| is_first);
            noise.map_or(String::new(), |noise| format!("{:.0} %", 100.0 * noise))
        }));
        shown.push((row.program, row.extent()));
        table.add_row(cells);
    }
    if own.iter().any(|row| row.program != own[0].program) {
        add_means(&mut table, own, &peers);
    }
    text(table)
}

fn add_means(table: &mut Table, own: &[&Row], peers: &[&str]) {
    let mut workers: Vec<usize> = own.iter().map(|row| row.workers).collect();
    workers.sort_unstable();
    workers.dedup();
    for (place, workers) in workers.into_iter().enumerate() {
        let label = if place == 0 { "geom. mean" } else { "" };
        let mut cells = vec![label.to_owned(), workers.to_string()];
        cells.extend(peers.iter().map(|peer| {
            let right = own.iter().filter(|row| row.workers == workers && row.verified);
            let ratios = right.filter_map(|row| row.ratio(peer));
            geometric_mean(ratios).as_ref().map_or(String::new(), ToString::to_string)
        }));
        table.add_row(cells);
    }
}

/// The geometric means of the medians, of the lower ends and of the upper ends. The resulting interval is wider than a
/// 95 % interval: that all medians lie at the same end of their intervals is less likely than that one of them does.
fn geometric_mean<'a>(ratios: impl Iterator<Item = &'a Ratio>) -> Option<Ratio> {
    let ratios: Vec<&Ratio> = ratios.collect();
    let mean = |of: fn(&Ratio) -> f64| {
        let logarithms: f64 = ratios.iter().map(|&ratio| of(ratio).ln()).sum();
        (logarithms / ratios.len() as f64).exp()
    };
    let against = ratios.first()?.against.clone();
    Some(Ratio { against, median: mean(|r| r.median), low: mean(|r| r.low), high: mean(|r| r.high) })
}

/// The name of the intervals in these rows.
fn interval(rows: &[Row]) -> &'static str {
    if rows.iter().all(|row| row.runs >= FEWEST_FOR_CONFIDENCE) { "95 % interval" } else { "range" }
}

/// How far the interval of serial-again against serial reaches from 1.
pub fn noise(program: &str, size: Extent, rows: &[Row]) -> Option<f64> {
    let is_again = |row: &&Row| row.program == program && row.extent() == size && row.runner == SERIAL_AGAIN;
    rows.iter().find(is_again).and_then(|row| row.ratio(SERIAL)).map(Ratio::distance)
}

#[cfg(test)]
mod tests {
    use super::super::examples;
    use super::*;

    fn row(program: &'static str, runner: &str, workers: usize, ratios: &[(&str, [f64; 3])]) -> Row {
        let ratio =
            |&(against, [low, median, high]): &(&str, [f64; 3])| Ratio { against: against.into(), median, low, high };
        Row { ratios: ratios.iter().map(ratio).collect(), ..examples::row(program, runner, workers, None) }
    }

    #[test]
    fn means_are_geometric_and_noise_is_the_farther_end() {
        let rows = [
            row("one", SERIAL, 1, &[]),
            row("one", SERIAL_AGAIN, 1, &[(SERIAL, [0.96, 1.0, 1.01])]),
            row("one", "filch:default", 2, &[(SERIAL, [0.4, 0.5, 0.6]), (RAYON, [1.0, 1.0, 1.0])]),
            row("two", SERIAL, 1, &[]),
            row("two", SERIAL_AGAIN, 1, &[(SERIAL, [0.99, 1.0, 1.02])]),
            row("two", "filch:default", 2, &[(SERIAL, [1.6, 2.0, 2.4]), (RAYON, [0.25, 0.25, 0.25])]),
        ];
        let summary = of(&rows);
        let cells = |start: &str| -> Vec<String> {
            let line = summary.lines().find(|line| line.starts_with(start)).unwrap();
            line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect()
        };
        assert_eq!(cells("one"), ["one", "2", "0.50 [0.40, 0.60]", "1.00 [1.00, 1.00]", "4 %"]);
        assert_eq!(cells("two"), ["two", "2", "2.00 [1.60, 2.40]", "0.25 [0.25, 0.25]", "2 %"]);
        assert_eq!(cells("geom. mean"), ["geom. mean", "2", "1.00 [0.80, 1.20]", "0.50 [0.50, 0.50]"]);
        assert!(summary.lines().all(|line| line.chars().count() <= 80), "{summary}");
    }

    #[test]
    fn programs_with_loops_have_means_of_their_own() {
        let rows = [
            row("fib", "filch:default", 2, &[(RAYON, [0.1; 3])]),
            row("sums", "filch:default", 2, &[(RAYON, [0.25; 3]), (RAYON_TUNED, [2.0; 3])]),
            row("sums", RAYON_TUNED, 2, &[]),
            row("spmv-arrowhead", "filch:default", 2, &[(RAYON, [1.0; 3]), (RAYON_TUNED, [0.5; 3])]),
            row("spmv-arrowhead", RAYON_TUNED, 2, &[]),
        ];
        let summary = of(&rows);
        let (all, loops) = summary.split_once("programs with loops").unwrap();
        assert!(all.contains("fib") && !all.contains("rayon-tuned"), "{summary}");
        assert!(!loops.contains("fib") && loops.contains("against rayon-tuned"), "{summary}");
        assert!(loops.ends_with("0.50 [0.50, 0.50]    1.00 [1.00, 1.00]"), "{summary}");
        assert!(summary.lines().all(|line| line.chars().count() <= 80), "{summary}");
    }

    #[test]
    fn a_wrong_result_has_no_ratio_and_no_share_in_the_mean() {
        let of_one = |program, ratio| row(program, "filch:default", 1, &[(SERIAL, [ratio; 3])]);
        let mut rows = [of_one("one", 1.0), of_one("two", 4.0), of_one("three", 9.0)];
        rows[1].verified = false;
        let summary = of(&rows);
        assert!(summary.contains("WRONG") && !summary.contains("4.00"), "{summary}");
        assert!(summary.lines().last().unwrap().ends_with("3.00 [3.00, 3.00]"), "{summary}");
    }
}
