//! Pools: what a user builds, runs on, and shuts down.
//!
//! A [`Pool`] owns the threads of a [`Team`]. [`PoolBuilder`] checks the settings and starts the threads; if that
//! fails, it joins those that it has started. [`global`] holds the global pool. May import: `costs`, `constructs` and
//! below.

mod assemble;
mod background;
mod broadcast;
mod builder;
mod environment;
mod error;
mod global;
mod latencies;
mod limits;
mod on_worker;
mod openmetrics;
mod pinning;
mod profile;
mod run;
mod spawn;
mod staffing;
mod stats;
mod thread;
mod topology;
mod yields;

pub use builder::PoolBuilder;
pub use error::PoolError;
pub use latencies::Latencies;
pub use stats::{Interval, Intervals, SeatStats, WorkerStats};
pub use thread::PoolThread;
pub use yields::Yield;

use self::thread::{Ends, ReserveThreads};
use crate::costs::{self, Capabilities, MeasuredCosts};
use crate::engine::Counters;
use crate::engine::cancel::token::Called;
use crate::engine::meters::schedule::{Moved, Schedule, Script};
use crate::engine::scopes::bound;
use crate::engine::seats::current;
use crate::engine::seats::held_seats;
use crate::engine::team::Team;
use crate::engine::trace::flusher;
use filch_policy::topology::{Placement, Topology};
use filch_policy::{Costs, Scheduler};
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// Workers that share work under one scheduler.
///
/// A pool of n workers has n − 1 threads; the thread that calls [`run`](Self::run) is the n-th worker. (With
/// [`own_threads`](PoolBuilder::own_threads) it has n.) Any number of pools can exist side by side. Runs nest, on the
/// same pool or on different ones.
///
/// Dropping a pool is the same as [`shutdown`](Self::shutdown), except on a thread of any pool, or in a run of one.
/// There it is the same as [`release`](Self::release): what such a thread does may be what a task of this pool waits
/// for.
///
/// **`fork(2)`.** A child of `fork(2)` has only the thread that forked. A pool that the child builds works as usual.
/// Runs on a pool of the parent, such as the global one, are serial in the child. Work that was under way at the time
/// of the fork cannot finish in the child: if the parent forked inside a run, and the child comes to wait there for a
/// thread that it does not have, it prints a message and aborts. [Detached tasks](Self::spawn) of the parent are run by
/// the parent only.
///
/// ```
/// use filch::{Pool, Scheduler};
///
/// let pool = Pool::builder().workers(2).scheduler(Scheduler::cilk5()).build()?;
/// let (a, b) = pool.run(|mut s| s.join(|_| 1, |_| 2));
/// assert_eq!(a + b, 3);
/// # Ok::<(), filch::PoolError>(())
/// ```
pub struct Pool {
    team: Arc<Team>,
    threads: Vec<JoinHandle<()>>,
    ends: Ends,
    reserve: Arc<ReserveThreads>,
    /// Whether the end of the pool does not wait for its threads.
    is_released: bool,
    costs: Costs,
    capabilities: Capabilities,
    topology: Topology,
    pins_callers: bool,
}

impl Pool {
    /// Settings for a pool. All of them have defaults.
    pub fn builder() -> PoolBuilder {
        PoolBuilder::new()
    }

    /// Measures what sharing costs on this machine, for pools that are built from now on, and stores the result in the
    /// user's cache folder. What this process or that folder has already is not measured again.
    ///
    /// The measurement takes tens of milliseconds on a quiet machine, up to some seconds on a busy one, and needs a
    /// second processor. Without this call, a pool that has been idle for a while measures in the background. Returns
    /// false if something could not be measured because no second processor was free.
    ///
    /// ```
    /// filch::Pool::measure_costs();
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// assert!(pool.give_cost() > std::time::Duration::ZERO);
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn measure_costs() -> bool {
        costs::measure(Capabilities::detect())
    }

