//! A loop with a frame on the ladder, so that other workers can run parts of it.

use crate::constructs::drop_while_unwinding::{drop_quietly, lose_payload};
use crate::constructs::loops::body::Body;
use crate::constructs::loops::frame::{Part, RangeFrame};
use crate::constructs::strand::Strand;
use crate::engine::frame::part_memory::unpack;
use crate::engine::frame::{FrameKind, Header};
use crate::engine::share::at_fork::Way;
use crate::engine::share::{at_fork, at_return};
use crate::engine::team::stop::{Stop, count_begun};
use crate::engine::team::{Occupied, Pushed, Top};
use crate::engine::wait::join_end::{Waited, wait};
use crate::sync::clock;
use filch_policy::loops::{Pace, SERIAL_BLOCK, Strides};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::NonNull;
use std::thread;

/// What all parts of a loop share. It lives on the stack of the worker that began the loop, which collects all parts
/// before it returns.
pub(crate) struct Shared<'b, B> {
    body: &'b B,
    /// Whether a part has panicked. Then the other parts need not go on.
    failure: Stop,
}

impl<'b, B: Body> Shared<'b, B> {
    const KIND: FrameKind = FrameKind { run: run_part::<B>, divide: RangeFrame::DIVIDE, prepare: None };

    #[inline(always)]
    pub(crate) fn new(body: &'b B) -> Self {
        Shared { body, failure: Stop::new() }
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.has_failed() || self.body.is_stopped()
    }

    /// If a part has left iterations out because of this flag, the worker that has collected the part reads true here.
    #[inline(always)]
    fn has_failed(&self) -> bool {
        self.failure.is_requested()
    }

    fn fail(&self) {
        self.failure.request();
    }

    /// Identifies loops of this kind. A function, because a constant could exist once in each codegen unit.
    #[inline(always)]
    pub(crate) fn key() -> usize {
        run_part::<B> as *const () as usize
    }

    fn as_ptr(&self) -> *const () {
        (&raw const *self).cast()
    }
}

/// What the worker that has a part calls ([`FrameKind::run`]).
unsafe fn run_part<B: Body>(header: NonNull<Header>, top: Top<'_>) {
    // SAFETY: the header of a claimed range is that of a part, which lives until it is done.
    let part = unsafe { header.cast::<Part>().as_ref() };
    // SAFETY: the owner of the loop waits for all parts, so `shared` lives. The part is of this kind, so the type is
    // right.
    let shared = unsafe { &*part.shared.cast::<Shared<'_, B>>() };
    count_begun(*top, shared.body.is_aborted());
    // Unwind safety: the owner of the loop resumes the panic before other code can see what the body has left broken.
    let result = catch_unwind(AssertUnwindSafe(|| {
        let identity = shared.body.identity();
        // SAFETY: the indices of a part belong to no other frame.
        unsafe { run_claimed(shared, top, part.lo, part.hi, part.block, identity) }
    }));
    if result.is_err() {
        shared.fail();
    }
    let result: Box<thread::Result<B::Out>> = Box::new(result);
    // SAFETY: the thief has exclusive access until it sets `done`, which its caller does later.
    unsafe { part.result.get().write(Box::into_raw(result).cast()) };
}

/// Runs the whole of a loop, or a part. The whole loop runs its first block even if a part that was shared earlier has
/// failed, because a panic in the first iterations is preferred to one in that part.
///
/// # Safety
///
/// The indices must be in the range of the body, and must not have been run.
#[inline(always)]
pub(crate) unsafe fn run_all<B: Body>(
    shared: &Shared<'_, B>,
    mut s: Strand<'_>,
    mut lo: u64,
    hi: u64,
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
            // SAFETY: by the contract of this function.
            Way::Full => return unsafe { run_serially(shared, at.top(), lo, hi, so_far) },
        },
    };
    let frame = RangeFrame::new(const { &Shared::<B>::KIND }, shared.as_ptr(), hi);
    let mut _descent = None;
    if shares {
        // A loop that is over leaves nothing to others.
        frame.claim_to(if shared.is_over() { hi } else { lo });
        // SAFETY: `recover_stale` has just told this loop to share. `gather` below waits for the parts, or `unwinding`
        // does.
        _descent = Some(unsafe { at_fork::share_parts(&top, frame.header()) });
    }
    let at = *top;
    let unwinding = Unwinding { at, shared, frame: &frame };
    let mut end = frame.end();
    // At the start of each iteration of this loop, the frame is off the ladder.
    while lo < end && !(if must_begin { shared.body.is_stopped() } else { shared.is_over() }) {
        must_begin = false;
        let block_end = pace.block_end(lo, end);
        let pushed = if block_end == end {
            let s = Strand::of(top.reborrow());
            // SAFETY: the block's indices have been claimed.
            (lo, so_far) = unsafe { run_block(shared.body, at, s, lo, block_end, pace.strides(), so_far) };
            if lo == end {
                if pace.tells_at_end(lo) {
                    let _ = look(at, Shared::<B>::key(), pace, lo);
                }
                break;
            }
            // SAFETY: the frame lives until it has been popped, below or by `unwinding`.
            unsafe { show(top, &frame, lo) }
        } else {
            // SAFETY: the frame lives until it has been popped, below or by `unwinding`.
            let mut pushed = unsafe { show(top, &frame, block_end) };
            let s = Strand::of(pushed.above());
            // SAFETY: the block's indices have been claimed.
            (lo, so_far) = unsafe { run_block(shared.body, at, s, lo, block_end, pace.strides(), so_far) };
            pushed
        };
        top = match pushed.pop() {
            Ok(top) => {
                pace = pace.without_look(lo).unwrap_or_else(|| look(at, Shared::<B>::key(), pace, lo));
                top
            }
            Err(returned) => {
                let was_timed = pace.timed_block() > 0;
                pace = look(at, Shared::<B>::key(), pace, lo);
                let block = if was_timed { pace.timed_block() } else { 0 };
                // By value: what has its address taken does not stay in registers.
                let frame = &frame;
                // SAFETY: a range can be divided until nothing is left.
                unsafe { at_return::attend_parts(returned, &move || frame.update(lo, block)) }
            }
        };
        end = frame.end();
    }
    if !frame.is_whole() {
        so_far = gather(shared, &mut top, &frame, so_far);
    }
    std::mem::forget(unwinding);
    so_far
}

