//! A mistake: a worker that is asked gives its youngest frame (`filch_policy::Mistake`). Tests compare what it does to
//! the counts of the runtime and of the simulator; other builds do not have it.
//!
//! A frame that leaves from the middle of a ladder leaves a *hole*: its slot still has the pointer, and H stays below.
//! Only the owner makes holes and knows of them. So this is for schedulers under which nobody takes, and for programs
//! of joins only; others abort. E stays above the highest hole, so that the return to it comes here and learns that its
//! frame is gone.

use crate::engine::abort::AbortOnUnwind;
use crate::engine::frame::{Header, Rung};
use crate::engine::occupied::{Returned, Top};
use crate::engine::prepare::Ready;
use crate::engine::share::gift::Answer;
use crate::engine::team::Worker;
use std::ptr::NonNull;

impl Worker {
    /// The youngest frame of this worker below `top` that has not left, and its rung.
    ///
    /// # Safety
    ///
    /// The caller occupies this worker and holds the L of its ladder, whose top is `top`.
    unsafe fn youngest(&self, top: Rung) -> Option<(Rung, NonNull<Header>)> {
        let oldest = self.team().ladder(self.index).oldest();
        let mut rung = top;
        while rung.addr() > oldest {
            // SAFETY: H is not below the first rung.
            rung = unsafe { rung.prev() };
            if !self.holes.with(|holes, _| holes.contains(&rung.addr())) {
                // SAFETY: guaranteed by the caller.
                return unsafe { rung.frame() }.map(|frame| (rung, frame));
            }
        }
        None
    }
}

/// As `settle` in `victim.rs`, for a worker that gives its youngest frame.
pub(super) fn settle(returned: Returned<'_>) -> (Top<'_>, bool) {
    let at = returned.occupied();
    let (ladder, worker, rung) = (at.ladder(), at.owner(), at.rung());
    let rules = worker.rules();
    let abort = AbortOnUnwind::arm();
    assert!(!rules.takes() && rules.shares_latent() && !rules.has_tiers(), "only the owner may know of holes");
    worker.counters.attends.bump();
    let was_hole = worker.holes.with(|holes, _| holes.remove(&rung.addr()));
    let mut answer = None;
    let give = |oldest: Option<NonNull<Header>>| {
        // SAFETY: this runs under L, and the caller has just popped `rung`.
        let youngest = oldest.and_then(|_| unsafe { worker.youngest(rung) });
        worker.holes.with(|_, given| *given = youngest.map(|(rung, _)| rung.addr()));
        // SAFETY: this runs under L, and the frame is on this ladder.
        answer = unsafe { worker.accept(youngest.map(|(_, frame)| frame), Ready::default(), None) };
        let gives = answer.as_ref().is_some_and(Answer::gives_the_rest);
        let is_oldest = youngest.is_some_and(|(rung, _)| rung.addr() == ladder.oldest());
        let given = worker.holes.with(|_, given| given.take());
        if gives && !is_oldest {
            worker.holes.with(|holes, _| holes.extend(given));
        }
        gives && is_oldest
    };
    let (top, gone) = returned.attend(give);
    if let Some(hole) = worker.holes.with(|holes, _| holes.last().copied()) {
        ladder.raise_above(hole);
    }
    worker.team().watch_again(ladder);
    if let Some(answer) = answer {
        worker.send(answer);
    }
    abort.disarm();
    (top, gone || was_hole)
}
