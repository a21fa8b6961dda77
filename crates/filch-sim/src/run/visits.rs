//! Where a worker without work looks, and in which order (`crates/filch/src/engine/share/visits.rs`): frames that lie on
//! shelves, then ladders.
//!
//! A look around is one event. It sees all others as they are when it begins; what it costs depends on how many it has
//! looked at. Where it has found something, the worker arrives after that time, and looks at the victim again.

use super::Simulation;
use crate::claims::{ClaimId, Place};
use crate::decisions::Decisions;
use crate::worker::{Does, Scan, Worker};
use filch_policy::{Approach, Neighbours};

impl<D: Decisions> Simulation<'_, D> {
    /// The others, in the order in which a worker visits them.
    fn order(&self, me: usize, first: usize) -> impl Iterator<Item = usize> + 'static {
        let workers = self.workers.len();
        Neighbours { me, seat: me, workers, count: workers, rings: None }.order(move |_| first)
    }

    /// Where a worker begins to look.
    fn first(&mut self, me: usize) -> usize {
        let workers = self.workers.len();
        self.decisions.rules().first_of(workers, &mut self.workers[me].random)
    }

    /// A worker looks for work.
    pub(super) fn look(&mut self, me: usize) {
        if self.ends_wait(me) {
            return;
        }
        if !self.has_room(me) {
            return self.pause(me);
        }
        if self.left > 0 {
            let first = self.first(me);
            if let Some((claim, owner, looks)) = self.from_shelf(me, first) {
                self.charge_ns += looks * self.costs.look_ns;
                self.counts.attempts += 1;
                let has_kept = self.workers[owner].shelf.is_empty() && self.workers[owner].shelf.kept() > 0;
                if has_kept && self.workers[owner].works() {
                    // The owner has more, and opens it at its next return.
                    self.raise(owner);
                }
                return self.run_claimed(me, claim, owner);
            }
        }
        // The look at the shelves has found nothing.
        self.charge_ns += self.workers.len() as u64 * self.costs.look_ns;
        self.workers[me].scan = Scan { first: self.first(me), place: 0 };
        self.scan(me);
    }

    /// Whether a worker may begin another task inside those that it runs.
    fn has_room(&self, me: usize) -> bool {
        self.workers[me].tasks.len() < super::MAX_DEPTH
    }

    /// Removes a frame from a shelf, for a worker that may run it. Returns it with its owner, and how many shelves the
    /// worker has looked at.
    fn from_shelf(&mut self, me: usize, first: usize) -> Option<(ClaimId, usize, u64)> {
        let goal = self.workers[me].waits;
        let is_any = self.decisions.rules().waits_for_any();
        // Its own shelf counts, too.
        for (place, owner) in std::iter::once(me).chain(self.order(me, first)).enumerate() {
            let (claims, Worker { shelf, .. }) = (&self.claims, &mut self.workers[owner]);
            if shelf.is_empty() {
                continue;
            }
            let is_wanted = |claim| is_any || goal.is_none_or(|goal| claims.is_part(claim, goal));
            if let Some(claim) = shelf.get(is_wanted) {
                self.left -= 1;
                self.claims.get_mut(claim).place = Place::Running;
                return Some((claim, owner, place as u64 + 1));
            }
        }
        None
    }

    /// Goes on looking at the other workers, up to one that may be visited. Pauses if there is none.
    pub(super) fn scan(&mut self, me: usize) {
        let Scan { first, place: begin } = self.workers[me].scan;
        for (place, victim) in self.order(me, first).enumerate().skip(begin) {
            if !self.may_get_from(victim) || self.wanted_of(me, victim).is_none() {
                continue;
            }
            if self.approach(me, victim) != Approach::Leave {
                self.workers[me].scan.place = place + 1;
                let looks = (place + 1 - begin) as u64;
                let arrives_ns = self.here_ns() + looks * self.costs.look_ns;
                return self.does(me, Does::Visits { victim }, arrives_ns);
            }
        }
        let others = self.workers.len() - 1;
        self.charge_ns += others.saturating_sub(begin) as u64 * self.costs.look_ns;
        self.pause(me);
    }

    /// Whether there seems to be something for a worker that waits.
    pub(super) fn sees_part(&mut self, me: usize) -> bool {
        self.charge_ns += 2 * self.workers.len() as u64 * self.costs.look_ns;
        let Some(goal) = self.workers[me].waits else { return false };
        let is_any = self.decisions.rules().waits_for_any();
        let is_left = |worker: &Worker| {
            worker.shelf.frames().any(|claim| is_any || self.claims.is_part(claim, goal))
        };
        let has_left = self.left > 0 && self.workers.iter().any(is_left);
        has_left
            || (0..self.workers.len())
                .any(|who| who != me && self.may_get_from(who) && self.wanted_of(me, who).is_some())
    }
}
