//! The figures of one period.

use std::time::Duration;

use filch::Counters;
use filch_bench::measure::counts::tasks;
use filch_bench::measure::median::Median;
use filch_bench::measure::ratio::Ratio;
use filch_bench::measure::runner::{Runner, SERIAL};
use filch_bench::measure::series::Track;
use filch_bench::show::numbers::{scaled, seconds};
use serde::Serialize;

/// What a runner is in the sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The serial elision.
    Serial,
    /// The period that Filch uses on this machine, 20 τ.
    Own,
    /// The same once more, to show the noise.
    OwnAgain,
    /// A period of the sweep.
    Period(Duration),
}

/// What `--format` writes.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    pub(super) program: &'static str,
    pub(super) size: &'static str,
    pub(super) n: u64,
    pub(super) workers: usize,
    pub(super) runs: usize,
    pub(super) points: &'a [Point],
}

/// The figures of one runner. Times are seconds per call.
#[derive(Debug, Serialize)]
pub struct Point {
    #[serde(skip)]
    role: Role,
    /// "serial", "20 τ", "20 τ again", or the period.
    name: String,
    /// N; `None` for the serial program.
    pub period_s: Option<f64>,
    /// The time of a call.
    pub time: Median,
    /// The own time divided by that of 20 τ.
    pub against_own: Option<Median>,
    /// Promotions of a call, as the median over the runs.
    pub promotions: Option<f64>,
    /// The promoted forks that another worker began, likewise.
    pub moved: Option<f64>,
    /// Whether the runs cannot distinguish it from the fastest period.
    pub is_sweet: bool,
    /// The bounds on promotions.
    pub bounds: Option<Bounds>,
}

/// The promotions of all runs, and their bounds.
#[derive(Clone, Debug, Serialize)]
pub struct Bounds {
    /// All promotions.
    pub promotions: u64,
    /// Beats of one worker are at least N apart, so a worker promotes at most time / N + 1 times.
    pub at_most: f64,
    /// A worker with latent forks promotes once per N and the time until it notices.
    pub at_least: f64,
    /// The time between beats of a worker with latent forks; `None` without beats.
    pub kept_s: Option<f64>,
    /// The longest time that a worker took to notice a beat, of the latest ones.
    pub longest_poll_s: f64,
}

/// The share of the promotions that are due which there must be. A beat that comes when all forks have been promoted
/// already finds none.
const LEAST_SHARE: f64 = 0.8;

impl Point {
    /// The figures of the runner `track`; `own` is that of 20 τ.
    pub fn of(role: Role, runner: &Runner, track: &Track, own: &Track, calls: u64) -> Self {
        let period = runner.pool().map(|pool| match role {
            Role::Period(period) => period,
            _ => pool.period(),
        });
        let per_call = |count: fn(&Counters) -> u64| {
            let counts: Vec<f64> =
                track.counts.by_sample.iter().map(|counters| count(counters) as f64 / calls as f64).collect();
            (!counts.is_empty()).then(|| Median::of(counts).value)
        };
        let bounds = runner.pool().zip(period).map(|(pool, period)| {
            let longest = pool.latencies().polls.into_iter().max().unwrap_or_default();
            let times = track.seconds.iter().map(|seconds| seconds * calls as f64);
            Bounds::of(&track.counts.by_sample, times, pool.num_workers(), period, longest)
        });
        Self {
            role,
            name: match (role, period) {
                (Role::Serial, _) | (_, None) => SERIAL.into(),
                (Role::Own, Some(period)) => format!("20 τ: {}", seconds(period.as_secs_f64())),
                (Role::OwnAgain, Some(_)) => "20 τ again".into(),
                (Role::Period(_), Some(period)) => seconds(period.as_secs_f64()),
            },
            period_s: period.map(|period| period.as_secs_f64()),
            time: Median::of(track.seconds.clone()),
            against_own: (role != Role::Own).then(|| Median::of_paired_ratios(&track.seconds, &own.seconds)),
            promotions: per_call(|counters| counters.promotions),
            moved: per_call(tasks),
            is_sweet: false,
            bounds,
        }
    }

    /// The name in tables.
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// Whether it is a period of the sweep.
    pub fn is_swept(&self) -> bool {
        matches!(self.role, Role::Period(_))
    }

    /// Whether it is the period that Filch uses.
    pub fn is_own(&self) -> bool {
        self.role == Role::Own
    }
}

