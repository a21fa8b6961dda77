//! The runtime decides as the simulator does: the decisions of a real pool are made again, from the recorded state, by
//! the policy of the simulator (`crates/filch/src/decisions.rs`).
//!
//! Each decision must be the same. The accounts in the records must also be those that the policy has made: charged one
//! after another from zero on, and seen by thieves only with values that they once held.

use crate::mutants::{Mistake, Mutant};
use crate::runtime::{spin, walk};
use filch::topology::Topology;
use filch::{Counters, Decision, Pool, Strand};
use filch_policy::{self as policy, Approach, Called, Fork, Gift, Rules};
use filch_sim::Decisions;
use filch_sim::program::text::parse;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::mem::{Discriminant, discriminant};
use std::sync::LazyLock;

/// What a pool has done and decided, and its rules, made from the same settings.
struct Played {
    rules: Rules,
    counters: Counters,
    workers: Vec<Vec<Decision>>,
    team: Vec<Decision>,
}

impl Played {
    fn decisions(&self) -> impl Iterator<Item = Decision> {
        self.workers.iter().flatten().chain(&self.team).copied()
    }

    fn count(&self, is_meant: impl Fn(&Decision) -> bool) -> u64 {
        self.decisions().filter(is_meant).count() as u64
    }
}

/// Deep and wide trees, short and long leaves.
const PROGRAMS: [&str; 5] = [
    "fib:17,leaf=100ns",
    "skew:90,step=45,leaf=20us",
    "random:3000,leaf=1us..10us,seed=7",
    "random:100,leaf=5us|1ms/20",
    "phases:6,(loop:150,body=exp(8us)),(knary:4,3,1,unit=5us)",
];

/// A loop of the runtime, of which half can be given.
fn range(mut s: Strand<'_>) {
    s.for_each(0..600, |_, _| spin(5_000));
}

fn play(scheduler: &str, squads: &[usize]) -> Played {
    let scheduler = scheduler.parse().expect("a scheduler");
    let pool = Pool::builder().topology(Topology::of_squads(squads)).scheduler(scheduler);
    let pool = pool.build().expect("a pool");
    for program in PROGRAMS {
        let program = parse(program).expect("a program");
        pool.run(|s| walk(s, &*program, program.root()));
        pool.run(range);
    }
    let scheduler = pool.scheduler().clone();
    let (counters, filch::Decisions { costs, taking, workers, team }) = pool.into_decisions();
    Played { rules: Rules::new(&scheduler, costs, taking), counters, workers, team }
}

/// Pools of two to five workers, under all schedulers that share.
static PLAYED: LazyLock<Vec<Played>> = LazyLock::new(|| {
    let schedulers = ["default", "default,period=0ns", "tascell", "cilk5", "heartbeat,period=30us", "cab,boundary=3"];
    let teams: [&[usize]; 3] = [&[1, 1], &[2, 2], &[2, 3]];
    let pools = schedulers.into_iter().flat_map(|scheduler| teams.map(|squads| (scheduler, squads)));
    pools.map(|(scheduler, squads)| play(scheduler, squads)).collect()
});

/// A question with the recorded answer, if it was asked. It must be asked again, or not again.
struct Question(Option<bool>, Cell<bool>);

impl Question {
    fn new(answer: Option<bool>) -> Self {
        Question(answer, Cell::new(false))
    }

    fn ask(&self) -> bool {
        self.1.set(true);
        self.0.unwrap_or_default()
    }

    fn is_as_before(&self) -> bool {
        self.0.is_some() == self.1.get()
    }
}

