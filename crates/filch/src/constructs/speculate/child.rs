//! A child that has not begun, whose type has been erased ([`erased`](super::erased) knows it), and the room for one.

use super::state::Shared;
use crate::engine::team::Top;
use std::cell::{Cell, UnsafeCell};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ptr;

/// A child and its inlet of this size lie in their procedure, and fit beside the head of a part into the memory that a
/// thief brings. Larger ones are boxed.
const INLINE_WORDS: usize = 6;

pub(super) type Words = MaybeUninit<[usize; INLINE_WORDS]>;

/// Reads a child out of the words. It is run by its procedure, whose frame the pointer leads to; or by another worker;
/// or dropped, if the pointer is null and there is no such worker.
pub(super) type Finish<S> = unsafe fn(*const Words, *const (), Option<(Top<'_>, &Shared<S>)>);

/// A child that has not begun.
pub(super) struct Child<S: Send> {
    words: Words,
    finish: Finish<S>,
}

// SAFETY: what is put into a child is `Send`.
unsafe impl<S: Send> Send for Child<S> {}

impl<S: Send> Child<S> {
    /// Runs the child and its inlet as another worker than that of the procedure.
    pub(super) fn run_elsewhere(self, top: Top<'_>, shared: &Shared<S>) {
        let this = ManuallyDrop::new(self);
        // SAFETY: `Room::put` has set both fields, and they are not used again.
        unsafe { (this.finish)(&raw const this.words, ptr::null(), Some((top, shared))) };
    }

    /// The same as the procedure.
    ///
    /// # Safety
    ///
    /// `frame` is the frame of the child's procedure, which this thread runs.
    pub(super) unsafe fn run_here(self, frame: *const ()) {
        let this = ManuallyDrop::new(self);
        // SAFETY: as above; the rest is guaranteed by the caller.
        unsafe { (this.finish)(&raw const this.words, frame, None) };
    }
}

impl<S: Send> Drop for Child<S> {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { (self.finish)(&raw const self.words, ptr::null(), None) };
    }
}

/// Room for a child in the frame of its procedure. Whether there is one, the frame knows.
pub(super) struct Room<S: Send> {
    words: UnsafeCell<Words>,
    finish: Cell<MaybeUninit<Finish<S>>>,
}

impl<S: Send> Room<S> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Room { words: UnsafeCell::new(Words::uninit()), finish: Cell::new(MaybeUninit::uninit()) }
    }

    /// Puts a child here.
    ///
    /// # Safety
    ///
    /// The room is the caller's, and `data`, which is `Send`, fits into the words. `finish` reads it there.
    #[inline(always)]
    pub(super) unsafe fn put<D>(&self, data: D, finish: Finish<S>) {
        debug_assert!(size_of::<D>() <= size_of::<Words>() && align_of::<D>() <= align_of::<Words>());
        // SAFETY: the room is the caller's, and the data fits.
        unsafe { self.words.get().cast::<D>().write(data) };
        self.finish.set(MaybeUninit::new(finish));
    }

    /// Moves the child out.
    ///
    /// # Safety
    ///
    /// There is one, which is the caller's.
    pub(super) unsafe fn take(&self) -> Child<S> {
        // SAFETY: guaranteed by the caller, as `put` has been called.
        let finish = unsafe { self.finish.get().assume_init() };
        // SAFETY: as above.
        Child { words: unsafe { self.words.get().read() }, finish }
    }

    /// Runs the child here, and its inlet, as its procedure.
    ///
    /// # Safety
    ///
    /// There is one, which is the caller's. The rest is as for [`Child::run_here`].
    #[inline(always)]
    pub(super) unsafe fn run(&self, frame: *const ()) {
        // SAFETY: guaranteed by the caller, as `put` has been called.
        let finish = unsafe { self.finish.get().assume_init() };
        // Not by value: a child would be copied on its way. The words are read first, so the room may be used again
        // meanwhile.
        // SAFETY: as above.
        unsafe { finish(self.words.get(), frame, None) };
    }
}
