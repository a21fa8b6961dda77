//! The scheduler: a value with all the rules, which slow paths consult. No fast path reads it.
//!
//! [`Scheduler`] is what a user chooses, [`parse`] its language, [`calibrate`] what has to be measured before the rules
//! have numbers. May import: `ladder`, `sync`.

pub(crate) mod calibrate;
mod parse;

pub use parse::ParseSchedulerError;

use std::time::Duration;

/// How a pool shares work: which worker gets which latent fork, and when.
///
/// A scheduler is a value, not a type parameter: programs are compiled once and run the same fast path under each.
/// Presets: [`default`](Self::default), [`cilk5`](Self::cilk5), [`serial`](Self::serial). In text, as in
/// `FILCH_SCHEDULER` and in reports, it is a preset's name with settings behind it: `cilk5,period=50us`.
///
/// ```
/// use filch::Scheduler;
/// use std::time::Duration;
///
/// let scheduler = Scheduler::cilk5().with_period(Duration::from_micros(50));
/// assert_eq!(scheduler.to_string(), "cilk5,period=50us");
/// assert_eq!("cilk5,period=50us".parse(), Ok(scheduler));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scheduler {
    preset: Preset,
    /// N, where the user sets it; measured otherwise.
    period: Option<Duration>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Preset {
    #[default]
    Default,
    Cilk5,
    Serial,
}

impl Preset {
    const ALL: [Preset; 3] = [Preset::Default, Preset::Cilk5, Preset::Serial];

    fn name(self) -> &'static str {
        match self {
            Preset::Default => "default",
            Preset::Cilk5 => "cilk5",
            Preset::Serial => "serial",
        }
    }
}

impl Scheduler {
    /// Cilk-5's: an idle worker takes the oldest latent fork of another, whatever that one is doing (papers: cilk5.txt,
    /// sections 3 to 5). Steal attempts are O(P·T∞) in expectation; a worker that blocks cannot hold its forks back.
    ///
    /// Needs an asymmetric barrier of the system, or a build with a real owner's fence; see [`crate::Capabilities`].
    pub fn cilk5() -> Self {
        Scheduler { preset: Preset::Cilk5, period: None }
    }

    /// Everything on the caller, in program order. Pools have one worker and no threads.
    pub fn serial() -> Self {
        Scheduler { preset: Preset::Serial, period: None }
    }

    /// Sets the period N: a worker is interrupted by at most one take in this time (heartbeat.txt, section 2, bounds the
    /// overhead this way). Left alone, N is 20 times the cost of a take, measured when the pool starts; that keeps the
    /// cost of takes to a victim below 5 %.
    ///
    /// Zero lifts the bound, which tests use to provoke races. More than 584 years is as good as that. The serial
    /// scheduler, which never takes, has no period.
    #[must_use]
    pub fn with_period(self, period: Duration) -> Self {
        let period = (!self.is_serial()).then(|| period.min(Duration::from_nanos(u64::MAX)));
        Scheduler { period, ..self }
    }

    /// Whether idle workers take. Which `Default` means depends on whether they can.
    pub(crate) fn takes(&self, taking_is_possible: bool) -> bool {
        match self.preset {
            Preset::Default => taking_is_possible,
            Preset::Cilk5 => true,
            Preset::Serial => false,
        }
    }

    /// Whether the user asked for serial execution in so many words.
    pub(crate) fn is_serial(&self) -> bool {
        self.preset == Preset::Serial
    }

    pub(crate) fn period(&self) -> Option<Duration> {
        self.period
    }
}
