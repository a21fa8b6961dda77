//! A loop with a frame on the ladder, so that other workers can run parts of it.

use super::any_loop::{AnyLoop, AnyResult};
use super::frame::{OffLadder, RangeFrame, Work};
use super::indices::Indices;
use crate::constructs::drop_while_unwinding::{drop_quietly, lose_payload};
use crate::constructs::parts::{Collected, Divided, run_part};
use crate::constructs::strand::Strand;
use crate::engine::frame::FrameKind;
use crate::engine::recording::{self, Part};
use crate::engine::seats::ambient::{end_if_cancelled, pass_on};
use crate::engine::share::at_fork::{self, Way};
use crate::engine::team::stop::Stop;
use crate::engine::team::{Occupied, Top};
use crate::sync::clock;
use filch_policy::loops::{Pace, SERIAL_BLOCK, Strides};
use std::any::Any;

/// What all parts of a loop share.
pub(super) struct Shared<'b, 'i> {
    of: &'b dyn AnyLoop<'i>,
    /// Whether a part has panicked. Then the other parts need not go on.
    failure: Stop,
}

impl<'b, 'i> Divided for Shared<'b, 'i> {
    type Work = Work<'i>;
    type Label = ();
    type Out = Box<dyn AnyResult<'i> + 'b>;

    const KIND: &'static FrameKind =
        &FrameKind { run: run_part::<Self>, divide: RangeFrame::<Self>::DIVIDE, prepare: None };

    fn run(&self, top: Top<'_>, work: Work<'i>) -> Box<dyn AnyResult<'i> + 'b> {
        let mut result = self.of.nothing();
        run_claimed(self, top, work, &mut *result);
        result
    }

    fn fail(&self) {
        self.failure.request();
    }

    fn is_aborted(&self) -> bool {
        self.of.is_aborted()
    }
}

impl<'b, 'i> Shared<'b, 'i> {
    pub(super) fn new(of: &'b dyn AnyLoop<'i>) -> Self {
        Shared { of, failure: Stop::new() }
    }

    fn is_over(&self) -> bool {
        self.has_failed() || self.of.is_stopped()
    }

    /// If a part has left iterations out because of this flag, the worker that has collected the part reads true here.
    fn has_failed(&self) -> bool {
        self.failure.is_requested()
    }

    /// Identifies loops of this kind.
    fn key(&self) -> usize {
        self.of.site().code
    }
}

/// Runs the whole of a loop, or a part. The whole loop runs its first block even if a part that was shared earlier has
/// failed, because a panic in the first iterations is preferred to one in that part.
pub(super) fn run_all<'i>(
    shared: &Shared<'_, 'i>,
    mut s: Strand<'_>,
    indices: Indices<'i>,
    mut pace: Pace,
    result: &mut dyn AnyResult<'i>,
    is_whole: bool,
) {
    let mut must_begin = is_whole;
    let at = s.occupied();
    let (mut top, shares) = match s.top() {
        Some(top) => (top, false),
        None => match at_fork::recover_stale(at) {
            Way::Push(top) => (top, false),
            Way::Share(top) => (top, true),
            Way::Full => return run_serially(shared, at.top(), indices, result),
        },
    };
    // The indices that are this worker's, and those after them, which are in the frame.
    let (mut frame, mut own) = RangeFrame::new(shared, indices);
    let mut frame = frame.off_ladder();
    let mut _descent = None;
    if shares {
        // A loop that is over leaves nothing to others.
        if shared.is_over() {
            let end = frame.end();
            own = frame.claim(own, end);
        }
        // SAFETY: `recover_stale` has just told this loop to share. `gather` below waits for the parts, or `unwinding`
        // does.
        _descent = Some(unsafe { frame.share(&top) });
    }
    let (at, wanted, key) = (*top, top.until_wanted(), shared.key());
    let unwinding = Unwinding { at, frame: frame.frame() };
    // At the start of each iteration of this loop, the frame is off the ladder.
    while own.lo() < frame.end() && !(if must_begin { shared.of.is_stopped() } else { shared.is_over() }) {
        must_begin = false;
        let block_end = pace.block_end(own.lo(), frame.end());
        let is_last = block_end == frame.end();
        own = frame.claim(own, block_end);
        let shown = if is_last {
            let s = Strand::of(top.reborrow());
            own.lend(block_end, |block| shared.of.block(result, wanted, s, block, pace.strides()));
            if own.is_empty() {
                if pace.tells_at_end(block_end) {
                    let _ = look(at, key, pace, block_end);
                }
                break;
            }
            let lo = own.lo();
            own = frame.claim(own, lo);
            // SAFETY: the frame lives until it has been popped, and its parts are joined, below or by `unwinding`.
            unsafe { frame.show(top) }
        } else {
            // SAFETY: the frame lives until it has been popped, and its parts are joined, below or by `unwinding`.
            let mut shown = unsafe { frame.show(top) };
            let s = Strand::of(shown.above());
            own.lend(block_end, |block| shared.of.block(result, wanted, s, block, pace.strides()));
            shown
        };
        let lo = own.lo();
        (top, frame) = match shown.pop() {
            Ok(popped) => {
                pace = pace.without_look(lo).unwrap_or_else(|| look(at, key, pace, lo));
                popped
            }
            Err(wanted) => {
                let was_timed = pace.timed_block() > 0;
                pace = look(at, key, pace, lo);
                let block = if was_timed { pace.timed_block() } else { 0 };
                let popped;
                (popped, own) = wanted.attend(own, block);
                end_if_cancelled(*popped.0);
                popped
            }
        };
    }
    if !frame.is_whole() {
        gather(shared, &mut top, &mut frame, result);
    }
    std::mem::forget(unwinding);
}

