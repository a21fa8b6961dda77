//! Occupancy, as values: what only the occupant of a ladder may do is safe for whoever has one of these.
//!
//! ```text
//!   Occupied ── top() ──► Top ── push ──► Pushed ── pop ──► Top                  nobody wants anything
//!                          ▲                        └─────► Returned ── attend ──► Top, and whether the frame is gone
//!                          └────────────────────────────────────────────────────────┘
//! ```
//!
//! | type | what it stands for | who makes it |
//! |---|---|---|
//! | [`Occupied`] | this thread occupies the ladder of the rung throughout `'l` | who sits down (`engine/seats`) |
//! | [`Top`] | and the rung is T, and H is not above it | a walk from any rung; a pop |
//! | [`Pushed`] | the frame there is the youngest one, whenever the holder of this executes | a push |
//! | [`Returned`] | T is the rung, the frame was there, and H may be above | a pop that has found E raised |
//!
//! What runs between two accesses to a `Top` or a `Pushed`, on the same thread, leaves the ladder as it found it.
//! `execute.rs` checks this for tasks. So they hold although user code that has been called meanwhile may have pushed
//! by another strand of the same ladder, which it has smuggled.
//!
//! Marks never replace a frame, so an occupant may set and remove them at any rung.

use super::Ladder;
use super::rung::Rung;
use filch_policy::Wish;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

/// This thread occupies a ladder: it alone forks and returns there. One word: a rung of that ladder, not always its
/// top.
pub(crate) struct Occupied<'l, F, O> {
    rung: Rung<F>,
    /// Neither `Send` nor `Sync`. A shorter `'l` is a weaker claim, so this is covariant.
    ladder: PhantomData<(&'l Ladder<F, O>, *mut ())>,
}

impl<F, O> Clone for Occupied<'_, F, O> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<F, O> Copy for Occupied<'_, F, O> {}

impl<'l, F, O> Occupied<'l, F, O> {
    /// # Safety
    ///
    /// The current thread occupies the ladder of `rung`, which is one of these types, throughout `'l`.
    #[inline(always)]
    pub(crate) unsafe fn at(rung: Rung<F>) -> Self {
        Occupied { rung, ladder: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn rung(self) -> Rung<F> {
        self.rung
    }

    #[inline(always)]
    pub(crate) fn ladder(self) -> &'l Ladder<F, O> {
        // SAFETY: a ladder lives while it is occupied.
        unsafe { Ladder::of(self.rung) }
    }

    /// The value that the layer above keeps with the ladder.
    #[inline(always)]
    pub(crate) fn owner(self) -> &'l O {
        self.ladder().owner()
    }

    /// Where the ladder begins.
    pub(crate) fn first(self) -> Self {
        Occupied { rung: self.ladder().first(), ladder: PhantomData }
    }

    /// Whether an older frame is on the ladder ([`Rung::is_covered`]).
    #[inline(always)]
    pub(crate) fn is_covered(self) -> bool {
        // SAFETY: this thread occupies the ladder.
        unsafe { self.rung.is_covered::<O>() }
    }