/// Whether a decision comes out as it was recorded. `with` makes the policy for a time when taking is possible or not.
fn is_decided_again<D: Decisions>(with: impl Fn(bool) -> D, decision: Decision) -> bool {
    let decisions = with(true);
    match decision {
        Decision::Approach { seen, asks_again_ns, takes, now_ns, does, .. } => {
            with(takes).approach(&seen, asks_again_ns, now_ns) == does
        }
        Decision::GivesUp { waited_ns, paid, takes, now_ns, has_others, does } => {
            let has_others = Question::new(has_others);
            with(takes).gives_up(waited_ns, paid, now_ns, || has_others.ask()) == does && has_others.is_as_before()
        }
        Decision::Silence { now_ns, does, .. } => decisions.silence(now_ns) == does,
        Decision::BackOff { refusals, does, .. } => decisions.back_off_ns(refusals) == does,
        Decision::Interrupt { paid, now_ns, does } => decisions.interrupt(paid, now_ns) == does,
        Decision::Gift { gifts, wants, does } => decisions.gift(gifts, wants) == does,
        Decision::SpendGift { paid_ns, now_ns, does } => decisions.spend_gift(paid_ns, now_ns) == does,
        Decision::Leaves { is_anybody_idle, does } => decisions.leaves(is_anybody_idle) == does,
        Decision::FirstFork { forks_across, may_leave, does } => {
            let may_leave = Question::new(may_leave);
            Fork::at_first(forks_across, || may_leave.ask()) == does && may_leave.is_as_before()
        }
        Decision::MarkedFork { wish, forks_across, may_leave, is_watched, does } => {
            let (leaves, watched) = (Question::new(may_leave), Question::new(is_watched));
            let fork = Fork::at_mark(wish, forks_across, || leaves.ask(), || watched.ask());
            fork == does && leaves.is_as_before() && watched.is_as_before()
        }
        Decision::BeginsEager { leaves, forks_across, does } => policy::begins_eager(leaves, forks_across) == does,
        Decision::BeatIsDue { last_ns, now_ns, does } => {
            decisions.rules().beat().is_some_and(|beat| beat.is_due(last_ns, now_ns)) == does
        }
        Decision::BeatNoticed { .. } => true,
        Decision::Called { moment, has_squads, does } => policy::called_at(moment, has_squads) == does,
        Decision::CallsOne { things, idle, asleep, does } => policy::calls_one(things, idle, asleep) == does,
        Decision::LooksAcross { is_head, is_busy, does } => policy::looks_across(is_head, is_busy) == does,
    }
}

/// The same decision with another outcome, where no mutant of the simulator makes one.
fn falsified(decision: Decision) -> Option<Decision> {
    let other = |fork| if fork == Fork::Pushes { Fork::Shares } else { Fork::Pushes };
    let mut decision = decision;
    match &mut decision {
        Decision::FirstFork { does, .. } | Decision::MarkedFork { does, .. } => *does = other(*does),
        Decision::Called { does, .. } => {
            *does = if *does == Called::Nobody { Called::Everyone } else { Called::Nobody }
        }
        Decision::BeginsEager { does, .. }
        | Decision::BeatIsDue { does, .. }
        | Decision::CallsOne { does, .. }
        | Decision::LooksAcross { does, .. } => *does = !*does,
        _ => return None,
    }
    Some(decision)
}

#[test]
fn what_real_pools_have_decided_the_policy_decides_again() {
    for played in &*PLAYED {
        for decision in played.decisions() {
            let with = |takes| played.rules.where_taking_is(takes);
            assert!(is_decided_again(with, decision), "{decision:?} under {:?}", played.rules);
        }
    }
}

#[test]
fn each_kind_of_decision_has_been_made_and_a_wrong_one_of_each_kind_is_noticed() {
    let mut noticed: BTreeSet<String> = BTreeSet::new();
    let kind = |decision: Decision| format!("{decision:?}").split(' ').next().map(str::to_owned).expect("a name");
    let mut seen: Vec<Discriminant<Decision>> = Vec::new();
    for played in &*PLAYED {
        for decision in played.decisions() {
            let with = |takes| played.rules.where_taking_is(takes);
            let is_new = !seen.contains(&discriminant(&decision));
            if is_new && falsified(decision).is_some_and(|wrong| !is_decided_again(with, wrong)) {
                noticed.insert(kind(decision));
                seen.push(discriminant(&decision));
            }
        }
    }
    let mutants = [
        (Mistake::TakesAtOnce, "Approach"),
        (Mistake::NeverGivesUp, "GivesUp"),
        (Mistake::NeverSilent, "Silence"),
        (Mistake::NoBackOff, "BackOff"),
        (Mistake::NeverInterrupts, "Interrupt"),
        (Mistake::NeverGives, "Gift"),
        (Mistake::NoPeriod, "SpendGift"),
        (Mistake::NeverLeaves, "Leaves"),
    ];
    for (mistake, name) in mutants {
        let differs = |played: &Played| {
            let with = |takes| Mutant(played.rules.where_taking_is(takes), mistake);
            let wrong: BTreeSet<String> =
                played.decisions().filter(|&decision| !is_decided_again(with, decision)).map(kind).collect();
            assert!(wrong.iter().all(|kind| kind == name), "{mistake:?} changes {wrong:?}");
            !wrong.is_empty()
        };
        assert!(PLAYED.iter().filter(|played| differs(played)).count() > 0, "{mistake:?} is not noticed");
        noticed.insert(name.to_owned());
    }
    assert_eq!(noticed.len(), 15, "all kinds: {noticed:?}");
}

