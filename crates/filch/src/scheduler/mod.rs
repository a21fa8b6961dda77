//! The scheduler: a value with all the rules, which slow paths consult. No fast path reads it.
//!
//! [`Scheduler`] is what a user chooses, [`parse`] its language, [`Rules`] the numbers it comes to on a machine where
//! things cost what [`Costs`] says; what they decide is in [`approach`] and [`credit`]. [`calibrate`] measures a take.
//! May import: `ladder`, `sync`.

mod approach;
mod credit;
mod parse;
mod rules;

pub(crate) use approach::{Approach, Victim, Word};
pub(crate) use credit::Credit;
pub use parse::ParseSchedulerError;
pub(crate) use rules::Rules;

use std::time::Duration;

/// What sharing costs on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Costs {
    /// τ: what a worker spends on giving one frame.
    pub(crate) give: Duration,
    /// What a thief spends on taking one.
    pub(crate) take: Duration,
}

impl Costs {
    /// Where nothing is shared.
    pub(crate) const NONE: Costs = Costs { give: Duration::ZERO, take: Duration::ZERO };
}

/// What a worker does that waits for a branch which has moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wait {
    /// It runs parts of that branch and nothing else: what it waits for is never behind unrelated work, a lock that it
    /// holds is safe, and its stack is bounded by the program's own depth.
    #[default]
    Descendants,
    /// It runs whatever it finds, as most libraries do. May keep one more worker busy; has none of those guarantees.
    Any,
}

/// How a pool shares work: which worker gets which latent fork, and when.
///
/// A scheduler is a value, not a type parameter: programs are compiled once and run the same fast path under each.
/// Presets: [`default`](Self::default), [`cilk5`](Self::cilk5), [`serial`](Self::serial), [`chaos`](Self::chaos). In
/// text, as in `FILCH_SCHEDULER` and in reports, it is a preset's name with settings behind it:
/// `default,period=50us,wait=any`.
///
/// The default: **ask, then take**. An idle worker asks a busy one (the nearest first, where
/// [threads are pinned](crate::PoolBuilder::pin_threads)), and that one gives its oldest latent
/// fork at its next return, which costs it nothing until asked (papers: tascell-graphs.txt, 2.2) and is granted at most
/// once per period N (heartbeat.txt, section 2). An asker that gets no answer, because the other is in a long leaf, in
/// a system call, or not running, takes the fork by force (cilk5.txt, section 5). So overhead is bounded and progress
/// does not depend on anybody's cooperation.
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
    /// How long an asker waits before it takes, where the user sets it; `Some(None)` is for ever.
    patience: Option<Option<Duration>>,
    wait: Wait,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Preset {
    #[default]
    Default,
    Cilk5,
    Serial,
    Chaos {
        seed: u64,
    },
}

impl Preset {
    const NAMES: [&str; 4] = ["default", "cilk5", "serial", "chaos"];

    fn name(self) -> &'static str {
        match self {
            Preset::Default => "default",
            Preset::Cilk5 => "cilk5",
            Preset::Serial => "serial",
            Preset::Chaos { .. } => "chaos",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        let presets = [Preset::Default, Preset::Cilk5, Preset::Serial, Preset::Chaos { seed: 0 }];
        presets.into_iter().find(|preset| preset.name() == name)
    }

    /// Whether several threads share work, so that there is something to set.
    fn shares(self) -> bool {
        matches!(self, Preset::Default | Preset::Cilk5)
    }
}

impl Scheduler {
    fn preset(preset: Preset) -> Self {
        Scheduler { preset, ..Scheduler::default() }
    }

    /// Cilk-5's: an idle worker takes the oldest latent fork of another, whatever that one is doing (papers: cilk5.txt,
    /// sections 3 to 5). Steal attempts are O(P·T∞) in expectation; a worker that blocks cannot hold its forks back.
    ///
    /// Needs an asymmetric barrier of the system, or a build with a real owner's fence; see [`crate::Capabilities`].
    pub fn cilk5() -> Self {
        Self::preset(Preset::Cilk5)
    }

