//! What the workers of a pool are doing and have done, one by one, and how many seats are free.

use super::Pool;
use crate::engine::{Activity, Counters};
use crate::sync::clock;
use std::time::Duration;

/// What one worker of a pool is doing, and what it has done.
///
/// If the worker works while this is read, each value is right, but not all are of the same moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkerStats {
    /// The worker. From [`num_workers`](Pool::num_workers) up, it is a spare one: it stands in for a worker that blocks
    /// or has lent its seat, or it works for a caller that has found no free seat.
    pub index: usize,
    /// The seat that it is on, or was on when it last worked. Inside of a run,
    /// [`current_worker`](Pool::current_worker) is this number.
    pub seat: usize,
    /// What it is doing: a hint.
    pub activity: Activity,
    /// What it has done since the pool started. Time without work is counted when work has come.
    pub counters: Counters,
}

impl WorkerStats {
    /// This, with what has been counted since `earlier`, which was read of the same worker.
    #[must_use]
    pub fn since(&self, earlier: &WorkerStats) -> WorkerStats {
        WorkerStats { counters: self.counters.since(&earlier.counters), ..*self }
    }
}

/// How many seats a pool has, and who waits for one. Whoever works for the pool is on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SeatStats {
    /// All of them.
    pub seats: usize,
    /// Those on which no thread is now.
    pub free: usize,
    /// How many runs, and threads that have blocked, wait for a seat.
    pub waiting: usize,
}

/// What the workers of a pool have done between two readings.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Interval {
    /// The time from the reading before to this one.
    pub elapsed: Duration,
    /// What each worker is doing now, and has done in that time. A spare worker that is new has done all of it in that
    /// time.
    pub workers: Vec<WorkerStats>,
}

/// Readings of a pool, one after the other: see [`Pool::intervals`].
#[derive(Debug)]
pub struct Intervals<'p> {
    pool: &'p Pool,
    read_ns: u64,
    workers: Vec<WorkerStats>,
}

impl Iterator for Intervals<'_> {
    type Item = Interval;

    fn next(&mut self) -> Option<Interval> {
        let (read_ns, workers) = (clock::now_ns(), self.pool.worker_stats());
        let since =
            |(index, now): (usize, &WorkerStats)| self.workers.get(index).map_or(*now, |earlier| now.since(earlier));
        let elapsed = Duration::from_nanos(read_ns - self.read_ns);
        let interval = Interval { elapsed, workers: workers.iter().enumerate().map(since).collect() };
        (self.read_ns, self.workers) = (read_ns, workers);
        Some(interval)
    }
}

impl Pool {
    /// What each worker is doing, and has done since the pool started: the workers of the pool in order, and spare ones
    /// behind them. Together they have done what [`counters`](Self::counters) say.
    ///
    /// On Linux, `filch top` shows the same of any running program.
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// let before = pool.worker_stats();
    /// pool.run(|mut s| s.join(|_| (), |_| ()));
    /// for (now, before) in pool.worker_stats().iter().zip(&before) {
    ///     println!("worker {}: {}, {}", now.index, now.activity, now.since(before).counters);
    /// }
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn worker_stats(&self) -> Vec<WorkerStats> {
        self.team
            .worker_meters()
            .map(|(index, seat, activity, counters)| WorkerStats { index, seat, activity, counters })
            .collect()
    }

    /// How many seats are free, and how many threads wait for one. A hint, while the pool works.
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// let free = pool.run(|_| pool.seat_stats().free);
    /// assert!(free < 2, "this run is on one of the two seats");
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn seat_stats(&self) -> SeatStats {
        let seats = &self.team.seats;
        SeatStats { seats: seats.count(), free: seats.free(), waiting: seats.waiting() }
    }

    /// Readings of what the workers have done, without end. Each has what came after the one before; the first one,
    /// what comes from now on.
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// let mut intervals = pool.intervals();
    /// pool.run(|mut s| s.join(|_| (), |_| ()));
    /// if let Some(interval) = intervals.next() {
    ///     let asks: u64 = interval.workers.iter().map(|worker| worker.counters.asks).sum();
    ///     println!("{asks} asks in {:?}", interval.elapsed);
    /// }
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn intervals(&self) -> Intervals<'_> {
        Intervals { pool: self, read_ns: clock::now_ns(), workers: self.worker_stats() }
    }

    /// The number of the pool in this process; the first one is 1. `filch top` and [`openmetrics`](Self::openmetrics)
    /// name pools by it.
    pub fn number(&self) -> u64 {
        self.team.meters.number()
    }
}