    /// The top of the ladder. Costs the distance to it.
    pub(crate) fn top(self) -> Top<'l, F, O> {
        // SAFETY: this thread occupies the ladder, and this is one of its rungs.
        Top(Occupied { rung: unsafe { self.ladder().top_from(self.rung) }, ladder: PhantomData })
    }

    /// This rung, if it is the top.
    ///
    /// # Safety
    ///
    /// The top is not below this rung, as for the rung of a strand.
    #[inline(always)]
    pub(crate) unsafe fn if_free(self) -> Option<Top<'l, F, O>> {
        // SAFETY: this thread occupies the ladder.
        unsafe { self.rung.is_free() }.then_some(Top(self))
    }

    /// This rung, if it is the top.
    #[inline(always)]
    pub(crate) fn if_top(self) -> Option<Top<'l, F, O>> {
        // SAFETY: this thread occupies the ladder. Below every rung there is a slot, the floor at least.
        (unsafe { self.rung.is_free() } && unsafe { self.rung.is_above_frame() }).then_some(Top(self))
    }

    pub(crate) fn holds_frame(self) -> bool {
        // SAFETY: this thread occupies the ladder.
        unsafe { self.rung.holds_frame() }
    }

    #[inline(always)]
    pub(crate) fn is_free(self) -> bool {
        // SAFETY: this thread occupies the ladder.
        unsafe { self.rung.is_free() }
    }

    /// Whether there is a frame below, or the floor.
    #[inline(always)]
    pub(crate) fn is_above_frame(self) -> bool {
        // SAFETY: this thread occupies the ladder. Below every rung there is a slot, the floor at least.
        unsafe { self.rung.is_above_frame() }
    }

    pub(crate) fn is_full(self) -> bool {
        // SAFETY: this thread occupies the ladder.
        unsafe { self.rung.is_full() }
    }

    pub(crate) fn is_closed(self) -> bool {
        // SAFETY: this thread occupies the ladder.
        unsafe { self.rung.is_closed() }
    }

    /// Makes the next fork here take the cold path. Does nothing if there is a frame, or the end of the ladder.
    pub(crate) fn close(self) {
        if !self.holds_frame() && !self.is_full() {
            // SAFETY: this thread occupies the ladder, and there is no frame here, which only this thread could push.
            unsafe { self.rung.close() }
        }
    }

    /// Undoes [`close`](Self::close), unless that mark is gone already.
    pub(crate) fn open(self) {
        // SAFETY: this thread occupies the ladder; only a mark is removed.
        unsafe { self.rung.open() }
    }

    /// Makes the next fork here take the cold path, so that its frame may be shared at once.
    pub(crate) fn make_eager(self) {
        // SAFETY: this thread occupies the ladder; only null is replaced.
        unsafe { self.rung.make_eager() }
    }

    /// Undoes [`make_eager`](Self::make_eager), unless that mark is gone already.
    pub(crate) fn be_patient(self) {
        // SAFETY: this thread occupies the ladder; only a mark is removed.
        unsafe { self.rung.be_patient() }
    }

    /// Whether another thread wants something of the owner of the ladder, seen from this rung (E).
    #[inline(always)]
    pub(crate) fn is_wanted(self) -> bool {
        // SAFETY: this thread occupies the ladder.
        unsafe { self.rung.is_wanted::<O>() }
    }

    /// The frame here, if there is one, for a guard that runs while a panic unwinds.
    ///
    /// # Safety
    ///
    /// If a frame is here, it is `frame`, which this thread has pushed, and nothing is above it.
    pub(crate) unsafe fn pushed(self, frame: NonNull<F>) -> Option<Pushed<'l, F, O>> {
        self.holds_frame().then_some(Pushed { at: self, frame })
    }

    /// Whether this rung is the top, and H is not above it. Every task leaves its ladder in this state.
    pub(crate) fn is_settled(self) -> bool {
        // SAFETY: this thread occupies the ladder, and this is one of its rungs.
        unsafe { self.ladder().is_settled_at(self.rung) }
    }

    /// Removes a mark that asks for the next frame to be told of, or shared. Returns which of these, if there was one.
    pub(crate) fn take_mark(self) -> Option<Wish> {
        // SAFETY: this thread occupies the ladder; only a mark is removed.
        unsafe { self.rung.take_mark() }
    }
}

/// The top of a ladder that this thread occupies, settled: H is not above it.
pub(crate) struct Top<'l, F, O>(Occupied<'l, F, O>);

impl<'l, F, O> Deref for Top<'l, F, O> {
    type Target = Occupied<'l, F, O>;

    #[inline(always)]
    fn deref(&self) -> &Occupied<'l, F, O> {
        &self.0
    }
}

impl<'l, F, O> Top<'l, F, O> {
    /// # Safety
    ///
    /// As [`Occupied::at`], and `rung` is the top whenever the holder of this executes. H is not above it.
    #[inline(always)]
    pub(crate) unsafe fn at(rung: Rung<F>) -> Self {
        // SAFETY: guaranteed by the caller.
        Top(unsafe { Occupied::at(rung) })
    }

    /// In debug builds, checks that user code may run: that this is the top, and H is not above it
    /// ([`ladder`](super), "Code of the user").
    #[inline(always)]
    pub(crate) fn check(&self) {
        if cfg!(debug_assertions) {
            // SAFETY: this thread occupies the ladder.
            let is_admitted = unsafe { self.ladder().admits_user_code(self.rung) };
            assert!(is_admitted, "code of the user runs while H is above the top of its ladder");
        }
    }

