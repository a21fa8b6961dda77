//! The program as it is, timed from its start to its end.
//!
//! A profile knows what happens in runs of pools, and nothing about the time before, between and after them. That time
//! is what the program takes on one worker, less the work. It is serial, so predictions of the whole program add it.

use filch::Scheduler;
use filch_bench::failure::Failure;
use filch_bench::interrupt;
use filch_bench::measure::median::Median;
use filch_bench::measure::order::order;
use filch_bench::show::progress::line::announce;
use filch_bench::values::once_each;
use serde::Serialize;

use super::child::{Output, Program};

/// Times of the whole program, in seconds.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Measured {
    /// Under `FILCH_SCHEDULER=serial`, once; or why there is no time.
    pub(super) serial_s: Option<f64>,
    pub(super) serial_failed: Option<String>,
    /// Under the scheduler `default`, for each number of workers.
    pub(super) of_workers: Vec<OnWorkers>,
}

/// Times on a number of workers.
#[derive(Clone, Debug, Serialize)]
pub(super) struct OnWorkers {
    pub(super) workers: usize,
    pub(super) wall_s: Median,
    pub(super) runs_s: Vec<f64>,
}

impl Measured {
    /// Runs the program serially once, and so often on each of these numbers of workers, in turns.
    pub(super) fn of(program: Program<'_>, workers: &[usize], runs: usize) -> Result<Self, Failure> {
        announce(format_args!("running {} serially", program.name()));
        // A program may need more than one worker, and the serial scheduler has one.
        let (serial_s, serial_failed) = match timed(program, 1, Some(&Scheduler::serial())) {
            Ok(time) => (Some(time), None),
            Err(failure) => (None, Some(failure.to_string())),
        };
        let workers = once_each(workers.to_vec());
        let mut times = vec![Vec::new(); workers.len()];
        for round in 0..if workers.is_empty() { 0 } else { runs } {
            announce(format_args!("measuring, {} of {runs}", round + 1));
            for place in order(round, workers.len()) {
                times[place].push(timed(program, workers[place], None)?);
            }
        }
        let of_workers = workers
            .into_iter()
            .zip(times)
            .map(|(workers, runs_s)| OnWorkers { workers, wall_s: Median::of(runs_s.clone()), runs_s })
            .collect();
        Ok(Measured { serial_s, serial_failed, of_workers })
    }

    /// The time on so many workers, if it was measured.
    pub(super) fn on(&self, workers: usize) -> Option<&OnWorkers> {
        self.of_workers.iter().find(|measured| measured.workers == workers)
    }

    /// The serial time outside of runs, if there is so much work inside: measured on one worker if possible, and else
    /// in the serial run.
    pub(super) fn outside_s(&self, work_s: f64) -> Option<f64> {
        let whole_s = self.on(1).map(|measured| measured.wall_s.value).or(self.serial_s)?;
        Some((whole_s - work_s).max(0.0))
    }
}

/// Runs the program once. Ctrl-C ends it.
fn timed(program: Program<'_>, workers: usize, scheduler: Option<&Scheduler>) -> Result<f64, Failure> {
    interrupt::deferred(|| program.run(workers, scheduler, None, Output::Dropped))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_worker_takes_beyond_the_work_is_outside() {
        let on = |workers, value| OnWorkers { workers, wall_s: Median::of(vec![value]), runs_s: vec![value] };
        let serial = Measured { serial_s: Some(3.0), ..Measured::default() };
        assert_eq!(serial.outside_s(2.0), Some(1.0));
        let both = Measured { of_workers: vec![on(2, 1.5), on(1, 2.5)], ..serial };
        assert_eq!((both.outside_s(2.0), both.outside_s(9.0)), (Some(0.5), Some(0.0)));
        assert_eq!(Measured::default().outside_s(2.0), None);
    }
}
