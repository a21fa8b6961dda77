//! What `filch top` shows: tables, and the same as figures.

use std::collections::BTreeMap;
use std::fmt::Write;

use filch_bench::show::numbers::{number_of, scaled};
use filch_bench::show::table::{self, plain_table};
use serde::Serialize;

use super::process::Process;
use super::rates::{PoolRates, Rates, WorkerRates};

/// The columns that count, by the names of the counters whose sum they show.
const COLUMNS: [(&str, &[&str]); 6] = [
    ("visits/s", &["steal_attempts"]),
    ("asks/s", &["asks"]),
    ("given/s", &["forks_given"]),
    ("taken/s", &["forks_taken"]),
    ("spawned/s", &["spawns_moved"]),
    ("sleeps/s", &["parks"]),
];

/// What has gone to another worker, and what has come back from there.
const MOVED: &[&str] = &["forks_given", "forks_taken", "spawns_moved"];
const CAME_BACK: &[&str] = &["forks_reclaimed"];

/// The sum of these counters, of one worker, in a second.
fn rate(process: &Process, worker: &WorkerRates, names: &[&str]) -> f64 {
    let counted = process.page().counters().zip(&worker.per_second);
    counted.filter(|(name, _)| names.contains(name)).map(|(_, rate)| rate).sum()
}

/// A rate, as short as people need it.
fn shown(rate: f64) -> String {
    if rate == 0.0 { "0".to_owned() } else { scaled(rate) }
}

fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

/// The tables of a process.
pub fn text(process: &Process, rates: &Rates) -> String {
    let mut text = format!("process {} ({})", process.id(), process.name());
    if rates.pools.is_empty() {
        text.push_str(": no pools now");
    }
    text.push('\n');
    for pool in &rates.pools {
        let sum = |names| pool.workers.iter().map(|worker| rate(process, worker, names)).sum::<f64>();
        let now = &pool.now;
        let workers = number_of(now.workers as usize, "worker", "workers");
        let waiting = number_of(now.waiting as usize, "run waiting", "runs waiting");
        // Writing into a string cannot fail.
        let _ = write!(
            text,
            "\npool {}: {}, {workers}\n{} of {} seats taken, {waiting}; steals {}/s, asks {}/s\n\n{}\n",
            now.number,
            now.scheduler,
            now.taken(),
            now.seats,
            shown((sum(MOVED) - sum(CAME_BACK)).max(0.0)),
            shown(sum(&["asks"])),
            rows(process, pool)
        );
    }
    text
}

/// A table of the workers. Spare ones are shown while somebody works there.
fn rows(process: &Process, pool: &PoolRates) -> String {
    let words = ["worker", "seat", "state", "busy"];
    let header = words.into_iter().chain(COLUMNS.map(|(name, _)| name));
    let mut table = plain_table(header.map(str::to_owned).collect());
    for (row, worker) in pool.now.rows.iter().zip(&pool.workers) {
        if row.index >= pool.now.workers && !row.is_occupied && worker.busy == 0.0 {
            continue;
        }
        let mut cells = vec![row.index.to_string(), row.seat.to_string(), row.state.clone(), percent(worker.busy)];
        cells.extend(COLUMNS.map(|(_, names)| shown(rate(process, worker, names))));
        table.add_row(cells);
    }
    table::text(table)
}

/// The first lines of a text, as many as a terminal has, and how many there are besides.
pub fn cut(text: &str, lines: usize) -> String {
    let all = text.lines().count();
    // One for the line that says so, and one for the cursor.
    let most = lines.saturating_sub(2).max(1);
    if all < lines {
        return text.to_owned();
    }
    let mut cut: String = text.lines().take(most).flat_map(|line| [line, "\n"]).collect();
    let _ = writeln!(cut, "… and {} more lines", all - most);
    cut
}

/// A process as JSON.
#[derive(Debug, Serialize)]
pub struct ProcessFigures<'p> {
    process: u32,
    program: &'p str,
    interval_s: f64,
    pools: Vec<PoolFigures<'p>>,
}

#[derive(Debug, Serialize)]
struct PoolFigures<'p> {
    pool: u64,
    scheduler: &'p str,
    workers: u64,
    seats: u64,
    seats_taken: usize,
    runs_waiting: u64,
    rows: Vec<WorkerFigures<'p>>,
}

#[derive(Debug, Serialize)]
struct WorkerFigures<'p> {
    worker: u64,
    seat: u64,
    state: &'p str,
    busy: f64,
    /// Since the pool started.
    total: BTreeMap<&'p str, u64>,
    per_second: BTreeMap<&'p str, f64>,
}

/// All figures of a process.
pub fn figures<'p>(process: &'p Process, rates: &'p Rates) -> ProcessFigures<'p> {
    let names = || process.page().counters();
    let pools = rates.pools.iter().map(|pool| PoolFigures {
        pool: pool.now.number,
        scheduler: &pool.now.scheduler,
        workers: pool.now.workers,
        seats: pool.now.seats,
        seats_taken: pool.now.taken(),
        runs_waiting: pool.now.waiting,
        rows: (pool.now.rows.iter().zip(&pool.workers))
            .map(|(row, worker)| WorkerFigures {
                worker: row.index,
                seat: row.seat,
                state: &row.state,
                busy: worker.busy,
                total: names().zip(row.counters.iter().copied()).collect(),
                per_second: names().zip(worker.per_second.iter().copied()).collect(),
            })
            .collect(),
    });
    ProcessFigures {
        process: process.id(),
        program: process.name(),
        interval_s: rates.elapsed.as_secs_f64(),
        pools: pools.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_has_no_room_for_is_counted() {
        let text = "1\n2\n3\n4\n";
        assert_eq!(cut(text, 5), text);
        assert_eq!(cut(text, 4), "1\n2\n… and 2 more lines\n");
        assert_eq!(cut(text, 0), "1\n… and 3 more lines\n");
    }
}