/// The time, unless [no clock is read](filch_policy::Rules::reads_clock).
pub(super) fn now_ns(at: Occupied<'_>) -> u64 {
    if at.owner().rules().reads_clock() { clock::now_ns() } else { 1 }
}

/// Reads the clock, and decides how long the next block is. Notes what iterations of this kind of loop cost.
#[cold]
#[inline(never)]
fn look(at: Occupied<'_>, key: usize, pace: Pace, lo: u64) -> Pace {
    if !at.owner().rules().reads_clock() {
        return pace.after_unread(lo);
    }
    let (next, cost) = pace.after(lo, clock::now_ns(), clock::look_ns());
    if let Some(cost) = cost {
        at.owner().costs.note(key, cost);
    }
    next
}

/// How often a profile halves a loop: into at most 2,048 blocks.
const HALVINGS: u32 = 11;

/// Runs everything on this worker in halves of halves, in order. They are the branches of forks in a profile.
#[cold]
#[inline(never)]
fn in_halves<'i>(
    shared: &Shared<'_, 'i>,
    mut top: Top<'_>,
    mut indices: Indices<'i>,
    result: &mut dyn AnyResult<'i>,
    halvings: u32,
) {
    let left = indices.hi() - indices.lo();
    if left < 2 {
        return in_order(shared, top, indices, result);
    }
    // What the iterations of a block fork is not divided either: there are enough blocks.
    let mut part = match halvings {
        HALVINGS => recording::whole(*top),
        _ => recording::fork(*top, shared.of.site()),
    };
    match part {
        Part::Timed { .. } => {}
        // With a frame, so that loops inside of it cost what they do elsewhere.
        Part::Whole(_) => return run_claimed(shared, top.reborrow(), Work { indices, block: 1 }, result),
        Part::Unrecorded | Part::Counted(_) => return in_order(shared, top.reborrow(), indices, result),
    }
    let lower = indices.take_to(indices.lo() + left.div_ceil(2));
    in_halves(shared, top.reborrow(), lower, result, halvings + 1);
    part.second();
    in_halves(shared, top.reborrow(), indices, result, halvings + 1);
}

/// Runs everything on this worker, if the ladder has no room.
#[cold]
#[inline(never)]
fn run_serially<'i>(shared: &Shared<'_, 'i>, top: Top<'_>, indices: Indices<'i>, result: &mut dyn AnyResult<'i>) {
    if top.is_shut() { in_halves(shared, top, indices, result, 0) } else { in_order(shared, top, indices, result) }
}

