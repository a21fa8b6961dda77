//! The frame of a join: the second branch, and a place for its result if another worker runs it.

use crate::constructs::join::context::Context;
use crate::constructs::strand::Strand;
use crate::engine::frame::{FrameKind, Header};
use crate::engine::team::Top;
use crate::engine::wait::join_end::{Waited, wait};
use std::cell::UnsafeCell;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
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
pub(crate) enum Outcome<RB> {
    /// Another worker has run it.
    Done(thread::Result<RB>),
    /// No worker has begun it, and it belongs to its owner again.
    Reclaimed,
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
    pub(crate) fn header(&self) -> NonNull<Header> {
        NonNull::from(self).cast()
    }

    /// Takes the closure out of the frame.
    ///
    /// # Safety
    ///
    /// The caller must have exclusive access to the frame (see [`JoinFrame`]), and must call this only once.
    #[inline(always)]
    pub(crate) unsafe fn take_closure(&self) -> B {
        // SAFETY: the caller guarantees exclusive access.
        let closure = unsafe { &mut *self.closure.get() };
        // SAFETY: the caller guarantees that this is the only call.
        unsafe { ManuallyDrop::take(closure) }
    }

    /// What the worker that has claimed the frame calls ([`FrameKind::run`]).
    unsafe fn run(header: NonNull<Header>, top: Top<'_>) {
        let frame: NonNull<Self> = header.cast();
        // SAFETY: a header of this kind is the start of a frame of this type, which lives until it is done.
        let frame = unsafe { frame.as_ref() };
        // SAFETY: the caller has claimed the frame, and calls this once.
        let closure = unsafe { frame.take_closure() };
        // Unwind safety: the owner resumes the panic before other code can see what the closure has left broken.
        let result = catch_unwind(AssertUnwindSafe(|| closure(Strand::of(top), Context::MIGRATED)));
        // SAFETY: the thief has exclusive access until it sets `done`, which its caller does later.
        let place = unsafe { &mut *frame.result.get() };
        place.write(result);
    }

    /// Waits for a frame that is gone, and returns its result. A panic of the branch is resumed here. If no worker has
    /// begun the branch, it runs here.
    ///
    /// # Safety
    ///
    /// As [`outcome`](Self::outcome).
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn wait(&self, mut top: Top<'_>) -> RB {
        // SAFETY: by the contract of this function.
        match unsafe { self.outcome(&mut top) } {
            Outcome::Done(result) => result.unwrap_or_else(|payload| resume_unwind(payload)),
            Outcome::Reclaimed => {
                // SAFETY: the frame belongs to its owner again, and has not begun.
                let closure = unsafe { self.take_closure() };
                closure(Strand::of(top), Context::STAYED)
            }
        }
    }

    /// Waits until it is known what became of a frame that is gone.
    ///
    /// # Safety
    ///
    /// The caller must have just popped the frame at `top` and learnt that it is gone, or have left the frame for
    /// others without a push.
    pub(crate) unsafe fn outcome(&self, top: &mut Top<'_>) -> Outcome<RB> {
        // From a pointer to the whole frame, since other threads use the whole frame through such a pointer.
        // SAFETY: a frame starts with its header.
        let header = unsafe { self.header().as_ref() };
        // SAFETY: by the contract of this function.
        match unsafe { wait(top, header) } {
            Waited::Reclaimed => Outcome::Reclaimed,
            Waited::Done => {
                // SAFETY: `wait` has seen `done`, and this is the only call for this frame.
                Outcome::Done(unsafe { self.result() })
            }
        }
    }

    /// Takes out the result.
    ///
    /// # Safety
    ///
    /// The frame must be done. Must be called only once.
    pub(crate) unsafe fn result(&self) -> thread::Result<RB> {
        // SAFETY: the frame is done, so the owner has exclusive access again.
        let place = unsafe { &*self.result.get() };
        // SAFETY: `run` wrote the result before `done` was set, and this is the only read.
        unsafe { place.assume_init_read() }
    }
}
