//! The average number of workers that are in a piece of work at the same time. All pieces sleep, so the figure does not
//! depend on the number of processors.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use filch::{Pool, Scheduler, Topology};
use filch_bench::failure::Failure;
use filch_bench::measure::clock::timed;
use filch_bench::show::table::{plain_table, text};
use serde::Serialize;

use super::constructs::{CONSTRUCTS, Piece, Run};
use super::shape::let_them_sleep;

/// The sizes of pools, and the share of the workers that should be in pieces.
const POOLS: [(usize, f64); 3] = [(4, 0.9), (16, 0.75), (64, 0.5)];

/// The number of pieces for each worker, and how long a piece sleeps.
const PIECES: usize = 25;
const NAP: Duration = Duration::from_millis(10);

/// Measures all constructs under these schedulers, and prints a table for each.
pub(super) fn run(schedulers: &[Scheduler], runs: usize, out: &mut dyn Write) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for scheduler in schedulers {
        let pools: Vec<Pool> = POOLS.iter().map(|&(workers, _)| pool(scheduler, workers)).collect::<Result<_, _>>()?;
        let columns = POOLS.map(|(workers, part)| format!("of {workers} (≥ {:.0})", (part * workers as f64).ceil()));
        writeln!(
            out,
            "{scheduler}: workers at once in pieces of {} ms; {PIECES} pieces for each worker, medians of {runs} runs",
            NAP.as_millis()
        )?;
        let mut table = plain_table(["construct".to_owned()].into_iter().chain(columns).collect());
        for (name, construct) in CONSTRUCTS {
            let cells = pools.iter().zip(POOLS).map(|(pool, (workers, part))| {
                let workers_in_pieces = median(runs, || workers_in_pieces(pool, construct));
                let is_short = workers_in_pieces < part * workers as f64;
                rows.push(Row {
                    scheduler: scheduler.to_string(),
                    construct: name,
                    workers,
                    workers_in_pieces,
                    is_short,
                });
                format!("{workers_in_pieces:.1}{}", if is_short { " short" } else { "" })
            });
            table.add_row([name.to_owned()].into_iter().chain(cells));
        }
        writeln!(out, "{}\n", text(table))?;
        out.flush()?;
    }
    Ok(rows)
}

/// A construct on a pool of this size: the median of the workers that are in pieces.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    scheduler: String,
    construct: &'static str,
    workers: usize,
    workers_in_pieces: f64,
    is_short: bool,
}

fn median(runs: usize, measure: impl FnMut() -> f64) -> f64 {
    let mut measured: Vec<f64> = std::iter::repeat_with(measure).take(runs).collect();
    measured.sort_by(f64::total_cmp);
    measured[runs / 2]
}

/// A pool with this many workers. For `cab` there are as many squads as workers in each, because on one squad it is
/// `default`.
fn pool(scheduler: &Scheduler, workers: usize) -> Result<Pool, Failure> {
    let builder = Pool::builder().workers(workers).scheduler(scheduler.clone());
    let squad = workers.isqrt();
    let builder = match scheduler.to_string().starts_with("cab") {
        true => builder.topology(Topology::of_squads(&vec![squad; workers / squad])),
        false => builder,
    };
    builder.build().map_err(Failure::usage)
}

/// The number of workers that are in a piece at the same time, on average, while `run` runs its pieces.
fn workers_in_pieces(pool: &Pool, run: Run) -> f64 {
    let_them_sleep();
    let slept_ns = Arc::new(AtomicU64::new(0));
    let piece: Piece = {
        let slept_ns = slept_ns.clone();
        Arc::new(move || {
            let begin = Instant::now();
            thread::sleep(NAP);
            slept_ns.fetch_add(begin.elapsed().as_nanos() as u64, Ordering::Relaxed);
        })
    };
    let seconds = timed(|| run(pool, PIECES * pool.num_workers(), &piece));
    slept_ns.load(Ordering::Relaxed) as f64 * 1e-9 / seconds
}
