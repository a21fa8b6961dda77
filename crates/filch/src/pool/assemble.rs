//! How a pool is made: what its settings come to, their checks, and its start.

use super::builder::PoolBuilder;
use super::limits::{CAPACITIES, RESERVE, STACK_BYTES, WORKERS, available};
use super::thread::{Ends, PoolThread, ReserveThreads, start_beater};
use super::{Pool, PoolError, background, environment, pinning, profile, topology};
use crate::costs::{self, Capabilities};
use crate::engine::schedulers;
use crate::engine::scopes::bound;
use crate::engine::seats::held_seats;
use crate::engine::team::Team;
use crate::engine::team::lifetime::Layout;
use crate::engine::team::squads::Squads;
use crate::engine::team::threads::Threads;
use crate::engine::trace::flusher;
use crate::protocol::ladder::REGION_BYTES_RESERVED;
use crate::sync::process;
use filch_policy::topology::{Placement, Topology};
use filch_policy::{Costs, Rules, Scheduler, Staff};
use std::ops::Range;
use std::sync::{Arc, OnceLock, Weak};
use std::thread;

/// The stack of a thread if the user sets none: the usual size of a main thread's stack, because a branch that moves
/// may be as deep as the program.
const DEFAULT_STACK_BYTES: usize = 8 << 20;

impl PoolBuilder {
    /// Makes the pool, and calls `start` with each of its threads.
    pub(super) fn assemble(
        self,
        start: &mut dyn FnMut(PoolThread, &mut Pool) -> Result<(), PoolError>,
    ) -> Result<Pool, PoolError> {
        process::watch();
        environment::trace()?;
        let mut settings = self.placed()?;
        let capabilities = Capabilities::detect();
        let (scheduler, workers) = settings.resolve(settings.topology.as_ref(), capabilities)?;
        let (capacity, stack_bytes) = settings.sizes()?;
        let staff = Staff::of(&scheduler);
        let threads = staff.threads(workers, settings.owns_threads || settings.uses_current_thread);
        let uses_current_thread = settings.uses_current_thread && staff == Staff::Threads;
        if uses_current_thread && held_seats::holds_a_seat() {
            return Err(PoolError::CurrentThread);
        }
        let costs = costs_of(&scheduler, workers, &threads, capabilities);
        let rules = Rules::new(&scheduler, costs, capabilities.taking()).with_fixed_shapes(settings.is_deterministic);
        let topology = settings.places(workers)?;
        let boundary = scheduler.boundary_level(&topology)?;
        let squads = if rules.has_tiers() { Squads::new(topology.squads(), boundary) } else { None };
        let reserve = Arc::<ReserveThreads>::default();
        let most_in_reserve = settings.blocking_threads.unwrap_or(RESERVE);
        let team_threads = Threads {
            threads: threads.clone(),
            most_in_reserve: if threads.is_empty() { 0 } else { most_in_reserve },
            reserve: OnceLock::new(),
            on_lost_panic: settings.panic_handler.take(),
            on_unawaited_panic: settings.unawaited_panic_handler.take(),
            on_start: settings.start_handler.take(),
            on_exit: settings.exit_handler.take(),
        };
        let team = Team::new(
            workers,
            capacity,
            scheduler,
            rules,
            schedulers::of(&rules),
            Layout { rings: topology.all_rings(), squads },
            team_threads,
        );
        let no_memory = || PoolError::Memory { workers, bytes: workers * REGION_BYTES_RESERVED };
        // From here on, dropping `pool` joins the threads that have been started.
        let mut pool = Pool {
            team: team.ok_or_else(no_memory)?,
            threads: Vec::new(),
            ends: Ends::new(),
            reserve,
            // Until it is complete: a thread of the user's making may never begin.
            is_released: true,
            costs,
            capabilities,
            topology,
            pins_callers: settings.pins_callers,
        };
        trace_counters(&pool.team);
        if !threads.is_empty() {
            _ = pool.team.threads.reserve.set(pool.reserve.starter(&pool.team, stack_bytes));
            background::prepare_to_take_early();
        }
        if uses_current_thread {
            // Before a thread of the pool can take that seat.
            bound::take_first_seat(&pool.team);
        }
        let started = threads.start + usize::from(uses_current_thread)..threads.end;
        settings.start_threads(started, stack_bytes, &mut pool, start)?;
        if let Some(beat) = rules.beat() {
            match start_beater(&pool.team, beat) {
                Ok(thread) => pool.threads.push(thread),
                // A beat hands work to other workers, and there are none.
                Err(_) if workers == 1 && threads.is_empty() => {}
                Err(error) => return Err(error),
            }
        }
        if uses_current_thread {
            // The user's code above may have built another such pool.
            if held_seats::holds_a_seat() {
                return Err(PoolError::CurrentThread);
            }
            bound::settle(&pool.team);
        }
        pool.is_released = false;
        if let Some(path) = environment::profile() {
            profile::write_at_exit(&pool, path)?;
        }
        Ok(pool)
    }

