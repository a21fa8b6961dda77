//! Occupancy, as values: what only the occupant of a ladder may do is safe for whoever has one of these.
//!
//! ```text
//!   Occupied ── top() ──► Top ── push ──► Pushed ── pop ──► Top                  no thread wants anything
//!                          ▲                        └─────► Returned ── attend ──► Top, and whether the frame is gone
//!                          └────────────────────────────────────────────────────────┘
//! ```
//!
//! | type | what it stands for | who makes it |
//! |---|---|---|
//! | [`Occupied`] | this thread occupies the ladder of the rung throughout `'l` | a strand, a hint, a taken seat |
//! | [`Top`] | and the rung is T, and H is not above it | a walk from any rung; a pop; an attend |
//! | [`Pushed`] | the frame there is the youngest, whenever the holder of this executes | a push; a look at its rung |
//! | [`Returned`] | T is the rung, the frame was there, and H may be above | a pop that has found E raised |
//!
//! What runs between two accesses to a `Top` or a `Pushed`, on the same thread, leaves the ladder as it found it.
//! `execute.rs` checks this for tasks. So they hold although user code that has been called meanwhile may have pushed
//! by another strand of the same ladder, which it has smuggled.
//!
//! Marks never replace a frame, so an occupant may set and remove them at any rung.

use super::rung::{Rung, is_frame};
use super::{Frame, Ladder};
use crate::sync::Ordering;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

/// This thread occupies a ladder: it alone forks and returns there. One word: a rung of that ladder, not always its
/// top.
pub(crate) struct Occupied<'l, F: Frame> {
    rung: Rung<F>,
    /// Neither `Send` nor `Sync`. A shorter `'l` is a weaker claim, so this is covariant.
    ladder: PhantomData<(&'l Ladder<F>, *mut ())>,
}

impl<F: Frame> Clone for Occupied<'_, F> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Frame> Copy for Occupied<'_, F> {}

impl<'l, F: Frame> Occupied<'l, F> {
    /// # Safety
    ///
    /// The current thread occupies the ladder of `rung` throughout `'l`.
    #[inline(always)]
    pub(crate) unsafe fn at(rung: Rung<F>) -> Self {
        Occupied { rung, ladder: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn rung(self) -> Rung<F> {
        self.rung
    }

    /// Where the ladder begins.
    pub(crate) fn first(self) -> Self {
        Occupied { rung: self.ladder().first(), ladder: PhantomData }
    }

    /// The top of the ladder, T: its first free rung. Costs the distance to it.
    ///
    /// The caller has settled what it has popped: H is not above T.
    #[cold]
    pub(crate) fn top(self) -> Top<'l, F> {
        let first = self.first();
        let mut at = self;
        while at.holds_frame() {
            // SAFETY: a rung that holds a frame is below the mark above the last rung.
            at.rung = unsafe { at.rung.next() };
        }
        while at.rung != first.rung {
            // SAFETY: this rung is above the first one.
            let below = Occupied { rung: unsafe { at.rung.prev() }, ..at };
            if below.holds_frame() {
                break;
            }
            at = below;
        }
        Top(at)
    }

    /// This rung, if it is the top.
    ///
    /// # Safety
    ///
    /// The top is not below this rung, as for the rung of a strand.
    #[inline(always)]
    pub(crate) unsafe fn if_free(self) -> Option<Top<'l, F>> {
        self.is_free().then_some(Top(self))
    }

    /// This rung, if it is the top.
    #[inline(always)]
    pub(crate) fn if_top(self) -> Option<Top<'l, F>> {
        (self.is_free() && self.is_above_frame()).then_some(Top(self))
    }

    /// Whether `frame` is here and nothing above it, or no frame is here.
    #[inline(always)]
    pub(crate) fn is_below_top(self, frame: NonNull<F>) -> bool {
        let value = self.read();
        if value != frame.as_ptr() {
            return !is_frame(value);
        }
        // SAFETY: a rung that holds a frame is below the mark above the last rung.
        !Occupied { rung: unsafe { self.rung.next() }, ..self }.holds_frame()
    }

    /// `frame`, if it is here; as an error this rung, which is then the top.
    ///
    /// # Safety
    ///
    /// If a frame is here, it is `frame`, which this thread has pushed, and nothing is above it. Otherwise this rung is
    /// the top, and H is not above it.
    #[inline(always)]
    pub(crate) unsafe fn pushed_or_top(self, frame: NonNull<F>) -> Result<Pushed<'l, F>, Top<'l, F>> {
        if self.read() == frame.as_ptr() { Ok(Pushed { at: self, frame }) } else { Err(Top(self)) }
    }

    /// The frame here, if there is one, for a guard that runs while a panic unwinds.
    ///
    /// # Safety
    ///
    /// If a frame is here, it is `frame`, which this thread has pushed, and nothing is above it.
    #[inline(always)]
    pub(crate) unsafe fn pushed(self, frame: NonNull<F>) -> Option<Pushed<'l, F>> {
        self.holds_frame().then_some(Pushed { at: self, frame })
    }

    /// Whether this rung is the top, and H is not above it. Every task leaves its ladder in this state.
    pub(crate) fn is_settled(self) -> bool {
        self.top().rung == self.rung && self.ladder().oldest() <= self.rung.addr()
    }
}

