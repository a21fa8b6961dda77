//! Figures for more workers than this machine has cores, simulated by `filch-sim`.
//!
//! - [`cab`], [`cab_footprint`]: Chen, Huang, Guo and Zhou (2011)
//! - [`cilk5`]: Frigo, Leiserson and Randall (1998)
//! - [`heartbeat`]: Acar, Charguéraud, Guatto, Rainey and Sieczkowski (2018)
//! - [`tascell`]: Yasugi, Hiraishi, Umatani and Yuasa (2012)
//! - [`xws`]: Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen (2008)

pub mod cab;
pub mod cab_footprint;
pub mod cab_points;
pub mod cilk5;
pub mod heartbeat;
pub mod tascell;
pub mod xws;

use filch::Scheduler;
use filch_bench::failure::Failure;
use filch_bench::measure::median::Median;
use filch_bench::show::progress::samples::Samples;
use filch_bench::values::once_each;
use filch_sim::program::Program;
use filch_sim::program::totals::Totals;
use filch_sim::{Costs, MAX_WORKERS, Outcome, Simulation, rules};
use serde::Serialize;

use super::args::{FigureArgs, Name};
use super::printed::HEARTBEAT_TAU_NS;
use super::report::Report;
use super::size::Size;
use filch_lab::commands::simulate::check_work;

/// The costs in the figure on heartbeat scheduling: a promotion takes as long as in the paper.
const COSTS_OF_HEARTBEAT: Costs = Costs { promotion_ns: HEARTBEAT_TAU_NS, ..Costs::ASSUMED };

/// What a figure is simulated with.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The scheduler.
    pub scheduler: Scheduler,
    /// What steps cost.
    pub costs: Costs,
    /// The numbers of workers; those of the paper if there are none.
    pub workers: Vec<usize>,
    /// The number of runs of each kind, each with its own seed.
    pub seeds: usize,
    /// How large the programs are.
    pub size: Size,
}

/// The runs of a program on some number of workers.
#[derive(Clone, Debug, Serialize)]
pub struct Simulated {
    /// The program.
    pub program: String,
    /// The scheduler.
    pub scheduler: String,
    /// P.
    pub workers: usize,
    /// T1.
    pub t1_ns: u64,
    /// T∞.
    pub span_ns: u64,
    /// T_P, by seed.
    pub time_ns: Vec<u64>,
    /// The mean number of frames that were promoted or given.
    pub gifts: f64,
    /// The mean share of the workers' time in which they ran no task.
    pub idle_share: f64,
}

impl Simulated {
    /// T_P in seconds.
    pub fn seconds(&self) -> Median {
        Median::of(self.times().collect())
    }

    fn times(&self) -> impl Iterator<Item = f64> {
        self.time_ns.iter().map(|&ns| ns as f64 / 1e9)
    }

    /// T1 in seconds.
    pub fn t1(&self) -> f64 {
        self.t1_ns as f64 / 1e9
    }

    /// T1/T∞.
    pub fn parallelism(&self) -> f64 {
        self.t1_ns as f64 / self.span_ns.max(1) as f64
    }

    /// T1/T_P.
    pub fn speed_up(&self) -> f64 {
        self.t1() / self.seconds().value
    }
}

/// What comes of a figure. `R`: a point of it.
#[derive(Debug)]
pub struct Found<R = Simulated> {
    /// What is shown.
    pub report: Report,
    /// All runs.
    pub rows: Vec<R>,
    /// The picture, if it is not that of the report's panels.
    pub svg: Option<String>,
}

impl Setting {
    /// What the arguments ask for.
    pub fn of(args: &FigureArgs) -> Result<Self, Failure> {
        if args.topology.topology.is_some() {
            return Err(Failure::Usage("--topology: this figure is simulated, not run on this machine".into()));
        }
        if let Some(workers) = args.workers.iter().find(|&&workers| workers > MAX_WORKERS) {
            return Err(Failure::Usage(format!("--workers {workers}: at most {MAX_WORKERS} can be simulated")));
        }
        let (usual, costs) = match args.name {
            Name::Heartbeat7 => (Scheduler::heartbeat(), COSTS_OF_HEARTBEAT),
            Name::Cilk56Simulated | Name::Cilk58 | Name::Xws1Simulated => (Scheduler::default(), Costs::ASSUMED),
            _ => (Scheduler::cilk5(), Costs::ASSUMED),
        };
        let costs = args.costs.over(costs)?;
        let mut workers = once_each(args.workers.clone());
        workers.sort_unstable();
        let scheduler = args.scheduler.clone().unwrap_or(usual);
        Ok(Self { scheduler, costs, workers, seeds: args.runs, size: args.size })
    }

    /// The number of workers of a figure that has only one, or that of the paper.
    fn workers_of_one(&self, usual: usize) -> Result<usize, Failure> {
        match self.workers[..] {
            [] => Ok(usual),
            [workers] => Ok(workers),
            _ => Err(Failure::Usage("--workers: this figure has one number of workers".into())),
        }
    }

    /// The numbers of workers, or those of the paper.
    fn workers_or(&self, usual: &[usize]) -> Vec<usize> {
        if self.workers.is_empty() { usual.to_vec() } else { self.workers.clone() }
    }

    /// Runs a program with each seed.
    pub(super) fn simulate(
        &self,
        program: &dyn Program,
        scheduler: &Scheduler,
        workers: usize,
        progress: &Samples,
    ) -> Result<Simulated, Failure> {
        let costs = self.costs;
        let rules =
            rules(scheduler, &costs, workers).map_err(|error| Failure::Usage(format!("--scheduler: {error}")))?;
        let totals = Totals::of(program, costs.fork_ns);
        check_work(&totals).map_err(|found| Failure::Usage(format!("--cost: {}: {found}", program.name())))?;
        let outcomes: Vec<Outcome> = (0..self.seeds as u64)
            .map(|seed| {
                progress.step();
                Simulation::new(program, rules, costs, workers, seed).run()
            })
            .collect();
        let mean = |of: fn(&Outcome) -> f64| outcomes.iter().map(of).sum::<f64>() / outcomes.len() as f64;
        Ok(Simulated {
            program: program.name(),
            scheduler: scheduler.to_string(),
            workers,
            t1_ns: totals.t1_ns(),
            span_ns: totals.span_ns,
            time_ns: outcomes.iter().map(|outcome| outcome.time_ns).collect(),
            gifts: mean(|outcome| outcome.counts.gifts as f64),
            idle_share: mean(Outcome::idle_share).max(0.0),
        })
    }
}
