//! How long simulations take, in events, before they start. The estimate is too low where a run has a long end, in
//! which workers share small pieces: of fib:60 on 1,024 workers, nine tenths of the time are over after a twentieth of
//! the events.

use std::ops::ControlFlow;
use std::time::Instant;

use filch_bench::failure::Failure;
use filch_bench::show::numbers::{scaled, seconds};
use filch_sim::{EVENTS_PER_LOOK, Progress};

/// The events of a trial, from whose virtual time those of a run are extrapolated: a fraction of a second.
const TRIAL: u64 = 4 * EVENTS_PER_LOOK;

/// From so many events on the user sees an estimate.
const NOTABLE: f64 = 1e6;

/// What is known about simulations that have not run yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Estimate {
    /// The events of all runs together: exactly, of those that are over within a trial.
    events: f64,
    /// The events of the longest run, and its name.
    longest: (f64, String),
    /// The events of the trials, and their time in seconds.
    tried: (f64, f64),
}

impl Estimate {
    /// Tries a run that takes `bound_ns` of virtual time or a little more, and of which there will be so many.
    pub(super) fn add(
        &mut self,
        name: &str,
        bound_ns: f64,
        runs: usize,
        run: impl FnOnce(&mut dyn FnMut(Progress) -> ControlFlow<()>),
    ) {
        let begun = Instant::now();
        let (mut seen, mut events) = (0, 0.0);
        run(&mut |progress| {
            seen = progress.events;
            events = extrapolated(progress, bound_ns);
            if progress.events < TRIAL { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        // A run that was stopped is at least as long as the part that has run.
        let events = events.max(seen as f64);
        self.tried = (self.tried.0 + seen as f64, self.tried.1 + begun.elapsed().as_secs_f64());
        self.events += events * runs as f64;
        if events > self.longest.0 {
            self.longest = (events, name.to_owned());
        }
    }

    /// Fails if there are more events than `most`.
    pub(super) fn check(&self, most: u64) -> Result<(), Failure> {
        if self.events <= most as f64 {
            return Ok(());
        }
        let [found, most] = [self.events, most as f64].map(scaled);
        Err(Failure::Usage(format!(
            "expected at most {most} events, found some {found}{}, most of them in {}: choose a smaller program, other \
             --workers or fewer --seeds, or raise --most-events",
            self.time().map_or(String::new(), |time| format!(", which take {time}")),
            self.longest.1
        )))
    }

    /// What the user reads about long simulations.
    pub(super) fn notice(&self) -> Option<String> {
        let time = self.time().filter(|_| self.events > NOTABLE)?;
        Some(format!("simulating {} events or more, {time} or more", scaled(self.events)))
    }

    /// The time of all runs, at the rate of the trials.
    fn time(&self) -> Option<String> {
        let (events, time) = self.tried;
        (events > 0.0 && time > 0.0).then(|| match self.events / events * time {
            time if time < 120.0 => seconds(time),
            time if time < 7200.0 => format!("{:.0} minutes", time / 60.0),
            time => format!("{} hours", scaled(time / 3600.0)),
        })
    }
}

/// The events of a run that is as far as this.
fn extrapolated(Progress { events, now_ns }: Progress, bound_ns: f64) -> f64 {
    events as f64 * (bound_ns / now_ns.max(1) as f64).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of so many events, evenly over its time.
    fn even(events: u64, time_ns: u64, watch: &mut dyn FnMut(Progress) -> ControlFlow<()>) {
        for look in 1..=events / EVENTS_PER_LOOK {
            let events_now = look * EVENTS_PER_LOOK;
            let now_ns = (u128::from(time_ns) * u128::from(events_now) / u128::from(events)) as u64;
            if watch(Progress { events: events_now, now_ns }).is_break() {
                return;
            }
        }
    }

    #[test]
    fn what_is_even_is_extrapolated_exactly_and_refused_above_the_limit() {
        let mut estimate = Estimate::default();
        estimate.add("short", 1e6, 5, |watch| even(1 << 15, 1_000_000, watch));
        assert!(estimate.check(5 << 15).is_ok() && estimate.check((5 << 15) - 1).is_err(), "{estimate:?}");
        estimate.add("long", 1e9, 5, |watch| even(1 << 30, 1_000_000_000, watch));
        let all = (5 << 15) + (5 << 30);
        assert!(estimate.check(all + all / 1000).is_ok(), "{estimate:?}");
        let failure = estimate.check(all - all / 1000).unwrap_err();
        assert!(matches!(failure, Failure::Usage(_)));
        let message = failure.to_string();
        assert!(message.contains("expected at most 5.3") && message.contains("in long"), "{message}");
        assert!(estimate.notice().is_some_and(|notice| notice.contains("5.37 G events")), "{estimate:?}");
    }

    #[test]
    fn a_trial_sees_only_the_beginning_of_a_run() {
        let mut seen = 0;
        Estimate::default().add("endless", 1e18, 1, |watch| {
            while watch(Progress { events: seen + EVENTS_PER_LOOK, now_ns: 1 }).is_continue() {
                seen += EVENTS_PER_LOOK;
            }
        });
        assert!(seen <= TRIAL, "{seen}");
    }
}
