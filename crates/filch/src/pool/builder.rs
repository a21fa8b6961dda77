//! The settings of a pool. What they come to, and its start, is in `assemble.rs`.

use super::thread::PoolThread;
use super::{Pool, PoolError};
use crate::engine::team::threads::{PanicHandler, ThreadHandler};
use filch_policy::Scheduler;
use filch_policy::topology::{Placement, Topology};
use std::any::Any;
use std::io;
use std::sync::Arc;

pub(super) type ThreadNames = Box<dyn Fn(usize) -> String>;

/// Settings for a [`Pool`], made by [`Pool::builder`].
#[must_use = "settings do nothing until `build`"]
#[derive(Default)]
pub struct PoolBuilder {
    pub(super) workers: Option<usize>,
    pub(super) scheduler: Option<Scheduler>,
    pub(super) thread_names: Option<ThreadNames>,
    pub(super) stack_bytes: Option<usize>,
    pub(super) capacity: Option<usize>,
    pub(super) pins: bool,
    pub(super) pins_callers: bool,
    pub(super) topology: Option<Topology>,
    pub(super) panic_handler: Option<PanicHandler>,
    pub(super) unawaited_panic_handler: Option<PanicHandler>,
    pub(super) is_deterministic: bool,
    pub(super) owns_threads: bool,
    pub(super) uses_current_thread: bool,
    pub(super) start_handler: Option<ThreadHandler>,
    pub(super) exit_handler: Option<ThreadHandler>,
    pub(super) blocking_threads: Option<usize>,
}

impl PoolBuilder {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Sets the number of workers, including the caller of [`Pool::run`]: 1 to 4096. Default: that of the
    /// [`topology`](Self::topology) or of `FILCH_TOPOLOGY` if one is set, else `FILCH_WORKERS` if it is set, else the
    /// parallelism that is available to this process. The serial scheduler has 1 worker, and chaos has 4 by default.
    pub fn workers(self, workers: usize) -> Self {
        PoolBuilder { workers: Some(workers), ..self }
    }

    /// Sets how work is shared. Default: `FILCH_SCHEDULER` if it is set, else [`Scheduler::default`].
    pub fn scheduler(self, scheduler: Scheduler) -> Self {
        PoolBuilder { scheduler: Some(scheduler), ..self }
    }

    /// Sets the name of each thread, as a function of its worker's index. Default: `filch-1`, `filch-2` and so on.
    pub fn thread_name(self, name: impl Fn(usize) -> String + 'static) -> Self {
        PoolBuilder { thread_names: Some(Box::new(name)), ..self }
    }

    /// Sets the stack size of each thread, in bytes. Default: 8 MiB. Callers of [`Pool::run`] use their own stacks.
    pub fn stack_size(self, bytes: usize) -> Self {
        PoolBuilder { stack_bytes: Some(bytes), ..self }
    }

    /// Sets how many forks a worker can have open at once, one inside the other. Deeper forks run serially, and are
    /// counted in [`Counters::overflowed_forks`](crate::Counters::overflowed_forks). Default: the maximum, about
    /// 64,000.
    pub fn ladder_capacity(self, frames: usize) -> Self {
        PoolBuilder { capacity: Some(frames), ..self }
    }

    /// Sets whether each thread is bound to a processor. The thread of worker i is bound to the i-th of the processors
    /// that this process may use; if there are more threads than processors, numbering starts over. Callers of
    /// [`Pool::run`] are not bound. Workers then look for work at the nearest workers first, according to the cores,
    /// caches and sockets that their processors share ([`Pool::topology`]). Default: no.
    ///
    /// If a [`topology`](Self::topology) is set, threads are bound to the processors that it names. If it names none,
    /// they are not bound.
    pub fn pin_threads(self, pins: bool) -> Self {
        PoolBuilder { pins, ..self }
    }

