//! Sharing between squads: how the head of a squad gets an inter-socket task, and when the squad is free again (Chen,
//! Huang, Guo and Zhou 2011, algorithms I and II). [`squads`](crate::engine::team::squads) says why it is done this
//! way.

use super::thief::Thief;
use crate::engine::frame::Unbegun;
use crate::engine::frame::task::Goal;
use crate::engine::meters::activity::Activity;
use crate::engine::share::at_fork;
use crate::engine::share::descent::Descent;
use crate::engine::spawned::{GroupHead, Spawned};
use crate::engine::team::squads::Squads;
use crate::engine::team::{Ladder, Team, Worker};
use crate::engine::team::{Occupied, Top};
use crate::sync::Ordering;
use filch_policy::Tier;

impl Worker {
    /// Makes this worker's squad busy. Returns false if there are no squads, or if it is busy already.
    pub(crate) fn begin_across(&self) -> bool {
        let has_begun = self.team().squads.as_ref().is_some_and(|squads| squads.begin(squads.of(self.seat())));
        if has_begun {
            self.has_squad.store(true, Ordering::Relaxed);
        }
        has_begun
    }

    /// Makes this worker's squad free again, if this worker has made it busy, and calls the others: one of them may
    /// begin what waits. Returns whether it has.
    pub(crate) fn end_across(&self) -> bool {
        let has_squad = self.has_squad.load(Ordering::Relaxed);
        if has_squad && let Some(squads) = &self.team().squads {
            self.has_squad.store(false, Ordering::Relaxed);
            let squad = squads.of(self.seat());
            squads.end(squad);
            self.team().call_head(squad);
        }
        has_squad
    }

    /// Runs `wait`, in which this worker waits for something. If that is an inter-socket task, the squad is free
    /// meanwhile.
    pub(crate) fn while_waiting<R>(&self, is_across: bool, wait: impl FnOnce() -> R) -> R {
        let had_squad = is_across && self.end_across();
        let waited = self.waits.swap(true, Ordering::Relaxed);
        if let Some(squads) = &self.team().squads {
            // Another worker may be the head now.
            self.team().call_head(squads.of(self.seat()));
        }
        let doing = self.activity.begin(Activity::Wait);
        let result = wait();
        drop(doing);
        self.waits.store(waited, Ordering::Relaxed);
        if had_squad {
            self.begin_across();
        }
        result
    }
}

/// Runs `f` as a divide-and-conquer procedure whose first task is on `tier`, at the top of the ladder of `at`. Where
/// there are no squads, just runs it there.
pub(crate) fn procedure<R>(at: Occupied<'_>, tier: impl FnOnce(&Squads) -> Tier, f: impl FnOnce(Top<'_>) -> R) -> R {
    let Some(squads) = &at.owner().team().squads else { return f(at.top()) };
    let top = at_fork::top_of_forked(at);
    let _descent = Descent::to(*top, tier(squads));
    f(top)
}

impl Thief<'_> {
    /// Runs an inter-socket task, if this worker is the head of its squad and the squad is not busy. With `goal`, the
    /// task must be a part of it. Returns false if there was none.
    pub(super) fn visit_across(&self, goal: Option<Goal>) -> bool {
        let Some(squads) = &self.team.squads else { return false };
        let me = self.worker();
        if !squads.has_any() || !self.team.may_begin_across(me) || !me.begin_across() {
            return false;
        }
        let start = me.random.with(|random| random.below(self.team.ladders().len()));
        let squad = squads.of(me.seat());
        let is_for = |frame: &_| goal.is_none_or(|goal| self.is_offered_to_waiter(frame, goal));
        let is_wanted = |frame: &Unbegun| frame.may_be_begun_by(squad) && is_for(frame);
        let Some(frame) = squads.get(squad, start, &is_wanted) else {
            me.end_across();
            return false;
        };
        me.counters.steal_attempts.bump();
        me.counters.tasks_across.bump();
        let owner = self.team.ladder(frame.claim().waiter.into());
        let has_run = self.run_claimed(frame, owner);
        me.end_across();
        has_run
    }

    /// Removes a spawned task of a group that `is_wanted`, where there are squads. A task of the intra-socket tier
    /// comes from this squad. One of the inter-socket tier comes from anywhere, if this worker may begin it. Returns
    /// whether it is such a task, too; then the squad is busy, and [`end_across`](Worker::end_across) must follow.
    fn spawned(&self, squads: &Squads, is_wanted: &dyn Fn(&GroupHead) -> bool) -> Option<(Spawned, bool)> {
        let me = self.worker();
        let mine = squads.of(me.seat());
        let is_mine = |head: &GroupHead| is_wanted(head) && !head.tier.forks_across() && self.is_of(squads, head, mine);
        if let Some(spawned) = self.find_spawned(&is_mine) {
            return Some((spawned, false));
        }
        let is_inter = |head: &GroupHead| is_wanted(head) && head.tier.forks_across();
        if !self.team.spawn_queues().any(|queue| queue.has_inside(is_inter))
            || !self.team.may_begin_across(me)
            || !me.begin_across()
        {
            return None;
        }
        let spawned = self.find_spawned(&is_inter);
        if spawned.is_none() {
            me.end_across();
        }
        spawned.map(|spawned| (spawned, true))
    }

    fn is_of(&self, squads: &Squads, head: &GroupHead, squad: usize) -> bool {
        !squads.is_split() || squads.of(self.team.worker(head.owner).seat()) == squad
    }

    /// Runs a spawned task of a group that `is_wanted`, where there are squads. Returns false if there was none.
    pub(super) fn visit_spawned_across(&self, squads: &Squads, is_wanted: &dyn Fn(&GroupHead) -> bool) -> bool {
        let Some((spawned, is_across)) = self.spawned(squads, is_wanted) else { return false };
        self.run(spawned);
        if is_across {
            self.worker().counters.tasks_across.bump();
            self.worker().end_across();
        }
        true
    }
}

impl Team {
    /// Whether `worker` may begin an inter-socket task, as far as can be seen.
    pub(crate) fn may_begin_across(&self, worker: &Worker) -> bool {
        let is_there =
            |seat: usize| self.seats.is_taken(seat) && !self.ladder_on(seat).owner().waits.load(Ordering::Relaxed);
        self.squads.as_ref().is_some_and(|squads| squads.may_begin(worker.seat(), is_there))
    }

    /// Whether `worker` may get intra-socket work from the owner of `ladder`: they are in the same squad, or the
    /// boundary level of runs is 0.
    pub(crate) fn are_mates(&self, worker: &Worker, ladder: &Ladder) -> bool {
        let same = |squads: &Squads| !squads.is_split() || squads.of(worker.seat()) == squads.of(ladder.owner().seat());
        self.squads.as_ref().is_none_or(same)
    }
}
