//! Where a worker without work looks, and in which order (`crates/filch/src/engine/share/visits.rs`). Of the places
//! that the policy names, the simulator has shelves and ladders.
//!
//! A search is one event. It sees all other workers as they are when it begins, and its cost depends on how many it has
//! visited. If it has found a victim, the worker arrives there after that time and the time of a message, and looks at
//! the victim again.

use super::Simulation;
use crate::claims::{ClaimId, Place};
use crate::decisions::Decisions;
use crate::marks::Marks;
use crate::order::Order;
use crate::worker::{Does, Scan, Worker};
use filch_policy::{Approach, Source};

/// Where the parts of the goal of a waiting worker are. The workers are marked in `runs_part` and `has_left_part`.
#[derive(Clone, Copy)]
struct Parts {
    /// On shelves.
    are_left: bool,
    /// With other workers.
    are_run: bool,
    /// In the pools of squads.
    are_across: bool,
    /// There are many, some of them on shelves, and the search has stopped before it found all.
    are_many: bool,
}

/// The largest number of parts to search for if some of them are on shelves: then the first shelves have one.
const MANY: usize = 256;

impl<D: Decisions> Simulation<'_, D> {
    /// The order in which a worker visits the others.
    fn order(&mut self, me: usize) -> Order {
        let Self { workers, sockets, decisions, .. } = self;
        let (rules, count) = (decisions.rules(), workers.len());
        Order::of(me, count, sockets, |equals| rules.first_of(equals, &mut workers[me].random))
    }

    /// A worker looks for work.
    pub(super) fn look(&mut self, me: usize) {
        if self.ends_wait(me) {
            return;
        }
        if !self.has_room(me) {
            return self.pause(me);
        }
        if self.look_at_handed(me, true) {
            return;
        }
        let parts = self.find_parts(me, true);
        let found = Source::ORDER.into_iter().any(|source| match source {
            Source::Shelves => self.look_at_shelves(me, parts),
            Source::Ladders => {
                self.workers[me].scan = Scan { order: self.order(me), place: 0 };
                self.scan_among(me, parts)
            }
            Source::Across => {
                parts.is_none_or(|parts| parts.are_across || parts.are_many)
                    && (self.look_at_handed(me, false) || self.look_across(me))
            }
            // There are no scopes and bound tasks.
            Source::Bound | Source::Spawned => false,
        });
        if !found {
            self.pause(me);
        }
    }

    /// Gets a frame from a shelf and begins it. Returns false if there is none.
    fn look_at_shelves(&mut self, me: usize, parts: Option<Parts>) -> bool {
        if self.left > 0 && parts.is_none_or(|parts| parts.are_left) {
            let order = self.order(me);
            if let Some((claim, owner, looks)) = self.get_left(me, &order, parts) {
                self.charge_ns += looks * self.costs.look_ns;
                self.counts.attempts += 1;
                let Worker { shelf, .. } = &self.workers[owner];
                if shelf.is_empty() && shelf.kept() > 0 && self.workers[owner].works() {
                    // The owner has more frames, and opens one at its next return.
                    self.raise(owner);
                }
                self.run_claimed(me, claim, owner);
                return true;
            }
        }
        self.charge_ns += self.looks_at_shelves(me) * self.costs.look_ns;
        false
    }

    /// The number of lines that a worker reads to look at all shelves: the marks, and the shelves with frames.
    fn looks_at_shelves(&self, me: usize) -> u64 {
        let mates = self.range_of_mates(me);
        Marks::lines(&mates) + self.has_kept.count(mates)
    }

    /// Whether a worker may begin another task inside those that it runs.
    fn has_room(&self, me: usize) -> bool {
        self.workers[me].tasks.len() < super::MAX_DEPTH
    }

    /// Removes a frame from a shelf, for a worker that may run it. Returns it with its owner, and the number of lines
    /// that the worker has read: the marks up to there, and the shelves with frames.
    fn get_left(&mut self, me: usize, order: &Order, parts: Option<Parts>) -> Option<(ClaimId, usize, u64)> {
        let goal = self.workers[me].waits;
        let rules = *self.decisions.rules();
        let are_known = parts.is_some_and(|parts| !parts.are_many);
        let lines = Marks::lines(&self.range_of_mates(me));
        let mut shelves = 0;
        // Its own shelf counts, too.
        let mut next = Some((0, me));
        while let Some((place, owner)) = next {
            let candidates = if are_known { &self.has_left_part } else { &self.has_left };
            next = order.first_of(candidates, place).map(|(passed, owner)| (passed + 1, owner));
            if !candidates.has(owner) || !self.has_left.has(owner) || !self.are_mates(me, owner) {
                continue;
            }
            shelves += 1;
            let found = self.at_shelf(owner, |shelf, claims| {
                shelf.get(|claim| goal.is_none_or(|goal| rules.helps_with(|| claims.is_part(claim, goal))))
            });
            if let Some(claim) = found {
                self.claims.get_mut(claim).place = Place::Running(me);
                return Some((claim, owner, lines.min(place as u64 / 64 + 1) + shelves));
            }
        }
        None
    }

    /// Continues the search at the other workers, up to one that may be visited. Pauses if there is none.
    pub(super) fn scan(&mut self, me: usize) {
        let parts = self.find_parts(me, false);
        if !self.scan_among(me, parts) {
            self.pause(me);
        }
    }

    /// The same, for a worker that has just found the parts of its goal. Returns false if there is no worker to visit.
    fn scan_among(&mut self, me: usize, parts: Option<Parts>) -> bool {
        let begin = self.workers[me].scan.place;
        let shares_latent = self.decisions.rules().shares_latent();
        let mut next = begin;
        self.find_givers();
        loop {
            // All others have nothing for it.
            let candidates = if parts.is_some() { &self.runs_part } else { &self.givers };
            let Some((place, victim)) = self.workers[me].scan.order.first_of(candidates, next) else { break };
            next = place + 1;
            // The checks that need no look at its ladder come first.
            if !self.are_mates(me, victim) || shares_latent && self.is_seen_empty(victim) {
                continue;
            }
            let may_visit = self.wanted_of(me, victim).is_some() && self.approach(me, victim) != Approach::Leave;
            if may_visit && self.may_get_from(victim) {
                self.workers[me].scan.place = place + 1;
                let looks = (place + 1 - begin) as u64;
                // The victim has just written the lines that a thief reads, and its ask word.
                let arrives_ns = self.here_ns() + looks * self.costs.look_ns + self.miss_ns(me, victim);
                self.does(me, Does::Visits { victim }, arrives_ns);
                return true;
            }
        }
        let others = self.mates(me) - 1;
        self.charge_ns += others.saturating_sub(begin) as u64 * self.costs.look_ns;
        false
    }

    /// Finds the workers that run a part of the goal of a waiting worker. `None` if the worker also wants other work.
    /// The runtime visits all workers and walks up from their tasks; here the walk down from the goal is faster. With
    /// `from_shelves`, the search may end when a part is on a shelf.
    fn find_parts(&mut self, me: usize, from_shelves: bool) -> Option<Parts> {
        let rules = self.decisions.rules();
        let goal = self.workers[me].waits.filter(|_| rules.shares_latent() && !rules.waits_for_any())?;
        let mut parts = Parts { are_left: false, are_run: false, are_across: false, are_many: false };
        self.runs_part.clear();
        self.has_left_part.clear();
        let (workers, mut found) = (&self.workers, 0);
        let split = self.squads.as_ref().filter(|squads| squads.first.splits_squads());
        let are_mates = |who| split.is_none_or(|squads| squads.of(who) == squads.of(me));
        let (runs_part, has_left_part) = (&mut self.runs_part, &mut self.has_left_part);
        self.claims.for_each_part(goal, |id, part| {
            match part.place {
                Place::Running(who) if who != me && are_mates(who) && workers[who].tasks.last() == Some(&id) => {
                    runs_part.set(who, true);
                    parts.are_run = true;
                }
                Place::Shelf(who) if are_mates(who) => {
                    has_left_part.set(who, true);
                    parts.are_left = true;
                }
                Place::Squad(_) | Place::Handed(_) => parts.are_across = true,
                _ => {}
            }
            found += 1;
            parts.are_many = from_shelves && parts.are_left && found >= MANY;
            !parts.are_many
        });
        Some(parts)
    }

    /// Whether there seems to be work for a waiting worker.
    pub(super) fn sees_part(&mut self, me: usize) -> bool {
        self.charge_ns += (self.mates(me) as u64 + self.looks_at_shelves(me)) * self.costs.look_ns;
        let Some(goal) = self.workers[me].waits else { return false };
        if self.sees_across(me, goal) || self.sees_handed(Some(goal)) {
            return true;
        }
        if let Some(parts) = self.find_parts(me, true) {
            let mut others = 0..self.workers.len();
            while let Some(who) = self.runs_part.first(others.clone()).filter(|_| !parts.are_left) {
                if self.may_get_from(who) {
                    return true;
                }
                others.start = who + 1;
            }
            return parts.are_left;
        }
        let rules = self.decisions.rules();
        let is_left =
            |worker: &Worker| worker.shelf.frames().any(|claim| rules.helps_with(|| self.claims.is_part(claim, goal)));
        let mut mates = (0..self.workers.len()).filter(|&who| self.are_mates(me, who));
        let has_left = self.left > 0 && mates.any(|who| is_left(&self.workers[who]));
        if has_left {
            return true;
        }
        let mut mates = self.range_of_mates(me);
        while let Some(who) = self.first_giver(mates.clone(), |_, who| who != me) {
            if self.wanted_of(me, who).is_some() {
                return true;
            }
            mates.start = who + 1;
        }
        false
    }
}
