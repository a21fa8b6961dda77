//! The frame of a spawn loop, as slow paths know it, and the parts that its items fall into.
//!
//! A spawn loop has one iterator, which stays where it is, and one *right to iterate*, which moves: whoever takes the
//! frame takes all that is left (Cilk's continuation stealing, cilk5.txt, section 2). What it runs is a [`ItemsPart`]
//! in memory that it brings, so that its victim may leave as soon as its own last item is done; only the loop's
//! beginner waits, for all parts, one after the other.
//!
//! The parts form a list in the order in which the right has moved, which is that of their items: each points to the
//! one that took the right from it. A part appears at the end of the list, by the one write to the `next` of the part,
//! or of the beginner, that has the right. It leaves when it is done: the beginner removes the first, and one that
//! begins those before it that have nothing to tell; what they leave for reducers goes to the one before. So there are
//! no more parts than run, however often the right moves while the beginner is busy.
//!
//! | variable | who writes | who reads |
//! |---|---|---|
//! | the iterator | whoever has the right; handed on under L | |
//! | `next` of the last part, `first` of an empty list | who takes the right, under the L of whoever has it | that one, once it has attended; others, in walking the list |
//! | other links | under `is_awaited`'s lock | under that lock |
//! | a part's `told` | whoever runs it, until `done` | then the beginner, and who removes parts |
//!
//! Why a walk meets no part that has been freed: it holds the lock, and parts are unlinked under it before they are
//! freed. Why it may remove: a part that is done has written its `next`, or, if it has none, nobody ever will; and it
//! is before one that is not done, so it is not the last. Why a beginner that finds no `next` is at the end: the last
//! part is done, and it had the right. The model is `models/items.pml`. It knows
//! nothing of weak memory: that is for loom (`loom_tests.rs`).

use super::blank::{Blank, unpack};
use super::frame::{Claim, FrameKind, Split};
use super::task::{Goal, Origin, TaskId};
use super::{Header, Ladder, Rung};
use crate::ladder::Claimed;
use crate::sync::cell::UnsafeCell;
use crate::sync::{AtomicPtr, Mutex, Ordering, lock};
use std::ptr::{self, NonNull};

/// The parts of a spawn loop, in the order of their items. Lives on the stack of the loop's beginner, as the first
/// field of what all parts share.
#[repr(C)]
pub(crate) struct Parts {
    /// The worker that has begun the loop, and waits for them, and the task that it is in.
    beginner: usize,
    parent: Option<TaskId>,
    first: AtomicPtr<ItemsPart>,
    /// Whether the beginner is at the first, which nobody else may remove then. The lock is for changing links.
    is_awaited: Mutex<bool>,
}

/// A stretch of a spawn loop that has moved, or is about to. In memory of its own, which the thief brings. Whoever has
/// begun the loop waits for it, whosever ladder it came from.
#[repr(C)]
pub(crate) struct ItemsPart {
    header: Header,
    parts: NonNull<Parts>,
    /// The part that has taken the right from this one.
    next: AtomicPtr<ItemsPart>,
    /// A box of a type that `kind.run` knows; null if there is nothing to tell. The runner's until `done`.
    told: UnsafeCell<*mut ()>,
}

/// What stands on the ladder for all that is left of a spawn loop, while an item runs. In the stack of whoever runs
/// that.
#[repr(C)]
pub(crate) struct ItemsFrame {
    header: Header,
    parts: NonNull<Parts>,
    /// Where the part goes that takes the right.
    next: NonNull<AtomicPtr<ItemsPart>>,
}

impl ItemsFrame {
    pub(crate) const SPLIT: Option<Split> = Some(split);

    /// What a slot points to. Good for the whole frame.
    #[inline(always)]
    pub(crate) fn header(&self) -> NonNull<Header> {
        NonNull::from(self).cast()
    }
}

/// Moves the right to iterate.
///
/// # Safety
///
/// As [`FrameKind::split`]; `frame` is the header of an [`ItemsFrame`].
unsafe fn split(frame: NonNull<Header>, blank: NonNull<Blank>, claim: Claim) -> Claimed<Header> {
    // SAFETY: by contract.
    let items = unsafe { frame.cast::<ItemsFrame>().as_ref() };
    // SAFETY: what began the loop waits for all parts, and so for the one whose frame this is.
    let parts = unsafe { items.parts.as_ref() };
    let part = blank.cast::<ItemsPart>();
    let next = AtomicPtr::new(ptr::null_mut());
    let told = UnsafeCell::new(ptr::null_mut());
    let header = Header::new(items.header.kind());
    // SAFETY: memory of a part, nobody else's.
    unsafe { part.write(ItemsPart { header, parts: items.parts, next, told }) };
    let header = part.cast::<Header>();
    // A part may outlast the one that it was taken from, which nobody of its own waits for.
    let origin = Origin { parent: parts.parent, goal: Goal::at(items.parts) };
    // SAFETY: a part starts with its header, and nobody knows it yet.
    unsafe { Header::set_claim(header, claim.awaited_by(parts.beginner, origin)) };
    // SAFETY: of the loop, or of the part that runs now, whose frame this is.
    let place = unsafe { items.next.as_ref() };
    // Release: whoever finds the part sees its claim.
    place.store(part.as_ptr(), Ordering::Release);
    Claimed::Rest(header)
}

