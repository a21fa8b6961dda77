//! What a user chooses: a scheduler is a value with a name and a few settings.
//!
//! Nothing is decided here. [`Rules`](crate::Rules) are the numbers that follow from a scheduler on one machine.

use crate::grain::Grain;
use crate::settings::{self, LEAF_NS, Preset, Setting, SettingError};
use crate::topology::{BoundaryError, Topology};
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
/// scheduler. The presets are [`default`](Self::default), [`cilk5`](Self::cilk5), [`heartbeat`](Self::heartbeat),
/// [`tascell`](Self::tascell), [`cab`](Self::cab), [`lazy`](Self::lazy), [`serial`](Self::serial),
/// [`chaos`](Self::chaos) and [`profile`](Self::profile). In text, as in `FILCH_SCHEDULER` and in reports, a scheduler
/// is the name of a preset, followed by settings: `default,period=50us,wait=any`.
///
/// Each preset has settings of its own. A setting that a preset has no use for is an error: when the text is parsed, or
/// when a pool is built with the value ([`check`](Self::check)).
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
    pub(crate) wait: Option<Wait>,
    /// The balancer of heartbeat scheduling, if the user has set it.
    pub(crate) balancer: Option<Balancer>,
    /// The boundary level of CAB, and what it follows from otherwise.
    pub(crate) boundary: Option<u32>,
    pub(crate) branching: Option<u64>,
    pub(crate) data_bytes: Option<u64>,
    pub(crate) grain: Option<Grain>,
    #[cfg(filch_decisions = "tested")]
    pub(crate) mistake: Option<crate::Mistake>,
}

/// Where a worker under [`heartbeat`](Scheduler::heartbeat) keeps the forks that it has promoted, and how other workers
/// get them (Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018, section 5.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Balancer {
    /// In a deque that is open to all workers.
    Concurrent,
    /// In a deque of its own. Another worker asks, and the owner hands its oldest promoted fork over at its next
    /// return.
    Private,
    /// The oldest one in a cell that is open to all workers, the others in a deque of its own. The owner fills the cell
    /// again at its next return.
    #[default]
    Mixed,
}

impl Balancer {
    /// The names in text.
    pub(crate) const NAMES: [(&'static str, Balancer); 3] =
        [("concurrent", Balancer::Concurrent), ("private", Balancer::Private), ("mixed", Balancer::Mixed)];

    pub(crate) fn name(self) -> &'static str {
        Self::NAMES.into_iter().find(|&(_, balancer)| balancer == self).map_or("", |(name, _)| name)
    }
}

impl Scheduler {
    /// This scheduler, with a mistake.
    #[cfg(filch_decisions = "tested")]
    #[must_use]
    pub fn with_mistake(self, mistake: crate::Mistake) -> Self {
        Scheduler { mistake: Some(mistake), ..self }
    }

    pub(crate) fn preset(preset: Preset) -> Self {
        Scheduler { preset, ..Scheduler::default() }
    }

