//! The frame of a join: the second branch, and a place for its result if it runs elsewhere.

use crate::constructs::join::context::Context;
use crate::constructs::strand::Strand;
use crate::engine::frame::{FrameKind, Header, Rung};
use crate::engine::wait::join_end::{Waited, wait};
use std::cell::UnsafeCell;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::NonNull;
use std::thread;

/// Lives on the stack of the fork. Only the header's kind and the closure are written unless the frame is taken.
///
/// Who may touch `closure` and `result`: the owner, until a thief has claimed the frame; then the thief, until it has
/// set `done`; then the owner.
#[repr(C)]
pub(crate) struct JoinFrame<B, RB> {
    header: Header,
    result: UnsafeCell<MaybeUninit<thread::Result<RB>>>,
    closure: UnsafeCell<ManuallyDrop<B>>,
}

/// What became of a frame that was gone.
pub(crate) enum Outcome<RB> {
    /// It has run elsewhere.
    Done(thread::Result<RB>),
    /// Nobody has begun it, and it is back.
    Reclaimed,
}

impl<B, RB> JoinFrame<B, RB>
where
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    const KIND: FrameKind = FrameKind { run: Self::run, divide: None };

    #[inline(always)]
    pub(crate) fn new(closure: B) -> Self {
        JoinFrame {
            header: Header::new(const { &Self::KIND }),
            result: UnsafeCell::new(MaybeUninit::uninit()),
            closure: UnsafeCell::new(ManuallyDrop::new(closure)),
        }
    }

    /// What a slot points to. Good for the whole frame.
    #[inline(always)]
    pub(crate) fn header(&self) -> NonNull<Header> {
        NonNull::from(self).cast()
    }

    /// Takes the closure out of a frame that nobody has taken.
    ///
    /// # Safety
    ///
    /// It is the caller's turn to touch the frame, and the closure has not been taken out.
    #[inline(always)]
    pub(crate) unsafe fn take_closure(&self) -> B {
        // SAFETY: exclusive, by contract.
        let closure = unsafe { &mut *self.closure.get() };
        // SAFETY: taken once, by contract.
        unsafe { ManuallyDrop::take(closure) }
    }

    /// What whoever claims the frame does with it.
    unsafe fn run(header: NonNull<Header>, rung: Rung) {
        let frame: NonNull<Self> = header.cast();
        // SAFETY: a header of this kind starts a frame of this type, which lives until it is done.
        let frame = unsafe { frame.as_ref() };
        // SAFETY: claimed by the caller, who calls this once.
        let closure = unsafe { frame.take_closure() };
        // Unwind safety: whatever the closure leaves broken, the owner resumes the panic before anybody can look.
        let result = catch_unwind(AssertUnwindSafe(|| {
            // SAFETY: the caller occupies the ladder of `rung`, its top, until this returns.
            closure(unsafe { Strand::at(rung) }, Context::MIGRATED)
        }));
        // SAFETY: the thief's turn.
        let place = unsafe { &mut *frame.result.get() };
        place.write(result);
    }

    /// The result of a frame that is gone, once there is one; a panic of the branch goes on here. If nobody has begun
    /// it, the branch is run here after all.
    ///
    /// # Safety
    ///
    /// As [`outcome`](Self::outcome).
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn wait(&self, rung: Rung) -> RB {
        // SAFETY: forwarded.
        match unsafe { self.outcome(rung) } {
            Outcome::Done(result) => result.unwrap_or_else(|payload| resume_unwind(payload)),
            Outcome::Reclaimed => {
                // SAFETY: the owner's again, and nobody has begun it.
                let closure = unsafe { self.take_closure() };
                // SAFETY: popped, so the top is at `rung`, and the closure will pop what it pushes.
                closure(unsafe { Strand::at(rung) }, Context::STAYED)
            }
        }
    }

    /// What became of a frame that is gone, once that is known.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder of `rung`, its top; it has just popped the frame there and learnt that it is
    /// gone, or has left it for others without having pushed it.
    pub(crate) unsafe fn outcome(&self, rung: Rung) -> Outcome<RB> {
        // By way of the whole frame, whose address has been shared.
        // SAFETY: a frame starts with its header.
        let header = unsafe { self.header().as_ref() };
        // SAFETY: forwarded.
        match unsafe { wait(rung, header) } {
            Waited::Reclaimed => Outcome::Reclaimed,
            Waited::Done => {
                // SAFETY: `wait` has seen `done`.
                Outcome::Done(unsafe { self.result() })
            }
        }
    }

    /// Takes out the result.
    ///
    /// # Safety
    ///
    /// The frame is done, and its result has not been taken out.
    pub(crate) unsafe fn result(&self) -> thread::Result<RB> {
        // SAFETY: the owner's turn again.
        let place = unsafe { &*self.result.get() };
        // SAFETY: written by `run`, which happened before `done`, and read once.
        unsafe { place.assume_init_read() }
    }
}
