//! Whom a rank asks, and who has asked it. The decisions are those of `filch_policy::cluster`. Unlike ranks of
//! `filch-cluster`, these do not rest after short parts, and an ask says how many workers lack work.

use filch_policy::Random;
use filch_policy::cluster::{PATIENCE_NS, Target, back_off_ns, lifelines, target};
use std::collections::VecDeque;

/// The asks of one rank.
#[derive(Debug)]
pub(super) struct Asking {
    /// The other ranks, the nearest first.
    rings: Vec<Vec<usize>>,
    lifelines: Vec<usize>,
    random: Random,
    /// At most one that is answered soon.
    awaited: Option<usize>,
    parked: Vec<usize>,
    refusals: u32,
    next_ns: u64,
}

impl Asking {
    pub(super) fn new(rank: usize, ranks: usize, rings: Vec<Vec<usize>>, seed: u64) -> Self {
        Asking {
            rings,
            lifelines: lifelines(rank, ranks).collect(),
            random: Random::new(seed),
            awaited: None,
            parked: Vec::new(),
            refusals: 0,
            next_ns: 0,
        }
    }

    /// Whether any answer comes, be it late.
    pub(super) fn hopes(&self) -> bool {
        self.awaits() || !self.parked.is_empty()
    }

    /// When to ask again, if that is known.
    pub(super) fn next_ns(&self) -> u64 {
        self.next_ns
    }

    /// Whether an answer comes soon.
    fn awaits(&self) -> bool {
        self.awaited.is_some()
    }

    /// The ranks to ask now, and whether these asks are parked there.
    pub(super) fn ask(&mut self, now_ns: u64) -> (Vec<usize>, bool) {
        if self.awaits() || now_ns < self.next_ns {
            return (Vec::new(), false);
        }
        match target(&self.rings, self.refusals, &mut self.random) {
            Target::Rank(to) if self.parked.contains(&to) => {
                self.refusals += 1;
                (Vec::new(), false)
            }
            Target::Rank(to) => {
                self.awaited = Some(to);
                (vec![to], false)
            }
            Target::Lifelines => {
                let all = self.lifelines.iter().copied();
                let new: Vec<usize> = all.filter(|to| !self.parked.contains(to)).collect();
                self.parked.extend(&new);
                (new, true)
            }
        }
    }

    /// An ask has been answered.
    pub(super) fn answered(&mut self, from: usize, parks: bool, is_refused: bool, now_ns: u64) {
        if parks {
            self.parked.retain(|&to| to != from);
        } else {
            self.awaited = None;
        }
        self.refusals = if is_refused { self.refusals + 1 } else { 0 };
        self.next_ns = now_ns + back_off_ns(self.refusals);
    }
}

/// An ask of another rank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ask {
    pub(super) from: usize,
    pub(super) parks: bool,
    /// How many workers lack work there.
    pub(super) lacks: usize,
    pub(super) since_ns: u64,
}

/// The asks that a rank has not answered.
#[derive(Debug, Default)]
pub(super) struct Asked(VecDeque<Ask>);

impl Asked {
    pub(super) fn push(&mut self, ask: Ask) {
        self.0.push_back(ask);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The one to give something for: those that are parked have not been refused, and come last.
    pub(super) fn next(&mut self) -> Option<Ask> {
        let place = self.0.iter().position(|ask| !ask.parks).unwrap_or(0);
        self.0.remove(place)
    }

    /// The asks to refuse now.
    pub(super) fn refused(&mut self, has_work: bool, now_ns: u64) -> Vec<Ask> {
        let is_refused = |ask: &Ask| !ask.parks && (!has_work || now_ns - ask.since_ns >= PATIENCE_NS);
        let (refused, rest) = self.0.drain(..).partition::<Vec<_>, _>(is_refused);
        self.0 = rest.into();
        refused
    }
}
