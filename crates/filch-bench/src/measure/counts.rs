//! What Filch counts in each sample of a runner, and how long its workers were without work.
//!
//! The counter of idle time grows when a worker finds work after it had none. So the idle time before a sample, in
//! which other runners had their turns, appears in the sample. There, every thread of the pool but the caller's was
//! without work all the time, which is known exactly and subtracted. The time without work at the end of a sample
//! appears in the next one, so the idle time of a single sample may be too long or too short by that; the sum over
//! samples is not.

use std::time::{Duration, Instant};

use filch::{Counters, Pool};
use serde::Serializer;

use super::median::Median;

/// Serializes counts with their names as a map.
pub fn as_map<S: Serializer>(counts: &[(&'static str, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(counts.iter().copied())
}

/// The counters of a runner by sample.
#[derive(Debug, Default)]
pub struct Counts {
    /// What was counted in each sample.
    pub by_sample: Vec<Counters>,
    /// The seconds that the workers together were without work in each sample.
    pub idle: Vec<f64>,
    /// When the last turn ended, and the idle time counted until then.
    rested: Option<(Instant, u64)>,
}

/// The start of a sample.
#[derive(Debug)]
pub struct Begun {
    at: Instant,
    counters: Counters,
}

impl Counts {
    /// A sample begins.
    pub fn begin(pool: &Pool) -> Begun {
        Begun { counters: pool.counters(), at: Instant::now() }
    }

    /// A sample has ended.
    pub fn end(&mut self, pool: &Pool, begun: &Begun) {
        let counters = pool.counters();
        if let Some((rested, idle_ns)) = self.rested {
            let others = (pool.num_workers() - 1) as f64;
            self.idle.push(between(counters.idle_ns, idle_ns, others, begun.at.duration_since(rested)));
        }
        self.by_sample.push(counters.since(&begun.counters));
    }

    /// The turn has ended, and the runner rests.
    pub fn rest(&mut self, pool: &Pool) {
        self.rested = Some((Instant::now(), pool.counters().idle_ns));
    }

    /// The share of the time of `workers` workers in which they had no work, if the samples took these seconds.
    pub fn idle_share(&self, seconds: impl Iterator<Item = f64>, workers: usize) -> Option<Median> {
        let share = |(idle, seconds): (&f64, f64)| (idle / (seconds * workers as f64)).clamp(0.0, 1.0);
        let shares: Vec<f64> = self.idle.iter().zip(seconds).map(share).collect();
        (!shares.is_empty()).then(|| Median::of(shares))
    }

    /// The number of samples, and of those whose idle time is known.
    pub fn len(&self) -> (usize, usize) {
        (self.by_sample.len(), self.idle.len())
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.by_sample.is_empty()
    }

    /// Forgets all samples but the first ones, of which there are as many as [`len`](Self::len) once said.
    pub fn truncate(&mut self, (samples, idle): (usize, usize)) {
        self.by_sample.truncate(samples);
        self.idle.truncate(idle);
    }

    /// Another pool takes over, which has not rested yet.
    pub fn begin_pool(&mut self) {
        self.rested = None;
    }
}

/// The idle time in seconds from `earlier_ns` to `later_ns`, less that of `others` threads during `rest`.
fn between(later_ns: u64, earlier_ns: u64, others: f64, rest: Duration) -> f64 {
    (later_ns as f64 - earlier_ns as f64) / 1e9 - others * rest.as_secs_f64()
}

/// The forks that another worker than their own began.
pub fn tasks(counters: &Counters) -> u64 {
    (counters.forks_given + counters.forks_taken).saturating_sub(counters.forks_reclaimed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_between_samples_is_not_idle_time_of_a_sample() {
        let idle = between(7_500_000_000, 1_000_000_000, 3.0, Duration::from_secs(2));
        assert!((idle - 0.5).abs() < 1e-9, "{idle}");
    }

    /// The other worker has nothing to do, neither in samples nor between them.
    #[test]
    fn a_serial_sample_leaves_the_other_worker_idle_for_about_its_length() {
        let pool = Pool::builder().workers(2).build().unwrap();
        let mut counts = Counts::default();
        for _ in 0..4 {
            let begun = Counts::begin(&pool);
            pool.run(|_| ());
            counts.end(&pool, &begun);
            counts.rest(&pool);
        }
        assert_eq!((counts.by_sample.len(), counts.idle.len()), (4, 3));
        assert!(counts.by_sample.iter().all(|counters| tasks(counters) == 0));
        let share = counts.idle_share([1e9; 3].into_iter(), 2).unwrap();
        assert!((0.0..0.5).contains(&share.value), "{share:?}");
    }
}
