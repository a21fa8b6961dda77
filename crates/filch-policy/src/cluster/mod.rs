//! Several ranks: whom a rank without work asks, when it asks again, and how often it looks for messages.
//!
//! Decided from how often a rank has been refused, from how long nothing has happened, and from random numbers. A rank
//! asks the nearest others first, then random ones. If these refuse, it parks an ask at each of its lifelines, which
//! hold the ask until they have work (Saraswat, Kambadur, Kodali, Grove and Krishnamoorthy 2011, section 3).
//! [`Asking`] and [`Asked`] keep the asks of a rank, and those of others.

mod asks;

use crate::random::Random;
pub use asks::{Ask, Asked, Asking};

/// How many random ranks are asked before asks are parked: w in Saraswat et al. 2011, where 1 and 2 do about as well as
/// more.
const RANDOM_ASKS: usize = 2;

/// With up to so many ranks, nobody is asked at random. Each has a lifeline to about half of the others or more, which
/// keep an ask; asks at random are refused for the most part, by two messages each.
const FEW_RANKS: usize = 8;

/// Whom a rank asks next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// This rank.
    Rank(usize),
    /// Its lifelines, and then nobody until it has got something.
    Lifelines,
}

/// Whom a rank asks that has been refused this many times in a row. `rings` are the other ranks, the nearest first.
fn target(rings: &[Vec<usize>], refusals: u32, random: &mut Random) -> Target {
    let refusals = refusals as usize;
    let count: usize = rings.iter().map(Vec::len).sum();
    if count < FEW_RANKS || refusals >= rings.len() + RANDOM_ASKS {
        return Target::Lifelines;
    }
    let mut place = match rings.get(refusals) {
        Some(ring) if !ring.is_empty() => return Target::Rank(ring[random.below(ring.len())]),
        _ => random.below(count),
    };
    for ring in rings {
        match ring.get(place) {
            Some(&rank) => return Target::Rank(rank),
            None => place -= ring.len(),
        }
    }
    Target::Lifelines
}

/// The lifelines of a rank: its neighbours in a hypercube of which the upper corners may be missing. Each rank can be
/// reached from each other one.
fn lifelines(rank: usize, ranks: usize) -> impl Iterator<Item = usize> {
    let dimensions = usize::BITS - ranks.saturating_sub(1).leading_zeros();
    (0..dimensions).map(move |dimension| rank ^ 1 << dimension).filter(move |&other| other < ranks)
}

/// About the time that an ask and its answer take by a network.
const FIRST_BACK_OFF_NS: u64 = 20_000;
const LONGEST_BACK_OFF_NS: u64 = 1_000_000;

/// How long a rank waits before it asks again, after this many refusals in a row.
fn back_off_ns(refusals: u32) -> u64 {
    if refusals == 0 { 0 } else { (FIRST_BACK_OFF_NS << (refusals - 1).min(10)).min(LONGEST_BACK_OFF_NS) }
}

/// A large part, with the path of a deep tree, takes this long to come at most. Beyond, there was no work to be had.
const LONGEST_WAY_NS: u64 = 5_000_000;

/// How long a rank of so many `workers` waits before it asks again that has got `shorts` short parts in a row, and how
/// many these are after one that has come `awaited_ns` after the ask, and has been done in `took_ns`. A part is short
/// that has taken less time than its way, which takes at least as long as a rank of that size pauses. Near its end a
/// thin tree has little at each node: the parts of T3 are a few nodes then, one after another, and each stops a worker
/// of the giver for a copy. So a rank waits for up to 16 times as long as they take.
fn rest_ns(workers: usize, shorts: u32, awaited_ns: u64, took_ns: u64) -> (u32, u64) {
    let way_ns = awaited_ns.clamp(longest_pause_ns(workers), LONGEST_WAY_NS);
    let shorts = if took_ns < way_ns { shorts + 1 } else { 0 };
    (shorts, if shorts < 2 { 0 } else { way_ns << (shorts - 2).min(4) })
}

/// How long a rank that works keeps an ask that is not parked, for a part that its workers may split off, before it
/// refuses. They do so at their next nodes.
const PATIENCE_NS: u64 = 2_000_000;

/// How often a rank tells rank 0 what it has counted. Progress that is shown to people need not be newer.
pub const TALLY_NS: u64 = 100_000_000;

/// How long the workers may take to split off a part before they are interrupted again.
const INTERRUPT_NS: u64 = 1_000_000;

/// When the workers of a rank are interrupted, so that they split off what other ranks want.
#[derive(Debug, Default)]
pub struct Interrupts {
    /// When they have been interrupted last for what is wanted now, and how many pieces were wanted then.
    last: Option<(u64, usize)>,
}

impl Interrupts {
    /// Whether they are interrupted now, since so many pieces are wanted: more than before, or fewer, so that there
    /// were some to be had.
    pub fn is_due(&mut self, wanted: usize, now_ns: u64) -> bool {
        let is_due = wanted > 0
            && self.last.is_none_or(|(since_ns, before)| wanted != before || now_ns >= since_ns + INTERRUPT_NS);
        if is_due {
            self.last = Some((now_ns, wanted));
        } else if wanted == 0 {
            self.last = None;
        }
        is_due
    }
}

/// The cost of a look for messages with a sleep is about 10 µs, so that a rank without work takes 1 % of a core.
const LONGEST_PAUSE_NS: u64 = 1_000_000;
const SHORTEST_PAUSE_NS: u64 = 20_000;

/// How long a rank pauses between two looks for messages. Where it `awaits` something, and something has happened
/// `since_ns` ago, that is a part of this time: an answer comes late by a part of the time that it has taken.
pub fn pause_ns(awaits: bool, since_ns: u64) -> u64 {
    if awaits { (since_ns / 8).clamp(SHORTEST_PAUSE_NS, LONGEST_PAUSE_NS) } else { LONGEST_PAUSE_NS }
}

