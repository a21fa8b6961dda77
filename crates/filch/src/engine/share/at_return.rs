//! The victim's side of sharing: the owner of a ladder finds at a return that its work is wanted.
//!
//! This is the second file of the story of a join. What happened before: a fork (`constructs/join/fork.rs`) has pushed
//! its frame and run its first branch. Meanwhile another worker has asked this one for work, or has taken a frame from
//! it. In both cases it has raised E. The return of the fork pops its frame, finds E above its rung, and calls
//! [`attend`].
//!
//! Here the owner settles under L which frames are still its own, and its scheduler decides what leaves
//! ([`Sharing::at_return`](crate::engine::team::Sharing)). Answers are sent after L has been released.
//!
//! What comes next: the asker, or the worker that has taken a frame, runs it (`engine/share/thief.rs`). If the frame of
//! this return is gone, the owner waits for it (`engine/wait/join_end.rs`).

use crate::engine::frame::ready::Ready;
use crate::engine::frame::{FrameRef, Header, OffLadder};
use crate::engine::share::prepare;
use crate::engine::team::{Latent, Leaving};
use crate::engine::team::{Occupied, Returned, Top};
use crate::sync::abort::AbortOnUnwind;
use filch_policy as policy;
use std::cell::Cell;
use std::ptr::NonNull;

/// How a return has ended that has found E raised.
pub(crate) enum Settled<'l, K = Top<'l>> {
    /// The frame is the caller's.
    Kept(K),
    /// The frame is gone.
    Gone(Top<'l>),
}

impl<'l> Settled<'l> {
    fn of((top, is_gone): (Top<'l>, bool)) -> Self {
        if is_gone { Settled::Gone(top) } else { Settled::Kept(top) }
    }

    /// For a caller that learns otherwise what is gone.
    pub(crate) fn top(self) -> Top<'l> {
        match self {
            Settled::Kept(top) | Settled::Gone(top) => top,
        }
    }
}

/// Settles a return.
#[cold]
#[inline(never)]
pub(crate) fn attend(returned: Returned<'_>) -> Settled<'_> {
    let (sharing, frame) = (returned.ladder().owner().team().sharing, returned.frame());
    let (top, gone) = settle(returned, &Popped::Whole);
    let Some(frame) = frame else {
        sharing.at_item(&top);
        return Settled::Kept(top);
    };
    // SAFETY: the frame has just been popped, and is not gone.
    let kept = (!gone).then(|| unsafe { OffLadder::new(frame) });
    let gone = sharing.after_return(&top, kept);
    Settled::of((top, gone))
}

/// [`attend`] for a worker that waits, and so does not return: leaves a frame below `top` for others, if its scheduler
/// wants that. Nothing if others get latent frames without it.
pub(crate) fn look(top: &Top<'_>) {
    let worker = top.owner();
    let team = worker.team();
    if !team.rules().shares_latent() && top.ladder().has_frame() && team.sharing.is_wanted(worker) {
        settle(Returned::to(top.again()), &Popped::Whole);
    }
}

/// Takes `frame` off the ladder if it is still there, for a guard that runs while a panic unwinds. Returns the top, and
/// whether the frame is gone.
///
/// # Safety
///
/// No other frame can be at this rung, and what this thread has pushed above has been popped.
#[cold]
pub(crate) unsafe fn take_off<'l>(at: Occupied<'l>, frame: NonNull<Header>) -> (Top<'l>, bool) {
    at.owner().note_unwinding();
    // SAFETY: guaranteed by the caller.
    let Some(pushed) = (unsafe { at.pushed(frame) }) else { return (at.top(), false) };
    match pushed.pop() {
        Ok(top) => (top, false),
        Err(returned) => match attend(returned) {
            Settled::Kept(top) => (top, false),
            Settled::Gone(top) => (top, true),
        },
    }
}

/// [`attend`] for a frame that stays with its owner while parts of it leave. The frame itself shows afterwards what is
/// left of it. `update` runs under L, before anything leaves the frame. It writes into the frame what only the owner
/// knew. It must not run user code, and must not unwind.
///
/// # Safety
///
/// The frame can be [divided](crate::engine::frame::Divide) until nothing is left of it.
#[cold]
#[inline(never)]
pub(crate) unsafe fn attend_parts<'l>(returned: Returned<'l>, update: &dyn Fn()) -> Top<'l> {
    let popped = returned.frame();
    // The result is not needed: this frame is gone if nothing is left of it, which the frame itself shows.
    let (top, _) = settle(returned, &popped.map_or(Popped::Whole, |frame| Popped::Parts { frame, update }));
    if let Some(frame) = popped {
        // SAFETY: the frame has just been popped. What has left it is a part.
        let frame = unsafe { OffLadder::new(frame) };
        if let Some(frame) = top.owner().team().sharing.between_blocks(&top, frame) {
            fill_order(&top, frame);
        }
    }
    top
}

/// Leaves a part of `frame`, which has just been popped at `top`, for others, if a thief has ordered it.
fn fill_order(top: &Top<'_>, frame: OffLadder<'_>) {
    let worker = top.owner();
    if Ready::default().allows(&frame) || worker.keeps_all() || !worker.preparing.take_order() {
        return;
    }
    if let Ready::Now(_) = prepare::one(top, &frame) {
        worker.leave(frame, None);
    }
}

