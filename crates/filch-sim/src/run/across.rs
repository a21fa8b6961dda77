//! Sharing between squads: forks on inter-socket levels, and how the head of a squad gets the tasks that they leave
//! (`crates/filch/src/engine/share/descent.rs`, `share/across.rs`, `calls.rs`).

use super::Simulation;
use crate::claims::{Across, ClaimId, Place};
use crate::course::Mark;
use crate::decisions::Decisions;
use crate::program::Node;
use crate::squads::Squads;
use crate::steps::StepKind;
use crate::worker::Does;
use filch_policy::{Occasion, Tier};
use std::ops::Range;

impl<D: Decisions> Simulation<'_, D> {
    /// The same with this boundary level, if the scheduler has tiers and there are several sockets. Follows
    /// [`on`](Self::on).
    #[must_use]
    pub fn with_boundary(mut self, level: u32) -> Self {
        let topology = self.sockets.topology(0).filter(|_| self.decisions.rules().has_tiers());
        self.squads = topology.map(|topology| Squads::new(topology.squads(), level));
        self
    }

    /// The tier of the run's first task.
    pub(super) fn first_tier(&self) -> Tier {
        self.squads.as_ref().map_or(Tier::INTRA, |squads| squads.first)
    }

    /// Whether the next fork of a worker creates an inter-socket task.
    pub(super) fn forks_across(&self, me: usize) -> bool {
        self.squads.is_some() && self.workers[me].tier.forks_across()
    }

    /// Whether one worker may get intra-socket work from another one.
    pub(super) fn are_mates(&self, one: usize, other: usize) -> bool {
        self.squad_of_work(one).is_none_or(|squad| self.squad_of_work(other) == Some(squad))
    }

    /// Those workers, with itself.
    pub(super) fn range_of_mates(&self, me: usize) -> Range<usize> {
        match (&self.squads, self.squad_of_work(me)) {
            (Some(squads), Some(squad)) => squads.range(squad),
            _ => 0..self.workers.len(),
        }
    }

    /// How many they are.
    pub(super) fn mates(&self, me: usize) -> usize {
        self.range_of_mates(me).len()
    }

    /// The only squad whose workers may get the intra-socket forks of a worker. `None` if all may.
    pub(super) fn squad_of_work(&self, worker: usize) -> Option<usize> {
        self.squads.as_ref().filter(|squads| squads.first.splits_squads()).map(|squads| squads.of(worker))
    }

    /// A worker forks an inter-socket task: leaves it in the pool of its squad, and goes down one level.
    pub(super) fn descend(&mut self, me: usize, first: Node, second: Node, to: Option<usize>) {
        let above = self.workers[me].tier;
        let tier = above.child();
        self.counts.inter_tasks += 2;
        self.counts.leaf_tasks += if tier.is_leaf() { 2 } else { 0 };
        self.charge_ns += self.cost_of_gift();
        let path_ns = self.workers[me].course.done.path_ns + self.cost_of_gift();
        self.workers[me].course.done.path_ns = path_ns;
        let parent = self.task_of(me);
        let squads = self.squads.as_mut().expect("only squads have tiers");
        let squad = to.unwrap_or_else(|| squads.of(me));
        let claim = self.claims.add(second, me, parent, Place::Squad(squad), path_ns);
        self.claims.get_mut(claim).handed = to.map(|to| (to, self.now_ns));
        self.claims.get_mut(claim).across = Some(Across::of(tier, above));
        squads.pool(squad).put(claim);
        self.tell(me, self.now_ns, StepKind::Gives(claim.number()));
        self.workers[me].course.enter_shared(first, claim);
        self.go_to(me, tier);
        self.call_for_any(me);
    }

    /// A worker is on this tier from now on. On an inter-socket level the next fork is shared.
    pub(super) fn go_to(&mut self, me: usize, tier: Tier) {
        let worker = &mut self.workers[me];
        worker.tier = tier;
        worker.course.mark = tier.forks_across().then_some(Mark::Eager);
    }

    /// A worker has reached the join of an inter-socket fork, and goes up one level.
    pub(super) fn ascend(&mut self, me: usize, across: Option<Across>) {
        if let Some(Across { above, .. }) = across {
            self.go_to(me, above);
        }
    }

    /// Whether a worker has its seat and neither waits nor helps while it waits.
    fn is_there(&self, who: usize) -> bool {
        let worker = &self.workers[who];
        worker.waits.is_none() && worker.helps == 0 && self.is_seated(who)
    }

    /// Threads sleep without a seat, and waiters on theirs.
    fn is_seated(&self, who: usize) -> bool {
        let worker = &self.workers[who];
        worker.waits.is_some() || !matches!(worker.does, Does::Sleeps { .. } | Does::Wakes { .. })
    }

    /// Whether a worker may begin an inter-socket task, if there is one.
    pub(super) fn may_begin_across(&self, me: usize) -> bool {
        self.squads.as_ref().is_some_and(|squads| squads.may_begin(me, |who| self.is_there(who)))
    }

    /// Whether there is an inter-socket task that a worker may begin.
    pub(super) fn has_across(&self, me: usize) -> bool {
        self.squads.as_ref().is_some_and(Squads::has_any) && self.may_begin_across(me)
    }

    /// Whether there is one for a worker that waits.
    pub(super) fn sees_across(&self, me: usize, goal: ClaimId) -> bool {
        let rules = self.decisions.rules();
        let is_wanted = |claim| rules.helps_with(|| self.claims.is_part(claim, goal));
        self.squads.as_ref().is_some_and(|squads| squads.has(is_wanted)) && self.may_begin_across(me)
    }

    fn begin_across(&mut self, me: usize) -> bool {
        let has_begun = self.squads.as_mut().is_some_and(|squads| squads.begin(squads.of(me)));
        self.workers[me].has_squad |= has_begun;
        has_begun
    }

    /// Makes a worker's squad free again, if this worker has made it busy. Returns whether it has.
    pub(super) fn end_across(&mut self, me: usize) -> bool {
        let has_squad = std::mem::take(&mut self.workers[me].has_squad);
        if has_squad && let Some(squads) = &mut self.squads {
            let squad = squads.of(me);
            squads.end(squad);
            self.call_head(squad);
        }
        has_squad
    }

    /// A worker begins to wait. If that is for an inter-socket task, its squad is free meanwhile.
    pub(super) fn begin_wait(&mut self, me: usize, claim: ClaimId) {
        if self.claims.get(claim).across.is_some() {
            let had_squad = self.end_across(me);
            if let Some(across) = &mut self.claims.get_mut(claim).across {
                across.had_squad = had_squad;
            }
        }
        self.workers[me].waits = Some(claim);
        if let Some(squads) = &self.squads {
            // Another worker may be the head now.
            self.call_head(squads.of(me));
        }
    }

    /// It goes on.
    pub(super) fn end_wait(&mut self, me: usize, claim: ClaimId) {
        self.workers[me].waits = None;
        if self.claims.get(claim).across.is_some_and(|across| across.had_squad) {
            self.begin_across(me);
        }
    }

    /// Gets an inter-socket task and begins it, if this worker is the head of its squad and the squad is not busy.
    /// Returns false if there is none.
    pub(super) fn look_across(&mut self, me: usize) -> bool {
        if !self.has_across(me) || !self.begin_across(me) {
            return false;
        }
        let workers = self.workers.len();
        let start = self.workers[me].random.below(workers);
        let goal = self.workers[me].waits;
        let rules = *self.decisions.rules();
        let (Some(squads), claims) = (&mut self.squads, &self.claims) else { return false };
        let mine = squads.of(me);
        let now_ns = self.now_ns;
        let is_wanted = |claim| {
            claims.get(claim).may_be_begun_by(mine, now_ns)
                && goal.is_none_or(|goal| rules.helps_with(|| claims.is_part(claim, goal)))
        };
        let Some((claim, squad)) = squads.get(mine, start, is_wanted) else {
            self.end_across(me);
            return false;
        };
        self.counts.attempts += 1;
        self.counts.tasks_across += 1;
        self.counts.stolen_across += u64::from(squad != mine);
        let got = self.claims.get_mut(claim);
        let owner = got.owner;
        if let Some(across) = &mut got.across {
            across.is_got = true;
        }
        self.run_claimed(me, claim, owner);
        true
    }

    /// A worker has run an inter-socket task that it got from a pool.
    pub(super) fn end_got(&mut self, me: usize, across: Option<Across>) {
        if across.is_some_and(|across| across.is_got) {
            self.end_across(me);
        }
    }

    /// A thread leaves its seat. Another worker may be the head now.
    pub(super) fn leave_seat(&mut self, me: usize) {
        self.workers[me].does = Does::Sleeps { watches: false };
        if self.sleepers.is_active
            && let Some(squads) = &self.squads
        {
            self.call_head(squads.of(me));
        }
    }

    /// Calls a sleeping worker of a squad that may begin an inter-socket task, if there is one.
    fn call_head(&mut self, squad: usize) {
        let Some(squads) = &self.squads else { return };
        let may_begin = |&who: &usize| !self.is_seated(who) && self.may_begin_across(who);
        if squads.has_any() && squads.workers(squad).iter().any(may_begin) {
            self.call(Occasion::More, Some(squad));
        }
    }
}
