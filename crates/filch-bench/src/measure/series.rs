//! The measurement of one program: in each round every runner takes one sample, and every result is verified.

use std::ops::Range;
use std::time::Duration;

use filch::Counters;
use filch_kernels::runtime::Tunings;
use filch_kernels::{Instance, Mismatch};

use super::counts::Counts;
use super::median::Median;
use super::order::order;
use super::runner::{Grains, Runner, SERIAL};
use super::tuning;
use crate::failure::Failure;
use crate::show::numbers::number_of;
use crate::show::progress::samples::Samples;

/// The shortest sample. A shorter one would measure the clock and the entry into a pool, so calls are repeated until a
/// sample takes this long.
pub const SHORTEST_SAMPLE: Duration = Duration::from_millis(1);

/// The shortest sample while other processes compete for the cores: several time slices of the system, which last some
/// milliseconds each. In a shorter sample it is nondeterministic whether the runner loses its core.
pub const SHORTEST_SAMPLE_BESIDE_BUSY: Duration = Duration::from_millis(50);

/// How a program is measured.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The cut-offs, if another one than the program's own is asked for.
    pub grains: Option<Grains>,
    /// The lengths of its loops, outer loops first.
    pub loops: Vec<u64>,
    /// The number of samples per runner.
    pub rounds: usize,
    /// The shortest time of a sample.
    pub shortest: Duration,
}

impl Plan {
    /// So many samples per runner, with the program's own cut-off and loops that are not tuned.
    pub fn of(rounds: usize) -> Self {
        Self { grains: None, loops: Vec::new(), rounds, shortest: SHORTEST_SAMPLE }
    }
}

/// The measurements of one program.
#[derive(Debug)]
pub struct Series {
    /// The number of calls per sample.
    pub calls: u64,
    /// The measurements of each runner, in the order of the runners.
    pub tracks: Vec<Track>,
}

/// The measurements of one runner.
#[derive(Debug)]
pub struct Track {
    /// The runner and its number of workers, in words.
    pub runner: String,
    /// The tuning of its loops, if they were tuned.
    pub tunings: Tunings,
    /// Seconds per call, by round.
    pub seconds: Vec<f64>,
    /// The first result that failed its check.
    pub mismatch: Option<Mismatch>,
    /// Filch's counters over all rounds, by name.
    pub counters: Vec<(&'static str, u64)>,
    /// Filch's counters by round.
    pub counts: Counts,
}

impl Series {
    /// Tunes the loops of the runners that are tuned, runs a warm-up round, then runs the planned rounds.
    pub fn measure(instance: &mut dyn Instance, runners: &[&Runner], plan: &Plan, progress: &Samples) -> Self {
        let mut series = Self::begin(instance, runners, plan);
        series.warm_up(instance, runners, plan, progress);
        series.rounds(instance, runners, plan, 0..plan.rounds, progress);
        series
    }

    /// Tunes the loops of the runners that are tuned. [`warm_up`](Self::warm_up) and [`rounds`](Self::rounds) follow,
    /// once or, with other pools of the same kinds, several times.
    pub fn begin(instance: &mut dyn Instance, runners: &[&Runner], plan: &Plan) -> Self {
        let &Plan { grains, shortest, .. } = plan;
        let calls = calibrate(instance, grains, shortest);
        let mut tracks: Vec<Track> = runners.iter().map(|runner| Track::new(runner)).collect();
        for (track, runner) in tracks.iter_mut().zip(runners).filter(|(_, runner)| runner.is_tuned()) {
            let sample = |tunings| runner.sample(instance, calls, tunings).as_secs_f64();
            track.tunings = tuning::fastest(&plan.loops, sample);
            // The runner's own turns show a wrong result too.
            let _ = instance.verify();
        }
        Self { calls, tracks }
    }

    /// A round that does not count.
    pub fn warm_up(&mut self, instance: &mut dyn Instance, runners: &[&Runner], plan: &Plan, progress: &Samples) {
        for place in order(0, runners.len()) {
            let track = &mut self.tracks[place];
            let (rounds, counted) = (track.seconds.len(), track.counts.len());
            track.counts.begin_pool();
            track.turn(runners[place], instance, plan.grains, self.calls);
            track.seconds.truncate(rounds);
            track.counts.truncate(counted);
            progress.step();
        }
    }

    /// These rounds.
    pub fn rounds(
        &mut self,
        instance: &mut dyn Instance,
        runners: &[&Runner],
        plan: &Plan,
        rounds: Range<usize>,
        progress: &Samples,
    ) {
        let before: Vec<Option<Counters>> = runners.iter().map(|runner| runner.counters()).collect();
        for round in rounds {
            for place in order(round, runners.len()) {
                self.tracks[place].turn(runners[place], instance, plan.grains, self.calls);
                progress.step();
            }
        }
        for ((track, runner), before) in self.tracks.iter_mut().zip(runners).zip(before) {
            if let Some((now, before)) = runner.counters().zip(before) {
                track.count(&now.since(&before));
            }
        }
    }

    /// These measurements of program `name`, or else a failure that says which of them was wrong first.
    pub fn verified(self, name: &str) -> Result<Self, Failure> {
        let wrong = self.wrong_results(name).next();
        wrong.map_or(Ok(self), |wrong| Err(Failure::Failed(wrong)))
    }

    /// For each runner with wrong results: what was wrong when it ran program `name`.
    pub fn wrong_results(&self, name: &str) -> impl Iterator<Item = String> {
        self.mismatches().map(move |(runner, wrong)| format!("{name} by {runner}: {wrong}"))
    }