/// Runs everything on this worker, one after the other.
fn in_order<'i>(shared: &Shared<'_, 'i>, mut top: Top<'_>, mut indices: Indices<'i>, result: &mut dyn AnyResult<'i>) {
    while !indices.is_empty() && !shared.is_over() {
        end_if_cancelled(*top);
        let (until, s, end) =
            (top.until_wanted(), Strand::of(top.reborrow()), indices.lo().saturating_add(SERIAL_BLOCK));
        indices.lend(end, |block| shared.of.block(result, until, s, block, Strides::OF_HIDDEN));
    }
}

/// Adds the results of the parts, in the order of their ranges. Runs the parts that have not begun, and waits for the
/// others. `frame` was at `top`.
#[cold]
#[inline(never)]
fn gather<'i>(
    shared: &Shared<'_, 'i>,
    top: &mut Top<'_>,
    frame: &mut OffLadder<'_, 'i, Shared<'_, 'i>>,
    result: &mut dyn AnyResult<'i>,
) {
    // It takes the results away.
    let mut panic = None;
    while let Some(part) = frame.pop_part() {
        match part.join(top) {
            // When a part has failed, other parts may have left iterations out, and `combine` must not get results with
            // gaps. The panic comes with one of the parts here, or is passed to the worker that waits for the caller's
            // own part.
            Collected::Done(Ok(mut later)) if panic.is_none() && !shared.has_failed() => {
                shared.of.combine(result, &mut *later);
            }
            Collected::Done(Ok(later)) => drop_quietly(top, later),
            Collected::Done(Err(payload)) => {
                drop_quietly(top, result.take());
                keep_first(top, &mut panic, payload);
            }
            Collected::Reclaimed(work) if panic.is_none() => run_claimed(shared, top.reborrow(), work, result),
            Collected::Reclaimed(_) => {}
        }
    }
    if let Some(payload) = panic {
        pass_on(payload);
    }
}

/// Runs a part, on the worker that has claimed it or on the owner that has it back.
fn run_claimed<'i>(shared: &Shared<'_, 'i>, top: Top<'_>, work: Work<'i>, result: &mut dyn AnyResult<'i>) {
    let Work { indices, block } = work;
    let pace = Pace::timed(indices.lo(), block, now_ns(*top));
    run_all(shared, Strand::of(top), indices, pace, result, false);
}

fn keep_first(top: &Top<'_>, panic: &mut Option<Box<dyn Any + Send>>, payload: Box<dyn Any + Send>) {
    match panic {
        None => *panic = Some(payload),
        Some(_) => lose_payload(top, payload),
    }
}

/// A guard for a loop while user code runs. It is forgotten when that code returns, and dropped only if it unwinds.
/// After the drop no rung points to the frame, and no worker runs a part.
struct Unwinding<'l, 's, 'i> {
    at: Occupied<'l>,
    frame: &'s RangeFrame<'s, 'i, Shared<'s, 'i>>,
}

impl Drop for Unwinding<'_, '_, '_> {
    #[inline(always)]
    fn drop(&mut self) {
        // By value: a reference to this guard would keep it in memory.
        settle(self.at, self.frame);
    }
}

/// Takes a loop apart while a panic unwinds. That panic goes on, and the results of parts are dropped.
#[cold]
#[inline(never)]
fn settle<'s, 'i>(at: Occupied<'_>, frame: &'s RangeFrame<'s, 'i, Shared<'s, 'i>>) {
    frame.shared.fail();
    // SAFETY: the loop, whose other handle is not used again, shows its frame here, and the block has popped everything
    // that it pushed.
    let (mut top, mut frame) = unsafe { OffLadder::take_off(frame, at) };
    while let Some(part) = frame.pop_part() {
        match part.join(&mut top) {
            Collected::Done(Ok(result)) => drop_quietly(&top, result),
            Collected::Done(Err(payload)) => lose_payload(&top, payload),
            Collected::Reclaimed(_) => {}
        }
    }
}