    /// What has been measured of the costs of sharing on this machine, by this process or by another one that has
    /// stored it in the user's cache folder, and how far the estimates lie apart. Pools assume what is missing.
    ///
    /// ```
    /// filch::Pool::measure_costs();
    /// if let Some(give) = filch::Pool::measured_costs().give {
    ///     println!("τ = {give}"); // such as `τ = 230 ns (220 to 260)`
    ///     assert!(give.least <= give.cost && give.cost <= give.most);
    /// }
    /// ```
    pub fn measured_costs() -> MeasuredCosts {
        costs::known(Capabilities::detect())
    }

    /// The topology of this machine: a worker for each processor that the calling thread may use, with the cores,
    /// caches and sockets that they share. Affinity masks and the sets of processors of containers are respected.
    ///
    /// What processors share is read from Linux. Elsewhere they are all equally near, and the size of their caches is
    /// unknown.
    ///
    /// ```
    /// let topology = filch::Pool::detect_topology();
    /// println!("{topology}"); // such as `2x16,cache=32MiB`
    /// let pool = filch::Pool::builder().topology(topology.clone()).build()?;
    /// assert_eq!(pool.topology(), &topology);
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn detect_topology() -> Topology {
        topology::detect()
    }

    /// Where `FILCH_TOPOLOGY` places the workers of pools whose builder sets neither a topology nor the number of
    /// workers. `None` if the variable is not set. A program with settings of its own can apply it by
    /// [`PoolBuilder::placement`].
    ///
    /// # Errors
    ///
    /// If the variable is neither `machine` nor a topology, or disagrees with `FILCH_WORKERS`.
    pub fn placement_variable() -> Result<Option<Placement>, PoolError> {
        environment::placement()
    }

    /// The number of workers, including the caller of [`run`](Self::run). 1 in a child of `fork(2)`.
    pub fn num_workers(&self) -> usize {
        self.team.workers_in_force()
    }

    /// The number of threads that the pool has started: one less than workers, all of them
    /// ([`own_threads`](PoolBuilder::own_threads)), or none. 0 in a child of `fork(2)`.
    pub fn num_threads(&self) -> usize {
        if self.team.is_left_behind() { 0 } else { self.team.threads.threads.len() }
    }

    /// The index of the worker that this thread works as for this pool. `None` if it does not work for this pool now,
    /// also if it works for another pool inside a run of this one.
    pub fn current_worker(&self) -> Option<usize> {
        current::with(|here| {
            let worker = here?.owner();
            ptr::eq(worker.team(), self.team.in_force()).then(|| worker.seat())
        })
    }

    /// The scheduler that the pool was built with.
    pub fn scheduler(&self) -> &Scheduler {
        self.team.scheduler()
    }

    /// Which workers are near each other, as far as that is known: the topology that the pool was built with, or where
    /// the processors are to which its [threads are pinned](PoolBuilder::pin_threads), or else
    /// [`Topology::flat`].
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Whether reductions on this pool have a [fixed shape](PoolBuilder::deterministic).
    pub fn is_deterministic(&self) -> bool {
        self.team.rules().fixes_shapes()
    }

    /// What the system allows this pool to do.
    pub fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    /// τ, the time that a worker spends on giving a fork to another worker (Acar, Charguéraud, Guatto, Rainey and
    /// Sieczkowski 2018, section 5.1). Assumed until it has been measured on this machine. Zero if the pool has no
    /// threads.
    pub fn give_cost(&self) -> Duration {
        self.costs.give
    }

    /// The time that a thief spends on taking a fork. Assumed until it has been measured on this machine. Zero if the
    /// pool has no threads.
    pub fn take_cost(&self) -> Duration {
        self.costs.take
    }

    /// The period N: on average, a worker gives at most one fork in this time. If the scheduler does not ask, it is
    /// interrupted by at most one take in this time.
    pub fn period(&self) -> Duration {
        Duration::from_nanos(self.team.rules().period_ns())
    }

    /// How long the latest asks and takes took.
    pub fn latencies(&self) -> Latencies {
        Latencies::of(&self.team)
    }

