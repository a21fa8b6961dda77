//! Which schedulers are simulated, and on what.

use filch::Scheduler;
use filch_bench::failure::Failure;
use filch_bench::values::{Choice, once_each};
use filch_sim::program::Program;
use filch_sim::program::totals::Totals;
use filch_sim::{Costs, Rules, Simulation, Sockets, UnevenSockets, rules};

use super::args::SimulateArgs;

/// A scheduler on so many workers, which are spread over so many sockets.
pub(super) struct Machine {
    pub(super) scheduler: Scheduler,
    pub(super) workers: usize,
    pub(super) sockets: usize,
}

/// What is simulated on a machine, with what follows from it.
pub(super) struct Setting {
    pub(super) machine: Machine,
    /// The scheduler with the size of the program's data.
    pub(super) scheduler: Scheduler,
    pub(super) rules: Rules,
    on: Sockets,
    pub(super) boundary: u32,
}

impl Setting {
    pub(super) fn of(
        machine: Machine,
        args: &SimulateArgs,
        program: &dyn Program,
        costs: Costs,
    ) -> Result<Self, Failure> {
        let Machine { scheduler, workers, sockets } = &machine;
        let rules = rules(scheduler, &costs, *workers).map_err(Failure::usage)?;
        let on = Sockets::even(*workers, *sockets).map_err(Failure::usage)?;
        let scheduler = scheduler.clone().for_data_bytes(program.data_bytes());
        let topology = on.topology(args.cache.unwrap_or(0));
        let boundary =
            topology.map_or(Ok(0), |topology| scheduler.boundary_level(&topology)).map_err(Failure::usage)?;
        Ok(Self { machine, scheduler, rules, on, boundary })
    }

    pub(super) fn name(&self) -> String {
        format!("{} on {}", self.machine.scheduler, self.machine.workers)
    }

    /// T1/P + T∞.
    pub(super) fn bound_ns(&self, totals: &Totals) -> f64 {
        totals.t1_ns() as f64 / self.machine.workers as f64 + totals.span_ns as f64
    }

    pub(super) fn simulation<'p>(
        &self,
        program: &'p dyn Program,
        costs: Costs,
        seed: u64,
        args: &SimulateArgs,
    ) -> Simulation<'p, Rules> {
        let simulation = Simulation::new(program, self.rules, costs, self.machine.workers, seed);
        let simulation = simulation.on(&self.on).with_boundary(self.boundary);
        let Some(bytes) = args.cache else { return simulation };
        let simulation = simulation.with_caches(bytes);
        let simulation = if args.affinity { simulation.with_affinity() } else { simulation };
        simulation.with_private_caches(args.private_cache.unwrap_or(0))
    }
}

/// What to simulate. The serial scheduler has one worker, on one socket.
pub(super) fn machines(args: &SimulateArgs, costs: &Costs) -> Result<Vec<Machine>, Failure> {
    let mut schedulers = Vec::new();
    for choice in &args.scheduler {
        match choice {
            Choice::One(scheduler) => schedulers.push(scheduler.clone()),
            Choice::All => schedulers.extend(Scheduler::presets().filter(|it| rules(it, costs, 1).is_ok())),
        }
    }
    let mut machines = Vec::new();
    for scheduler in once_each(schedulers) {
        // A scheduler for one worker is simulated on one, whatever numbers are given.
        let is_serial = rules(&scheduler, costs, 1).is_ok() && rules(&scheduler, costs, 2).is_err();
        let [mut sockets, mut workers] =
            if is_serial { [vec![1], vec![1]] } else { [args.sockets.clone(), args.workers.clone()] };
        sockets.sort_unstable();
        workers.sort_unstable();
        let workers = once_each(workers);
        for sockets in once_each(sockets) {
            for &workers in &workers {
                rules(&scheduler, costs, workers).map_err(|error| Failure::Usage(format!("--scheduler: {error}")))?;
                if !workers.is_multiple_of(sockets) {
                    return Err(Failure::Usage(format!("--sockets: {}", UnevenSockets { workers, sockets })));
                }
                machines.push(Machine { scheduler: scheduler.clone(), workers, sockets });
            }
        }
    }
    Ok(machines)
}