    /// The runners with wrong results, and what was wrong.
    fn mismatches(&self) -> impl Iterator<Item = (&str, &Mismatch)> {
        self.tracks.iter().filter_map(|track| Some((track.runner.as_str(), track.mismatch.as_ref()?)))
    }
}

impl Track {
    fn new(runner: &Runner) -> Self {
        Self {
            runner: format!("{} on {}", runner.name, number_of(runner.workers, "worker", "workers")),
            tunings: Tunings::NONE,
            seconds: Vec::new(),
            mismatch: None,
            counters: Vec::new(),
            counts: Counts::default(),
        }
    }

    fn turn(&mut self, runner: &Runner, instance: &mut dyn Instance, grains: Option<Grains>, calls: u64) {
        if let Some(grains) = grains {
            instance.set_grain(runner.grain(grains));
        }
        let begun = runner.pool().map(Counts::begin);
        let time = runner.sample(instance, calls, self.tunings);
        if let Some((pool, begun)) = runner.pool().zip(begun) {
            self.counts.end(pool, &begun);
        }
        self.seconds.push(time.as_secs_f64() / calls as f64);
        self.note(instance.verify());
        if calls > 1 {
            // If a result is in memory, the check sees only what the last call left there, and part of that may come
            // from earlier calls. This additional call starts from memory that the check has overwritten.
            runner.sample(instance, 1, self.tunings);
            self.note(instance.verify());
        }
        if let Some(pool) = runner.pool() {
            self.counts.rest(pool);
        }
    }

    /// The share of the workers' time in which they had no work; only for Filch.
    pub fn idle_share(&self, workers: usize, calls: u64) -> Option<Median> {
        self.counts.idle_share(self.seconds.iter().map(|seconds| seconds * calls as f64), workers)
    }

    fn count(&mut self, counters: &Counters) {
        self.counters.resize_with(counters.iter().count(), Default::default);
        for (sum, (name, count)) in self.counters.iter_mut().zip(counters.iter()) {
            *sum = (name, sum.1 + count);
        }
    }

    fn note(&mut self, checked: Result<(), Mismatch>) {
        if let Err(mismatch) = checked {
            self.mismatch.get_or_insert(mismatch);
        }
    }
}

/// The number of calls of the serial elision that make a sample long enough. All runners use this number, so that they
/// do the same work.
fn calibrate(instance: &mut dyn Instance, grains: Option<Grains>, shortest: Duration) -> u64 {
    let serial = Runner::serial(SERIAL);
    if let Some(grains) = grains {
        instance.set_grain(serial.grain(grains));
    }
    serial.sample(instance, 1, Tunings::NONE); // touches the memory for the first time
    let mut calls = 1;
    while serial.sample(instance, calls, Tunings::NONE) < shortest {
        calls *= 2;
    }
    // The serial runner's own turns show a wrong result too.
    let _ = instance.verify();
    calls
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch::Strand;

    /// An instance whose first `right` checks succeed and whose later ones fail.
    struct Failing {
        right: usize,
        calls: usize,
    }

    impl Instance for Failing {
        fn serial(&mut self) {
            self.calls += 1;
            std::thread::yield_now();
        }
        fn filch(&mut self, _: Strand<'_>) {}
        fn rayon(&mut self) {}
        fn chili(&mut self, _: &mut chili::Scope<'_>) {}
        fn verify(&mut self) -> Result<(), Mismatch> {
            if self.right == 0 {
                return Err(Mismatch::Nothing);
            }
            self.right -= 1;
            Ok(())
        }
        fn set_grain(&mut self, _: u64) {}
    }

    fn measure(instance: &mut dyn Instance, rounds: usize, shortest: Duration) -> Series {
        let runners = [Runner::serial("one"), Runner::serial("two")];
        let plan = Plan { shortest, ..Plan::of(rounds) };
        Series::measure(instance, &runners.each_ref(), &plan, &Samples::hidden())
    }

    #[test]
    fn every_runner_has_one_time_per_round() {
        let mut instance = Failing { right: usize::MAX, calls: 0 };
        let series = measure(&mut instance, 5, SHORTEST_SAMPLE);
        for track in &series.tracks {
            assert_eq!(track.seconds.len(), 5);
            assert!(track.seconds.iter().all(|&seconds| seconds > 0.0));
        }
        assert_eq!(series.mismatches().count(), 0);
    }

    #[test]
    fn a_wrong_result_in_any_round_is_reported_with_its_runner() {
        // The first four checks succeed: after the calibration, the two turns of the warm-up round and the first turn
        // of the first round. A sample is one call.
        let mut instance = Failing { right: 4, calls: 0 };
        let series = measure(&mut instance, 1, Duration::ZERO);
        let wrong: Vec<_> = series.mismatches().collect();
        assert_eq!(wrong, [("two on 1 worker", &Mismatch::Nothing)]);
    }

    /// An instance that needs two calls to complete its work.
    struct Halves(usize);

    impl Instance for Halves {
        fn serial(&mut self) {
            self.0 += 1;
        }
        fn filch(&mut self, _: Strand<'_>) {}
        fn rayon(&mut self) {}
        fn chili(&mut self, _: &mut chili::Scope<'_>) {}
        fn verify(&mut self) -> Result<(), Mismatch> {
            if std::mem::take(&mut self.0) < 2 { Err(Mismatch::Nothing) } else { Ok(()) }
        }
        fn set_grain(&mut self, _: u64) {}
    }

    #[test]
    fn a_call_that_owes_its_result_to_the_one_before_is_found() {
        let series = measure(&mut Halves(0), 1, SHORTEST_SAMPLE);
        assert_eq!(series.mismatches().count(), 2);
    }
}
