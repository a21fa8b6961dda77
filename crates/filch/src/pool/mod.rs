//! Pools: what a user builds, runs on, and shuts down.
//!
//! A [`Pool`] owns the threads of a [`Team`]; [`PoolBuilder`] checks settings and starts it all, or
//! leaves nothing behind; [`global`] keeps the one that needs no building. May import: `strand`, `worker` and below.

mod background;
mod builder;
mod error;
mod global;
mod latencies;
mod pinning;
mod run;
mod topology;

pub use builder::PoolBuilder;
pub use error::PoolError;
pub use latencies::Latencies;

use crate::costs::{self, Capabilities};
use crate::engine::Counters;
use crate::engine::team::Team;
use filch_policy::{Costs, Scheduler};
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// Workers that share work under one scheduler.
///
/// A pool of n workers has n − 1 threads: the caller of [`run`](Self::run) is the n-th. Pools are independent of each
/// other; any number can exist, and runs nest on the same or on another pool.
///
/// Dropping a pool is [`shutdown`](Self::shutdown).
///
/// A child of `fork(2)` has none of its parent's threads but the one that forked. What it runs on a pool of its
/// parent's, the global one among them, runs serially, and a pool that it builds itself is like any other. What was
/// under way when the parent forked it cannot finish: if it forked inside a run, and that comes to wait for a thread
/// which the child does not have, the child says so and aborts.
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
    costs: Costs,
    capabilities: Capabilities,
}

impl Pool {
    /// Settings for a pool, all with defaults.
    pub fn builder() -> PoolBuilder {
        PoolBuilder::new()
    }

    /// Measures what giving and taking cost on this machine, unless this process or the user's cache folder knows, for
    /// pools that are built from now on, and keeps it there. That takes tens of milliseconds, and another
    /// processor; without this call it is done once a pool has had nothing to do for a while.
    ///
    /// False where it fails, for want of that processor.
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

    /// How many workers there are, the caller's place included.
    pub fn num_workers(&self) -> usize {
        self.team.ladders().len()
    }

    /// The scheduler that the pool was built with.
    pub fn scheduler(&self) -> &Scheduler {
        self.team.scheduler()
    }

    /// What the system lets this pool do.
    pub fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    /// τ, what a worker spends on giving one fork away on this machine, as measured or, before that, assumed
    /// (heartbeat.txt, section 5.1); zero in a pool of one worker.
    pub fn give_cost(&self) -> Duration {
        self.costs.give
    }

    /// What a thief spends on taking one, in the same way.
    pub fn take_cost(&self) -> Duration {
        self.costs.take
    }

    /// The period N: a worker gives at most once in this time or, where nobody asks, is interrupted at most once.
    pub fn period(&self) -> Duration {
        Duration::from_nanos(self.team.rules().period_ns())
    }

    /// How long recent asks and takes took.
    pub fn latencies(&self) -> Latencies {
        Latencies::of(&self.team)
    }

    /// What the pool's workers have done since it started.
    pub fn counters(&self) -> Counters {
        self.team.counters()
    }

    /// Ends the pool: returns once its threads have.
    ///
    /// No run can be under way, because a run borrows the pool.
    pub fn shutdown(self) {
        drop(self);
    }
}

// A panic that passes a run leaves the pool as it was (tests/panics.rs).
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
        if self.team.is_left_behind() {
            // They are not in this process: nobody can join them, and letting go of them would touch what the system
            // has reused since.
            std::mem::forget(std::mem::take(&mut self.threads));
            return;
        }
        self.team.dismiss();
        for thread in self.threads.drain(..) {
            // A thread of the pool runs user code only within runs, and those borrow the pool; so safe code cannot drop
            // it there. Should it come to that all the same, the thread is left to end by itself: nobody
            // can await itself.
            if thread.thread().id() == std::thread::current().id() {
                continue;
            }
            // It catches the panics of the user's code, and aborts on its own.
            let joined = thread.join();
            debug_assert!(joined.is_ok(), "a thread of the pool panicked outside of any run");
        }
    }
}