    /// Has the next run under chaos play by this script.
    pub(crate) fn play(&self, script: Script) {
        if let Some(schedule) = self.team.chaos() {
            schedule.play(script);
        }
    }

    /// What has moved in the latest run under a script.
    pub(crate) fn moved(&self) -> Vec<Moved> {
        self.team.chaos().map(Schedule::made).unwrap_or_default()
    }

    /// Has each worker that runs a [part of a search](crate::Strand::search_part) ask at its next node whether a part
    /// is wanted elsewhere. A worker that begins a part meanwhile may miss this, so whoever waits for a part calls it
    /// again after a while. Costs each worker one slow path.
    pub fn interrupt(&self) {
        Called::call(&*self.team);
    }

    /// What the pool's workers have done since it started.
    pub fn counters(&self) -> Counters {
        self.team.counters()
    }

    /// Ends the pool. Returns what it has counted, and decided since it was built, with all that each decision was made
    /// from.
    #[cfg(filch_decisions = "tested")]
    #[doc(hidden)]
    pub fn into_decisions(self) -> (Counters, crate::Decisions) {
        let (team, costs, taking) = (Arc::clone(&self.team), self.costs, self.capabilities.taking());
        // Its threads decide until they have ended.
        self.shutdown();
        let (counters, (workers, team)) = (team.counters(), team.decisions());
        (counters, crate::Decisions { costs, taking, workers, team })
    }

    /// Ends the pool. Returns when its [detached tasks](Self::spawn) are done and all its threads have ended.
    ///
    /// No run can be under way, because a run borrows the pool. In a task of this pool, this is
    /// [`release`](Self::release). Elsewhere it waits, also in a run or a task of another pool; so the tasks of two
    /// pools must not shut each other's pool down.
    pub fn shutdown(mut self) {
        if !self.team.is_left_behind() && !held_seats::has_entered(&self.team) {
            self.await_end();
        }
    }

    /// Ends the pool as [`shutdown`](Self::shutdown) does, but does not wait: the threads of the pool end when its
    /// [detached tasks](Self::spawn) are done.
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// pool.spawn(move |_| sender.send(1).unwrap());
    /// pool.release();
    /// assert_eq!(receiver.recv(), Ok(1));
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn release(mut self) {
        self.let_threads_go();
    }

    /// Tells the threads to leave when the detached tasks are done, and waits for those of them that it is to wait for.
    fn await_end(&mut self) {
        self.team.dismiss();
        for thread in self.threads.drain(..) {
            // A destructor of a thread-local value may shut the pool down when a thread of the pool ends.
            if thread.thread().id() == std::thread::current().id() {
                continue;
            }
            // A thread of the pool catches panics of user code, and aborts on a panic of its own.
            let joined = thread.join();
            debug_assert!(joined.is_ok(), "a thread of the pool panicked outside of any run");
        }
        if !self.is_released {
            // For threads of the user's making.
            self.ends.wait();
            self.reserve.join();
        }
        flusher::flush();
    }

    /// Does not wait for the threads at the end.
    fn let_threads_go(&mut self) {
        self.is_released = true;
        let mut threads = std::mem::take(&mut self.threads);
        threads.append(&mut self.reserve.take());
        if self.team.is_left_behind() {
            // The threads are not in this process. They cannot be joined, and dropping their handles would touch memory
            // that the system may have reused.
            std::mem::forget(threads);
        }
    }
}

// A panic that unwinds through a run leaves the pool usable (crates/filch-tests/tests/joins/panics.rs).
impl UnwindSafe for Pool {}
impl RefUnwindSafe for Pool {}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("workers", &self.num_workers())
            .field("scheduler", &format_args!("{}", self.scheduler()))
            .finish_non_exhaustive()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // Only threads that work for no pool wait for the end of one. So whatever the threads of pools do, and wait
        // for, none of them waits for itself (`models/ends.pml`).
        if self.team.is_left_behind() || bound::is_of_a_pool() || held_seats::is_in_a_run() {
            self.let_threads_go();
        }
        if !self.team.is_left_behind() {
            self.await_end();
        }
    }
}
