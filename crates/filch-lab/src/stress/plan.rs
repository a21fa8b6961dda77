//! The contents of a case: a function of its seed and of what the user asks for.

use std::fmt;

use filch::{Pool, Scheduler, Topology};
use filch_bench::failure::Failure;
use filch_bench::measure::pools::Pools;

use super::dice::Dice;
use super::grow::powers::Powers;

/// The schedulers of cases, unless the user chooses others. Most of them share work as often as they can.
const SCHEDULERS: [&str; 22] = [
    "default",
    "default,period=0ns",
    "default,period=0ns",
    "default,period=0ns,patience=0ns",
    "default,period=0ns,patience=3us",
    "default,period=0ns,patience=never",
    "default,period=0ns,wait=any",
    "default,period=5us",
    "cilk5",
    "cilk5,period=0ns",
    "cilk5,period=0ns,wait=any",
    "cilk5,period=5us",
    "tascell",
    "lazy",
    "heartbeat",
    "heartbeat,period=0ns,balancer=concurrent",
    "heartbeat,period=0ns,balancer=private",
    "heartbeat,period=5us,wait=any",
    "cab,boundary=3",
    "cab,boundary=4,period=0ns,patience=0ns",
    "chaos,seed=1",
    "serial",
];

/// Further seeds of the chaos scheduler.
const CHAOS: std::ops::Range<u64> = 2..5;

/// The numbers of workers, unless the user chooses others. With more workers than cores, workers are interrupted
/// halfway more often.
const WORKERS: [usize; 8] = [1, 2, 2, 3, 3, 4, 5, 8];

/// The stack size of all threads in bytes: enough for the deepest program in a build with sanitizers.
pub const STACK_BYTES: usize = 64 << 20;

/// The largest numbers of pools, of callers, and of programs per caller.
const MAX_POOLS: usize = 3;
const MAX_CALLERS: usize = 4;
const MAX_PROGRAMS: usize = 8;
/// The largest number of rungs of a ladder that is made short.
const SHORT_LADDER: usize = 6;
/// What the user asks for.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The schedulers to draw from.
    pub schedulers: Vec<Scheduler>,
    /// The numbers of workers to draw from.
    pub workers: Vec<usize>,
    /// What the pools have in common.
    pub pools: Pools,
}

impl Choice {
    /// Starts each possible kind of pool once, so that a bad setting is reported at once.
    pub fn new(schedulers: &[Scheduler], workers: &[usize], pools: &Pools) -> Result<Self, Failure> {
        let choice = Self {
            schedulers: if schedulers.is_empty() { usual_schedulers() } else { schedulers.to_vec() },
            workers: pools.several_workers(workers, &WORKERS),
            pools: pools.clone(),
        };
        for scheduler in &choice.schedulers {
            for &workers in &choice.workers {
                PoolPlan::new(scheduler, workers, pools).build().map_err(Failure::usage)?;
            }
        }
        Ok(choice)
    }
}

/// Those of the usual schedulers that this machine supports.
fn usual_schedulers() -> Vec<Scheduler> {
    let parsed = SCHEDULERS.iter().map(|text| text.parse().expect("a scheduler"));
    parsed
        .chain(CHAOS.map(Scheduler::chaos))
        .filter(|scheduler| PoolPlan::new(scheduler, 1, &Pools::default()).build().is_ok())
        .collect()
}

/// Whether a waiting worker runs only parts of what it waits for. If it may run anything, programs hold no mutex across
/// a join, no first branch waits for the second, and it is not checked which worker runs what.
fn is_strict(scheduler: &Scheduler) -> bool {
    let text = scheduler.to_string();
    !text.starts_with("chaos") && !text.contains("wait=any")
}

/// Whether a second branch can start while the first one blocks. If no worker takes, the second branch starts at a
/// return of the first.
fn takes(scheduler: &Scheduler) -> bool {
    let text = scheduler.to_string();
    // Under the other presets, no worker gets a fork from one that does not return.
    ["default", "cilk5"].iter().any(|preset| text.starts_with(preset)) && !text.contains("patience=never")
}

/// A pool of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolPlan {
    scheduler: Scheduler,
    workers: usize,
    pools: Pools,
    capacity: Option<usize>,
}

impl PoolPlan {
    fn new(scheduler: &Scheduler, workers: usize, pools: &Pools) -> Self {
        // The serial scheduler always has one worker.
        let workers = if *scheduler == Scheduler::serial() { 1 } else { workers };
        Self { scheduler: scheduler.clone(), workers, pools: pools.clone(), capacity: None }
    }

    /// Starts the pool.
    pub fn build(&self) -> Result<Pool, filch::PoolError> {
        let builder = self.pools.builder(&self.scheduler, self.workers).stack_size(STACK_BYTES);
        // Unless the user says, only CAB gets squads: of two workers each, and one of one if the number is odd.
        let squads: Vec<usize> = (0..self.workers).step_by(2).map(|first| 2.min(self.workers - first)).collect();
        let builder = match self.scheduler.to_string().starts_with("cab") && self.pools.placement().is_none() {
            true => builder.topology(Topology::of_squads(&squads)),
            false => builder,
        };
        match self.capacity {
            Some(frames) => builder.ladder_capacity(frames).build(),
            None => builder.build(),
        }
    }
}

/// A program of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramPlan {
    /// The seed from which it grows.
    pub seed: u64,
    /// The pool that its caller enters.
    pub pool: usize,
}

