//! What a fork does when the slot that it has found is not free.

use crate::engine::frame::{Header, OffLadder};
use crate::engine::seats::ambient::end_if_cancelled;
use crate::engine::share::descent::{self, Descent};
use crate::engine::share::prepare;
use crate::engine::team::Ladder;
use crate::engine::team::{Occupied, Top};
use crate::sync::abort::AbortOnUnwind;
use filch_policy::{Fork, Wish};
use std::ptr::NonNull;

/// What a fork does if its slot is taken, marked or beyond the last rung.
pub(crate) enum Way<'l> {
    /// It pushes its frame here.
    Push(Top<'l>),
    /// It leaves its frame for idle workers, and goes on from here.
    Share(Top<'l>),
    /// It runs both branches one after the other, without a frame, because the ladder is full.
    Full,
}

/// Decides what a fork does that has found its rung taken, marked or beyond the last rung. It goes on at the top of the
/// ladder, whatever its strand says.
///
/// The answer [`Way::Share`] spends a credit or a beat, so a fork asks once, and does what it is told.
///
/// A strand is stale if its rung holds a frame: user code has smuggled it past an implicit join. Safe code can do this
/// with a wrapper that asserts `Send` and checks that it stays on its own thread. The rung of a strand is never *above*
/// the top, because the strand's lifetime ends inside the branch that it was made for.
#[cold]
#[inline(never)]
pub(crate) fn recover_stale(at: Occupied<'_>) -> Way<'_> {
    note_stale(at);
    recover(at)
}

/// Counts a fork whose strand is stale.
fn note_stale(at: Occupied<'_>) {
    if at.holds_frame() {
        at.owner().counters.stale_forks.bump();
    }
}

/// The top of the ladder, for a spawn loop that has found its rung taken, marked or beyond the last rung; as an error,
/// if the ladder is full. Nothing is decided yet: [`shares_items`] is asked when the loop has its first item in hand.
#[cold]
#[inline(never)]
pub(crate) fn top_for_items(at: Occupied<'_>) -> Result<Top<'_>, Top<'_>> {
    note_stale(at);
    top_with_room(at)
}

/// The top of the ladder; as an error, if the ladder is full.
fn top_with_room(at: Occupied<'_>) -> Result<Top<'_>, Top<'_>> {
    let top = at.top();
    if top.is_full() {
        at.owner().counters.overflowed_forks.bump();
        return Err(top);
    }
    Ok(top)
}

/// Decides what a fork does that knows nothing but a rung of its ladder. Implicit joins come here if their hint is
/// wrong or their slot is not free. Unwinds instead if what runs here has been cancelled.
#[cold]
#[inline(never)]
pub(crate) fn recover(at: Occupied<'_>) -> Way<'_> {
    end_if_cancelled(at);
    recover_begun(at)
}

/// [`recover`], for a construct that is in the middle of something.
pub(crate) fn recover_begun(at: Occupied<'_>) -> Way<'_> {
    let ladder = at.ladder();
    let worker = ladder.owner();
    let Ok(top) = top_with_room(at) else { return Way::Full };
    if top.is_closed() {
        // The run forks for the first time, so from now on other workers may find something.
        top.open();
        if worker.team().sharing.at_fork(&top) {
            return Way::Push(top);
        }
        worker.team().activate(ladder);
        return match worker.record.first_fork(worker.forks_across(), || worker.may_leave()) {
            Fork::Shares => Way::Share(top),
            Fork::Tells | Fork::Pushes => Way::Push(top),
        };
    }
    let mark = top.take_mark();
    let forks_across = worker.forks_across();
    // A fork on an inter-socket level shares its frame whether there is a mark or not.
    let Some(wish) = mark.or(forks_across.then_some(Wish::Share)) else { return Way::Push(top) };
    let mut fork = at_mark(ladder, wish, forks_across, || worker.may_leave());
    while fork == Fork::Tells {
        worker.team().call_for(ladder);
        // A worker that was called may be asleep again before the frame is pushed, because this thread may not have run
        // meanwhile. Such a worker has left another mark.
        fork = if top.take_mark().is_some() { Fork::Tells } else { Fork::Pushes };
    }
    match fork {
        Fork::Shares => Way::Share(top),
        Fork::Tells | Fork::Pushes => Way::Push(top),
    }
}

/// Leaves `frame`, which has not been on the ladder, for idle workers. The next fork at `top` does the same if there
/// are still idle workers. On an inter-socket level, goes down one level until the result is dropped.
///
/// # Safety
///
/// No other thread can find the frame. It lives until it has been waited for.
#[cold]
#[inline(never)]
pub(crate) unsafe fn share<'l>(top: &Top<'l>, frame: NonNull<Header>) -> Descent<'l> {
    // SAFETY: guaranteed by the caller.
    unsafe { hand(top, frame, None) }
}

/// [`share`], at first for one group only: a squad on an inter-socket level, and the worker on a seat elsewhere.
///
/// # Safety
///
/// As for [`share`].
pub(crate) unsafe fn hand<'l>(top: &Top<'l>, frame: NonNull<Header>, to: Option<usize>) -> Descent<'l> {
    let worker = top.owner();
    // SAFETY: guaranteed by the caller.
    let frame = unsafe { OffLadder::new(frame) };
    prepare::one(top, &frame);
    if worker.forks_across() {
        return descent::share(**top, frame, to).0;
    }
    worker.leave(frame, to);
    top.make_eager();
    Descent::none(**top)
}

