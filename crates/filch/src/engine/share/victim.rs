//! The victim's side of sharing: the owner of a ladder finds at a return that its work is wanted.
//!
//! This is the second file of the story of a join. What happened before: a fork (`constructs/join/fork.rs`) has pushed
//! its frame and run its first branch. Meanwhile another worker has asked this one for work, or has taken a frame from
//! it. In both cases it has raised E. The return of the fork pops its frame, finds E above its rung, and calls
//! [`attend`].
//!
//! Here the owner settles under L which frames are still its own. If a worker has asked, the owner accepts the ask and
//! claims its oldest frame for the asker. It answers after it has released L.
//!
//! What comes next: the asker, or the worker that has taken a frame, runs it (`engine/share/thief.rs`). If the frame of
//! this return is gone, the owner waits for it (`engine/wait/join_end.rs`).

use crate::engine::abort::AbortOnUnwind;
use crate::engine::chaos;
use crate::engine::frame::{Claim, Header, Place};
use crate::engine::occupied::{Occupied, Returned, Top};
use crate::engine::prepare::{self, Ready};
use crate::engine::share::gift::Answer;
use crate::engine::team::Worker;
use crate::protocol::ask::{Ask, Word};
use crate::protocol::ladder::Claimed;
use crate::protocol::task_pool::TaskPool;
use filch_policy as policy;
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
    let frame = returned.frame();
    let (top, gone) = settle(returned);
    let Some(frame) = frame else {
        chaos::at_item(&top);
        return Settled::Kept(top);
    };
    // SAFETY: `frame` has just been popped there, and `gone` says whether it is gone.
    let gone = unsafe { chaos::at_return(&top, frame, gone) };
    Settled::of((top, gone))
}

/// Takes `frame` off the ladder if it is still there, for a guard that runs while a panic unwinds. Returns the top, and
/// whether the frame is gone.
///
/// # Safety
///
/// No other frame can be at this rung, and what this thread has pushed above has been popped.
#[cold]
pub(crate) unsafe fn take_off<'l>(at: Occupied<'l>, frame: NonNull<Header>) -> (Top<'l>, bool) {
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
pub(crate) unsafe fn attend_rest<'l>(returned: Returned<'l>, update: &dyn Fn()) -> Top<'l> {
    let (worker, popped) = (returned.ladder().owner(), returned.frame());
    let decide = |oldest, ready| {
        // This must wait until L is held, because a thief may have been using the frame when it was popped.
        update();
        // SAFETY: this runs under L. `oldest` is on this ladder, and the caller has just popped `frame`.
        unsafe { worker.accept(oldest, ready, popped) }
    };
    // The result is not needed: this frame is gone if nothing is left of it, which the frame itself shows.
    let (top, _) = settle_by(returned, popped.map_or(Popped::Whole, Popped::Rest), decide);
    if let Some(frame) = popped {
        // SAFETY: the frame has just been popped; the rest is guaranteed by the caller.
        unsafe { chaos::at_claim(&top, frame) };
        // SAFETY: the same.
        unsafe { fill_order(&top, frame) };
    }
    top
}

/// Leaves a part of `frame` for others, if a thief has ordered it.
///
/// # Safety
///
/// The caller has just popped `frame` at `top`, which can be divided.
unsafe fn fill_order(top: &Top<'_>, frame: NonNull<Header>) {
    let worker = top.owner();
    // SAFETY: the frame lives.
    if unsafe { Ready::default().allows(frame) } || !worker.preparing.take_order() {
        return;
    }
    // SAFETY: guaranteed by the caller.
    if let Ready::Now(frame) = unsafe { prepare::one(top, frame) } {
        // SAFETY: the frame is off the ladder, and its owner is the caller. The part lives until it has been waited
        // for.
        unsafe { worker.leave(frame) };
    }
}

/// [`attend`] for the frame of a spawn loop. If the frame is kept, also returns whether it is wanted: then the caller
/// calls [`answer`] as soon as the frame is on the ladder again. An ask that only this frame can satisfy waits until
/// the caller has its next item in hand. If the caller gave away what is left before that, it would have nothing to do.
#[cold]
#[inline(never)]
pub(crate) fn attend_items<'l>(returned: Returned<'l>) -> Settled<'l, (Top<'l>, bool)> {
    let (ladder, frame) = (returned.ladder(), returned.frame());
    let worker = ladder.owner();
    let mut is_wanted = false;
    let decide = |oldest: Option<NonNull<Header>>, ready| {
        if !policy::answers_before_next_item(oldest.is_some()) {
            is_wanted = worker.is_asked() || worker.beat.is_given();
            return None;
        }
        // SAFETY: this runs under L, and `oldest` is on this ladder.
        unsafe { worker.accept(oldest, ready, None) }
    };
    let (top, gone) = settle_by(returned, Popped::Items, decide);
    if is_wanted {
        // If there is no next item, the next return answers the ask.
        ladder.raise();
    }
    // SAFETY: `frame` has just been popped there, and `gone` says whether it is gone.
    let gone = frame.map_or(gone, |frame| unsafe { chaos::at_return(&top, frame, gone) });
    is_wanted |= chaos::wants_items(worker.team());
    if gone { Settled::Gone(top) } else { Settled::Kept((top, is_wanted)) }
}