impl Bounds {
    fn of(
        counted: &[Counters],
        times: impl Iterator<Item = f64>,
        workers: usize,
        period: Duration,
        longest_poll: Duration,
    ) -> Self {
        let sum = |count: fn(&Counters) -> u64| counted.iter().map(count).sum::<u64>();
        let (period_s, longest_poll_s) = (period.as_secs_f64(), longest_poll.as_secs_f64());
        let latent_s = sum(|counters| counters.latent_ns) as f64 / 1e9;
        let beats = sum(|counters| counters.beats);
        Self {
            promotions: sum(|counters| counters.promotions),
            at_most: times.map(|time| workers as f64 * (time / period_s + 1.0)).sum(),
            at_least: LEAST_SHARE * latent_s / (period_s + longest_poll_s),
            kept_s: (beats > 0).then(|| latent_s / beats as f64),
            longest_poll_s,
        }
    }

    /// Whether there were more promotions than the period allows, which would be a fault of the runtime.
    pub fn is_above(&self) -> bool {
        self.promotions as f64 > self.at_most
    }

    /// Whether there were fewer promotions than were due, which happens if the thread that beats gets no core.
    pub fn is_below(&self) -> bool {
        (self.promotions as f64) < self.at_least
    }
}

/// Marks the periods of the sweep whose ratio to the fastest one has an interval that contains 1.
pub fn mark_fastest(points: &mut [Point], tracks: &[Track]) {
    let swept = points.iter().zip(tracks).filter(|(point, _)| point.is_swept());
    let fastest = swept.min_by(|(one, _), (other, _)| one.time.value.total_cmp(&other.time.value));
    let Some(fastest) = fastest.map(|(_, track)| track) else { return };
    for (point, track) in points.iter_mut().zip(tracks) {
        let Ratio { low, .. } = Ratio::of("the fastest", &track.seconds, &fastest.seconds);
        point.is_sweet = point.is_swept() && low <= 1.0;
    }
}

/// A number of promotions, rounded if it is large.
pub fn count(number: f64) -> String {
    if number < 1000.0 { format!("{number:.0}") } else { scaled(number) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch::{Pool, Scheduler};
    use filch_bench::measure::pools::Pools;
    use filch_bench::measure::series::{Plan, Series};
    use filch_bench::show::progress::samples::Samples;
    use filch_programs::find;

    #[test]
    fn the_bounds_follow_from_time_and_period() {
        let pool = Pool::builder().workers(1).build().unwrap();
        let mut counted = pool.counters();
        (counted.promotions, counted.beats, counted.latent_ns) = (7, 8, 16_000);
        let micro = Duration::from_micros;
        let bounds = Bounds::of(&[counted], [1e-5].into_iter(), 2, micro(1), micro(1));
        assert!((bounds.at_most - 22.0).abs() < 1e-9 && (bounds.at_least - 6.4).abs() < 1e-9, "{bounds:?}");
        assert!((bounds.kept_s.unwrap() - 2e-6).abs() < 1e-12, "{bounds:?}");
        assert!(!bounds.is_above() && !bounds.is_below());
        assert!(Bounds { promotions: 23, ..bounds.clone() }.is_above());
        assert!(Bounds { promotions: 6, ..bounds }.is_below());
    }

    /// Beats are never closer than N, whatever else the machine does.
    #[test]
    fn no_worker_promotes_more_often_than_the_period_allows() {
        let period = Duration::from_millis(1);
        let runner = Runner::filch(&Pools::default(), &Scheduler::heartbeat().with_period(period), 2).unwrap();
        let mut instance = find("fib").unwrap().prepare(18).unwrap();
        let series = Series::measure(&mut *instance, &[&runner], &Plan::of(8), &Samples::hidden());
        let track = &series.tracks[0];
        let point = Point::of(Role::Period(period), &runner, track, track, series.calls);
        let bounds = point.bounds.unwrap();
        // The first run may answer a beat from before it.
        assert!(bounds.promotions as f64 <= bounds.at_most + 2.0, "{bounds:?}");
    }

    #[test]
    fn the_sweet_spot_is_every_period_that_may_be_as_fast_as_the_fastest() {
        let runners = ["a", "b", "c"].map(Runner::serial);
        let mut instance = find("fib").unwrap().prepare(5).unwrap();
        let plan = Plan { shortest: Duration::ZERO, ..Plan::of(6) };
        let mut series = Series::measure(&mut *instance, &runners.each_ref(), &plan, &Samples::hidden());
        for (track, seconds) in series.tracks.iter_mut().zip([[2.0; 6], [3.0; 6], [1.9, 2.1, 1.9, 2.1, 2.0, 2.0]]) {
            track.seconds = seconds.to_vec();
        }
        let role = |place: usize| Role::Period(Duration::from_micros(place as u64 + 1));
        let tracks = &series.tracks;
        let of = |place: usize| Point::of(role(place), &runners[place], &tracks[place], &tracks[0], 1);
        let mut points: Vec<Point> = (0..3).map(of).collect();
        mark_fastest(&mut points, tracks);
        assert_eq!(points.iter().map(|point| point.is_sweet).collect::<Vec<_>>(), [true, false, true]);
    }
}