    /// The rung above, if this is not the end of the ladder.
    pub(crate) fn above(&self) -> Option<Occupied<'l, F, O>> {
        // SAFETY: if this is not the end of the ladder, there is a slot above it.
        (!self.is_full()).then(|| Occupied { rung: unsafe { self.rung.next() }, ladder: PhantomData })
    }

    /// The same, for what runs at the top and does not push itself.
    pub(crate) fn again(&self) -> Top<'_, F, O> {
        Top(self.0)
    }

    /// The same, for what is called next.
    #[inline(always)]
    pub(crate) fn reborrow(&mut self) -> Top<'_, F, O> {
        Top(self.0)
    }

    /// Pushes `frame`, which makes it visible to thieves.
    ///
    /// # Safety
    ///
    /// The slot is free. The frame lives at this address until a pop has returned `Ok`, or the worker that has got the
    /// frame has finished with it. The result is popped, and not forgotten.
    #[inline(always)]
    pub(crate) unsafe fn push(self, frame: NonNull<F>) -> Pushed<'l, F, O> {
        // SAFETY: this thread occupies the ladder. The rest is guaranteed by the caller.
        unsafe { self.rung.push(frame) };
        Pushed { at: self.0, frame }
    }

    /// The oldest frame, as its owner sees it without L ([`Ladder::oldest_of_owner`]).
    pub(crate) fn oldest(&self) -> Option<NonNull<F>> {
        // SAFETY: this thread occupies the ladder, and this is its top.
        unsafe { self.ladder().oldest_of_owner(self.rung) }
    }

    /// Attends where nothing has been popped: lowers E, and calls `give` under L ([`Ladder::attend`]).
    pub(crate) fn attend(&self, give: impl FnOnce(Option<NonNull<F>>) -> bool) {
        // On a cold path a look is better than a promise: H must not be brought back below a frame that has left.
        assert!(!self.holds_frame(), "this is not the top any more");
        // SAFETY: this thread occupies the ladder. The top is free, as if it had just been popped, and no frame was
        // there that could be gone.
        unsafe { self.ladder().attend(self.rung, give) };
    }
}

/// A frame that this thread has pushed, and everything above which has been popped whenever the holder executes.
pub(crate) struct Pushed<'l, F, O> {
    at: Occupied<'l, F, O>,
    frame: NonNull<F>,
}

impl<'l, F, O> Pushed<'l, F, O> {
    /// The top above the frame.
    #[inline(always)]
    pub(crate) fn above(&mut self) -> Top<'_, F, O> {
        // SAFETY: the rung was free, so the mark above the last rung, or a rung, is above it.
        Top(Occupied { rung: unsafe { self.at.rung.next() }, ladder: PhantomData })
    }

    /// Pops the frame, which hides it from thieves. `Ok` if no thread wants anything; then the frame is the caller's
    /// again.
    #[inline(always)]
    pub(crate) fn pop(self) -> Result<Top<'l, F, O>, Returned<'l, F, O>> {
        // SAFETY: this thread has pushed here, and has popped all that it pushed above.
        if unsafe { self.at.rung.pop::<O>() } {
            Ok(Top(self.at))
        } else {
            Err(Returned { at: self.at, frame: Some(self.frame) })
        }
    }
}

impl<'l, F, O> Pushed<'l, F, O> {
    /// Pops the frame, for a caller that has found E raised before.
    pub(crate) fn pop_to_attend(self) -> Returned<'l, F, O> {
        // SAFETY: as in `pop`. Whether E was raised is not needed: to attend is always allowed.
        let _ = unsafe { self.at.rung.pop::<O>() };
        Returned { at: self.at, frame: Some(self.frame) }
    }
}

/// A return that has found E raised, and must [attend](Self::attend).
#[must_use]
pub(crate) struct Returned<'l, F, O> {
    at: Occupied<'l, F, O>,
    /// None at a look between two returns.
    frame: Option<NonNull<F>>,
}

impl<'l, F, O> Returned<'l, F, O> {
    /// For a look between two returns: the top is free, as if something had just been popped that is not gone.
    pub(crate) fn to(top: Top<'l, F, O>) -> Self {
        assert!(!top.holds_frame(), "this is not the top any more");
        Returned { at: top.0, frame: None }
    }

    /// What has just been popped, if anything.
    pub(crate) fn frame(&self) -> Option<NonNull<F>> {
        self.frame
    }

    /// The ladder, on which H may be above the top.
    pub(crate) fn occupied(&self) -> Occupied<'l, F, O> {
        self.at
    }

    /// Settles under L which frames are gone ([`Ladder::attend`]). Returns whether the frame is.
    pub(crate) fn attend(self, give: impl FnOnce(Option<NonNull<F>>) -> bool) -> (Top<'l, F, O>, bool) {
        let at = self.at;
        // SAFETY: this thread occupies the ladder, and has just popped the rung.
        let gone = unsafe { at.ladder().attend(at.rung, give) };
        (Top(at), gone)
    }
}
