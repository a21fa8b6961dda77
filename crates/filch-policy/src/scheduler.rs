//! What a user chooses: a scheduler is a value with a name and a few settings.
//!
//! Nothing is decided here. [`Rules`](crate::Rules) are the numbers that follow from a scheduler on one machine.

use std::time::Duration;

/// What a worker does while it waits for a branch that has moved to another worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wait {
    /// The worker runs parts of that branch and nothing else. So the worker is never busy with unrelated work when
    /// the branch is done, unrelated work never asks for a lock that this thread holds, and the stack is bounded by the
    /// depth of the program itself.
    #[default]
    Descendants,
    /// The worker runs any work that it finds, as in most libraries. This may keep one more worker busy, but gives none
    /// of the guarantees above.
    Any,
}

/// How a pool shares work: which worker gets which latent fork, and when. A fork is *latent* as long as no worker has
/// begun its second branch.
///
/// A scheduler is a value, not a type parameter: programs are compiled once, and run the same fast path under every
/// scheduler. The presets are [`default`](Self::default), [`cilk5`](Self::cilk5), [`serial`](Self::serial) and
/// [`chaos`](Self::chaos). In text, as in `FILCH_SCHEDULER` and in reports, a scheduler is the name of a preset,
/// followed by settings: `default,period=50us,wait=any`.
///
/// The default is: **ask, then take**. An idle worker asks a busy one. Where [threads are
/// pinned](struct.PoolBuilder.html#method.pin_threads), it asks the nearest first. The busy worker gives its oldest
/// latent fork at its next return (Yasugi, Hiraishi, Umatani and Yuasa 2012, section 2.2). This costs the busy worker
/// nothing until it is asked, and on average it gives at most once per period N (Acar, Charguéraud, Guatto, Rainey and
/// Sieczkowski 2018, section 2). If the idle worker gets no answer, because the busy one is in a long leaf, in a system
/// call or not running, it takes the fork by force (Frigo, Leiserson and Randall 1998, section 5). So the overhead is
/// bounded, and progress does not depend on the cooperation of any worker.
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
    pub(crate) preset: Preset,
    /// The period N if the user has set it; otherwise it follows from measured costs.
    pub(crate) period: Option<Duration>,
    /// How long an asker waits before it takes, if the user has set it. `Some(None)` means for ever.
    pub(crate) patience: Option<Option<Duration>>,
    pub(crate) wait: Wait,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Preset {
    #[default]
    Default,
    Cilk5,
    Serial,
    Chaos {
        seed: u64,
    },
}

impl Preset {
    pub(crate) const NAMES: [&str; 4] = ["default", "cilk5", "serial", "chaos"];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Preset::Default => "default",
            Preset::Cilk5 => "cilk5",
            Preset::Serial => "serial",
            Preset::Chaos { .. } => "chaos",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let presets = [Preset::Default, Preset::Cilk5, Preset::Serial, Preset::Chaos { seed: 0 }];
        presets.into_iter().find(|preset| preset.name() == name)
    }

    /// Whether several threads share work. Otherwise there is nothing to set.
    fn shares(self) -> bool {
        matches!(self, Preset::Default | Preset::Cilk5)
    }
}

impl Scheduler {
    pub(crate) fn preset(preset: Preset) -> Self {
        Scheduler { preset, ..Scheduler::default() }
    }

    /// The scheduler of Cilk-5: an idle worker takes the oldest latent fork of another worker, whatever that worker is
    /// doing (Frigo, Leiserson and Randall 1998, sections 3 to 5). The expected number of steal attempts is O(P·T∞). A
    /// worker that blocks cannot hold its forks back.
    ///
    /// This scheduler needs an asymmetric barrier of the system, or a build with a real fence in the owner; see
    /// [`Capabilities`](struct.Capabilities.html).
    pub fn cilk5() -> Self {
        Self::preset(Preset::Cilk5)
    }

    /// Runs everything on the caller, in program order. A pool has one worker and no threads.
    pub fn serial() -> Self {
        Self::preset(Preset::Serial)
    }

    /// One thread plays all workers. At pseudo-random forks and returns it stops what it is doing and runs an older
    /// latent fork to its end, as another worker would. If the program itself is deterministic, the same seed gives the
    /// same schedule on every machine. Each run starts the schedule afresh, except a run on a seat that another thread
    /// has lent.
    ///
    /// This is for testing programs. A second branch may run before, inside or after its first branch, with
    /// [`Context::migrated`](struct.Context.html#method.migrated) true and another
    /// [`current_worker`](fn.current_worker.html). A failure can be reproduced from its seed. Unless told otherwise, a
    /// pool has 4 workers. It has one thread, the caller, and runs one caller at a time.
    ///
    /// Tasks of scopes run at pseudo-random places, too: after a spawn, and before another task at the end of the
    /// scope.
    ///
    /// Chaos cannot run programs whose first branch blocks until the second has begun. Nor can it run programs that
    /// hold a lock across a join or a spawn if a second branch further out, or a task, wants the same lock: there is
    /// only one thread, so no other thread can release the lock.
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

    /// Sets the period N: on average a worker gives at most once per N, and is interrupted by at most one take per N.
    /// Several gifts or takes in a row are allowed after a quiet time. This bounds the overhead (Acar et al. 2018,
    /// section 2). If the period is not set, N is 20 times the measured cost of a gift or of a take, respectively. Then
    /// giving costs a worker at most 5 % of its time over any longer stretch, and so does being taken from.
    ///
    /// A period of zero lifts the bound, which tests use to provoke races. A period of more than 584 years counts as
    /// 584 years. The serial scheduler and chaos have no period.
    #[must_use]
    pub fn with_period(self, period: Duration) -> Self {
        let period = self.preset.shares().then(|| period.min(Duration::from_nanos(u64::MAX)));
        Scheduler { period, ..self }
    }

    /// Sets how long an asker waits for an answer before it takes. `None` means for ever, so that no worker ever takes.
    /// If the patience is not set, it is the cost of a take. Only the default scheduler asks, so the others have no
    /// patience.
    ///
    /// Without taking, a worker that does not return from a fork for a long time holds its forks back.
    #[must_use]
    pub fn with_patience(self, patience: Option<Duration>) -> Self {
        let longest = Duration::from_nanos(u64::MAX);
        let patience = (self.preset == Preset::Default).then(|| patience.map(|patience| patience.min(longest)));
        Scheduler { patience, ..self }
    }

    /// Sets what a waiting worker runs. This has no effect on the serial scheduler and chaos, where no worker waits.
    #[must_use]
    pub fn with_wait(self, wait: Wait) -> Self {
        let wait = if self.preset.shares() { wait } else { Wait::default() };
        Scheduler { wait, ..self }
    }
}