    /// What [`build`](Self::build) would give the pool by these settings, the environment and the system: its scheduler
    /// and its number of workers. Starts nothing.
    ///
    /// ```
    /// let builder = filch::Pool::builder().workers(2);
    /// let (scheduler, workers) = builder.resolved()?;
    /// let pool = builder.build()?;
    /// assert_eq!((pool.scheduler(), pool.num_workers()), (&scheduler, workers));
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build), for a scheduler or a number of workers that no pool can have.
    pub fn resolved(&self) -> Result<(Scheduler, usize), PoolError> {
        let placement = self.placement_variable()?;
        let topology = match &placement {
            Some(Placement::Squads(topology)) => Some(topology),
            Some(Placement::Machine) => None,
            None => self.topology.as_ref(),
        };
        self.resolve(topology, Capabilities::detect())
    }

    /// These settings, with the places of workers that the environment says where they name none.
    fn placed(self) -> Result<Self, PoolError> {
        let placement = self.placement_variable()?;
        Ok(placement.into_iter().fold(self, Self::placement))
    }

    /// Where the environment says that the workers are, if these settings do not say anything about that.
    fn placement_variable(&self) -> Result<Option<Placement>, PoolError> {
        if self.workers.is_none() && self.topology.is_none() { environment::placement() } else { Ok(None) }
    }

    /// Scheduler and number of workers. Settings come before the environment, and the environment before the system.
    fn resolve(
        &self,
        topology: Option<&Topology>,
        capabilities: Capabilities,
    ) -> Result<(Scheduler, usize), PoolError> {
        let scheduler = match &self.scheduler {
            Some(scheduler) => scheduler.clone(),
            None => environment::scheduler()?.unwrap_or_default(),
        };
        let records = scheduler.is_profile() || environment::profile().is_none();
        let scheduler = if records {
            scheduler
        } else {
            environment::scheduler()?.filter(Scheduler::is_profile).unwrap_or_else(Scheduler::profile)
        };
        scheduler.check()?;
        if Rules::insist_on_taking(&scheduler) && !capabilities.taking() {
            return Err(PoolError::TakingRefused(scheduler));
        }
        let set = self.workers.or(topology.map(Topology::workers));
        let asked = match set {
            Some(workers) if !WORKERS.contains(&workers) => return Err(PoolError::Workers(workers)),
            Some(workers) => Some(workers),
            None => environment::workers()?,
        };
        if let (Some(workers), Some(topology)) = (set, topology)
            && workers != topology.workers()
        {
            return Err(PoolError::Topology { topology: Box::new(topology.clone()), workers });
        }
        let staff = Staff::of(&scheduler);
        if staff == Staff::Caller {
            return match asked {
                None | Some(1) => Ok((scheduler, 1)),
                Some(workers) => Err(PoolError::SerialWithWorkers { workers }),
            };
        }
        Ok((scheduler, asked.unwrap_or_else(|| staff.workers(available()))))
    }

    /// How many forks a ladder has room for, and how many bytes a stack has.
    fn sizes(&self) -> Result<(usize, usize), PoolError> {
        let capacity = self.capacity.unwrap_or(*CAPACITIES.end());
        if !CAPACITIES.contains(&capacity) {
            return Err(PoolError::LadderCapacity(capacity));
        }
        let stack_bytes = self.stack_bytes.unwrap_or(DEFAULT_STACK_BYTES);
        if !STACK_BYTES.contains(&stack_bytes) {
            return Err(PoolError::StackSize(stack_bytes));
        }
        Ok((capacity, stack_bytes))
    }

    /// Where the workers are.
    fn places(&mut self, workers: usize) -> Result<Topology, PoolError> {
        if self.pins_callers && !pinning::Bound::is_possible() {
            return Err(PoolError::PinningCallers);
        }
        match self.topology.take() {
            Some(topology) => Ok(topology),
            None if self.pins() => {
                topology::of_workers(workers).ok_or(PoolError::Pinning { worker: 0, processor: None })
            }
            None => Ok(Topology::flat(workers)),
        }
    }

    /// Whether threads are bound to processors.
    fn pins(&self) -> bool {
        self.pins || self.pins_callers
    }

    fn start_threads(
        self,
        threads: Range<usize>,
        stack_bytes: usize,
        pool: &mut Pool,
        start: &mut dyn FnMut(PoolThread, &mut Pool) -> Result<(), PoolError>,
    ) -> Result<(), PoolError> {
        let pins = self.pins();
        let name = self.thread_names.unwrap_or_else(|| Box::new(|worker| format!("filch-{worker}")));
        for worker in threads {
            let name = name(worker);
            if name.contains('\0') {
                return Err(PoolError::ThreadName { worker, name });
            }
            let processor = pool.topology.processor(worker).filter(|_| pins);
            let (team, ended) = (Arc::clone(&pool.team), pool.ends.token());
            start(PoolThread { team, worker, name, stack_bytes, processor, ended }, pool)?;
        }
        Ok(())
    }
}

/// Shows in a trace, if there is one, what the team counts.
fn trace_counters(team: &Arc<Team>) {
    let team: Weak<Team> = Arc::downgrade(team);
    flusher::count(team);
}

/// What sharing costs a pool of so many workers, if it can share at all.
fn costs_of(scheduler: &Scheduler, workers: usize, threads: &Range<usize>, capabilities: Capabilities) -> Costs {
    // A single worker beats, too.
    let beats = Rules::new(scheduler, Costs::NONE, false).beat().is_some();
    let costs = if !threads.is_empty() || beats || scheduler.is_profile() {
        costs::of_this_machine(capabilities)
    } else {
        Costs::NONE
    };
    if !beats {
        return costs;
    }
    let processors = thread::available_parallelism().map_or(1, |n| n.get().min(workers));
    costs.on(u32::try_from(processors).unwrap_or(u32::MAX))
}