    /// All presets, without settings. Whether a machine supports each of them shows when a pool is built.
    ///
    /// ```
    /// use filch::Scheduler;
    ///
    /// assert_eq!(Scheduler::presets().next(), Some(Scheduler::default()));
    /// assert!(Scheduler::presets().any(|scheduler| scheduler == Scheduler::tascell()));
    /// ```
    pub fn presets() -> impl Iterator<Item = Self> {
        Preset::ALL.into_iter().map(Self::preset)
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

    /// Heartbeat scheduling: each worker *promotes* its oldest latent fork once per period N, whatever the load. Any
    /// worker may then begin it (Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018). No latent fork is ever taken,
    /// and no worker is asked for one. So in every schedule, promotions cost at most the fraction τ/N of the work, and
    /// the span grows by at most the factor 1 + N/τ (sections 2 and 3).
    ///
    /// N is 20 τ unless it is set, where τ is the cost of one promotion, measured on one worker (section 5.1), and a
    /// processor's share of the cost of a beat. A thread of the pool makes the beats while a run is under way that has
    /// forked; otherwise it sleeps. A worker notices a beat at its next return, so a worker in a long leaf holds its
    /// forks back.
    ///
    /// ```
    /// use filch::{Balancer, Scheduler};
    ///
    /// let scheduler = Scheduler::heartbeat().with_balancer(Balancer::Concurrent);
    /// assert_eq!(scheduler.to_string(), "heartbeat,balancer=concurrent");
    /// ```
    pub fn heartbeat() -> Self {
        Self::preset(Preset::Heartbeat)
    }

    /// The scheduler of Tascell: an idle worker asks, and a busy one gives at its next return. It gives its oldest
    /// latent fork, or the upper half of what is left of its outermost loop (Hiraishi, Yasugi, Umatani and Yuasa 2009;
    /// Yasugi, Hiraishi, Umatani and Yuasa 2012, section 2.2). Nothing becomes a task unless a worker has asked. There
    /// is no limit to how often a worker gives. A worker whose ask was refused asks again after 1 µs, then 2 µs, and so
    /// on up to 100 ms.
    ///
    /// No worker takes, so a worker in a long leaf holds its forks back.
    pub fn tascell() -> Self {
        Self::preset(Preset::Tascell)
    }

    /// CAB, for programs that are bound by memory on machines with several sockets: the workers that share a last-level
    /// cache are a squad, and each squad works on one large piece at a time (Chen, Huang, Guo and Zhou 2011).
    ///
    /// Forks above the *boundary level* are inter-socket tasks. They are put into the pool of their squad, from which
    /// the head worker of any squad that has nothing else gets the oldest one. What is forked below that level stays in
    /// the squad, whose workers share it as under the default scheduler. The boundary level follows from how the
    /// program divides how much data ([`with_branching`](Self::with_branching),
    /// [`with_data_bytes`](Self::with_data_bytes)), and from the number of squads and the size of their caches
    /// ([`Topology`]), by equation 4 of the paper. It can be set instead ([`with_boundary`](Self::with_boundary)), and
    /// each procedure may have its own ([`Strand::divide`](struct.Strand.html#method.divide)). It is 0 on one squad and
    /// for programs that are not bound by memory; then this is the default scheduler.
    ///
    /// ```
    /// use filch::Scheduler;
    ///
    /// let scheduler = Scheduler::cab().with_data_bytes(48 << 20);
    /// assert_eq!(scheduler.to_string(), "cab,data=48MiB");
    /// ```
    pub fn cab() -> Self {
        Self::preset(Preset::Cab)
    }

    /// Lazy scheduling: a worker offers one latent fork, its oldest, and another one only after that has gone (Tzannes,
    /// Caragea, Vishkin and Barua 2014). Idle workers look only at what is offered. So the load decides how much is
    /// shared, as under [`default`](Self::default), but without asks and without interruptions. A worker that is alone
    /// offers each outermost fork and takes it back, which costs it two locks. A worker in a long leaf offers nothing
    /// new.
    ///
    /// ```
    /// use filch::{Pool, Scheduler};
    ///
    /// let pool = Pool::builder().workers(2).scheduler(Scheduler::lazy()).build()?;
    /// assert_eq!(pool.run(|mut s| s.join(|_| 1, |_| 2)), (1, 2));
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn lazy() -> Self {
        Self::preset(Preset::Lazy)
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

    /// Runs everything on the caller, in program order, and records the work and the span: see
    /// [`Pool::profile`](struct.Pool.html#method.profile). A pool reports as many workers as it is built for, so that a
    /// program divides its work as on a machine that has them; it has no threads, and runs one caller at a time.
    ///
    /// As under [`serial`](Self::serial), a program whose first branch waits for its second one does not end.
    ///
    /// What takes less than 4 µs on average is not divided, and so not timed. In text this can be set:
    /// `profile,leaf=5us`.
    pub fn profile() -> Self {
        Self::preset(Preset::Profile { leaf_ns: LEAF_NS })
    }

    /// Whether this scheduler records what it runs.
    pub fn is_profile(&self) -> bool {
        matches!(self.preset, Preset::Profile { .. })
    }

    /// Sets the period N: on average a worker gives at most once per N, and is interrupted by at most one take per N.
    /// Several gifts or takes in a row are allowed after a quiet time. This bounds the overhead (Acar et al. 2018,
    /// section 2). If the period is not set, N is 20 times the measured cost of a gift or of a take, respectively. Then
    /// giving costs a worker at most 5 % of its time over any longer stretch, and so does being taken from.
    ///
    /// Under [`heartbeat`](Self::heartbeat) a worker promotes once per N.
    ///
    /// A period of zero lifts the bound, which tests use to provoke races. A period of more than 584 years counts as
    /// 584 years. Presets with a period: `default`, `cilk5`, `heartbeat`, `cab`.
    #[must_use]
    pub fn with_period(self, period: Duration) -> Self {
        Scheduler { period: Some(period.min(LONGEST)), ..self }
    }

    /// Sets how long an asker waits for an answer before it takes. `None` means for ever, so that no worker ever takes.
    /// If the patience is not set, it is the cost of a take. Presets with a patience: `default` and `cab`, because only
    /// there a worker asks and then takes.
    ///
    /// Without taking, a worker that does not return from a fork for a long time holds its forks back.
    #[must_use]
    pub fn with_patience(self, patience: Option<Duration>) -> Self {
        Scheduler { patience: Some(patience.map(|patience| patience.min(LONGEST))), ..self }
    }

    /// Sets what a waiting worker runs. Presets in which a worker may run anything: `default`, `cilk5`, `heartbeat`,
    /// `cab`, `lazy`.
    #[must_use]
    pub fn with_wait(self, wait: Wait) -> Self {
        Scheduler { wait: Some(wait), ..self }
    }

    /// What a waiting worker runs, if that has been [set](Self::with_wait).
    pub fn wait(&self) -> Option<Wait> {
        self.wait
    }

    /// Sets where promoted forks are kept. Presets with a balancer: `heartbeat`.
    #[must_use]
    pub fn with_balancer(self, balancer: Balancer) -> Self {
        Scheduler { balancer: Some(balancer), ..self }
    }

    /// Sets the boundary level, whatever the program and the machine are. On one squad it is 0 all the same. Presets
    /// with a boundary level: `cab`.
    #[must_use]
    pub fn with_boundary(self, level: u32) -> Self {
        Scheduler { boundary: Some(level), ..self }
    }

    /// Sets B, the number of parts into which the program divides its data at each level: 2 unless it is set. Each
    /// nested join counts as a level. Presets with a branching degree: `cab`.
    #[must_use]
    pub fn with_branching(self, parts: u64) -> Self {
        Scheduler { branching: Some(parts), ..self }
    }

    /// Sets S_d, the size of the program's data in bytes. Zero, which is the default, means that the program is not
    /// bound by memory. Presets with a size of data: `cab`.
    #[must_use]
    pub fn with_data_bytes(self, bytes: u64) -> Self {
        Scheduler { data_bytes: Some(bytes), ..self }
    }

    /// Divides loops eagerly, into blocks of this grain, each of which is a branch of a join. This is for comparisons:
    /// nothing needs it. Presets with a grain: `cilk5`, and `chaos`, under which all joins are counted.
    #[must_use]
    pub fn with_grain(self, grain: Grain) -> Self {
        Scheduler { grain: Some(grain), ..self }
    }

    /// The same with the size of a program's data in bytes, if the preset has a use for it and none has been set.
    #[must_use]
    pub fn for_data_bytes(self, bytes: u64) -> Self {
        match (self.preset, self.data_bytes) {
            (Preset::Cab, None) if bytes > 0 => self.with_data_bytes(bytes),
            _ => self,
        }
    }

    /// The boundary level on this machine: the one that was set, or that of equation 4.
    ///
    /// # Errors
    ///
    /// If the branching degree is less than 2.
    pub fn boundary_level(&self, topology: &Topology) -> Result<u32, BoundaryError> {
        let level = topology.boundary_level(self.branching.unwrap_or(2), self.data_bytes.unwrap_or(0))?;
        let level = self.boundary.unwrap_or(level);
        Ok(if self.preset == Preset::Cab && topology.squads().count() > 1 { level } else { 0 })
    }

    /// Whether the preset has a use for each setting that was made. A pool refuses a scheduler that fails this check.
    ///
    /// # Errors
    ///
    /// Names the first setting that the preset does not have, and the presets that have it.
    ///
    /// ```
    /// use filch::Scheduler;
    ///
    /// let error = Scheduler::cilk5().with_patience(None).check().unwrap_err();
    /// assert_eq!(error.to_string(), "the scheduler `cilk5` has no setting `patience`; expected one of: default, cab");
    /// ```
    pub fn check(&self) -> Result<(), SettingError> {
        // The seed of chaos and the leaf of profiles are parts of their presets, which no other preset can have.
        let made = [
            (Setting::Period, self.period.is_some()),
            (Setting::Patience, self.patience.is_some()),
            (Setting::Wait, self.wait.is_some()),
            (Setting::Balancer, self.balancer.is_some()),
            (Setting::Boundary, self.boundary.is_some()),
            (Setting::Branching, self.branching.is_some()),
            (Setting::Data, self.data_bytes.is_some()),
            (Setting::Grain, self.grain.is_some()),
        ];
        made.into_iter()
            .filter(|(_, is_made)| *is_made)
            .try_for_each(|(setting, _)| settings::check(self.preset, setting))
    }
}

/// The longest time that a setting can have.
const LONGEST: Duration = Duration::from_nanos(u64::MAX);
