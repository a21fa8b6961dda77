//! A loop with a frame on the ladder, so that other workers can run parts of it.

use super::body::Body;
use super::frame::{OffLadder, RangeFrame, Work};
use super::indices::{Block, Indices, Left, Loop};
use crate::constructs::drop_while_unwinding::{drop_quietly, lose_payload};
use crate::constructs::parts::{Collected, Divided, run_part};
use crate::constructs::strand::Strand;
use crate::engine::frame::FrameKind;
use crate::engine::profile::site::Site;
use crate::engine::recording::{self, Part};
use crate::engine::seats::ambient::{end_if_cancelled, pass_on};
use crate::engine::share::at_fork::{self, Way};
use crate::engine::team::stop::Stop;
use crate::engine::team::{Occupied, Top};
use crate::protocol::ladder::Limit;
use crate::sync::clock;
use filch_policy::loops::{Pace, SERIAL_BLOCK, Strides};
use std::any::Any;

/// What all parts of a loop share.
pub(super) struct Shared<'b, 'i, B: Body> {
    of: &'b Loop<'i, B>,
    /// Whether a part has panicked. Then the other parts need not go on.
    failure: Stop,
}

impl<'i, B: Body> Divided for Shared<'_, 'i, B> {
    type Work = Work<'i>;
    type Label = ();
    type Out = B::Out;

    const KIND: &'static FrameKind =
        &FrameKind { run: run_part::<Self>, divide: RangeFrame::<Self>::DIVIDE, prepare: None };

    fn run(&self, top: Top<'_>, work: Work<'i>) -> B::Out {
        let identity = self.of.body.identity();
        run_claimed(self, top, work, identity)
    }

    fn fail(&self) {
        self.failure.request();
    }

    fn is_aborted(&self) -> bool {
        self.of.body.is_aborted()
    }
}

impl<'b, 'i, B: Body> Shared<'b, 'i, B> {
    #[inline(always)]
    pub(super) fn new(of: &'b Loop<'i, B>) -> Self {
        Shared { of, failure: Stop::new() }
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.has_failed() || self.of.body.is_stopped()
    }

    /// If a part has left iterations out because of this flag, the worker that has collected the part reads true here.
    #[inline(always)]
    fn has_failed(&self) -> bool {
        self.failure.is_requested()
    }

    /// Identifies loops of this kind. A function, because a constant could exist once in each codegen unit.
    #[inline(always)]
    pub(super) fn key() -> usize {
        run_part::<Self> as *const () as usize
    }
}

