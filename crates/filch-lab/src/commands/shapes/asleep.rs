//! How many workers are in a piece of work at the same time, on average, if all pieces sleep. So the figure does not
//! depend on the number of processors.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use filch::{Pool, Scheduler, Topology};

use super::constructs::{Piece, Run};
use super::shape::let_them_sleep;
use crate::measure::clock::timed;

/// The sizes of pools, and the part of its workers that has to be in pieces.
pub(super) const POOLS: [(usize, f64); 3] = [(4, 0.9), (16, 0.75), (64, 0.5)];

/// The number of pieces for each worker, and how long a piece sleeps.
const PIECES: usize = 25;
const NAP: Duration = Duration::from_millis(10);

/// A pool with so many workers. Squads are as many as workers in each, since without squads `cab` is `default`.
pub(super) fn pool(scheduler: &Scheduler, workers: usize) -> Result<Pool, filch::PoolError> {
    let builder = Pool::builder().workers(workers).scheduler(scheduler.clone());
    let builder = match scheduler.to_string().starts_with("cab") {
        true => builder.topology(Topology::of_squads(&vec![workers.isqrt(); workers / workers.isqrt()])),
        false => builder,
    };
    builder.build()
}

/// The number of workers that are in a piece at the same time, on average, while `run` runs its pieces.
pub(super) fn workers_in_pieces(pool: &Pool, run: Run) -> f64 {
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
