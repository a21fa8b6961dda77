//! The pools of a command: `--topology`, and the default without it.

use clap::Args;
use filch::topology::Placement;
use filch::{Pool, PoolBuilder, Scheduler, Topology};

use crate::failure::Failure;

/// The argument of all commands that build pools.
#[derive(Args, Clone, Debug, Default)]
pub struct TopologyArgs {
    /// Where workers are: machine, or squads such as 2x2 or 2+3 [default: FILCH_TOPOLOGY, or unknown]
    #[arg(long, value_name = "SQUADS")]
    pub topology: Option<Placement>,
}

impl TopologyArgs {
    /// What all pools of the command are built from. The command line comes before the environment.
    pub fn pools(&self) -> Result<Pools, Failure> {
        let variable = || Pool::placement_variable().map_err(Failure::usage);
        let placement = self.topology.clone().map_or_else(variable, |placement| Ok(Some(placement)))?;
        Ok(Pools { placement })
    }
}

/// What the pools of a command have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pools {
    placement: Option<Placement>,
}

impl Pools {
    /// Pools whose workers are there.
    pub fn on(placement: Placement) -> Self {
        Self { placement: Some(placement) }
    }

    /// The settings of a pool. A single worker is alone wherever it is.
    pub fn builder(&self, scheduler: &Scheduler, workers: usize) -> PoolBuilder {
        let builder = Pool::builder().scheduler(scheduler.clone()).workers(workers);
        if workers == 1 { builder } else { self.placed(builder) }
    }

    /// A pool with the default settings of the environment and the machine.
    pub fn default_pool(&self) -> Result<Pool, Failure> {
        self.default_settings(None).build().map_err(Failure::usage)
    }

    /// The same with this scheduler.
    pub fn default_pool_of(&self, scheduler: &Scheduler) -> Result<Pool, Failure> {
        self.default_settings(Some(scheduler)).build().map_err(Failure::usage)
    }

    /// The pool of a rank: the same, or with so many workers, and a thread for each.
    pub fn pool_of_rank(&self, scheduler: &Scheduler, workers: Option<usize>) -> Result<Pool, Failure> {
        let default = || self.default_settings(Some(scheduler));
        let builder = workers.map_or_else(default, |workers| self.builder(scheduler, workers));
        builder.own_threads(true).build().map_err(Failure::usage)
    }

    fn default_settings(&self, scheduler: Option<&Scheduler>) -> PoolBuilder {
        let builder = Pool::builder();
        match scheduler {
            None => self.placed(builder),
            // It always has one worker.
            Some(scheduler) if *scheduler == Scheduler::serial() => builder.scheduler(scheduler.clone()),
            Some(scheduler) => self.placed(builder.scheduler(scheduler.clone())),
        }
    }

    /// The scheduler asked for, or else that of the default pool, which is not started.
    pub fn scheduler(&self, asked: Option<&Scheduler>) -> Result<Scheduler, Failure> {
        asked.map_or_else(|| Ok(self.defaults(None)?.0), |asked| Ok(asked.clone()))
    }

    /// The number of workers asked for, or else that of the default pool, which is not started.
    pub fn workers(&self, asked: Option<usize>) -> Result<usize, Failure> {
        asked.map_or_else(|| Ok(self.defaults(None)?.1), Ok)
    }

    /// The scheduler and the number of workers of the default pool, or of that with this scheduler. Starts nothing.
    pub fn defaults(&self, scheduler: Option<&Scheduler>) -> Result<(Scheduler, usize), Failure> {
        self.default_settings(scheduler).resolved().map_err(Failure::usage)
    }

    /// The numbers of workers asked for, or else that of the squads, or else `usual`.
    pub fn several_workers(&self, asked: &[usize], usual: &[usize]) -> Vec<usize> {
        match self.squads() {
            _ if !asked.is_empty() => asked.to_vec(),
            Some(topology) => vec![topology.workers()],
            None => usual.to_vec(),
        }
    }

    /// Where workers are, if that is asked for.
    pub fn placement(&self) -> Option<&Placement> {
        self.placement.as_ref()
    }

    /// The squads that are described by hand.
    pub fn squads(&self) -> Option<&Topology> {
        match self.placement()? {
            Placement::Squads(topology) => Some(topology),
            Placement::Machine => None,
        }
    }

    fn placed(&self, builder: PoolBuilder) -> PoolBuilder {
        match &self.placement {
            Some(placement) => builder.placement(placement.clone()),
            None => builder,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(text: &str) -> Pools {
        TopologyArgs { topology: Some(text.parse().unwrap()) }.pools().unwrap()
    }

    #[test]
    fn every_pool_has_the_topology_but_those_of_one_worker() {
        let pools = on("2+3");
        let shown = |workers| {
            let pool = pools.builder(&Scheduler::cab(), workers).build();
            pool.map(|pool| pool.topology().to_string()).map_err(|error| error.to_string())
        };
        assert_eq!((shown(5), shown(1)), (Ok("2+3".into()), Ok("1x1".into())));
        assert!(shown(4).unwrap_err().contains("topology = 2+3 with workers = 4: expected workers = 5"));
        assert_eq!(pools.default_pool().unwrap().num_workers(), 5);
    }

    #[test]
    fn the_numbers_of_workers_are_those_of_the_topology_unless_others_are_asked_for() {
        assert_eq!(on("2x2").several_workers(&[], &[2, 8]), [4]);
        assert_eq!(on("2x2").several_workers(&[1, 4], &[2, 8]), [1, 4]);
        assert_eq!((on("2+3").workers(None).unwrap(), on("2+3").workers(Some(7)).unwrap()), (5, 7));
        assert_eq!(Pools::default().several_workers(&[], &[2, 8]), [2, 8]);
    }
}