/// How long a rank with so many `workers` pauses, of which some have work: 0 if none has. What a look costs is compared
/// with what a pool does: a rank of 16 workers looks every 62 µs, and loses 1 % of its processors by that. Also when
/// one worker has all the work, because then the others of the cluster have none. A rank without work pauses as
/// [`pause_ns`] says.
pub fn pause_beside_ns(workers: usize, awaits: bool, since_ns: u64) -> u64 {
    pause_ns(awaits, since_ns).min(longest_pause_ns(workers))
}

fn longest_pause_ns(workers: usize) -> u64 {
    LONGEST_PAUSE_NS.checked_div(workers as u64).map_or(LONGEST_PAUSE_NS, |pause| pause.max(SHORTEST_PAUSE_NS))
}

/// How many workers of a rank that is asked split a piece off, where `busy` of them have work and `lacking` workers of
/// the asker have none: half of the rank's workers at most, so that the asker gets up to a quarter of its work. One
/// piece alone would be half of a sixteenth of it on 16 workers, and the asker would ask again before long.
fn pieces(lacking: usize, busy: usize) -> usize {
    lacking.min(busy.div_ceil(2))
}

/// How long a rank keeps what some of its workers have split off for an ask, until others have done so, too. They do so
/// at their next nodes.
const GATHER_NS: u64 = 50_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_is_reached_along_lifelines_and_they_lead_both_ways() {
        for ranks in 1..70 {
            let mut is_reached = vec![false; ranks];
            let mut reached = vec![0];
            while let Some(rank) = reached.pop() {
                if !std::mem::replace(&mut is_reached[rank], true) {
                    reached.extend(lifelines(rank, ranks));
                }
                assert!(
                    lifelines(rank, ranks).all(|other| other != rank && lifelines(other, ranks).any(|it| it == rank))
                );
                assert!(lifelines(rank, ranks).count() <= 7);
            }
            assert!(is_reached.into_iter().all(|it| it), "{ranks} ranks");
        }
    }

    #[test]
    fn the_nearest_are_asked_first_then_any_then_the_lifelines() {
        let rings = [vec![1, 2], vec![3, 4, 5, 6, 7, 8]];
        for seed in 0..50 {
            let mut random = Random::new(seed);
            let targets = [0, 1, 2, 3, 4, 99].map(|refusals| target(&rings, refusals, &mut random));
            assert!(matches!(targets[0], Target::Rank(1 | 2)) && matches!(targets[1], Target::Rank(3..=8)));
            assert!(matches!(targets[2..4], [Target::Rank(1..=8), Target::Rank(1..=8)]), "{targets:?}");
            assert_eq!(targets[4..], [Target::Lifelines; 2]);
        }
    }

    #[test]
    fn few_other_ranks_are_asked_once_for_all() {
        assert_eq!(target(&[vec![1]], 0, &mut Random::new(1)), Target::Lifelines);
        assert_eq!(target(&[vec![1, 2, 3], vec![4, 5, 6, 7]], 0, &mut Random::new(1)), Target::Lifelines);
        assert_eq!(target(&[], 0, &mut Random::new(1)), Target::Lifelines);
    }

    #[test]
    fn short_parts_in_a_row_make_a_rank_rest_for_longer_and_a_long_one_ends_that() {
        let mut shorts = 0;
        let mut rest = |took_ns| {
            let rest;
            (shorts, rest) = rest_ns(1, shorts, 0, took_ns);
            rest / 1_000_000
        };
        assert_eq!([0, 5, 0, 999_999, 0, 0, 0, 0].map(&mut rest), [0, 1, 2, 4, 8, 16, 16, 16]);
        assert_eq!([1_000_000, 7, 7].map(rest), [0, 0, 1]);
        let rests =
            [rest_ns(1, 1, 3_000_000, 2_000_000), rest_ns(1, 1, u64::MAX, 6_000_000), rest_ns(10, 1, 0, 100_000)];
        assert_eq!(rests, [(2, 3_000_000), (0, 0), (0, 0)]);
    }

    #[test]
    fn waits_grow_up_to_a_millisecond() {
        assert_eq!([0, 1, 2, 3, 99].map(back_off_ns), [0, 20_000, 40_000, 80_000, 1_000_000]);
        assert_eq!([0, 800_000, u64::MAX].map(|since| pause_ns(true, since)), [20_000, 100_000, 1_000_000]);
        assert_eq!(pause_ns(false, 0), 1_000_000);
    }

    #[test]
    fn the_more_workers_a_rank_has_the_sooner_it_looks_again() {
        let pauses = [0, 1, 2, 16, 1000].map(|workers| pause_beside_ns(workers, false, 0));
        assert_eq!(pauses, [1_000_000, 1_000_000, 500_000, 62_500, 20_000]);
        assert_eq!(pause_beside_ns(16, true, 0), 20_000);
    }

    #[test]
    fn workers_are_interrupted_when_what_is_wanted_changes_and_after_a_while() {
        let mut interrupts = Interrupts::default();
        let looks = [(0, 0), (2, 5), (2, 6), (1, 7), (3, 8), (3, 9), (3, 8 + INTERRUPT_NS), (0, 0), (1, 0)];
        let due = looks.map(|(wanted, now_ns)| interrupts.is_due(wanted, now_ns));
        assert_eq!(due, [false, true, false, true, true, false, true, false, true]);
    }

    #[test]
    fn half_of_the_busy_workers_give_at_most() {
        assert_eq!([pieces(16, 16), pieces(1, 16), pieces(16, 3), pieces(16, 1), pieces(2, 0)], [8, 1, 2, 1, 0]);
    }
}
