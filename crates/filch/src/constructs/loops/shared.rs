//! A loop with a frame on the ladder, so that others can run parts of it.

use crate::constructs::loops::frame::{Part, RangeFrame};
use crate::constructs::loops::job::Job;
use crate::constructs::quietly::{drop_quietly, lose_payload};
use crate::constructs::strand::Strand;
use crate::engine::cost;
use crate::engine::frame::{FrameKind, Header, Rung};
use crate::engine::part_memory::unpack;
use crate::engine::share::victim;
use crate::engine::share::way;
use crate::engine::share::way::Way;
use crate::engine::stop::Stop;
use crate::engine::team::Worker;
use crate::engine::wait::join_end::{Waited, wait};
use crate::sync::clock;
use filch_policy::loops::{Pace, SERIAL_BLOCK, Strides};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::NonNull;
use std::thread;

/// What all parts of a loop share. Lives on the stack of whoever began it, who collects all parts before it returns.
pub(crate) struct Shared<'j, J> {
    job: &'j J,
    /// Whether a part has panicked: the others need not go on.
    failure: Stop,
}

impl<'j, J: Job> Shared<'j, J> {
    const KIND: FrameKind = FrameKind { run: run_part::<J>, divide: RangeFrame::DIVIDE };

    #[inline(always)]
    pub(crate) fn new(job: &'j J) -> Self {
        Shared { job, failure: Stop::new() }
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.has_failed() || self.job.is_stopped()
    }

    /// Whoever has collected a part that left something out because of it finds it true.
    #[inline(always)]
    fn has_failed(&self) -> bool {
        self.failure.is_requested()
    }

    fn fail(&self) {
        self.failure.request();
    }

    /// By which loops of this kind are told from others. A function: of constants there may be one in each codegen
    /// unit.
    #[inline(always)]
    pub(crate) fn key() -> usize {
        run_part::<J> as *const () as usize
    }

    fn as_ptr(&self) -> *const () {
        (&raw const *self).cast()
    }
}