/// Reads the clock, and decides how long the next block is. Notes what iterations of this kind of loop cost.
#[cold]
#[inline(never)]
fn look(at: Occupied<'_>, key: usize, pace: Pace, lo: u64) -> Pace {
    let (next, cost) = pace.after(lo, clock::now_ns(), clock::look_ns());
    if let Some(cost) = cost {
        at.owner().costs.note(key, cost);
    }
    next
}

/// Pushes a loop's frame, with everything from `lo` on that is left.
///
/// # Safety
///
/// As [`Top::push`], except that the slot may also have a mark.
#[inline(always)]
unsafe fn show<'l>(top: Top<'l>, frame: &RangeFrame, lo: u64) -> Pushed<'l> {
    frame.claim_to(lo);
    if !top.is_free() {
        at_fork::show_to_watchers(*top);
    }
    // SAFETY: by the contract of this function; a mark has been removed.
    unsafe { top.push(frame.header()) }
}

/// Runs a block until it ends or another worker wants something, and returns where it has stopped. It is not inlined:
/// the body is inlined here, once for all blocks, and its captures are loaded once for each block.
///
/// # Safety
///
/// As [`run_all`]. `at` is where the loop's frame is pushed, and the bodies fork with `s`.
#[inline(never)]
pub(crate) unsafe fn run_block<B: Body>(
    body: &B,
    at: Occupied<'_>,
    mut s: Strand<'_>,
    mut lo: u64,
    block_end: u64,
    strides: Strides,
    mut so_far: B::Out,
) -> (u64, B::Out) {
    loop {
        let end = strides.end(lo).min(block_end);
        // SAFETY: by the contract of this function; `lo` grows, so each index comes once.
        so_far = unsafe { body.block(s.reborrow(), lo, end, so_far) };
        lo = end;
        if lo == block_end || at.is_wanted() {
            return (lo, so_far);
        }
    }
}

/// Runs everything on this worker, if the ladder has no room.
///
/// # Safety
///
/// As [`run_all`].
#[cold]
#[inline(never)]
unsafe fn run_serially<B: Body>(
    shared: &Shared<'_, B>,
    mut top: Top<'_>,
    mut lo: u64,
    hi: u64,
    mut so_far: B::Out,
) -> B::Out {
    while lo < hi && !shared.is_over() {
        let end = hi.min(lo + SERIAL_BLOCK);
        let (at, s) = (*top, Strand::of(top.reborrow()));
        // SAFETY: by the contract of this function.
        (lo, so_far) = unsafe { run_block(shared.body, at, s, lo, end, Strides::OF_HIDDEN, so_far) };
    }
    so_far
}

