//! Mutants of the policy: each changes one decision, and the counts of the simulator show it. So no decision is made
//! here a second time.

use crate::rules;
use filch_policy::{Approach, Gift, Gifts, Paid, Rules, Victim};
use filch_sim::program::text::parse;
use filch_sim::{Costs, Decisions, Outcome, Simulation};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mistake {
    None,
    GivesTheYoungest,
    NoPeriod,
    NoBackOff,
    NeverGives,
    NeverLeaves,
    TakesAtOnce,
    NeverInterrupts,
}

struct Mutant(Rules, Mistake);

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

    fn leaves(&self, is_anybody_idle: bool) -> bool {
        self.1 != Mistake::NeverLeaves && self.0.leaves(is_anybody_idle)
    }
}

fn run(scheduler: &str, mistake: Mistake, seed: u64) -> Outcome {
    let program = parse("random:20000,leaf=500ns..3us,seed=2").expect("a program");
    let costs = Costs::ASSUMED;
    let outcome = Simulation::new(&*program, Mutant(rules(scheduler, costs, 16), mistake), costs, 16, seed).run();
    assert_eq!(outcome.run.leaves, 20_000, "{mistake:?} loses nothing");
    outcome
}

/// The sum of a figure over some seeds, with a mistake and without.
fn with_and_without(scheduler: &str, mistake: Mistake, figure: impl Fn(&Outcome) -> u64) -> (u64, u64) {
    let sum = |mistake| (0..5).map(|seed| figure(&run(scheduler, mistake, seed))).sum();
    (sum(mistake), sum(Mistake::None))
}

#[test]
fn who_gives_the_youngest_frame_gives_more_often() {
    let (mutant, policy) = with_and_without("tascell", Mistake::GivesTheYoungest, |it| it.counts.moved);
    assert!(mutant > 2 * policy, "{mutant} frames moved, {policy} without the mistake");
}

#[test]
fn without_a_period_more_is_given() {
    let (mutant, policy) = with_and_without("default", Mistake::NoPeriod, |it| it.counts.gifts);
    assert!(mutant > policy + policy / 4, "{mutant} gifts, {policy} without the mistake");
    let by_setting: u64 = (0..5).map(|seed| run("default,period=0ns", Mistake::None, seed).counts.gifts).sum();
    assert!(by_setting > policy + policy / 4, "{by_setting} gifts by the setting, {policy} without");
}

#[test]
fn without_a_back_off_more_is_asked() {
    let (mutant, policy) = with_and_without("tascell", Mistake::NoBackOff, |it| it.counts.asks);
    assert!(mutant > policy + policy / 4, "{mutant} asks, {policy} without the mistake");
}

#[test]
fn what_is_never_given_is_taken_and_what_is_never_left_is_asked_for() {
    let (mutant, policy) = with_and_without("default", Mistake::NeverGives, |it| it.counts.takes);
    assert!(mutant > 2 * policy.max(1), "{mutant} takes, {policy} without the mistake");
    let asked = |it: &Outcome| it.counts.asks;
    let (mutant, policy) = with_and_without("default", Mistake::NeverLeaves, asked);
    assert!(mutant > 2 * policy, "{mutant} asks, {policy} without the mistake");
}

#[test]
fn who_takes_at_once_asks_nobody_and_who_never_interrupts_takes_nothing() {
    assert_eq!(with_and_without("default", Mistake::TakesAtOnce, |it| it.counts.asks).0, 0);
    assert_eq!(with_and_without("cilk5", Mistake::NeverInterrupts, |it| it.counts.moved).0, 0);
}
