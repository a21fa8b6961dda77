//! Mutants of the policy: each changes one decision, and the counts of the simulator show it.

use crate::rules;
use filch_policy::{Approach, Gift, Gifts, Paid, Rules, Silence, Victim};
use filch_sim::program::text::parse;
use filch_sim::program::totals::Totals;
use filch_sim::{Costs, Decisions, Outcome, Simulation};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mistake {
    None,
    GivesTheYoungest,
    NoPeriod,
    NoBackOff,
    NeverGives,
    NeverLeaves,
    TakesAtOnce,
    NeverInterrupts,
    NeverGivesUp,
    NeverSilent,
}

pub(crate) struct Mutant(pub(crate) Rules, pub(crate) Mistake);

impl Decisions for Mutant {
    fn rules(&self) -> &Rules {
        &self.0
    }

    fn approach(&self, victim: &Victim, asks_again_ns: u64, now_ns: u64) -> Approach {
        match self.1 {
            Mistake::TakesAtOnce => Approach::Take,
            _ => self.0.approach(victim, asks_again_ns, now_ns),
        }
    }

    fn gift<T: Copy + PartialEq>(&self, gifts: Gifts<T>, wants: Option<T>) -> Gift {
        if self.1 == Mistake::NeverGives { Gift::Nothing } else { gifts.choose(wants) }
    }

    fn oldest_of(&self, frames: usize) -> usize {
        if self.1 == Mistake::GivesTheYoungest { frames - 1 } else { 0 }
    }

    fn spend_gift(&self, paid_ns: u64, now_ns: u64) -> Option<u64> {
        if self.1 == Mistake::NoPeriod { Some(paid_ns) } else { self.0.spend_gift(paid_ns, now_ns) }
    }

    fn interrupt(&self, paid: Paid, now_ns: u64) -> Option<Paid> {
        if self.1 == Mistake::NeverInterrupts { None } else { self.0.interrupt(paid, now_ns) }
    }

    fn back_off_ns(&self, refusals: u64) -> u64 {
        if self.1 == Mistake::NoBackOff { 0 } else { self.0.back_off_ns(refusals) }
    }

    fn gives_up(&self, waited_ns: u64, paid: Paid, now_ns: u64, has_others: impl FnOnce() -> bool) -> bool {
        self.1 != Mistake::NeverGivesUp && self.0.gives_up(waited_ns, paid, now_ns, has_others)
    }

    fn silence(&self, now_ns: u64) -> Silence {
        match self.1 {
            Mistake::NeverSilent => Silence { victim_until_ns: 0, team_until_ns: 0 },
            _ => self.0.silence(now_ns),
        }
    }

    fn leaves(&self, is_anybody_idle: bool) -> bool {
        self.1 != Mistake::NeverLeaves && self.0.leaves(is_anybody_idle)
    }
}

const WORKERS: usize = 32;
const SEEDS: u64 = 20;

/// Much parallelism, and short leaves.
const WIDE: &str = "random:20000,leaf=500ns..3us,seed=2";

/// So short that many askers come late.
const SHORT: &str = "fib:18,leaf=100ns";

fn run(program: &str, scheduler: &str, mistake: Mistake, seed: u64) -> Outcome {
    let program = parse(program).expect("a program");
    let costs = Costs::ASSUMED;
    let mutant = Mutant(rules(scheduler, costs, WORKERS), mistake);
    let outcome = Simulation::new(&*program, mutant, costs, WORKERS, seed).run();
    let leaves = Totals::of(&*program, 0).leaves;
    assert_eq!(outcome.run.leaves, leaves, "{mistake:?} loses nothing");
    outcome
}

/// The sum of a figure over some seeds, with a mistake and without.
fn with_and_without(on: (&str, &str), mistake: Mistake, figure: impl Fn(&Outcome) -> u64) -> (u64, u64) {
    let sum = |mistake| (0..SEEDS).map(|seed| figure(&run(on.0, on.1, mistake, seed))).sum();
    (sum(mistake), sum(Mistake::None))
}

#[test]
fn a_worker_that_gives_the_youngest_frame_gives_more_often() {
    let (mutant, policy) = with_and_without((WIDE, "tascell"), Mistake::GivesTheYoungest, |it| it.counts.moved);
    assert!(mutant > 2 * policy, "{mutant} frames moved, {policy} without the mistake");
}

#[test]
fn without_a_period_more_is_given() {
    let (mutant, policy) = with_and_without((WIDE, "default"), Mistake::NoPeriod, |it| it.counts.gifts);
    assert!(mutant > policy + policy / 8, "{mutant} gifts, {policy} without the mistake");
    let by_setting: u64 =
        (0..SEEDS).map(|seed| run(WIDE, "default,period=0ns", Mistake::None, seed).counts.gifts).sum();
    assert!(by_setting > policy + policy / 8, "{by_setting} gifts by the setting, {policy} without");
}

#[test]
fn without_a_back_off_asks_are_refused_more_often() {
    let (mutant, policy) = with_and_without((SHORT, "tascell"), Mistake::NoBackOff, |it| it.counts.refusals);
    assert!(mutant > policy + policy / 20, "{mutant} refusals, {policy} without the mistake");
}

#[test]
fn a_worker_that_never_gives_refuses_and_frames_that_are_never_left_are_asked_for() {
    let (mutant, policy) = with_and_without((WIDE, "default"), Mistake::NeverGives, |it| it.counts.refusals);
    assert!(mutant > 2 * policy.max(1), "{mutant} refusals, {policy} without the mistake");
    let asked = |it: &Outcome| it.counts.asks;
    let (mutant, policy) = with_and_without((WIDE, "default"), Mistake::NeverLeaves, asked);
    assert!(mutant > policy + policy / 2, "{mutant} asks, {policy} without the mistake");
}

#[test]
fn an_asker_that_never_gives_up_never_withdraws_and_one_that_notes_no_silence_asks_the_silent_again() {
    // One leaf lasts longer than any patience.
    let on = ("random:500,leaf=5us|2ms/50", "default");
    assert_eq!(with_and_without(on, Mistake::NeverGivesUp, |it| it.counts.withdrawals).0, 0);
    let (mutant, policy) = with_and_without(on, Mistake::NeverSilent, |it| it.counts.withdrawals);
    assert!(mutant > policy + policy / 4, "{mutant} asks withdrawn, {policy} without the mistake");
}

#[test]
fn a_thief_that_takes_immediately_never_asks_and_one_that_never_interrupts_takes_nothing() {
    assert_eq!(with_and_without((WIDE, "default"), Mistake::TakesAtOnce, |it| it.counts.asks).0, 0);
    assert_eq!(with_and_without((WIDE, "cilk5"), Mistake::NeverInterrupts, |it| it.counts.moved).0, 0);
}