/// Adds the results of the parts, in the order of their ranges. Runs the parts that have not begun, and waits for the
/// others. `frame` was at `top`, and has been popped.
#[cold]
#[inline(never)]
fn gather<B: Body>(shared: &Shared<'_, B>, top: &mut Top<'_>, frame: &RangeFrame, so_far: B::Out) -> B::Out {
    let mut so_far = Some(so_far);
    let mut panic = None;
    while let Some(part) = frame.pop_part() {
        // SAFETY: the part has been removed from its frame, which is one of this loop.
        match unsafe { collect::<B>(part, top) } {
            // When a part has failed, other parts may have left iterations out, and `combine` must not get results with
            // gaps. The panic comes with one of the parts here, or is passed to the worker that waits for the caller's
            // own part.
            Collected::Done(Ok(right)) => match so_far.take_if(|_| !shared.has_failed()) {
                Some(left) => so_far = Some(shared.body.combine(left, right)),
                None => drop_quietly(top, right),
            },
            Collected::Done(Err(payload)) => {
                drop_quietly(top, so_far.take());
                keep_first(top, &mut panic, payload);
            }
            Collected::Reclaimed { lo, hi, block } => {
                if let Some(left) = so_far.take() {
                    // SAFETY: the part has not begun.
                    so_far = Some(unsafe { run_claimed(shared, top.reborrow(), lo, hi, block, left) });
                }
            }
        }
    }
    so_far.unwrap_or_else(|| resume_unwind(panic.expect("only a panic takes the result away")))
}

/// Runs a part, on the worker that has claimed it or on the owner that has it back. If this were inlined, there would
/// be a copy of the loop for each.
///
/// # Safety
///
/// As [`run_all`].
#[inline(never)]
unsafe fn run_claimed<B: Body>(
    shared: &Shared<'_, B>,
    top: Top<'_>,
    lo: u64,
    hi: u64,
    block: u64,
    so_far: B::Out,
) -> B::Out {
    // SAFETY: guaranteed by the caller.
    unsafe { run_all(shared, Strand::of(top), lo, hi, Pace::timed(lo, block, clock::now_ns()), so_far, false) }
}

fn keep_first(top: &Top<'_>, panic: &mut Option<Box<dyn Any + Send>>, payload: Box<dyn Any + Send>) {
    match panic {
        None => *panic = Some(payload),
        Some(_) => lose_payload(top, payload),
    }
}

/// What became of a part.
enum Collected<T> {
    Done(thread::Result<T>),
    /// No worker has begun it, and it belongs to its owner again.
    Reclaimed {
        lo: u64,
        hi: u64,
        block: u64,
    },
}

/// Waits for a part, or takes it back, and frees it.
///
/// # Safety
///
/// The caller must have removed `part`, which is one of a loop of this body, from its frame.
unsafe fn collect<B: Body>(part: NonNull<Part>, top: &mut Top<'_>) -> Collected<B::Out> {
    // SAFETY: a part lives until it is freed below, and starts with its header.
    let header = unsafe { part.cast::<Header>().as_ref() };
    // SAFETY: the part was split from the caller's frame, so it has been claimed.
    let waited = unsafe { wait(top, header) };
    // SAFETY: the part is done or the caller's again, so no other thread has it. Its memory is that of a box.
    let part = unsafe { unpack(part) };
    match waited {
        Waited::Reclaimed => Collected::Reclaimed { lo: part.lo, hi: part.hi, block: part.block },
        Waited::Done => {
            let result = part.result.into_inner().cast::<thread::Result<B::Out>>();
            // SAFETY: `run_part` of this body stored the pointer of a box before `done` was set.
            Collected::Done(*unsafe { Box::from_raw(result) })
        }
    }
}

/// A guard for a loop while user code runs. It is forgotten when that code returns, and dropped only if it unwinds.
/// After the drop no rung points to the frame, and no worker runs a part.
struct Unwinding<'l, 'b, B: Body> {
    at: Occupied<'l>,
    shared: &'l Shared<'b, B>,
    frame: &'l RangeFrame,
}

impl<B: Body> Drop for Unwinding<'_, '_, B> {
    #[inline(always)]
    fn drop(&mut self) {
        // By value: a reference to this guard would keep it in memory.
        settle(self.at, self.shared, self.frame);
    }
}

/// Takes a loop apart while a panic unwinds. That panic goes on, and the results of parts are dropped.
#[cold]
#[inline(never)]
fn settle<B: Body>(at: Occupied<'_>, shared: &Shared<'_, B>, frame: &RangeFrame) {
    shared.fail();
    // The answer is not needed: if the frame is gone, the parts are in its list.
    // SAFETY: only the loop pushes here, and the block has popped everything that it pushed.
    let (mut top, _) = unsafe { at_return::take_off(at, frame.header()) };
    while let Some(part) = frame.pop_part() {
        // SAFETY: the part has been removed from its frame, which is one of this loop.
        match unsafe { collect::<B>(part, &mut top) } {
            Collected::Done(Ok(result)) => drop_quietly(&top, result),
            Collected::Done(Err(payload)) => lose_payload(&top, payload),
            Collected::Reclaimed { .. } => {}
        }
    }
}