/// Answers an ask with a frame that is on the ladder below `top`.
#[cold]
#[inline(never)]
pub(crate) fn answer(top: Top<'_>) {
    attend(Returned::to(top));
}

/// Settles under L which frames are gone, and answers an ask. Returns whether the frame of this return is gone.
fn settle(returned: Returned<'_>) -> (Top<'_>, bool) {
    let worker = returned.ladder().owner();
    // SAFETY: this runs under L, and `oldest` is on this ladder.
    let decide = |oldest, ready| unsafe { worker.accept(oldest, ready, None) };
    settle_by(returned, Popped::Whole, decide)
}

/// What the owner has just popped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Popped {
    /// A frame that leaves whole, or none.
    Whole,
    /// The frame of a loop, of which half may leave now.
    Rest(NonNull<Header>),
    /// The frame of a spawn loop, which may leave when the owner has its next item in hand.
    Items,
}

impl Popped {
    fn rest(self) -> Option<NonNull<Header>> {
        match self {
            Popped::Rest(frame) => Some(frame),
            Popped::Whole | Popped::Items => None,
        }
    }
}

/// Settles under L which frames are gone. `decide` runs there with the oldest frame, and with what is known to be ready
/// to leave. It returns the answer to an ask. If the frame that is wanted has to be prepared, prepares it in between.
/// `decide` runs no user code and does not unwind.
fn settle_by<'l>(
    returned: Returned<'l>,
    popped: Popped,
    mut decide: impl FnMut(Option<NonNull<Header>>, Ready) -> Option<Answer>,
) -> (Top<'l>, bool) {
    let worker = returned.ladder().owner();
    worker.counters.attends.bump();
    let (top, Once { gone, unprepared }) = settle_once(returned, popped, Ready::Unknown, &mut decide);
    let Some(frame) = unprepared else { return (top, gone) };
    // Only now, with H back, may this run code of the user.
    // SAFETY: the frame is on this ladder, or has just been popped, and has not left. L is free.
    let ready = unsafe { prepare::one(&top, frame) };
    let (top, _) = settle_once(Returned::to(top), popped, ready, &mut decide);
    (top, gone)
}

/// What [`settle_once`] has found.
struct Once {
    /// Whether the frame at the rung is gone.
    gone: bool,
    /// The frame that is wanted, and about which nothing has been decided, because it has to be prepared first.
    unprepared: Option<NonNull<Header>>,
}

/// Locks L once: brings H and E back, and answers an ask or a beat, unless the frame that is wanted has to be prepared.
fn settle_once<'l>(
    returned: Returned<'l>,
    popped: Popped,
    ready: Ready,
    decide: &mut impl FnMut(Option<NonNull<Header>>, Ready) -> Option<Answer>,
) -> (Top<'l>, Once) {
    let ladder = returned.ladder();
    let worker = ladder.owner();
    let has_beats = worker.rules().beat().is_some();
    if has_beats {
        worker.part_memory.make();
    }
    // Unwinding would free a frame that may be gone, and leave an asker without an answer.
    let abort = AbortOnUnwind::arm();
    let (mut answer, mut beats, mut promoted) = (None, false, None);
    let (mut passes, mut unprepared) = (false, None);
    let give = |oldest: Option<NonNull<Header>>| {
        // SAFETY: the frame is on this ladder, or has just been popped, and has not left, so it lives.
        unprepared = oldest.or(popped.rest()).filter(|&frame| unsafe { prepare::comes_first(worker, frame, ready) });
        if unprepared.is_some() {
            return false;
        }
        passes = oldest.is_some_and(|oldest| ready.refuses(oldest));
        if passes {
            return true;
        }
        answer = decide(oldest, ready);
        // This must come after E was lowered: a beat that comes later raises E again.
        beats = has_beats && (popped != Popped::Items || oldest.is_some()) && worker.beat.is_given();
        if beats {
            // SAFETY: this runs under L, `oldest` is on this ladder, and the caller has just popped `popped`. Where
            // there are beats, no answer to an ask gives what is on the ladder.
            promoted = unsafe { worker.promote(oldest, ready, popped.rest()) };
            worker.take_beat(promoted.is_some());
        }
        let leaves = matches!(promoted, Some(Claimed::All(_))) || answer.as_ref().is_some_and(Answer::gives_the_rest);
        oldest.is_some() && leaves
    };
    let (top, gone) = returned.attend(give);
    if passes {
        // What is wanted is now above the frame that could not be prepared.
        ladder.raise();
    }
    // This comes before the answer, because the worker that gets the answer calls others for what is left.
    worker.team().watch_again(ladder);
    if let Some(answer) = answer {
        worker.send(answer);
    }
    if beats {
        if promoted.is_none() {
            // The beat is for the next frame.
            top.make_eager();
        }
        worker.leave_promoted(promoted);
    }
    // This must come after E was lowered: a thief that empties the cell later raises E again.
    if worker.left.poll() {
        worker.call_for_left();
    }
    abort.disarm();
    (top, Once { gone, unprepared })
}

