//! Asks and their answers: exactly one for each.
//!
//! A rank has at most one ask under way that is answered soon, and at most one parked ask at each of its lifelines. It
//! is done with a search when all have been answered. So a rank that is asked knows that the asker listens.

use super::{GATHER_NS, PATIENCE_NS, Target, back_off_ns, lifelines, pieces, rest_ns, target};
use crate::random::Random;
use std::collections::VecDeque;

/// An ask, as the rank sees it that asks, or the one that is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The other rank.
    pub rank: usize,
    /// The asks of a rank are numbered.
    pub seq: u32,
    /// Whether it waits for work as long as the search lasts.
    pub parks: bool,
    /// How many workers of the asker lack work.
    pub lacks: usize,
    /// When it was sent, or has come, in nanoseconds.
    pub since_ns: u64,
}

/// The asks of one rank.
#[derive(Debug)]
pub struct Asking {
    rank: usize,
    workers: usize,
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

impl Asking {
    /// None yet. `rings` are the ranks other than `rank`, the nearest first. Each has about so many `workers`.
    pub fn new(rank: usize, workers: usize, rings: Vec<Vec<usize>>, random: Random) -> Self {
        Asking {
            rank,
            workers,
            lifelines: lifelines_among(rank, &rings),
            rings,
            random,
            under_way: Vec::new(),
            count: 0,
            refusals: 0,
            shorts: 0,
            got_ns: None,
            next_ns: 0,
        }
    }

