//! Affinity: a part of a range that is divided again goes to the workers that had it last.

use super::Simulation;
use crate::affinity::Affinity;
use crate::claims::{ClaimId, Place};
use crate::decisions::Decisions;
use crate::program::Node;
use crate::squads::Squads;
use crate::steps::StepKind;
use crate::worker::Does;
use filch_policy::Halving;

/// Two branches in the order in which their worker forks them, and the group that gets the second one.
pub(super) struct Halved {
    pub(super) first: Node,
    pub(super) second: Node,
    pub(super) to: Option<usize>,
}

impl<D: Decisions> Simulation<'_, D> {
    /// The same with affinity, for all that the program divides repeatedly and that touches memory. Follows
    /// [`with_boundary`](Self::with_boundary).
    #[must_use]
    pub fn with_affinity(mut self) -> Self {
        let squads = self.squads.as_ref().filter(|squads| squads.first.splits_squads());
        self.affinity = Some(Affinity::new(squads.map_or(self.workers.len(), Squads::count)));
        self.workers.iter_mut().for_each(|worker| worker.course.stops_to_hand = true);
        self
    }

    /// The group of a worker.
    fn group_of(&self, worker: usize) -> usize {
        self.squad_of_work(worker).unwrap_or(worker)
    }

    /// A worker runs a node.
    pub(super) fn note_share(&mut self, me: usize, node: Node) {
        let group = self.group_of(me);
        if let (Some(affinity), Some(share)) = (&mut self.affinity, self.program.share(node)) {
            affinity.note(share, group);
        }
    }

    /// What a worker does at a fork of these branches. Within a squad, there is only one group.
    pub(super) fn halve(&self, me: usize, first: Node, second: Node) -> Halved {
        let has_groups = self.squad_of_work(me).is_none() || self.forks_across(me);
        let halving = self.affinity.as_ref().filter(|_| has_groups).and_then(|affinity| {
            let halves = [first, second].map(|node| Some(affinity.holders(self.program.share(node)?)));
            let [Some(first), Some(second)] = halves else { return None };
            Some(Halving::of(self.group_of(me), [first, second]))
        });
        let usual = Halving { keeps_first: true, hands_to: None };
        let Halving { keeps_first, hands_to: to } = halving.unwrap_or(usual);
        if keeps_first { Halved { first, second, to } } else { Halved { first: second, second: first, to } }
    }

    /// A worker hands the second branch of a fork to another one, and wakes it.
    pub(super) fn hand(&mut self, me: usize, first: Node, second: Node, to: usize) {
        let cost_ns = self.cost_of_gift();
        self.charge_ns += cost_ns;
        self.counts.gifts += 1;
        self.counts.handed += 1;
        let course = &mut self.workers[me].course;
        // The other one may begin while this worker still pays for the gift.
        let path_ns = course.done.path_ns;
        course.done.path_ns += cost_ns;
        let claim = self.claims.add(second, me, self.task_of(me), Place::Handed(to), path_ns);
        self.claims.get_mut(claim).handed = Some((to, self.now_ns));
        self.tell(me, self.now_ns, StepKind::Gives(claim.number()));
        self.affinity.as_mut().expect("only affinity hands branches to a worker").hand(to, claim);
        self.workers[me].course.enter_shared(first, claim);
        if let Does::Sleeps { .. } = self.workers[to].does {
            self.sleepers.retract(to);
            self.wake(to);
        }
    }

    /// Whether the owner of a frame that was handed to another group may run it.
    pub(super) fn may_take_back(&self, me: usize, claim: ClaimId) -> bool {
        self.claims.get(claim).may_be_begun_by(self.group_of(me), self.now_ns)
    }

    /// Whether some frame was handed to a worker that is a part of this goal, if there is one, and has not been begun.
    pub(super) fn sees_handed(&self, goal: Option<ClaimId>) -> bool {
        self.affinity.as_ref().is_some_and(|affinity| affinity.has(|claim| self.is_for(claim, goal)))
    }

    /// Whether a worker with this goal, if it has one, may run a frame.
    fn is_for(&self, claim: ClaimId, goal: Option<ClaimId>) -> bool {
        goal.is_none_or(|goal| self.decisions.rules().helps_with(|| self.claims.is_part(claim, goal)))
    }

    /// Begins a frame that was handed to this worker, or one that another worker has not begun for a while. Returns
    /// false if there is none.
    pub(super) fn look_at_handed(&mut self, me: usize, is_own: bool) -> bool {
        let Some(mut affinity) = self.affinity.take() else { return false };
        let from = if is_own { me..me + 1 } else { 0..self.workers.len() };
        let goal = self.workers[me].waits;
        let is_wanted = |claim| self.may_take_back(me, claim) && self.is_for(claim, goal);
        let found = if self.squad_of_work(me).is_none() { affinity.get(from, is_wanted) } else { None };
        self.affinity = Some(affinity);
        let Some(claim) = found else { return false };
        self.counts.attempts += 1;
        let owner = self.claims.get(claim).owner;
        self.run_claimed(me, claim, owner);
        true
    }
}
