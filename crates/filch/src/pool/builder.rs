//! Settings, checked, and the start of a pool.

use super::{Capabilities, Pool, PoolError};
use crate::ladder::{MAX_CAPACITY, REGION_BYTES_RESERVED};
use crate::scheduler::{Scheduler, calibrate};
use crate::worker::{Team, search};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// More than any machine has; each worker costs a mebibyte of address space.
pub(super) const WORKERS: RangeInclusive<usize> = 1..=4096;
pub(super) const CAPACITIES: RangeInclusive<usize> = 1..=MAX_CAPACITY;
/// From what a thread needs to start to what no system refuses for being no size at all.
pub(super) const STACK_BYTES: RangeInclusive<usize> = 64 << 10..=isize::MAX as usize / 2;

/// Stack of a pool's thread where the user sets none: a main thread's usual size, since a taken branch is as deep as the
/// program.
const DEFAULT_STACK_BYTES: usize = 8 << 20;

type ThreadNames = Box<dyn Fn(usize) -> String>;

/// Settings for a [`Pool`]; made by [`Pool::builder`].
#[must_use = "settings do nothing until `build`"]
#[derive(Default)]
pub struct PoolBuilder {
    workers: Option<usize>,
    scheduler: Option<Scheduler>,
    thread_names: Option<ThreadNames>,
    stack_bytes: Option<usize>,
    capacity: Option<usize>,
}

impl PoolBuilder {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// How many workers, the caller's place included: 1 to 4096. Default: `FILCH_WORKERS` if set, else what the system
    /// says is available to this process.
    pub fn workers(self, workers: usize) -> Self {
        PoolBuilder { workers: Some(workers), ..self }
    }

    /// How work is shared. Default: `FILCH_SCHEDULER` if set, else [`Scheduler::default`].
    pub fn scheduler(self, scheduler: Scheduler) -> Self {
        PoolBuilder { scheduler: Some(scheduler), ..self }
    }

    /// The name of each thread, from its worker's index. Default: `filch-1`, `filch-2` and so on.
    pub fn thread_name(self, name: impl Fn(usize) -> String + 'static) -> Self {
        PoolBuilder { thread_names: Some(Box::new(name)), ..self }
    }

    /// The stack of each thread, in bytes. Default: 8 MiB. Callers' own stacks are theirs to choose.
    pub fn stack_size(self, bytes: usize) -> Self {
        PoolBuilder { stack_bytes: Some(bytes), ..self }
    }

    /// How many forks a worker can have open at once, one inside the other; deeper ones run serially and are counted in
    /// [`Counters::overflowed_forks`](crate::Counters::overflowed_forks). Default: the most there can be, about 64,000.
    pub fn ladder_capacity(self, frames: usize) -> Self {
        PoolBuilder { capacity: Some(frames), ..self }
    }

    /// Starts the pool: n − 1 threads, and some ten takes to measure what they cost.
    ///
    /// # Errors
    ///
    /// [`PoolError`] names the setting, its value and what is allowed, or what the system refused.
    pub fn build(self) -> Result<Pool, PoolError> {
        let capabilities = Capabilities::detect();
        let (scheduler, workers) = self.resolve(capabilities)?;
        let takes = workers > 1 && scheduler.takes(capabilities.taking());
        let capacity = self.capacity.unwrap_or(*CAPACITIES.end());
        if !CAPACITIES.contains(&capacity) {
            return Err(PoolError::LadderCapacity(capacity));
        }
        let stack_bytes = self.stack_bytes.unwrap_or(DEFAULT_STACK_BYTES);
        if !STACK_BYTES.contains(&stack_bytes) {
            return Err(PoolError::StackSize(stack_bytes));
        }
        let no_memory = || PoolError::Memory { workers, bytes: workers * REGION_BYTES_RESERVED };
        let team = Team::new(workers, capacity, scheduler, takes).ok_or_else(no_memory)?;
        let name = self.thread_names.unwrap_or_else(|| Box::new(|worker| format!("filch-{worker}")));

        // From here on dropping the pool joins what has been started.
        let mut pool = Pool { team, threads: Vec::new(), take_cost: Duration::ZERO, capabilities };
        // Worker 1 last: it is the one that keeps a processor busy until the start.
        for worker in (1..workers).rev() {
            let thread = start_thread(&pool.team, worker, name(worker), stack_bytes)?;
            pool.threads.push(thread);
        }
        let set = pool.team.scheduler().period();
        if takes {
            pool.take_cost = calibrate::take_cost(|| pool.team.stage().see_running()).ok_or_else(no_memory)?;
        }
        pool.team.start(set.unwrap_or(calibrate::period(pool.take_cost)));
        Ok(pool)
    }

    /// Scheduler and number of workers, from settings, environment and system, in this order.
    fn resolve(&self, capabilities: Capabilities) -> Result<(Scheduler, usize), PoolError> {
        let scheduler = match &self.scheduler {
            Some(scheduler) => scheduler.clone(),
            None => scheduler_variable()?.unwrap_or_default(),
        };
        if scheduler.takes(capabilities.taking()) && !capabilities.taking() {
            return Err(PoolError::TakingRefused(scheduler));
        }
        let asked = match self.workers {
            Some(workers) if !WORKERS.contains(&workers) => return Err(PoolError::Workers(workers)),
            Some(workers) => Some(workers),
            None => workers_variable()?,
        };
        if scheduler.is_serial() {
            return match asked {
                None | Some(1) => Ok((scheduler, 1)),
                Some(workers) => Err(PoolError::SerialWithWorkers { workers }),
            };
        }
        let workers = asked.unwrap_or_else(available);
        // The default scheduler is the serial one where nothing can be shared.
        let workers = if scheduler.takes(capabilities.taking()) { workers } else { 1 };
        Ok((scheduler, workers))
    }
}

impl std::fmt::Debug for PoolBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PoolBuilder")
            .field("workers", &self.workers)
            .field("scheduler", &self.scheduler)
            .field("stack_size", &self.stack_bytes)
            .field("ladder_capacity", &self.capacity)
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
) -> Result<JoinHandle<()>, PoolError> {
    if name.contains('\0') {
        return Err(PoolError::ThreadName { worker, name });
    }
    let its_team = Arc::clone(team);
    thread::Builder::new()
        .name(name)
        .stack_size(stack_bytes)
        .spawn(move || search::live(&its_team, worker))
        .map_err(|source| PoolError::Spawn { worker, threads: team.ladders().len() - 1, stack_bytes, source })
}