    /// Whether all have been answered.
    pub fn is_quiet(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Whether an answer comes soon.
    fn awaits(&self) -> bool {
        self.under_way.iter().any(|ask| !ask.parks)
    }

    /// When to ask again, if that is known.
    pub fn next_ns(&self) -> u64 {
        self.next_ns
    }

    /// So many workers lack work, perhaps all (`is_idle`): what is asked now.
    pub fn ask(&mut self, is_idle: bool, lacks: usize, now_ns: u64) -> Vec<Ask> {
        if is_idle && let Some((got_ns, awaited_ns)) = self.got_ns.take() {
            let rest;
            (self.shorts, rest) = rest_ns(self.workers, self.shorts, awaited_ns, now_ns.saturating_sub(got_ns));
            self.next_ns = self.next_ns.max(now_ns + rest);
        }
        if self.awaits() || now_ns < self.next_ns {
            return Vec::new();
        }
        let has_one = |asks: &[Ask], of: usize| asks.iter().any(|ask| ask.rank == of);
        let (targets, parks) = match target(&self.rings, self.refusals, &mut self.random) {
            // Others are asked by and by.
            Target::Rank(to) if has_one(&self.under_way, to) => {
                self.refusals += 1;
                return Vec::new();
            }
            Target::Rank(to) => (vec![to], false),
            Target::Lifelines => (self.lifelines.clone(), true),
        };
        let before = self.under_way.len();
        for rank in targets {
            if !has_one(&self.under_way, rank) {
                self.count += 1;
                self.under_way.push(Ask { rank, seq: self.count, parks, lacks, since_ns: now_ns });
            }
        }
        self.under_way[before..].to_vec()
    }

    /// An answer has come. False if it is none: there is no such ask.
    pub fn answered(&mut self, from: usize, seq: u32, is_refused: bool, now_ns: u64) -> bool {
        let Some(place) = self.under_way.iter().position(|ask| ask.rank == from && ask.seq == seq) else {
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
    pub fn lose(&mut self, rank: usize) {
        self.under_way.retain(|ask| ask.rank != rank);
        self.rings.iter_mut().for_each(|ring| ring.retain(|&other| other != rank));
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
#[derive(Debug, Default)]
pub struct Asked {
    waiting: VecDeque<Ask>,
    /// The ask for which there are pieces, but too few, and since when.
    gathers: Option<(Ask, u64)>,
}

impl Asked {
    /// One has come.
    pub fn push(&mut self, ask: Ask) {
        self.waiting.push_back(ask);
    }

    /// How many pieces `busy` workers are to split off for all asks.
    pub fn wanted(&self, busy: usize) -> usize {
        self.waiting.iter().map(|ask| pieces(ask.lacks, busy)).sum()
    }

    /// The ask to give something for now, which is no longer waiting, and how many of the pieces in the `stock`. Those
    /// that park have not been refused, and come last.
    pub fn next(&mut self, stock: usize, busy: usize, now_ns: u64) -> Option<(Ask, usize)> {
        let place = self.waiting.iter().position(|ask| !ask.parks).unwrap_or(0);
        let ask = *self.waiting.get(place)?;
        if stock == 0 {
            return None;
        }
        let count = pieces(ask.lacks, busy);
        let since_ns = self.gathers.filter(|(other, _)| *other == ask).map_or(now_ns, |(_, since_ns)| since_ns);
        if stock < count && now_ns < since_ns + GATHER_NS && !is_late(&ask, now_ns) {
            self.gathers = Some((ask, since_ns));
            return None;
        }
        self.waiting.remove(place).map(|ask| (ask, count.clamp(1, stock)))
    }

    /// The asks to refuse now, which are no longer waiting: those that have waited for long, and where nothing is to
    /// be had (`has_work`), all that do not park.
    pub fn refused(&mut self, has_work: bool, now_ns: u64) -> Vec<Ask> {
        self.take(|ask| !ask.parks && (!has_work || is_late(ask, now_ns)))
    }

    /// All asks: the search is over.
    pub fn all(&mut self) -> Vec<Ask> {
        self.take(|_| true)
    }

    /// Nobody listens there.
    pub fn lose(&mut self, rank: usize) {
        self.waiting.retain(|ask| ask.rank != rank);
    }

    fn take(&mut self, is_taken: impl Fn(&Ask) -> bool) -> Vec<Ask> {
        let (taken, rest) = self.waiting.drain(..).partition::<Vec<_>, _>(is_taken);
        self.waiting = rest.into();
        taken
    }
}

fn is_late(ask: &Ask, now_ns: u64) -> bool {
    now_ns.saturating_sub(ask.since_ns) >= PATIENCE_NS
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

    #[test]
    fn an_ask_gets_as_many_pieces_as_it_is_due_or_what_there_is_after_a_while() {
        let ask = |seq, parks, lacks| Ask { rank: 1, seq, parks, lacks, since_ns: 0 };
        let mut asked = Asked::default();
        asked.push(ask(1, true, 16));
        asked.push(ask(2, false, 3));
        assert_eq!([asked.wanted(16), asked.wanted(1), asked.wanted(0)], [11, 2, 0]);
        let mut next = |stock, now_ns| asked.next(stock, 16, now_ns).map(|(ask, count)| (ask.seq, count));
        assert_eq!([next(0, 0), next(2, 5), next(2, 4 + GATHER_NS)], [None; 3]);
        assert_eq!(next(2, 5 + GATHER_NS), Some((2, 2)));
        assert_eq!([next(9, 6 + GATHER_NS), next(9, 7 + GATHER_NS)], [Some((1, 8)), None]);
        asked.push(ask(3, false, 16));
        assert_eq!(asked.next(1, 16, PATIENCE_NS).map(|(ask, count)| (ask.seq, count)), Some((3, 1)), "it was late");
    }

    #[test]
    fn each_ask_is_answered_once_and_nobody_is_asked_twice_at_a_time() {
        let mut asking = Asking::new(0, 4, vec![vec![1, 2]], Random::new(1));
        let asks = asking.ask(true, 4, 0);
        assert_eq!(
            asks.iter().map(|ask| (ask.rank, ask.parks, ask.lacks)).collect::<Vec<_>>(),
            [(1, true, 4), (2, true, 4)]
        );
        assert!(asking.ask(true, 4, 1).is_empty() && !asking.is_quiet());
        let Ask { rank, seq, .. } = asks[0];
        let answers = [(2, seq), (rank, seq), (rank, seq)];
        assert_eq!(answers.map(|(rank, seq)| asking.answered(rank, seq, false, 2)), [false, true, false]);
        assert_eq!(asking.ask(false, 1, 3).iter().map(|ask| ask.rank).collect::<Vec<_>>(), [1]);
        asking.lose(1);
        assert!(asking.answered(2, asks[1].seq, true, 4) && asking.is_quiet());
    }
}