impl Worker {
    /// Accepts the ask in the ask word, if there is one, and decides about the answer. `oldest` is the frame that may
    /// be given, if it is `ready`. If there is none, half of what is left of `popped` may be given.
    ///
    /// # Safety
    ///
    /// The caller occupies this worker and holds the L of its ladder. `oldest` lives and is on the ladder. It leaves
    /// the ladder if the answer [gives the rest](Answer::gives_the_rest). The caller has just popped `popped`.
    pub(crate) unsafe fn accept(
        &self,
        oldest: Option<NonNull<Header>>,
        ready: Ready,
        popped: Option<NonNull<Header>>,
    ) -> Option<Answer> {
        let is_ready = |frame: NonNull<Header>| {
            // SAFETY: both frames live, as the caller guarantees.
            unsafe { ready.allows(frame) }
        };
        if oldest.or(popped).is_some_and(|frame| !is_ready(frame) && !ready.refuses(frame)) {
            if self.is_asked() {
                // The ask, which has come after the look at the frames, waits until the oldest has been prepared.
                self.team().ladder(self.index).raise();
            }
            return None;
        }
        let popped = popped.filter(|&popped| is_ready(popped));
        let Ask { asker: to, .. } = self.ask_word.accept()?;
        // From now on the asker waits for the answer, so what it wants does not change.
        let wants = self.team().worker(to).wants.get();
        if !self.team().rules().shares_latent() {
            return Some(self.hand_over(to, wants));
        }
        // What this worker has left is older than what is on the ladder. The asker will find it there.
        if policy::leaves_alone(wants, !self.left.is_empty()) || !self.may_give_again() {
            return Some(Answer::Nothing { to });
        }
        // SAFETY: guaranteed by the caller.
        let Some((frame, holder)) = (unsafe { self.gift(oldest, popped, wants) }) else {
            return Some(Answer::Nothing { to });
        };
        let claim = Claim::new(frame, holder, self.index, Place::Mailbox(to as u16));
        // SAFETY: the caller holds L, and H has not moved past the frame. The ask has been accepted, so its asker
        // leaves its memory for a part to this worker.
        let frame = unsafe { self.team().worker(to).claim(frame, claim) };
        self.counters.forks_given.bump();
        Some(Answer::Frame { to, frame })
    }

    /// Whether another worker wants a frame of this one, or the clock does.
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_asked() || self.beat.is_given()
    }

    /// Whether there is an ask in the ask word.
    pub(crate) fn is_asked(&self) -> bool {
        matches!(self.ask_word.look(), Word::Asked)
    }

    /// Marks a frame, or a part of it, as leaving its ladder for this worker, the thief.
    ///
    /// # Safety
    ///
    /// The frame lives. Either the caller holds the L of its ladder and H has not moved past it, or the frame is off
    /// the ladder and the caller is its owner. If the frame can be divided, something is left of it. The caller may use
    /// this worker's memory for a part.
    pub(crate) unsafe fn claim(&self, frame: NonNull<Header>, claim: Claim) -> Claimed<Header> {
        // SAFETY: the caller guarantees that the frame lives.
        let Some(divide) = unsafe { frame.as_ref() }.kind().divide else {
            // SAFETY: guaranteed by the caller.
            unsafe { Header::set_claim(frame, claim) };
            return Claimed::All(frame);
        };
        let memory = self.part_memory.take().expect("a thief brings the memory for a part");
        // SAFETY: guaranteed by the caller; the table is that of the frame's own type, and the memory came from
        // `Box::into_raw`.
        unsafe { (divide.split)(frame, memory, claim) }
    }

    /// Sends the answer. The asker may begin the frame at once.
    pub(crate) fn send(&self, answer: Answer) {
        let to = match answer {
            Answer::Nothing { to } => {
                self.team().worker(to).mailbox.refuse();
                to
            }
            Answer::Frame { to, frame: Claimed::All(frame) | Claimed::Part(frame) } => {
                self.team().worker(to).mailbox.put(frame);
                to
            }
        };
        if !self.team().rules_now().takes() {
            // It may nap.
            self.team().worker(to).parker.unpark();
        }
    }
}