/// What whoever has a part does with it.
unsafe fn run_part<J: Job>(header: NonNull<Header>, rung: Rung) {
    // SAFETY: the header of a claimed range is a part's, which lives until it is done.
    let part = unsafe { header.cast::<Part>().as_ref() };
    // SAFETY: what began this loop outlives its parts, and is of the type of this kind.
    let shared = unsafe { &*part.shared.cast::<Shared<'_, J>>() };
    // Unwind safety: whatever is left broken, the loop's owner resumes the panic before anybody can look.
    let result = catch_unwind(AssertUnwindSafe(|| {
        let identity = shared.job.identity();
        // SAFETY: the caller occupies the ladder of `rung`, its top; nobody else has these indices.
        unsafe {
            run_all(shared, rung, part.lo, part.hi, Pace::timed(part.lo, part.block, clock::now_ns()), identity, false)
        }
    }));
    if result.is_err() {
        shared.fail();
    }
    let result: Box<thread::Result<J::Out>> = Box::new(result);
    // SAFETY: the thief's turn.
    unsafe { part.result.get().write(Box::into_raw(result).cast()) };
}

/// The loop: the whole of it, or a part. The whole begins, whatever has become of parts that were shared before: a
/// panic of its first iterations comes before theirs.
///
/// # Safety
///
/// The caller occupies the ladder of `rung`, whose top is there or above; the indices are within the job's range and
/// have not been run.
#[inline(always)]
pub(crate) unsafe fn run_all<J: Job>(
    shared: &Shared<'_, J>,
    mut rung: Rung,
    mut lo: u64,
    hi: u64,
    mut pace: Pace,
    mut so_far: J::Out,
    is_whole: bool,
) -> J::Out {
    let mut must_begin = is_whole;
    let mut shares = false;
    // SAFETY: forwarded.
    if !unsafe { rung.is_free() } {
        // SAFETY: forwarded.
        match unsafe { way::recover_stale(rung) } {
            Way::Push(top) => rung = top,
            Way::Share(top) => (rung, shares) = (top, true),
            // SAFETY: forwarded.
            Way::Full => return unsafe { run_serially(shared, rung, lo, hi, so_far) },
        }
    }
    let frame = RangeFrame::new(const { &Shared::<J>::KIND }, shared.as_ptr(), hi);
    if shares {
        // Of one that is over nothing is left.
        frame.claim_to(if shared.is_over() { hi } else { lo });
        // SAFETY: told to, just now; what is left is gathered below, or by `unwinding`.
        unsafe { way::share_parts(rung, frame.header()) };
    }
    let unwinding = Unwinding { rung, shared, frame: &frame };
    // SAFETY: the rung is free, so there is a slot above it.
    let above = unsafe { rung.next() };
    let mut end = frame.end();
    // At each turn the frame is off the ladder.
    while lo < end && !(if must_begin { shared.job.is_stopped() } else { shared.is_over() }) {
        must_begin = false;
        let block_end = pace.block_end(lo, end);
        let is_last = block_end == end;
        let top = if is_last {
            rung
        } else {
            // SAFETY: the rung is the top, and the frame lives until it has been popped: below, or by `unwinding`.
            unsafe { show(rung, &frame, block_end) };
            above
        };
        // SAFETY: while the block runs, the top stays where it is; its indices have been claimed.
        (lo, so_far) = unsafe { run_block(shared.job, rung, top, lo, block_end, pace.strides(), so_far) };
        if is_last {
            if lo == end {
                if pace.tells_at_end(lo) {
                    // SAFETY: forwarded.
                    let _ = unsafe { look(rung, Shared::<J>::key(), pace, lo) };
                }
                break;
            }
            // SAFETY: as above.
            unsafe { show(rung, &frame, lo) };
        }
        // SAFETY: pushed above, by the occupant, and the block has popped what it pushed.
        if unsafe { rung.pop::<Worker>() } {
            pace = match pace.without_look(lo) {
                Some(pace) => pace,
                // SAFETY: forwarded.
                None => unsafe { look(rung, Shared::<J>::key(), pace, lo) },
            };
        } else {
            let was_timed = pace.timed_block() > 0;
            // SAFETY: forwarded.
            pace = unsafe { look(rung, Shared::<J>::key(), pace, lo) };
            let block = if was_timed { pace.timed_block() } else { 0 };
            // SAFETY: popped just now.
            unsafe { victim::attend_rest(rung, frame.header(), || frame.update(lo, block)) };
        }
        end = frame.end();
    }
    if !frame.is_whole() {
        // SAFETY: the frame is off the ladder, and `rung` is the top.
        so_far = unsafe { gather(shared, rung, &frame, so_far) };
    }
    std::mem::forget(unwinding);
    so_far
}

/// How long the next block is, by the clock. Notes what iterations of this kind of loop cost.
///
/// # Safety
///
/// The caller occupies the ladder of `rung`.
#[cold]
#[inline(never)]
unsafe fn look(rung: Rung, key: usize, pace: Pace, lo: u64) -> Pace {
    let (next, cost) = pace.after(lo, clock::now_ns(), clock::look_ns());
    if let Some(cost) = cost {
        // SAFETY: forwarded.
        unsafe { cost::note(rung, key, cost) };
    }
    next
}

/// Puts a loop's frame on the ladder, with all that is left from `lo` on.
///
/// # Safety
///
/// As [`Rung::push`].
#[inline(always)]
unsafe fn show(rung: Rung, frame: &RangeFrame, lo: u64) {
    frame.claim_to(lo);
    // SAFETY: forwarded.
    if !unsafe { rung.is_free() } {
        // SAFETY: forwarded.
        unsafe { way::show_to_watchers(rung) };
    }
    // SAFETY: forwarded.
    unsafe { rung.push(frame.header()) };
}

/// Runs a block, until somebody wants something. Up to where it has come. A function of its own: the body is inlined
/// here, once for all blocks, and what it captures is loaded once a block.
///
/// # Safety
///
/// As [`run_all`]; `rung` is that of the loop, and `top` of the bodies, the top of the ladder.
#[inline(never)]
pub(crate) unsafe fn run_block<J: Job>(
    job: &J,
    rung: Rung,
    top: Rung,
    mut lo: u64,
    block_end: u64,
    strides: Strides,
    mut so_far: J::Out,
) -> (u64, J::Out) {
    loop {
        let end = strides.end(lo).min(block_end);
        // SAFETY: forwarded.
        let s = unsafe { Strand::at(top) };
        // SAFETY: forwarded.
        so_far = unsafe { job.block(s, lo, end, so_far) };
        lo = end;
        // SAFETY: forwarded.
        if lo == block_end || unsafe { rung.is_wanted::<Worker>() } {
            return (lo, so_far);
        }
    }
}

/// All of it here, on a ladder that has no room.
///
/// # Safety
///
/// As [`run_all`].
#[cold]
#[inline(never)]
unsafe fn run_serially<J: Job>(shared: &Shared<'_, J>, rung: Rung, mut lo: u64, hi: u64, mut so_far: J::Out) -> J::Out {
    // SAFETY: forwarded.
    let top = unsafe { way::top_from(rung) };
    while lo < hi && !shared.is_over() {
        let end = hi.min(lo + SERIAL_BLOCK);
        // SAFETY: forwarded; nobody pops below `top` meanwhile.
        (lo, so_far) = unsafe { run_block(shared.job, top, top, lo, end, Strides::OF_HIDDEN, so_far) };
    }
    so_far
}

/// Adds what the parts come to, in the order of their ranges: those not begun are run here, the others awaited.
///
/// # Safety
///
/// The caller occupies the ladder of `rung`, its top; `frame` was there and has been popped.
#[cold]
#[inline(never)]
unsafe fn gather<J: Job>(shared: &Shared<'_, J>, rung: Rung, frame: &RangeFrame, so_far: J::Out) -> J::Out {
    let mut so_far = Some(so_far);
    let mut panic = None;
    while let Some(part) = frame.pop_part() {
        // SAFETY: forwarded; a part of this loop.
        match unsafe { collect::<J>(part, rung) } {
            // Once a part has failed, the others leave something out: results with gaps are not shown to `combine`. The
            // panic comes with one of the parts here, or passes whoever waits for this one.
            Collected::Done(Ok(right)) => match so_far.take_if(|_| !shared.has_failed()) {
                Some(left) => so_far = Some(shared.job.combine(left, right)),
                None => drop_quietly(rung, right),
            },
            Collected::Done(Err(payload)) => {
                drop_quietly(rung, so_far.take());
                keep_first(rung, &mut panic, payload);
            }
            Collected::Reclaimed { lo, hi, block } => {
                if let Some(left) = so_far.take() {
                    // SAFETY: as above; nobody has begun these.
                    so_far = Some(unsafe { run_again(shared, rung, lo, hi, block, left) });
                }
            }
        }
    }
    so_far.unwrap_or_else(|| resume_unwind(panic.expect("only a panic takes the result away")))
}

/// # Safety
///
/// As [`run_all`].
#[inline(never)]
unsafe fn run_again<J: Job>(
    shared: &Shared<'_, J>,
    rung: Rung,
    lo: u64,
    hi: u64,
    block: u64,
    so_far: J::Out,
) -> J::Out {
    // SAFETY: forwarded.
    unsafe { run_all(shared, rung, lo, hi, Pace::timed(lo, block, clock::now_ns()), so_far, false) }
}

fn keep_first(rung: Rung, panic: &mut Option<Box<dyn Any + Send>>, payload: Box<dyn Any + Send>) {
    match panic {
        None => *panic = Some(payload),
        Some(_) => lose_payload(rung, payload),
    }
}

/// What became of a part.
enum Collected<T> {
    Done(thread::Result<T>),
    /// Nobody has begun it, and it is back.
    Reclaimed {
        lo: u64,
        hi: u64,
        block: u64,
    },
}

/// Waits for a part, or takes it back; frees it.
///
/// # Safety
///
/// The caller occupies the ladder of `rung`, its top; it has removed `part`, of a loop of this job, from its frame.
unsafe fn collect<J: Job>(part: NonNull<Part>, rung: Rung) -> Collected<J::Out> {
    // SAFETY: a part lives until it is freed below, and starts with its header.
    let header = unsafe { part.cast::<Header>().as_ref() };
    // SAFETY: split from the caller's frame, hence claimed.
    let waited = unsafe { wait(rung, header) };
    // SAFETY: nobody else has it any more, and its memory is a box's.
    let part = unsafe { unpack(part) };
    match waited {
        Waited::Reclaimed => Collected::Reclaimed { lo: part.lo, hi: part.hi, block: part.block },
        Waited::Done => {
            let result = part.result.into_inner().cast::<thread::Result<J::Out>>();
            // SAFETY: `run_part` of this job has left a box there, before `done`.
            Collected::Done(*unsafe { Box::from_raw(result) })
        }
    }
}

/// Stands for a loop while user code runs. Forgotten when that returns; dropped only if it unwinds, and then no rung
/// may point to the frame any more, and nobody may be running a part.
struct Unwinding<'l, 'j, J: Job> {
    rung: Rung,
    shared: &'l Shared<'j, J>,
    frame: &'l RangeFrame,
}

impl<J: Job> Drop for Unwinding<'_, '_, J> {
    #[inline(always)]
    fn drop(&mut self) {
        // By value: a reference to this guard would keep it in memory.
        settle(self.rung, self.shared, self.frame);
    }
}

/// Takes a loop apart while a panic passes, which wins; what its parts have left is dropped.
#[cold]
#[inline(never)]
fn settle<J: Job>(rung: Rung, shared: &Shared<'_, J>, frame: &RangeFrame) {
    shared.fail();
    // SAFETY: whoever drops the guard occupies the ladder; the block has popped what it pushed.
    if unsafe { rung.holds_frame() } && !unsafe { rung.pop::<Worker>() } {
        // SAFETY: popped just now. That it is gone means that all of it is.
        unsafe { victim::attend(rung, frame.header()) };
    }
    while let Some(part) = frame.pop_part() {
        // SAFETY: off the ladder now, and a part of this loop.
        match unsafe { collect::<J>(part, rung) } {
            Collected::Done(Ok(result)) => drop_quietly(rung, result),
            Collected::Done(Err(payload)) => lose_payload(rung, payload),
            Collected::Reclaimed { .. } => {}
        }
    }
}
