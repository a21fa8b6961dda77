//! The same mistake of the policy, in the runtime and in the simulator: both change their counts alike.
//!
//! What is counted must not depend on how many processors are free: how often a worker asks does, because it asks only
//! while it runs. So it is how often the policy says no or yes where the mutant never does, or what a gift is worth.

use crate::runtime::walk;
use filch::{Decision, Pool};
use filch_policy::{Approach, Mistake, Rules, Scheduler, Victim};
use filch_sim::program::text::{Boxed, parse};
use filch_sim::program::{Extent, Node, Program, Shape};
use filch_sim::{Costs, Decisions, Simulation};
use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

/// What is compared.
#[derive(Clone, Debug, Default)]
struct Counts {
    gifts: u64,
    refusals: u64,
    /// Looks at another worker at a time when the own back-off forbids to ask.
    backed_off: Cell<u64>,
    /// How often a worker might not give, by its credit.
    denied: Cell<u64>,
    /// How often a worker would leave something unasked.
    left: Cell<u64>,
}

fn count(cell: &Cell<u64>, happens: bool) {
    cell.set(cell.get() + u64::from(happens));
}

const RUNS: u64 = 5;
const WORKERS: usize = 2;

/// The workers of one test at a time are on the processors.
static ALONE: Mutex<()> = Mutex::new(());

/// The policy, with its counts.
struct Counting<'c>(Rules, &'c Counts);

impl Decisions for Counting<'_> {
    fn rules(&self) -> &Rules {
        &self.0
    }

    fn oldest_of(&self, frames: usize) -> usize {
        self.0.oldest_of(frames)
    }

    fn approach(&self, victim: &Victim, asks_again_ns: u64, now_ns: u64) -> Approach {
        count(&self.1.backed_off, now_ns < asks_again_ns);
        self.0.approach(victim, asks_again_ns, now_ns)
    }

    fn spend_gift(&self, paid_ns: u64, now_ns: u64) -> Option<u64> {
        let spent = self.0.spend_gift(paid_ns, now_ns);
        count(&self.1.denied, spent.is_none());
        spent
    }

    fn leaves(&self, is_anybody_idle: bool) -> bool {
        let leaves = Decisions::leaves(&self.0, is_anybody_idle);
        count(&self.1.left, leaves);
        leaves
    }
}

fn with(scheduler: &str, mistake: Option<Mistake>) -> Scheduler {
    let scheduler: Scheduler = scheduler.parse().expect("a scheduler");
    mistake.into_iter().fold(scheduler, Scheduler::with_mistake)
}

/// The sums over several runs of one pool.
fn measured(program: &(dyn Program + Sync), scheduler: Scheduler) -> Counts {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let pool = Pool::builder().workers(WORKERS).scheduler(scheduler).build().expect("a pool");
    (0..RUNS).for_each(|_| pool.run(|s| walk(s, program, program.root())));
    let (counted, decisions) = pool.into_decisions();
    let counts = Counts { gifts: counted.forks_given, refusals: counted.refusals, ..Counts::default() };
    for decision in decisions.workers.into_iter().flatten() {
        match decision {
            Decision::Approach { asks_again_ns, now_ns, .. } => count(&counts.backed_off, now_ns < asks_again_ns),
            Decision::SpendGift { does, .. } => count(&counts.denied, does.is_none()),
            Decision::Leaves { does, .. } => count(&counts.left, does),
            _ => {}
        }
    }
    counts
}

/// The sums over several runs in the simulator, where each begins anew.
fn simulated(program: &dyn Program, scheduler: &Scheduler) -> Counts {
    let mut counts = Counts::default();
    for seed in 0..RUNS {
        let costs = Costs::ASSUMED;
        let rules = Rules::new(scheduler, costs.for_policy(WORKERS as u32), true);
        let counted = Simulation::new(program, Counting(rules, &counts), costs, WORKERS, seed).run().counts;
        counts.gifts += counted.gifts;
        counts.refusals += counted.refusals;
    }
    counts
}

/// Without and with the mistake: of the runtime, then of the simulator.
fn both(program: &(dyn Program + Sync), scheduler: &str, mistake: Mistake) -> [(Counts, Counts); 2] {
    let (policy, mutant) = (with(scheduler, None), with(scheduler, Some(mistake)));
    let in_simulator = (simulated(program, &policy), simulated(program, &mutant));
    [(measured(program, policy), measured(program, mutant)), in_simulator]
}

/// A worker gives away a chain of forks, and then waits for it. It asks for parts of the chain, which never has one to
/// give: at each return, the only frame has just been popped.
struct Chains;

/// How many forks and how long leaves the chains have: the one that the first worker runs, and the one it gives away.
const CHAINS: [(u64, u64); 2] = [(10, 300_000), (4_000, 50_000)];

impl Program for Chains {
    fn name(&self) -> String {
        "chains".to_owned()
    }

    fn root(&self) -> Node {
        Node { part: CHAINS.len() as u64, ..Node::default() }
    }

    fn open(&self, node: Node) -> Shape {
        let chain = |part: u64, size: u64| Node { part, size, ..node };
        let Some((_, work_ns)) = CHAINS.get(node.part as usize) else {
            return Shape::Fork { work_ns: 0, first: chain(0, CHAINS[0].0), second: chain(1, CHAINS[1].0) };
        };
        match node.size {
            0 => Shape::Leaf { work_ns: *work_ns },
            size => Shape::Fork { work_ns: 0, first: chain(node.part, 0), second: chain(node.part, size - 1) },
        }
    }

    fn extent(&self, _: Node) -> Option<Extent> {
        None
    }
}

#[test]
fn without_a_back_off_a_refused_worker_may_ask_at_each_look_in_both() {
    for (policy, mutant) in both(&Chains, "tascell", Mistake::NoBackOff) {
        assert!(policy.refusals > 0 && mutant.refusals > 0, "{mutant:?} instead of {policy:?}");
        assert!(policy.backed_off.get() > 0 && mutant.backed_off.get() == 0, "{mutant:?} instead of {policy:?}");
    }
}

/// With forks that are nested much deeper than a worker may give in a row.
fn deep() -> Boxed {
    parse("skew:90,step=45,leaf=50us").expect("a program")
}

#[test]
fn without_a_period_no_gift_is_denied_in_both() {
    for (policy, mutant) in both(&*deep(), "default,period=1000s", Mistake::NoPeriod) {
        assert!(policy.denied.get() > 0 && mutant.denied.get() == 0, "{mutant:?} instead of {policy:?}");
    }
}

#[test]
fn a_worker_that_never_leaves_anything_leaves_nothing_while_others_are_idle_in_both() {
    for (policy, mutant) in both(&*deep(), "default,patience=never", Mistake::NeverLeaves) {
        assert!(policy.left.get() > 0 && mutant.left.get() == 0, "{mutant:?} instead of {policy:?}");
    }
}
