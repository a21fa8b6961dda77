//! Going down the inter-socket tier: a fork leaves one branch for another squad, and runs the other one level deeper
//! (Chen, Huang, Guo and Zhou 2011, algorithm II). [`squads`](crate::engine::team::squads) says why it is done this
//! way.

use crate::engine::frame::{Claim, OffLadder, Place};
use crate::engine::team::Occupied;
use crate::engine::team::Worker;
use crate::sync::Ordering;
use crate::sync::abort::AbortOnUnwind;
use filch_policy::Tier;

impl Worker {
    /// The tier of what the occupant runs.
    pub(crate) fn tier(&self) -> Tier {
        Tier::from_word(self.tier.load(Ordering::Relaxed))
    }

    /// Notes the tier of what the occupant runs from now on. Returns the tier of what it has run so far.
    pub(crate) fn set_tier(&self, tier: Tier) -> Tier {
        let before = self.tier();
        self.tier.store(tier.word(), Ordering::Relaxed);
        before
    }

    /// Whether what the occupant forks now is an inter-socket task.
    pub(crate) fn forks_across(&self) -> bool {
        // While it prepares a frame it could not prepare another one.
        self.team().squads.is_some()
            && self.tier().forks_across()
            && !self.keeps_all()
            && !self.preparing.is_under_way.load(Ordering::Relaxed)
    }

    /// The group of the worker on `seat`, for what this worker forks now: its squad on an inter-socket level, and the
    /// seat itself elsewhere. `None` if nothing may be handed to it, or if the seat is that of another pool.
    pub(crate) fn group_of(&self, seat: usize) -> Option<usize> {
        let is_alone =
            self.preparing.is_under_way.load(Ordering::Relaxed) || self.keeps_all() || !self.rules().announces_forks();
        if is_alone || seat >= self.num_workers() {
            return None;
        }
        match &self.team().squads {
            Some(squads) if self.forks_across() => Some(squads.of(seat)),
            Some(squads) if squads.is_split() => None,
            _ => Some(seat),
        }
    }

    /// Leaves a frame, or a part of it, in the pool of this worker's squad, or of the squad `to`, which then may begin
    /// it before others. Returns what is left of it.
    fn leave_across<'f>(&self, frame: OffLadder<'f>, tier: Tier, to: Option<usize>) -> Option<OffLadder<'f>> {
        let Some(squads) = &self.team().squads else { return Some(frame) };
        // Unwinding would free a frame that another worker may be running.
        let abort = AbortOnUnwind::arm();
        self.part_memory.make();
        let squad = to.unwrap_or_else(|| squads.of(self.seat()));
        let claim = Claim::new(frame.as_ptr(), self.tasks.innermost(), self.index, Place::Squad(squad as u16));
        let (claimed, rest) = self.claim_own(frame, claim.on(tier));
        let frame = claimed.into_inner();
        self.note_given(&frame);
        squads.put(squad, frame.handed_to(to));
        self.team().call_squads_for(self.team().ladder(self.index));
        abort.disarm();
        rest
    }
}

/// The way down by one level, which ends when this is dropped.
#[must_use]
pub(crate) struct Descent<'l> {
    /// The top, whenever this is made or dropped.
    at: Occupied<'l>,
    before: Option<Tier>,
}

impl<'l> Descent<'l> {
    /// No level at all.
    pub(crate) fn none(at: Occupied<'l>) -> Self {
        Descent { at, before: None }
    }

    /// Whether there is a level to come back from.
    pub(crate) fn is_some(&self) -> bool {
        self.before.is_some()
    }

    /// Goes on with `deeper`. Both end together.
    pub(crate) fn add(&mut self, mut deeper: Descent<'_>) {
        let before = deeper.before.take();
        self.before = self.before.or(before);
    }

    /// Goes to `tier`, as the occupant of the ladder whose top is `at`.
    pub(super) fn to(at: Occupied<'l>, tier: Tier) -> Self {
        let before = at.owner().set_tier(tier);
        mark(at, tier);
        Descent { at, before: Some(before) }
    }
}

impl Drop for Descent<'_> {
    fn drop(&mut self) {
        let Some(before) = self.before else { return };
        self.at.owner().set_tier(before);
        mark(self.at, before);
    }
}

/// Goes down one level on an inter-socket level; stays elsewhere.
pub(crate) fn one_level(top: Occupied<'_>) -> Descent<'_> {
    let worker = top.owner();
    if worker.forks_across() { Descent::to(top, worker.tier().child()) } else { Descent::none(top) }
}

/// Marks the top again after something else has run there that may have removed the mark.
pub(crate) fn mark_again(top: Occupied<'_>) {
    if top.owner().forks_across() {
        top.make_eager();
    }
}

/// Sends the next fork at `top` to the cold path, if it forks an inter-socket task.
pub(crate) fn mark(top: Occupied<'_>, tier: Tier) {
    if tier.forks_across() { top.make_eager() } else { top.be_patient() }
}

/// Leaves `frame` as an inter-socket task, and goes down one level: what the caller runs until the result is dropped is
/// one, too. Also returns what is left of the frame. The worker [forks across](Worker::forks_across).
pub(crate) fn share<'l, 'f>(
    top: Occupied<'l>,
    frame: OffLadder<'f>,
    to: Option<usize>,
) -> (Descent<'l>, Option<OffLadder<'f>>) {
    let worker = top.owner();
    let tier = worker.tier().child();
    worker.counters.inter_tasks.add(2);
    if tier.is_leaf() {
        worker.counters.leaf_tasks.add(2);
    }
    let rest = worker.leave_across(frame, tier, to);
    (Descent::to(top, tier), rest)
}
