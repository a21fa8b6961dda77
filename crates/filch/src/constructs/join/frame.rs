//! The frame of a join: the second branch, and a place for its result if another worker runs it.

use crate::constructs::drop_while_unwinding::drop_quietly;
use crate::constructs::join::context::Context;
use crate::constructs::strand::Strand;
use crate::engine::frame::{FrameKind, Header};
use crate::engine::seats::ambient::{end, end_if_cancelled, is_to_end, pass_on};
use crate::engine::share::at_fork;
use crate::engine::share::at_return::{self, Settled};
use crate::engine::share::descent::Descent;
use crate::engine::team::{Pushed, Top};
use crate::engine::wait::join_end::{Waited, wait};
use std::cell::UnsafeCell;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::thread;

/// Lives on the stack of the fork. If the frame is not taken, only the kind in the header and the closure are written.
///
/// `closure` and `result` may be accessed by the owner until a thief has claimed the frame, then by the thief until it
/// has set `done`, and then by the owner again.
#[repr(C)]
pub(crate) struct JoinFrame<B, RB> {
    header: Header,
    result: UnsafeCell<MaybeUninit<thread::Result<RB>>>,
    closure: UnsafeCell<ManuallyDrop<B>>,
}

/// What became of a frame that had left the ladder.
pub(crate) enum Outcome<B, RB> {
    /// Another worker has run it.
    Done(thread::Result<RB>),
    /// No worker has begun the branch.
    Reclaimed(B),
}

impl<B, RB> JoinFrame<B, RB>
where
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    const KIND: FrameKind = FrameKind { run: Self::run, divide: None, prepare: None };

    #[inline(always)]
    pub(crate) fn new(closure: B) -> Self {
        JoinFrame {
            header: Header::new(const { &Self::KIND }),
            result: UnsafeCell::new(MaybeUninit::uninit()),
            closure: UnsafeCell::new(ManuallyDrop::new(closure)),
        }
    }

    /// The pointer for a slot. It is valid for access to the whole frame, not to the header only.
    #[inline(always)]
    fn header(&self) -> NonNull<Header> {
        NonNull::from(self).cast()
    }

    /// Pushes this frame at `top`.
    ///
    /// # Safety
    ///
    /// As for [`Top::push`]. The frame is pushed or shared once.
    #[inline(always)]
    pub(crate) unsafe fn push<'l>(&self, top: Top<'l>) -> Shown<'l, '_, B, RB> {
        // SAFETY: guaranteed by the caller.
        Shown { pushed: unsafe { top.push(self.header()) }, frame: self }
    }

    /// Leaves this frame for others, without a push, or at first for the group `to`.
    ///
    /// # Safety
    ///
    /// As for [`at_fork::share`]. The frame is pushed or shared once.
    pub(crate) unsafe fn share<'l>(&self, top: &Top<'l>, to: Option<usize>) -> (Gone<'_, B, RB>, Descent<'l>) {
        // SAFETY: guaranteed by the caller.
        (Gone(self), unsafe { at_fork::hand(top, self.header(), to) })
    }

    /// What the worker that has claimed the frame calls ([`FrameKind::run`]).
    unsafe fn run(header: NonNull<Header>, top: Top<'_>) {
        // SAFETY: a header of this kind is the start of a frame of this type, which lives until it is done.
        let frame = unsafe { header.cast::<Self>().as_ref() };
        // The caller has claimed the frame, and calls this once: nobody else has this value.
        let closure = Kept(frame).take();
        // Unwind safety: the owner resumes the panic before other code can see what the closure has left broken.
        let result = catch_unwind(AssertUnwindSafe(|| {
            end_if_cancelled(*top);
            closure(Strand::of(top), Context::MIGRATED)
        }));
        // SAFETY: the thief has exclusive access until it sets `done`, which its caller does later.
        unsafe { frame.result.get().write(MaybeUninit::new(result)) };
    }
}

/// A frame on the ladder.
#[must_use]
pub(crate) struct Shown<'l, 'f, B, RB> {
    pub(super) pushed: Pushed<'l>,
    /// What has been pushed.
    pub(super) frame: &'f JoinFrame<B, RB>,
}

impl<'l, 'f, B, RB> Shown<'l, 'f, B, RB> {
    /// The top, where the first branch runs.
    #[inline(always)]
    pub(crate) fn above(&mut self) -> Top<'_> {
        self.pushed.above()
    }

    /// Pops the frame, and settles the return: whose is the frame now?
    #[inline(always)]
    pub(crate) fn pop(self) -> Popped<'l, 'f, B, RB> {
        match self.pushed.pop() {
            Ok(top) => Ok((top, Kept(self.frame))),
            Err(returned) => match at_return::attend(returned) {
                Settled::Kept(top) => {
                    let kept = Kept(self.frame).unless_cancelled(&top);
                    Ok((top, kept))
                }
                Settled::Gone(top) => Err((top, Gone(self.frame))),
            },
        }
    }
}

/// The top after a pop, and the frame.
type Popped<'l, 'f, B, RB> = Result<(Top<'l>, Kept<'f, B, RB>), (Top<'l>, Gone<'f, B, RB>)>;

/// A frame that no other thread has or can get, and whose branch has not begun.
#[must_use]
pub(crate) struct Kept<'f, B, RB>(&'f JoinFrame<B, RB>);

impl<B, RB> Kept<'_, B, RB> {
    /// The same; or drops the branch and unwinds, if what runs here has been cancelled.
    #[cold]
    fn unless_cancelled(self, top: &Top<'_>) -> Self {
        if is_to_end(**top) {
            drop_quietly(top, self.take());
            end(**top);
        }
        self
    }

    /// Takes the branch out of the frame.
    #[inline(always)]
    pub(crate) fn take(self) -> B {
        // SAFETY: access is exclusive, and there is one of these values for each frame.
        unsafe { self.0.closure.get().cast::<B>().read() }
    }
}

/// A frame that has left for another worker, and for which the holder waits.
#[must_use]
pub(crate) struct Gone<'f, B, RB>(&'f JoinFrame<B, RB>);

impl<B, RB> Gone<'_, B, RB>
where
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    /// Waits for the frame, and returns its result. A panic of the branch is resumed here. If no worker has begun the
    /// branch, it runs here.
    #[cold]
    #[inline(never)]
    pub(crate) fn wait(self, mut top: Top<'_>) -> RB {
        match self.outcome(&mut top) {
            Outcome::Done(result) => {
                let result = result.unwrap_or_else(|payload| pass_on(payload));
                end_if_cancelled(*top);
                result
            }
            Outcome::Reclaimed(closure) => {
                end_if_cancelled(*top);
                closure(Strand::of(top), Context::STAYED)
            }
        }
    }

    /// Waits until it is known what became of the frame.
    pub(crate) fn outcome(self, top: &mut Top<'_>) -> Outcome<B, RB> {
        // From a pointer to the whole frame, since other threads use the whole frame through such a pointer.
        // SAFETY: a frame starts with its header.
        let header = unsafe { self.0.header().as_ref() };
        // SAFETY: this is its owner, and the frame is gone.
        match unsafe { wait(top, header) } {
            Waited::Reclaimed => Outcome::Reclaimed(Kept(self.0).take()),
            // SAFETY: `run` wrote the result before `done` was set, which `wait` has seen, and this is the only read.
            Waited::Done => Outcome::Done(unsafe { self.0.result.get().cast::<thread::Result<RB>>().read() }),
        }
    }
}