/// Leaves parts of `frame`, which is about to begin, for idle workers: half of what is left, then half of the rest, and
/// so on. The frame has not been on the ladder.
///
/// # Safety
///
/// As for [`share`], and the frame can be divided.
#[cold]
#[inline(never)]
pub(crate) unsafe fn share_parts<'l>(top: &Top<'l>, frame: NonNull<Header>) -> Descent<'l> {
    let worker = top.owner();
    let abort = AbortOnUnwind::arm();
    let mut descent = Descent::none(**top);
    // SAFETY: guaranteed by the caller.
    let mut rest = Some(unsafe { OffLadder::new(frame) });
    while let Some(frame) = rest.take_if(|frame| frame.left().can_be_left()) {
        let is_across = worker.forks_across();
        if descent.is_some() && !is_across {
            // What is left is on the boundary level.
            break;
        }
        if !prepare::one(top, &frame).allows(&frame) {
            break;
        }
        if is_across {
            let deeper;
            (deeper, rest) = descent::share(**top, frame, None);
            descent.add(deeper);
            continue;
        }
        rest = worker.leave(frame, None);
        if !worker.may_leave() {
            break;
        }
    }
    abort.disarm();
    if !descent.is_some() {
        // What the caller runs may fork.
        top.make_eager();
    }
    descent
}

/// Whether a spawn loop that has an item in hand leaves the rest for idle workers at once, instead of showing its frame
/// at `at`, the top. Calls those that watch.
#[cold]
#[inline(never)]
pub(crate) fn shares_items(at: Occupied<'_>) -> bool {
    matches!(recover(at), Way::Share(_))
}

/// Calls those that watch, for a loop that is about to show its frame again at `at` and has found a mark there.
#[cold]
#[inline(never)]
pub(crate) fn show_to_watchers(at: Occupied<'_>) {
    let ladder = at.ladder();
    let (worker, mut is_eager) = (ladder.owner(), false);
    // Repeats as long as there is another mark, as `recover` does.
    while let Some(wish) = at.take_mark() {
        // The loop's frame has been shown before, so it is not shared now.
        if at_mark(ladder, wish, false, || false) == Fork::Tells {
            worker.team().call_for(ladder);
        }
        is_eager |= wish == Wish::Share;
    }
    if is_eager && !worker.rules().shares_latent() && worker.team().sharing.is_wanted(worker) {
        // The mark is gone, and nothing has been left. The next return decides again.
        ladder.raise();
    }
}

/// What a fork on `ladder` does that has found a mark.
fn at_mark(ladder: &Ladder, wish: Wish, forks_across: bool, may_leave: impl FnOnce() -> bool) -> Fork {
    let worker = ladder.owner();
    worker.record.marked_fork(wish, forks_across, may_leave, || worker.team().has_watched_ladders())
}

/// The top of the ladder. If the run has not forked yet, it counts from now on as one that has.
#[cold]
pub(crate) fn top_of_forked(at: Occupied<'_>) -> Top<'_> {
    let top = at.top();
    // Under chaos the ladder stays closed for the next fork.
    if at.owner().team().rules().announces_forks() && top.is_closed() {
        top.open();
        at.owner().team().activate(at.ladder());
    }
    descent::mark_again(*top);
    top
}