/// [`attend`] for the frame of a spawn loop. If the frame is kept, also returns whether it is wanted: then the caller
/// calls [`answer`] as soon as the frame is on the ladder again. An ask that only this frame can satisfy waits until
/// the caller has its next item in hand. If the caller gave away what is left before that, it would have nothing to do.
#[cold]
#[inline(never)]
pub(crate) fn attend_between_items<'l>(returned: Returned<'l>) -> Settled<'l, (Top<'l>, bool)> {
    let (ladder, frame) = (returned.ladder(), returned.frame());
    let sharing = ladder.owner().team().sharing;
    let is_wanted = Cell::new(false);
    let (top, gone) = settle(returned, &Popped::BetweenItems(&is_wanted));
    if is_wanted.get() {
        // If there is no next item, the next return answers the ask.
        ladder.raise();
    }
    // SAFETY: the frame has just been popped, and is not gone.
    let kept = frame.filter(|_| !gone).map(|frame| unsafe { OffLadder::new(frame) });
    if sharing.after_return(&top, kept) {
        Settled::Gone(top)
    } else {
        Settled::Kept((top, is_wanted.get() || sharing.wants_items()))
    }
}

/// Answers an ask with a frame that is on the ladder below `top`.
#[cold]
#[inline(never)]
pub(crate) fn answer(top: Top<'_>) {
    attend(Returned::to(top));
}

/// What the owner has just popped.
enum Popped<'a> {
    /// A frame that leaves whole, or none.
    Whole,
    /// A frame of which half may leave, after the update.
    Parts { frame: NonNull<Header>, update: &'a dyn Fn() },
    /// A frame that may leave when the owner has its next item in hand. Set if it is wanted.
    BetweenItems(&'a Cell<bool>),
}

impl Popped<'_> {
    fn divisible(&self) -> Option<NonNull<Header>> {
        match self {
            Popped::Parts { frame, .. } => Some(*frame),
            Popped::Whole | Popped::BetweenItems(_) => None,
        }
    }

    /// What leaves, as the scheduler decides.
    fn decide(&self, latent: Latent<'_>, has_oldest: bool) -> Leaving {
        let sharing = latent.worker().team().sharing;
        match self {
            Popped::BetweenItems(is_wanted) if !policy::answers_before_next_item(has_oldest) => {
                is_wanted.set(sharing.is_wanted(latent.worker()));
                return Leaving::default();
            }
            // This must wait until L is held, because a thief may have been using the frame when it was popped.
            Popped::Parts { update, .. } => update(),
            Popped::Whole | Popped::BetweenItems(_) => {}
        }
        sharing.at_return(latent)
    }
}

/// Settles under L which frames are gone, and what leaves. If the frame that is wanted has to be prepared, prepares it
/// in between. Returns whether the frame of this return is gone.
fn settle<'l>(returned: Returned<'l>, popped: &Popped<'_>) -> (Top<'l>, bool) {
    returned.ladder().owner().counters.attends.bump();
    let (top, gone, unprepared) = settle_once(returned, popped, Ready::Unknown);
    let Some(frame) = unprepared else { return (top, gone) };
    // Only now, with H back, may this run code of the user.
    // SAFETY: the frame is on this ladder, or has just been popped, and has not left, so it lives.
    let frame = unsafe { FrameRef::new(frame) };
    // SAFETY: this thread has forked it.
    let ready = unsafe { prepare::own(&top, &frame) };
    (settle_once(Returned::to(top), popped, ready).0, gone)
}

/// Locks L once: brings H and E back, and lets the scheduler decide, unless the frame that is wanted has to be prepared
/// first; then it is returned. Also returns whether the frame at the rung is gone.
fn settle_once<'l>(
    returned: Returned<'l>,
    popped: &Popped<'_>,
    ready: Ready,
) -> (Top<'l>, bool, Option<NonNull<Header>>) {
    let ladder = returned.ladder();
    let worker = ladder.owner();
    if !worker.rules().shares_latent() {
        worker.part_memory.make();
    }
    // Unwinding would free a frame that may be gone, and leave an asker without an answer.
    let abort = AbortOnUnwind::arm();
    let (mut leaving, mut passes, mut unprepared) = (Leaving::default(), false, None);
    let keeps_all = worker.keeps_all();
    let give = |oldest: Option<FrameRef<'_>>| {
        if keeps_all {
            // SAFETY: this runs under L, and nothing leaves.
            leaving = worker.team().sharing.at_return(unsafe { Latent::new(worker, None, None, ready) });
            return false;
        }
        // SAFETY: this thread has just popped it. Under L no other one is at it.
        let divisible = popped.divisible().map(|frame| unsafe { OffLadder::new(frame) });
        let first = oldest.as_ref().or(divisible.as_deref());
        unprepared = first.filter(|frame| prepare::comes_first(worker, frame, ready)).map(FrameRef::as_ptr);
        // SAFETY: `attend` calls this under L.
        passes = unprepared.is_none() && oldest.as_ref().is_some_and(|oldest| unsafe { ready.passes(oldest) });
        if unprepared.is_some() || passes {
            return passes;
        }
        let has_oldest = oldest.is_some();
        // SAFETY: this runs under L, and tells the ladder if `oldest` leaves.
        let latent = unsafe { Latent::new(worker, oldest, divisible, ready) };
        leaving = popped.decide(latent, has_oldest);
        has_oldest && leaving.takes_all()
    };
    let (top, gone) = returned.attend(give);
    // What is wanted is now above the frame that is empty, or could not be prepared; or what runs here has been
    // cancelled, and each return is to look.
    if passes || worker.tasks.around().is_cancelled() {
        ladder.raise();
    }
    // This comes before the answer, because the worker that gets the answer calls others for what is left.
    worker.team().watch_again(ladder);
    worker.carry_out(leaving, &top);
    abort.disarm();
    (top, gone, unprepared)
}