    /// Everything on the caller, in program order. Pools have one worker and no threads.
    pub fn serial() -> Self {
        Self::preset(Preset::Serial)
    }

    /// One thread plays all workers: at pseudo-random forks and returns it stops what it is doing, and runs an older
    /// latent fork as another worker would, to its end. The same seed gives the same schedule, on every machine,
    /// for a program that is deterministic itself; each run starts the schedule afresh, except
    /// one on a seat that another thread has lent.
    ///
    /// For testing programs: a second branch may run before, inside or after its first, with
    /// [`Context::migrated`](crate::Context::migrated) true and another [`current_worker`](crate::current_worker), and
    /// a failure comes back with its seed. A pool has 4 workers unless told otherwise, one thread (the caller), and
    /// runs one caller at a time.
    ///
    /// Tasks of scopes are run at pseudo-random places, too: after a spawn, and before another task at the scope's end.
    ///
    /// It cannot run programs whose first branch blocks until the second has begun, or that hold a lock across a join
    /// or a spawn which a second branch further out, or a task, wants too: with one thread, nobody is left to
    /// release it.
    ///
    /// ```
    /// use filch::{Pool, Scheduler};
    ///
    /// for seed in 0..10 {
    ///     let pool = Pool::builder().scheduler(Scheduler::chaos(seed)).build()?;
    ///     let parts = pool.run(|mut s| s.join(|mut s| s.join(|_| 1, |_| 2), |mut s| s.join(|_| 3, |_| 4)));
    ///     assert_eq!(parts, ((1, 2), (3, 4)), "seed {seed}");
    /// }
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn chaos(seed: u64) -> Self {
        Self::preset(Preset::Chaos { seed })
    }

    /// Sets the period N: within it a worker gives at most once, and is interrupted by at most one take (heartbeat.txt,
    /// section 2, bounds the overhead this way). Left alone, N is 20 times the cost of a gift or of a take, as
    /// measured; that keeps the cost of sharing to a victim below 5 %.
    ///
    /// Zero lifts the bound, which tests use to provoke races. More than 584 years is as good as that. The serial
    /// scheduler and chaos have no period.
    #[must_use]
    pub fn with_period(self, period: Duration) -> Self {
        let period = self.preset.shares().then(|| period.min(Duration::from_nanos(u64::MAX)));
        Scheduler { period, ..self }
    }

    /// Sets how long an asker waits for an answer before it takes; `None` is for ever, so that nobody ever takes. Left
    /// alone, it is what a take costs. Only the default scheduler asks; the others have no patience.
    ///
    /// Without taking, a worker that does not return from a fork for a long time holds its forks back.
    #[must_use]
    pub fn with_patience(self, patience: Option<Duration>) -> Self {
        let longest = Duration::from_nanos(u64::MAX);
        let patience = (self.preset == Preset::Default).then(|| patience.map(|patience| patience.min(longest)));
        Scheduler { patience, ..self }
    }

    /// Sets what a waiting worker runs. The serial scheduler and chaos, where nobody waits, do without.
    #[must_use]
    pub fn with_wait(self, wait: Wait) -> Self {
        let wait = if self.preset.shares() { wait } else { Wait::default() };
        Scheduler { wait, ..self }
    }

    /// Whether idle workers take. Which `Default` means depends on whether they can.
    pub(crate) fn takes(&self, taking_is_possible: bool) -> bool {
        match self.preset {
            Preset::Default => taking_is_possible && self.patience != Some(None),
            Preset::Cilk5 => true,
            Preset::Serial | Preset::Chaos { .. } => false,
        }
    }

    /// Whether the user asked for serial execution in so many words.
    pub(crate) fn is_serial(&self) -> bool {
        self.preset == Preset::Serial
    }

    /// The seed of chaos.
    pub(crate) fn seed(&self) -> Option<u64> {
        match self.preset {
            Preset::Chaos { seed } => Some(seed),
            _ => None,
        }
    }
}