/// The values of an account, or of another state, over time: zero at first, and then the results of decisions.
struct Times(BTreeSet<u64>);

impl Times {
    fn of(decisions: &[Decision], made: impl Fn(Decision) -> Option<u64>) -> Self {
        Times(decisions.iter().copied().filter_map(made).chain([0]).collect())
    }

    fn had(&self, time_ns: u64) -> bool {
        self.0.contains(&time_ns)
    }
}

#[test]
fn accounts_begin_at_zero_and_each_charge_finds_what_the_last_one_has_left() {
    for Played { rules, workers, .. } in &*PLAYED {
        for decisions in workers {
            let (mut gifts_ns, mut takes_ns) = (0, 0);
            for decision in decisions {
                match *decision {
                    Decision::SpendGift { paid_ns, now_ns, .. } => {
                        assert_eq!(paid_ns, gifts_ns, "{decision:?}");
                        gifts_ns = rules.spend_gift(gifts_ns, now_ns).unwrap_or(gifts_ns);
                    }
                    Decision::Interrupt { paid, now_ns, .. } => {
                        assert_eq!(paid.victim_ns, takes_ns, "{decision:?}");
                        takes_ns = Decisions::interrupt(rules, paid, now_ns).map_or(takes_ns, |paid| paid.victim_ns);
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn a_decision_sees_only_states_that_decisions_have_made() {
    for Played { workers, .. } in &*PLAYED {
        let all = workers.concat();
        let team_silence = Times::of(&all, |decision| match decision {
            Decision::Silence { does, .. } => Some(does.team_until_ns),
            _ => None,
        });
        let of_victims: Vec<[Times; 3]> = (0..workers.len())
            .map(|me| {
                let gifts = Times::of(&workers[me], |decision| match decision {
                    Decision::SpendGift { does, .. } => does,
                    _ => None,
                });
                let takes = Times::of(&workers[me], |decision| match decision {
                    Decision::Interrupt { does, .. } => does.map(|paid| paid.victim_ns),
                    _ => None,
                });
                let silence = Times::of(&all, |decision| match decision {
                    Decision::Silence { victim, does, .. } if victim == me => Some(does.victim_until_ns),
                    _ => None,
                });
                [gifts, takes, silence]
            })
            .collect();
        for decisions in workers {
            let back_offs = Times::of(decisions, |decision| match decision {
                Decision::BackOff { asks_again_ns, .. } => Some(asks_again_ns),
                _ => None,
            });
            let beats = Times::of(decisions, |decision| match decision {
                Decision::BeatIsDue { now_ns, does: true, .. } | Decision::BeatNoticed { now_ns } => Some(now_ns),
                _ => None,
            });
            for decision in decisions {
                let is_known = match *decision {
                    Decision::Approach { victim, seen, asks_again_ns, .. } => {
                        let [gifts, takes, silence] = &of_victims[victim];
                        gifts.had(seen.gives_paid_ns)
                            && takes.had(seen.takes_paid.victim_ns)
                            && silence.had(seen.silent_until_ns)
                            && team_silence.had(seen.team_silent_until_ns)
                            && back_offs.had(asks_again_ns)
                    }
                    Decision::BeatIsDue { last_ns, .. } => beats.had(last_ns),
                    _ => true,
                };
                assert!(is_known, "{decision:?}");
            }
        }
    }
}

#[test]
fn the_runtime_does_what_has_been_decided() {
    for played in &*PLAYED {
        let Counters { asks, refusals, withdrawals, forks_taken, forks_given, .. } = played.counters;
        let approaches =
            |it| played.count(|decision| matches!(decision, Decision::Approach { does, .. } if *does == it));
        assert!(asks <= approaches(Approach::Ask));
        assert_eq!(refusals, played.count(|decision| matches!(decision, Decision::BackOff { .. })));
        assert_eq!(withdrawals, played.count(|decision| matches!(decision, Decision::Silence { .. })));
        assert!(forks_taken <= played.count(|decision| matches!(decision, Decision::Interrupt { does: Some(_), .. })));
        if !played.rules.leaves(true) && played.rules.beat().is_none() {
            let gives = |decision: &Decision| matches!(decision, Decision::Gift { does, .. } if *does != Gift::Nothing);
            assert_eq!(forks_given, played.count(gives));
        }
    }
}