impl ItemsPart {
    /// What all parts share, of a type that `kind.run` knows.
    pub(crate) fn parts(&self) -> NonNull<Parts> {
        self.parts
    }

    /// Leaves word for the loop's beginner: a box's pointer.
    ///
    /// # Safety
    ///
    /// The caller runs this part.
    pub(crate) unsafe fn tell(&self, told: *mut ()) {
        // SAFETY: the runner's, by contract.
        self.told.with_mut(|place| unsafe { place.write(told) });
    }

    pub(super) fn claim(&self) -> &Claim {
        // SAFETY: written before the part was linked, under the lock or the release by which the caller has found it.
        unsafe { self.header.claim() }
    }

    fn is_done(&self) -> bool {
        self.claim().done.is_set()
    }

    /// Whether there is nothing to do about it any more but to free it. What it leaves for reducers goes to `before`.
    ///
    /// # Safety
    ///
    /// It is done, and so is `before`, the part before it. The caller holds the lock, and the beginner is at neither.
    unsafe fn is_spent(&self, before: Option<&ItemsPart>) -> bool {
        // SAFETY: after `done` nobody writes it.
        if self.told.with(|told| !unsafe { *told }.is_null()) {
            return false;
        }
        // SAFETY: by contract, and under the lock one thread at a time acts for the owner.
        if unsafe { self.claim().has_views() } {
            let Some(before) = before else { return false };
            // SAFETY: as above.
            unsafe { before.claim().append(self.claim()) };
        }
        true
    }
}

impl Parts {
    /// For a loop that is begun by the occupant of `rung`'s ladder.
    ///
    /// # Safety
    ///
    /// The caller occupies that ladder.
    pub(crate) unsafe fn new(rung: Rung) -> Self {
        // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
        let beginner = unsafe { Ladder::of(rung) }.owner();
        Self::begun_by(beginner.index, beginner.tasks.innermost())
    }

    pub(super) fn begun_by(beginner: usize, parent: Option<TaskId>) -> Self {
        Parts { beginner, parent, first: AtomicPtr::new(ptr::null_mut()), is_awaited: Mutex::new(false) }
    }

    /// The frame of the loop's beginner. `shared` is `self` with what follows; `kind` runs parts, and its `split` is
    /// [`ItemsFrame::SPLIT`].
    pub(crate) fn frame(&self, shared: NonNull<Parts>, kind: &'static FrameKind) -> ItemsFrame {
        ItemsFrame { header: Header::new(kind), parts: shared, next: NonNull::from(&self.first) }
    }

    /// The frame of whoever runs `part`, which begins now: parts before it that are done and have nothing to tell are
    /// freed.
    pub(crate) fn begin(&self, part: &ItemsPart) -> ItemsFrame {
        self.prune(part);
        ItemsFrame { header: Header::new(part.header.kind()), parts: part.parts, next: NonNull::from(&part.next) }
    }

    fn prune(&self, begun: &ItemsPart) {
        let mut removed: *mut ItemsPart = ptr::null_mut();
        {
            let is_awaited = lock(&self.is_awaited);
            let mut link = &self.first;
            let mut keeps = *is_awaited && !mutant!("prune_awaited");
            let mut before: Option<&ItemsPart> = None;
            while let Some(part) = NonNull::new(link.load(Ordering::Acquire)) {
                // SAFETY: in the list, under the lock.
                let part_ref = unsafe { part.as_ref() };
                if ptr::eq(part_ref, begun) {
                    break;
                }
                let is_done = !keeps && (part_ref.is_done() || mutant!("prune_undone"));
                // SAFETY: in the list, and under the lock; both are done, and `keeps` is set for the one that the
                // beginner is at.
                if !is_done || !unsafe { part_ref.is_spent(before) } {
                    link = &part_ref.next;
                    before = is_done.then_some(part_ref);
                } else {
                    link.store(part_ref.next.load(Ordering::Acquire), Ordering::Release);
                    part_ref.next.store(removed, Ordering::Relaxed);
                    removed = part.as_ptr();
                }
                keeps = false;
            }
        }
        while let Some(part) = NonNull::new(removed) {
            // SAFETY: unlinked above, by this thread, from parts that are done.
            removed = unsafe { unpack(part) }.next.into_inner();
        }
    }

    /// The first part, which the caller, the beginner, is going to wait for and then to [remove](Self::remove_first).
    pub(crate) fn first(&self) -> Option<NonNull<ItemsPart>> {
        let mut is_awaited = lock(&self.is_awaited);
        let first = NonNull::new(self.first.load(Ordering::Acquire));
        *is_awaited = first.is_some();
        first
    }

    /// Removes the first part. What it had to tell.
    ///
    /// # Safety
    ///
    /// The caller is the loop's beginner, has had `part` from [`first`](Self::first), and it is done or the caller's
    /// again.
    pub(crate) unsafe fn remove_first(&self, part: NonNull<ItemsPart>) -> *mut () {
        {
            let mut is_awaited = lock(&self.is_awaited);
            *is_awaited = false;
            // SAFETY: nobody else frees it.
            let next = unsafe { part.as_ref() }.next.load(Ordering::Acquire);
            self.first.store(next, Ordering::Release);
        }
        // SAFETY: unlinked; whoever ran it has let go of it.
        unsafe { unpack(part) }.told.into_inner()
    }
}
