//! Asks and their answers: exactly one for each.
//!
//! A rank has at most one ask under way that is answered soon, and at most one parked ask at each of its lifelines. It
//! is done with a search when all have been answered. So a rank that is asked knows that the asker listens.

use crate::message::Message;
use filch_policy::Random;
use filch_policy::cluster::{PATIENCE_NS, Target, back_off_ns, lifelines, rest_ns, target};
use std::collections::VecDeque;

/// The asks of this rank.
pub(super) struct Asking {
    rank: usize,
    /// The other ranks, the nearest first.
    rings: Vec<Vec<usize>>,
    lifelines: Vec<usize>,
    random: Random,
    under_way: Vec<Ask>,
    /// How many there have been.
    count: u32,
    /// In a row.
    refusals: u32,
    /// Short parts, in a row.
    shorts: u32,
    /// When a part has come, since which this rank has had work, and how long before that it was asked for.
    got_ns: Option<(u64, u64)>,
    /// Not before then, in nanoseconds.
    next_ns: u64,
}

struct Ask {
    to: usize,
    seq: u32,
    parks: bool,
    since_ns: u64,
}

impl Asking {
    pub(super) fn new(rank: usize, rings: Vec<Vec<usize>>, random: Random) -> Self {
        let lifelines = lifelines_among(rank, &rings);
        let (under_way, got_ns) = (Vec::new(), None);
        Asking { rank, rings, lifelines, random, under_way, count: 0, refusals: 0, shorts: 0, got_ns, next_ns: 0 }
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Whether an answer comes soon.
    pub(super) fn awaits(&self) -> bool {
        self.under_way.iter().any(|ask| !ask.parks)
    }

    /// When to ask again, if that is known.
    pub(super) fn next_ns(&self) -> u64 {
        self.next_ns
    }

    /// This rank lacks work, or has none (`is_idle`): whom it asks now.
    pub(super) fn ask(&mut self, is_idle: bool, now_ns: u64) -> Vec<(usize, Message)> {
        if is_idle && let Some((got_ns, awaited_ns)) = self.got_ns.take() {
            let rest;
            (self.shorts, rest) = rest_ns(self.shorts, awaited_ns, now_ns.saturating_sub(got_ns));
            self.next_ns = self.next_ns.max(now_ns + rest);
        }
        if self.awaits() || now_ns < self.next_ns {
            return Vec::new();
        }
        let parks_at = |asks: &[Ask], to: usize| asks.iter().any(|ask| ask.to == to);
        let (targets, parks) = match target(&self.rings, self.refusals, &mut self.random) {
            // That one has an ask already. Others are asked by and by.
            Target::Rank(to) if parks_at(&self.under_way, to) => {
                self.refusals += 1;
                return Vec::new();
            }
            Target::Rank(to) => (vec![to], false),
            Target::Lifelines => (self.lifelines.clone(), true),
        };
        let mut asks = Vec::new();
        for to in targets {
            if !parks_at(&self.under_way, to) {
                self.count += 1;
                self.under_way.push(Ask { to, seq: self.count, parks, since_ns: now_ns });
                asks.push((to, Message::Ask { seq: self.count, parks }));
            }
        }
        asks
    }

    /// An answer has come. False if it is none: there is no such ask.
    pub(super) fn answered(&mut self, from: usize, seq: u32, is_refused: bool, now_ns: u64) -> bool {
        let Some(place) = self.under_way.iter().position(|ask| ask.to == from && ask.seq == seq) else {
            return false;
        };
        let ask = self.under_way.swap_remove(place);
        self.refusals = if is_refused { self.refusals + 1 } else { 0 };
        self.next_ns = self.next_ns.max(now_ns + back_off_ns(self.refusals));
        if !is_refused {
            self.got_ns.get_or_insert((now_ns, now_ns.saturating_sub(ask.since_ns)));
        }
        true
    }

    /// No answer comes from there.
    pub(super) fn lose(&mut self, rank: usize) {
        self.under_way.retain(|ask| ask.to != rank);
        self.rings.iter_mut().for_each(|ring| ring.retain(|&to| to != rank));
        self.lifelines = lifelines_among(self.rank, &self.rings);
        // Others may have work that this rank has not been told of.
        self.refusals = 0;
    }
}

/// The lifelines of a rank among those that are not lost, so that each can be reached from each other one.
fn lifelines_among(rank: usize, rings: &[Vec<usize>]) -> Vec<usize> {
    let mut live = rings.concat();
    live.push(rank);
    live.sort_unstable();
    let place = live.partition_point(|&other| other < rank);
    lifelines(place, live.len()).map(|place| live[place]).collect()
}

/// The asks of other ranks that this one has not answered.
#[derive(Default)]
pub(super) struct Asked {
    waiting: VecDeque<Waiting>,
}

struct Waiting {
    from: usize,
    seq: u32,
    parks: bool,
    since_ns: u64,
}

impl Asked {
    pub(super) fn push(&mut self, from: usize, seq: u32, parks: bool, now_ns: u64) {
        self.waiting.push_back(Waiting { from, seq, parks, since_ns: now_ns });
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The ask to give something for, which is no longer waiting. Those that park have not been refused, and come last.
    pub(super) fn next(&mut self) -> Option<(usize, u32)> {
        let place = self.waiting.iter().position(|ask| !ask.parks).unwrap_or(0);
        self.waiting.remove(place).map(|ask| (ask.from, ask.seq))
    }

    /// The asks to refuse now, which are no longer waiting: those that have waited for long, and where nothing is to
    /// be had (`has_work`), all that do not park.
    pub(super) fn refused(&mut self, has_work: bool, now_ns: u64) -> Vec<(usize, u32)> {
        let is_refused =
            |ask: &Waiting| !ask.parks && (!has_work || now_ns.saturating_sub(ask.since_ns) >= PATIENCE_NS);
        self.take(is_refused)
    }

    /// All asks: the search is over.
    pub(super) fn all(&mut self) -> Vec<(usize, u32)> {
        self.take(|_| true)
    }

    /// Nobody listens there.
    pub(super) fn lose(&mut self, rank: usize) {
        self.waiting.retain(|ask| ask.from != rank);
    }

    fn take(&mut self, is_taken: impl Fn(&Waiting) -> bool) -> Vec<(usize, u32)> {
        let (taken, rest) = self.waiting.drain(..).partition::<Vec<_>, _>(is_taken);
        self.waiting = rest.into();
        taken.into_iter().map(|ask| (ask.from, ask.seq)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_ranks_that_are_not_lost_each_is_reached_along_lifelines() {
        // Of all eight ranks, 5 and 7 are neighbours of each other, but not of 0.
        let of = |rank: usize| lifelines_among(rank, &[[0, 5, 7].into_iter().filter(|&other| other != rank).collect()]);
        assert_eq!([of(0), of(5), of(7)], [vec![5, 7], vec![0], vec![0]]);
        assert_eq!(lifelines_among(3, &[vec![2], vec![0, 1]]), [2, 1]);
    }
}