    /// Sets whether callers are bound as well. The thread that calls [`Pool::run`] is then bound to the processor of
    /// the worker that it works as, for the time of the run. When it returns, it may use the same processors again as
    /// before. This costs each run from outside of the pool three system calls. It implies
    /// [`pin_threads`](Self::pin_threads). Default: no.
    ///
    /// If the system refuses to bind a caller, because it has taken the processor from this process since the pool was
    /// built, the caller is not bound.
    ///
    /// Callers can be bound, and released again, on Linux and Android only. On other systems, [`build`](Self::build)
    /// returns an error.
    pub fn pin_callers(self, pins_callers: bool) -> Self {
        PoolBuilder { pins_callers, ..self }
    }

    /// Sets which workers are near each other. Default: `FILCH_TOPOLOGY` if it is set and the number of workers is not,
    /// else, if threads are [pinned](Self::pin_threads), what the system says about their processors, else
    /// [`Topology::flat`]: the system may move threads, so no worker is nearer than another.
    ///
    /// The pool has the workers of the topology. A topology that is described by hand makes the logic of many sockets
    /// run on any machine:
    ///
    /// ```
    /// let pool = filch::Pool::builder().topology("2x2".parse()?).build()?;
    /// assert_eq!(pool.num_workers(), 4);
    /// assert_eq!(pool.topology().squads().count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn topology(self, topology: Topology) -> Self {
        PoolBuilder { topology: Some(topology), ..self }
    }

    /// Sets where workers are, as `FILCH_TOPOLOGY` does: [`Placement::Machine`] is
    /// [`pin_threads(true)`](Self::pin_threads), and [`Placement::Squads`] is [`topology`](Self::topology).
    pub fn placement(self, placement: Placement) -> Self {
        match placement {
            Placement::Machine => self.pin_threads(true),
            Placement::Squads(topology) => self.topology(topology),
        }
    }

    /// Sets what happens to the payload of a panic that cannot be passed on because another panic is unwinding, such as
    /// the payload of the second branch if both branches of a join panic, or that of a destructor that runs while a
    /// panic unwinds. Default: the payload is dropped. The panic hook (`std::panic::set_hook`) has printed the message
    /// of the panic in any case.
    ///
    /// The thread that is unwinding calls the handler. If the handler panics, the process aborts.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    ///
    /// static LOST: AtomicUsize = AtomicUsize::new(0);
    /// let pool = filch::Pool::builder()
    ///     .workers(2)
    ///     .panic_handler(|_payload| { LOST.fetch_add(1, Ordering::Relaxed); })
    ///     .build()?;
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn panic_handler(self, handler: impl Fn(Box<dyn Any + Send>) + Send + Sync + 'static) -> Self {
        PoolBuilder { panic_handler: Some(Arc::new(handler)), ..self }
    }

    /// Sets what happens to the payload of a panic that nobody waits for: that of a [detached task](Pool::spawn).
    /// Default: as [`panic_handler`](Self::panic_handler) says.
    ///
    /// The thread of the task calls the handler. If the handler panics, the process aborts.
    ///
    /// ```
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// let report = move |payload: Box<dyn std::any::Any + Send>| {
    ///     sender.send(*payload.downcast_ref::<&str>().unwrap()).unwrap();
    /// };
    /// let pool = filch::Pool::builder().workers(2).unawaited_panic_handler(report).build()?;
    /// pool.spawn(|_| panic!("in a task"));
    /// assert_eq!(receiver.recv(), Ok("in a task"));
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn unawaited_panic_handler(self, handler: impl Fn(Box<dyn Any + Send>) + Send + Sync + 'static) -> Self {
        PoolBuilder { unawaited_panic_handler: Some(Arc::new(handler)), ..self }
    }

    /// Sets whether [`map_reduce`](crate::Strand::map_reduce) on this pool combines items in a shape that depends on
    /// their number alone: a balanced tree of blocks, of a 256th of the items each, but of one item at least and of
    /// 4096 at most. Then the result is the same in every run, under every scheduler and on any number of workers, also
    /// if `combine` is only nearly associative, as floating-point addition is. Default: no.
    ///
    /// This costs a join for each block, and needs no more time than otherwise if items are dear. A block is not
    /// divided, whatever its items cost.
    ///
    /// **What else is deterministic** on every pool: joins, and loops and tasks that do not depend on each other, as
    /// far as the program itself is; [random numbers](crate::random); the reductions of `filch-algorithms`.
    ///
    /// **What is not**, also on this pool, because it depends on what moves between workers: what a
    /// [`Reducer`](crate::Reducer) combines with what (so its operation must be associative, which that of floats is
    /// not); the shapes of rayon's iterators on Filch; which bodies share a state
    /// ([`PerWorker`](crate::PerWorker)); what [`find_any`](crate::Strand::find_any), a stopped loop or an aborted
    /// search finds; and the order of effects that branches have on shared variables.
    ///
    /// ```
    /// let sum = |workers| {
    ///     let pool = filch::Pool::builder().workers(workers).deterministic(true).build()?;
    ///     let terms = |_: filch::Strand<'_>, n| 1.0 / f64::from(n);
    ///     Ok::<f64, filch::PoolError>(pool.run(|mut s| s.map_reduce(1..100_000_u32, || 0.0, terms, |a, b| a + b)))
    /// };
    /// assert_eq!(sum(1)?.to_bits(), sum(3)?.to_bits());
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn deterministic(self, is_deterministic: bool) -> Self {
        PoolBuilder { is_deterministic, ..self }
    }

    /// Starts the pool, with n − 1 threads for n workers.
    ///
    /// The costs of giving and taking a fork on this machine are read from the user's cache folder, or from that which
    /// the variable `FILCH_CACHE` names; there is none if that is empty. If the costs are not there, the pool assumes
    /// typical ones. When it has been idle for a tenth of a second, it measures them and stores them for later pools
    /// ([`Pool::measure_costs`] does so at once).
    ///
    /// # Errors
    ///
    /// [`PoolError`] names the setting, its value and what is allowed, or says what the system refused.
    pub fn build(self) -> Result<Pool, PoolError> {
        self.assemble(&mut |thread, pool| {
            pool.threads.push(thread.start()?);
            Ok(())
        })
    }

    /// Starts the pool with threads of the caller's making: calls `spawn` once for each thread. That must call
    /// [`run`](PoolThread::run) on a new thread. The threads are bound to processors only as far as the system lets
    /// them.
    ///
    /// The end of the pool ([`Pool::shutdown`]) waits for each [`PoolThread`] to be gone. So the thread that ends the
    /// pool must not be needed for that; otherwise use [`Pool::release`].
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build). If `spawn` fails, its error is that of [`PoolError::SpawnWith`]. Threads that have
    /// started end without being waited for.
    ///
    /// ```
    /// std::thread::scope(|threads| {
    ///     let pool = filch::Pool::builder().workers(3).build_with(|thread| {
    ///         threads.spawn(|| thread.run());
    ///         Ok(())
    ///     })?;
    ///     assert_eq!(pool.run(|mut s| s.join(|_| 1, |_| 2)), (1, 2));
    ///     Ok::<(), filch::PoolError>(())
    /// })?;
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn build_with(self, mut spawn: impl FnMut(PoolThread) -> io::Result<()>) -> Result<Pool, PoolError> {
        self.assemble(&mut |thread, _| thread.start_by(&mut spawn))
    }
}

impl std::fmt::Debug for PoolBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PoolBuilder")
            .field("workers", &self.workers)
            .field("scheduler", &self.scheduler)
            .field("stack_size", &self.stack_bytes)
            .field("ladder_capacity", &self.capacity)
            .field("pin_threads", &self.pins)
            .field("pin_callers", &self.pins_callers)
            .field("deterministic", &self.is_deterministic)
            .field("topology", &self.topology.as_ref().map(Topology::to_string))
            .finish_non_exhaustive()
    }
}