/// A case: callers that use the same pools, each of which runs its programs one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The pools.
    pub pools: Vec<PoolPlan>,
    /// What the programs may do.
    pub powers: Powers,
    /// The programs of each caller.
    pub callers: Vec<Vec<ProgramPlan>>,
    /// Whether it is checked that a waiting worker runs only parts of what it waits for.
    pub is_strict: bool,
}

impl Plan {
    /// The case of a seed.
    pub fn new(seed: u64, choice: &Choice) -> Self {
        let mut dice = Dice::new(seed);
        let mut pool = || PoolPlan::new(dice.pick(&choice.schedulers), *dice.pick(&choice.workers), &choice.pools);
        let mut pools = vec![pool(), pool(), pool()];
        pools.truncate(MAX_POOLS);
        let is_strict = pools.iter().all(|pool| is_strict(&pool.scheduler));
        let panics = dice.one_in(2) && cfg!(panic = "unwind");
        let none =
            Powers { locks: false, panics, scopes: true, awaits: 0, pools: 1, nest_any: false, callbacks: false };
        let spare = pools[0].workers - 1;
        // At most one of these, since each excludes the others: see `grow`.
        let powers = match dice.below(4) {
            0 => Powers { pools: 2 + dice.below(MAX_POOLS - 1), nest_any: dice.one_in(2), ..none },
            1 if is_strict => Powers { locks: true, ..none },
            2 if is_strict && spare > 0 && takes(&pools[0].scheduler) => {
                Powers { awaits: spare, panics: false, scopes: false, ..none }
            }
            _ => none,
        };
        pools.truncate(powers.pools);
        if powers.awaits == 0 {
            for pool in &mut pools {
                pool.capacity = dice.one_in(8).then(|| 1 + dice.below(SHORT_LADDER));
            }
        }
        let callers = if powers.awaits > 0 || dice.one_in(2) { 1 } else { 1 + dice.below(MAX_CALLERS) };
        let programs = 1 + dice.below(MAX_PROGRAMS);
        let mut program = |_| ProgramPlan { seed: dice.number(), pool: dice.below(powers.pools) };
        let callers = (0..callers).map(|_| (0..programs).map(&mut program).collect()).collect();
        // Drawn last, so that the rest is that of the same seed in earlier versions.
        let powers = Powers { callbacks: powers.awaits == 0 && dice.one_in(2), ..powers };
        Self { pools, powers, callers, is_strict }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for PoolPlan { scheduler, workers, capacity, .. } in &self.pools {
            write!(f, "{scheduler} on {}", counted(*workers, "worker"))?;
            if let Some(capacity) = capacity {
                write!(f, " with {}", counted(*capacity, "rung"))?;
            }
            write!(f, "; ")?;
        }
        let callers = counted(self.callers.len(), "caller");
        write!(f, "{callers} of {} each", counted(self.callers[0].len(), "program"))?;
        let Powers { locks, panics, awaits, nest_any, callbacks, .. } = self.powers;
        let powers = [
            (locks, "mutexes"),
            (panics, "panics"),
            (awaits > 0, "awaiting branches"),
            (nest_any, "circles of pools"),
            (callbacks, "callbacks that fork"),
        ];
        powers.iter().filter(|(has, _)| *has).try_for_each(|(_, what)| write!(f, ", {what}"))
    }
}

/// A count with its noun.
fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice() -> Choice {
        Choice { schedulers: usual_schedulers(), workers: WORKERS.to_vec(), pools: Pools::default() }
    }

    #[test]
    fn a_case_depends_on_its_seed_and_on_nothing_else() {
        assert_eq!(Plan::new(5, &choice()), Plan::new(5, &choice()));
        assert_ne!(Plan::new(5, &choice()), Plan::new(6, &choice()));
    }

    /// A worker that does not return keeps its forks where no worker takes.
    #[test]
    fn branches_await_others_only_where_a_worker_takes() {
        let takes = |text: &str| takes(&text.parse().unwrap());
        assert!(takes("default") && takes("default,period=0ns") && takes("cilk5"));
        for text in ["default,patience=never", "tascell", "heartbeat", "serial", "chaos"] {
            assert!(!takes(text), "{text}");
        }
    }

    #[test]
    fn the_next_seed_is_an_unrelated_case() {
        let plans: Vec<String> = (0..100).map(|seed| Plan::new(seed, &choice()).to_string()).collect();
        for word in [
            "serial",
            "cilk5,period=0ns",
            "8 workers",
            "mutexes",
            "panics",
            "awaiting",
            "4 callers",
            "rung",
            "circles",
            "chaos",
            "callbacks",
        ] {
            assert!(plans.iter().any(|plan| plan.contains(word)), "{word}");
        }
    }

    #[test]
    fn what_awaits_a_branch_leaves_a_worker_for_it() {
        for seed in 0..300 {
            let plan = Plan::new(seed, &choice());
            if plan.powers.awaits > 0 {
                assert!(plan.powers.awaits < plan.pools[0].workers);
                assert_eq!((plan.pools.len(), plan.callers.len(), plan.pools[0].capacity), (1, 1, None));
                assert!(!plan.powers.locks && !plan.powers.panics);
            }
        }
    }

    #[test]
    fn only_schedulers_whose_waiters_run_descendants_are_checked_for_it() {
        assert!(is_strict(&Scheduler::cilk5()) && is_strict(&Scheduler::default()));
        let any = Scheduler::default().with_wait(filch::Wait::Any);
        assert!(!is_strict(&any) && !is_strict(&Scheduler::chaos(1)));
    }
}