/// Runs the whole of a loop, or a part. The whole loop runs its first block even if a part that was shared earlier has
/// failed, because a panic in the first iterations is preferred to one in that part.
#[inline(always)]
pub(super) fn run_all<'i, B: Body>(
    shared: &Shared<'_, 'i, B>,
    mut s: Strand<'_>,
    indices: Indices<'i>,
    mut pace: Pace,
    mut so_far: B::Out,
    is_whole: bool,
) -> B::Out {
    let mut must_begin = is_whole;
    let at = s.occupied();
    let (mut top, shares) = match s.top() {
        Some(top) => (top, false),
        None => match at_fork::recover_stale(at) {
            Way::Push(top) => (top, false),
            Way::Share(top) => (top, true),
            Way::Full => return run_serially(shared, at.top(), indices, so_far),
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
    let (at, wanted) = (*top, top.until_wanted());
    let unwinding = Unwinding { at, frame: frame.frame() };
    // At the start of each iteration of this loop, the frame is off the ladder.
    while own.lo() < frame.end() && !(if must_begin { shared.of.body.is_stopped() } else { shared.is_over() }) {
        must_begin = false;
        let block_end = pace.block_end(own.lo(), frame.end());
        let is_last = block_end == frame.end();
        own = frame.claim(own, block_end);
        let shown = if is_last {
            let s = Strand::of(top.reborrow());
            so_far = own.lend(block_end, |block| run_block(shared.of, wanted, s, block, pace.strides(), so_far));
            if own.is_empty() {
                if pace.tells_at_end(block_end) {
                    let _ = look(at, Shared::<B>::key(), pace, block_end);
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
            so_far = own.lend(block_end, |block| run_block(shared.of, wanted, s, block, pace.strides(), so_far));
            shown
        };
        let lo = own.lo();
        (top, frame) = match shown.pop() {
            Ok(popped) => {
                pace = pace.without_look(lo).unwrap_or_else(|| look(at, Shared::<B>::key(), pace, lo));
                popped
            }
            Err(wanted) => {
                let was_timed = pace.timed_block() > 0;
                pace = look(at, Shared::<B>::key(), pace, lo);
                let block = if was_timed { pace.timed_block() } else { 0 };
                let popped;
                (popped, own) = wanted.attend(own, block);
                end_if_cancelled(*popped.0);
                popped
            }
        };
    }
    if !frame.is_whole() {
        so_far = gather(shared, &mut top, &mut frame, so_far);
    }
    std::mem::forget(unwinding);
    so_far
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

/// Runs a block until it ends or E exceeds a limit. It is not inlined: the body is inlined here, once for all blocks,
/// and its captures are loaded once for each block.
#[inline(never)]
pub(super) fn run_block<'b, 'i, B: Body>(
    of: &Loop<'i, B>,
    until: Limit<'_>,
    mut s: Strand<'_>,
    mut block: Block<'b, 'i>,
    strides: Strides,
    mut so_far: B::Out,
) -> (Left<'b>, B::Out) {
    let mut scratch = B::Scratch::default();
    loop {
        let stride = block.take_to(|lo| strides.end(lo));
        so_far = of.stride(s.reborrow(), stride, so_far, &mut scratch);
        if block.is_empty() || until.is_exceeded() {
            of.body.end_block(scratch);
            return (block.give_back(), so_far);
        }
    }
}

/// How often a profile halves a loop: into at most 2,048 blocks.
const HALVINGS: u32 = 11;

/// Runs everything on this worker in halves of halves, in order. They are the branches of forks in a profile.
#[cold]
#[inline(never)]
fn in_halves<'i, B: Body>(
    shared: &Shared<'_, 'i, B>,
    mut top: Top<'_>,
    mut indices: Indices<'i>,
    mut so_far: B::Out,
    halvings: u32,
) -> B::Out {
    let left = indices.hi() - indices.lo();
    if left < 2 {
        return in_order(shared, top, indices, so_far);
    }
    // What the iterations of a block fork is not divided either: there are enough blocks.
    let mut part = match halvings {
        HALVINGS => recording::whole(*top),
        _ => recording::fork(*top, Site::of::<B>(Shared::<B>::key())),
    };
    match part {
        Part::Timed { .. } => {}
        // With a frame, so that loops inside of it cost what they do elsewhere.
        Part::Whole(_) => return run_claimed(shared, top.reborrow(), Work { indices, block: 1 }, so_far),
        Part::Unrecorded | Part::Counted(_) => return in_order(shared, top.reborrow(), indices, so_far),
    }
    let lower = indices.take_to(indices.lo() + left.div_ceil(2));
    so_far = in_halves(shared, top.reborrow(), lower, so_far, halvings + 1);
    part.second();
    in_halves(shared, top.reborrow(), indices, so_far, halvings + 1)
}

/// Runs everything on this worker, if the ladder has no room.
#[cold]
#[inline(never)]
fn run_serially<'i, B: Body>(shared: &Shared<'_, 'i, B>, top: Top<'_>, indices: Indices<'i>, so_far: B::Out) -> B::Out {
    if top.is_shut() { in_halves(shared, top, indices, so_far, 0) } else { in_order(shared, top, indices, so_far) }
}

/// Runs everything on this worker, one after the other.
fn in_order<'i, B: Body>(
    shared: &Shared<'_, 'i, B>,
    mut top: Top<'_>,
    mut indices: Indices<'i>,
    mut so_far: B::Out,
) -> B::Out {
    while !indices.is_empty() && !shared.is_over() {
        end_if_cancelled(*top);
        let (until, s, end) =
            (top.until_wanted(), Strand::of(top.reborrow()), indices.lo().saturating_add(SERIAL_BLOCK));
        so_far = indices.lend(end, |block| run_block(shared.of, until, s, block, Strides::OF_HIDDEN, so_far));
    }
    so_far
}

/// Adds the results of the parts, in the order of their ranges. Runs the parts that have not begun, and waits for the
/// others. `frame` was at `top`.
#[cold]
#[inline(never)]
fn gather<'i, B: Body>(
    shared: &Shared<'_, 'i, B>,
    top: &mut Top<'_>,
    frame: &mut OffLadder<'_, 'i, Shared<'_, 'i, B>>,
    so_far: B::Out,
) -> B::Out {
    let mut so_far = Some(so_far);
    let mut panic = None;
    while let Some(part) = frame.pop_part() {
        match part.join(top) {
            // When a part has failed, other parts may have left iterations out, and `combine` must not get results with
            // gaps. The panic comes with one of the parts here, or is passed to the worker that waits for the caller's
            // own part.
            Collected::Done(Ok(right)) => match so_far.take_if(|_| !shared.has_failed()) {
                Some(left) => so_far = Some(shared.of.body.combine(left, right)),
                None => drop_quietly(top, right),
            },
            Collected::Done(Err(payload)) => {
                drop_quietly(top, so_far.take());
                keep_first(top, &mut panic, payload);
            }
            Collected::Reclaimed(work) => {
                if let Some(left) = so_far.take() {
                    so_far = Some(run_claimed(shared, top.reborrow(), work, left));
                }
            }
        }
    }
    so_far.unwrap_or_else(|| pass_on(panic.expect("only a panic takes the result away")))
}

/// Runs a part, on the worker that has claimed it or on the owner that has it back. If this were inlined, there would
/// be a copy of the loop for each.
#[inline(never)]
fn run_claimed<'i, B: Body>(shared: &Shared<'_, 'i, B>, top: Top<'_>, work: Work<'i>, so_far: B::Out) -> B::Out {
    let Work { indices, block } = work;
    let pace = Pace::timed(indices.lo(), block, now_ns(*top));
    run_all(shared, Strand::of(top), indices, pace, so_far, false)
}

fn keep_first(top: &Top<'_>, panic: &mut Option<Box<dyn Any + Send>>, payload: Box<dyn Any + Send>) {
    match panic {
        None => *panic = Some(payload),
        Some(_) => lose_payload(top, payload),
    }
}

/// A guard for a loop while user code runs. It is forgotten when that code returns, and dropped only if it unwinds.
/// After the drop no rung points to the frame, and no worker runs a part.
struct Unwinding<'l, 's, 'i, B: Body> {
    at: Occupied<'l>,
    frame: &'s RangeFrame<'s, 'i, Shared<'s, 'i, B>>,
}

impl<B: Body> Drop for Unwinding<'_, '_, '_, B> {
    #[inline(always)]
    fn drop(&mut self) {
        // By value: a reference to this guard would keep it in memory.
        settle(self.at, self.frame);
    }
}

/// Takes a loop apart while a panic unwinds. That panic goes on, and the results of parts are dropped.
#[cold]
#[inline(never)]
fn settle<'s, 'i, B: Body>(at: Occupied<'_>, frame: &'s RangeFrame<'s, 'i, Shared<'s, 'i, B>>) {
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