/// The top of a ladder that this thread occupies, settled: H is not above it.
pub(crate) struct Top<'l, F: Frame>(pub(super) Occupied<'l, F>);

impl<'l, F: Frame> Deref for Top<'l, F> {
    type Target = Occupied<'l, F>;

    #[inline(always)]
    fn deref(&self) -> &Occupied<'l, F> {
        &self.0
    }
}

impl<'l, F: Frame> Top<'l, F> {
    /// In debug builds, checks that user code may run: that H is not above T ([`ladder`](super), "Code of the user").
    #[inline(always)]
    pub(crate) fn check(&self) {
        if cfg!(debug_assertions) {
            let is_admitted = self.ladder().oldest() <= self.top().rung.addr();
            assert!(is_admitted, "code of the user runs while H is above the top of its ladder");
        }
    }

    /// The rung above, if this is not the end of the ladder.
    pub(crate) fn above(&self) -> Option<Occupied<'l, F>> {
        // SAFETY: if this is not the end of the ladder, there is a slot above it.
        (!self.is_full()).then(|| Occupied { rung: unsafe { self.rung.next() }, ladder: PhantomData })
    }

    /// The same top, for a callee that leaves the ladder as it finds it.
    pub(crate) fn again(&self) -> Top<'_, F> {
        Top(self.0)
    }

    /// The same top, for a callee that may push.
    #[inline(always)]
    pub(crate) fn reborrow(&mut self) -> Top<'_, F> {
        Top(self.0)
    }

    /// Pushes `frame`, which makes it visible to thieves.
    ///
    /// # Safety
    ///
    /// The slot is free. The frame lives at this address until a pop has returned `Ok`, or the worker that has got the
    /// frame has finished with it. The result is popped, and not forgotten.
    #[inline(always)]
    pub(crate) unsafe fn push(self, frame: NonNull<F>) -> Pushed<'l, F> {
        // Release: a thread that reads this pointer sees the frame.
        self.slot().store(frame.as_ptr(), Ordering::Release);
        Pushed { at: self.0, frame }
    }
}

/// A frame that this thread has pushed, and everything above which has been popped whenever the holder executes.
pub(crate) struct Pushed<'l, F: Frame> {
    at: Occupied<'l, F>,
    frame: NonNull<F>,
}

impl<'l, F: Frame> Pushed<'l, F> {
    /// The top above the frame.
    #[inline(always)]
    pub(crate) fn above(&mut self) -> Top<'_, F> {
        // SAFETY: the rung was free, so the mark above the last rung, or a rung, is above it.
        Top(Occupied { rung: unsafe { self.at.rung.next() }, ladder: PhantomData })
    }

    /// The same, for a holder that finds the frame again by its [rung](Occupied::pushed_or_top).
    #[inline(always)]
    pub(crate) fn into_above(self) -> Top<'l, F> {
        // SAFETY: as in `above`.
        Top(Occupied { rung: unsafe { self.at.rung.next() }, ladder: PhantomData })
    }

    /// Pops the frame, which hides it from thieves. `Ok` if no thread wants anything; then the frame is the caller's
    /// again.
    #[inline(always)]
    pub(crate) fn pop(self) -> Result<Top<'l, F>, Returned<'l, F>> {
        if self.hide() { Ok(Top(self.at)) } else { Err(Returned { at: self.at, frame: Some(self.frame) }) }
    }

    /// Pops the frame, for a caller that has found E raised before.
    pub(crate) fn pop_to_attend(self) -> Returned<'l, F> {
        // Whether E was raised is not needed: to attend is always allowed.
        let _ = self.hide();
        Returned { at: self.at, frame: Some(self.frame) }
    }

    #[inline(always)]
    pub(super) fn at(&self) -> Occupied<'l, F> {
        self.at
    }
}

/// A return that has found E raised, and must [attend](Self::attend).
#[must_use]
pub(crate) struct Returned<'l, F: Frame> {
    pub(super) at: Occupied<'l, F>,
    /// None at a look between two returns.
    frame: Option<NonNull<F>>,
}

impl<'l, F: Frame> Returned<'l, F> {
    /// For a look between two returns: the top is free, as if something had just been popped that is not gone.
    pub(crate) fn to(top: Top<'l, F>) -> Self {
        assert!(!top.holds_frame(), "this is not the top any more");
        Returned { at: top.0, frame: None }
    }

    /// What has just been popped, if anything.
    pub(crate) fn frame(&self) -> Option<NonNull<F>> {
        self.frame
    }

    /// The ladder. Not the occupancy, from which a [`Top`] could be had while H is above it.
    pub(crate) fn ladder(&self) -> &'l Ladder<F> {
        self.at.ladder()
    }
}
