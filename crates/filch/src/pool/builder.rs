//! The settings of a pool, their checks, and its start.

use super::limits::{CAPACITIES, STACK_BYTES, WORKERS};
use super::{Pool, PoolError, background, pinning, topology};
use crate::costs::{self, Capabilities};
use crate::engine::life;
use crate::engine::team::{PanicHandler, Team};
use crate::protocol::ladder::REGION_BYTES_RESERVED;
use crate::sync::process;
use filch_policy::{Costs, Rules, Scheduler, Staff};
use std::any::Any;
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};

/// The stack of a thread if the user sets none: the usual size of a main thread's stack, because a branch that moves
/// may be as deep as the program.
const DEFAULT_STACK_BYTES: usize = 8 << 20;

type ThreadNames = Box<dyn Fn(usize) -> String>;

/// Settings for a [`Pool`], made by [`Pool::builder`].
#[must_use = "settings do nothing until `build`"]
#[derive(Default)]
pub struct PoolBuilder {
    workers: Option<usize>,
    scheduler: Option<Scheduler>,
    thread_names: Option<ThreadNames>,
    stack_bytes: Option<usize>,
    capacity: Option<usize>,
    pins: bool,
    panic_handler: Option<PanicHandler>,
}

impl PoolBuilder {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Sets the number of workers, including the caller of [`Pool::run`]: 1 to 4096. Default: `FILCH_WORKERS` if it is
    /// set, else the parallelism that is available to this process. The serial scheduler has 1 worker, and chaos has 4
    /// by default.
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
    /// [`Pool::run`] are not bound. Workers then look for work at the nearest workers first, according to the caches
    /// that their processors share. Default: no.
    pub fn pin_threads(self, pins: bool) -> Self {
        PoolBuilder { pins, ..self }
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

    /// Starts the pool, with n − 1 threads for n workers.
    ///
    /// The costs of giving and taking a fork on this machine are read from the user's cache folder. If they are not
    /// there, the pool assumes typical costs. When it has been idle for a tenth of a second, it measures them and
    /// stores them for later pools ([`Pool::measure_costs`] does so at once).
    ///
    /// # Errors
    ///
    /// [`PoolError`] names the setting, its value and what is allowed, or says what the system refused.
    pub fn build(self) -> Result<Pool, PoolError> {
        process::watch();
        let capabilities = Capabilities::detect();
        let (scheduler, workers) = self.resolve(capabilities)?;
        let capacity = self.capacity.unwrap_or(*CAPACITIES.end());
        if !CAPACITIES.contains(&capacity) {
            return Err(PoolError::LadderCapacity(capacity));
        }
        let stack_bytes = self.stack_bytes.unwrap_or(DEFAULT_STACK_BYTES);
        if !STACK_BYTES.contains(&stack_bytes) {
            return Err(PoolError::StackSize(stack_bytes));
        }
        let no_memory = || PoolError::Memory { workers, bytes: workers * REGION_BYTES_RESERVED };
        let threads = Staff::of(&scheduler).threads(workers);
        let costs = if threads > 0 { costs::of_this_machine(capabilities) } else { Costs::NONE };
        let rules = Rules::new(&scheduler, costs, capabilities.taking());
        let processors = self.pins.then(pinning::processors).transpose()?;
        let on = |worker: usize| processors.as_ref().map(|processors| processors[worker % processors.len()]);
        // Without pinning the system may move threads, so no worker is nearer than another.
        let places: Option<Vec<usize>> = (0..workers).map(|worker| on(worker).map(|processor| processor.id)).collect();
        let rings = places.map(|places| topology::rings(&places));
        let team = Team::new(workers, capacity, scheduler, rules, rings, self.panic_handler).ok_or_else(no_memory)?;
        let name = self.thread_names.unwrap_or_else(|| Box::new(|worker| format!("filch-{worker}")));

        // From here on, dropping `pool` joins the threads that have been started.
        let mut pool = Pool { team, threads: Vec::new(), costs, capabilities };
        for worker in (1..=threads).rev() {
            let thread = start_thread(&pool.team, worker, name(worker), stack_bytes, on(worker))?;
            pool.threads.push(thread);
        }
        Ok(pool)
    }

    /// Scheduler and number of workers. Settings come before the environment, and the environment before the system.
    fn resolve(&self, capabilities: Capabilities) -> Result<(Scheduler, usize), PoolError> {
        let scheduler = match &self.scheduler {
            Some(scheduler) => scheduler.clone(),
            None => scheduler_variable()?.unwrap_or_default(),
        };
        if Rules::insist_on_taking(&scheduler) && !capabilities.taking() {
            return Err(PoolError::TakingRefused(scheduler));
        }
        let asked = match self.workers {
            Some(workers) if !WORKERS.contains(&workers) => return Err(PoolError::Workers(workers)),
            Some(workers) => Some(workers),
            None => workers_variable()?,
        };
        let staff = Staff::of(&scheduler);
        if staff == Staff::Caller {
            return match asked {
                None | Some(1) => Ok((scheduler, 1)),
                Some(workers) => Err(PoolError::SerialWithWorkers { workers }),
            };
        }
        Ok((scheduler, asked.unwrap_or_else(|| staff.workers(available()))))
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
            .finish_non_exhaustive()
    }
}

fn available() -> usize {
    thread::available_parallelism().map_or(1, |n| n.get()).min(*WORKERS.end())
}

fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

fn workers_variable() -> Result<Option<usize>, PoolError> {
    let Some(value) = variable("FILCH_WORKERS") else { return Ok(None) };
    match value.trim().parse() {
        Ok(workers) if WORKERS.contains(&workers) => Ok(Some(workers)),
        _ => Err(PoolError::WorkersVariable { value }),
    }
}

fn scheduler_variable() -> Result<Option<Scheduler>, PoolError> {
    let Some(value) = variable("FILCH_SCHEDULER") else { return Ok(None) };
    value.trim().parse().map(Some).map_err(|reason| PoolError::SchedulerVariable { value, reason })
}

fn start_thread(
    team: &Arc<Team>,
    worker: usize,
    name: String,
    stack_bytes: usize,
    processor: Option<pinning::Processor>,
) -> Result<JoinHandle<()>, PoolError> {
    if name.contains('\0') {
        return Err(PoolError::ThreadName { worker, name });
    }
    let its_team = Arc::clone(team);
    let (report, is_pinned) = mpsc::sync_channel(1);
    let thread = thread::Builder::new()
        .name(name)
        .stack_size(stack_bytes)
        .spawn(move || {
            // Sending fails if the builder does not wait, which it does only for pinned threads.
            let _ = report.send(processor.is_none_or(pinning::pin));
            drop(report);
            background::prepare_to_take();
            life::live(&its_team, worker, background::measure_costs);
        })
        .map_err(|source| PoolError::Spawn { worker, threads: team.ladders().len() - 1, stack_bytes, source })?;
    match processor {
        Some(processor) if is_pinned.recv() != Ok(true) => {
            team.dismiss();
            let _ = thread.join();
            Err(PoolError::Pinning { worker, processor: Some(processor.id) })
        }
        _ => Ok(thread),
    }
}
