//! The frame of a spawn loop as slow paths see it, and the parts into which its items fall.
//!
//! A spawn loop has one iterator, which stays at its place, and one *right to iterate*, which moves. A thief that takes
//! the frame takes all that is left (the continuation stealing of Cilk: Frigo, Leiserson and Randall 1998, section 2).
//! It runs an [`ItemsPart`] in memory that it brings. So its victim may leave when its own last item is done, and only
//! the beginner of the loop waits, for one part after the other.
//!
//! The parts form a list in the order in which the right has moved, which is the order of their items. Each part points
//! to the part that took the right from it. The worker that takes the right appends its part, by one write to `next` of
//! the last part, or to `first` of the beginner. Parts leave the list when they are done. The beginner removes the
//! first part. A part that begins removes earlier parts that have nothing to tell; the views of reducers that they
//! leave are appended to those of the part before. So there are never more parts than are running, even if the right
//! moves often while the beginner is busy.
//!
//! | variable | writers | readers |
//! |---|---|---|
//! | the iterator | the worker that has the right; handed over under L | |
//! | `next` of the last part, else `first` | the taker of the right, under its holder's L | the holder; walks |
//! | other links | under the lock of `is_awaited` | under that lock |
//! | `told` of a part | the worker that runs it, until `done` | then the beginner, and workers that remove parts |
//!
//! A walk meets no part that has been freed: it holds the lock, and parts are unlinked under the lock before they are
//! freed. It may remove a part that is done: such a part has written its `next`, or never will, and it comes before a
//! part that is not done, so it is not the last. A beginner that finds no `next` is at the end of the list: the last
//! part is done, and it had the right. The model is `models/items.pml`. It does not model weak memory; loom does
//! (`loom_tests.rs`).

use crate::engine::frame::part_memory::{PartMemory, unpack};
use crate::engine::frame::task::{Goal, Origin, TaskId};
use crate::engine::frame::{Claim, Divide, FrameKind, Header, Unbegun};
use crate::engine::team::Worker;
use crate::protocol::ladder::Claimed;
use crate::sync::{AtomicPtr, Mutex, Ordering, lock};
use filch_policy::Left;
use std::ptr::{self, NonNull};

/// The parts of a spawn loop, in the order of their items. They lie on the stack of the beginner of the loop, as the
/// first field of what all parts share.
#[repr(C)]
pub(crate) struct Parts {
    /// The worker that has begun the loop and waits for the parts, and the task that it was in.
    beginner: usize,
    parent: Option<TaskId>,
    first: AtomicPtr<ItemsPart>,
    /// Whether the beginner is waiting for the first part. Then no other worker may remove that part. The lock guards
    /// links.
    is_awaited: Mutex<bool>,
}

/// A stretch of a spawn loop that has moved or is about to move. It lies in memory that the thief brings. The beginner
/// of the loop waits for it, even if it was taken from another part.
#[repr(C)]
pub(crate) struct ItemsPart {
    header: Header,
    parts: NonNull<Parts>,
    /// The part that has taken the right from this one.
    next: AtomicPtr<ItemsPart>,
    /// A box, of a type that `kind.run` knows, or null if there is nothing to tell. Written by the part's thread before
    /// `done`.
    told: AtomicPtr<()>,
}

/// The frame on the ladder that stands for the rest of a spawn loop while an item runs. It lies on the stack of the
/// worker that runs the item.
#[repr(C)]
pub(crate) struct ItemsFrame {
    header: Header,
    parts: NonNull<Parts>,
    /// Where to store the pointer of the part that takes the right.
    next: NonNull<AtomicPtr<ItemsPart>>,
}

impl ItemsFrame {
    /// How parts leave the frame: all that is left leaves, so there is never a small rest.
    pub(crate) const DIVIDE: Option<Divide> = Some(Divide { left: |_| Left::One, split });

    /// The pointer for a slot. It is valid for access to the whole frame.
    #[inline(always)]
    pub(crate) fn header(&self) -> NonNull<Header> {
        NonNull::from(self).cast()
    }
}

/// Moves the right to iterate to a new part.
///
/// # Safety
///
/// As [`Divide::split`]; `frame` must be the header of an [`ItemsFrame`].
unsafe fn split(frame: NonNull<Header>, memory: Box<PartMemory>, claim: Claim) -> Claimed<Unbegun> {
    // SAFETY: the caller guarantees that this is the header of an `ItemsFrame` that lives.
    let items = unsafe { frame.cast::<ItemsFrame>().as_ref() };
    // SAFETY: the beginner of the loop waits for all parts, and so for the one to which this frame belongs.
    let parts = unsafe { items.parts.as_ref() };
    // The beginner waits for this part, not the worker from which it is taken: the part may outlast that worker's part.
    let origin = Origin { parent: parts.parent, goal: Goal::at(items.parts) };
    let header = Header::claimed(items.header.kind(), claim.awaited_by(parts.beginner, origin));
    let next = AtomicPtr::new(ptr::null_mut());
    let told = AtomicPtr::new(ptr::null_mut());
    let part = memory.pack(ItemsPart { header, parts: items.parts, next, told });
    // SAFETY: `next` lies in the `Parts` of the loop, or in the part that runs now, whose frame this is. Both live.
    let place = unsafe { items.next.as_ref() };
    // Release: a thread that finds the part sees its claim.
    place.store(part.as_ptr(), Ordering::Release);
    // SAFETY: the part has just got its claim, and lives until the beginner has waited for it, or it has been pruned.
    Claimed::All(unsafe { Unbegun::of(part.cast()) })
}

impl ItemsPart {
    /// What all parts share. `kind.run` knows the type.
    pub(crate) fn parts(&self) -> NonNull<Parts> {
        self.parts
    }

    /// Leaves a message for the beginner of the loop. Called by the thread that runs the part.
    ///
    /// # Safety
    ///
    /// `told` comes from `Box::into_raw`, of the type that this kind of loop tells.
    pub(crate) unsafe fn tell(&self, told: *mut ()) {
        self.told.store(told, Ordering::Relaxed);
    }

    pub(crate) fn claim(&self) -> &Claim {
        // SAFETY: the claim was written before the part was linked. The caller found the part under the lock, or by a
        // release of the link.
        unsafe { self.header.claim() }
    }

    fn is_done(&self) -> bool {
        self.claim().done.is_set()
    }

    /// Whether the part only needs to be freed. If so, the views of reducers that it has left now belong to `before`.
    ///
    /// # Safety
    ///
    /// This part must be done, and so must `before`, the part before it. The caller must hold the lock, and the
    /// beginner must be waiting for neither of them.
    unsafe fn is_spent(&self, before: Option<&ItemsPart>) -> bool {
        if !self.told.load(Ordering::Relaxed).is_null() {
            return false;
        }
        // SAFETY: the part is done, and only one thread at a time has the lock, under which it acts for the owner.
        let mut views = unsafe { self.claim().views() };
        if !views.is_empty() {
            let Some(before) = before else { return false };
            // SAFETY: the same for the part before.
            unsafe { before.claim().views() }.append(views);
        }
        true
    }
}

impl Parts {
    /// The parts of a loop that this worker begins.
    pub(crate) fn of(beginner: &Worker) -> Self {
        Self::begun_by(beginner.index(), beginner.task())
    }

    pub(crate) fn begun_by(beginner: usize, parent: Option<TaskId>) -> Self {
        Parts { beginner, parent, first: AtomicPtr::new(ptr::null_mut()), is_awaited: Mutex::new(false) }
    }

    /// The frame of the beginner. `shared` must point to `self` and what follows it; `kind` must run parts, and its
    /// `divide` must be [`ItemsFrame::DIVIDE`].
    pub(crate) fn frame(&self, shared: NonNull<Parts>, kind: &'static FrameKind) -> ItemsFrame {
        ItemsFrame { header: Header::new(kind), parts: shared, next: NonNull::from(&self.first) }
    }

    /// The frame of the worker that runs `part`, which begins now. Frees earlier parts that are done and have nothing
    /// to tell.
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
                // SAFETY: the part is in the list, and this thread has the lock.
                let part_ref = unsafe { part.as_ref() };
                if ptr::eq(part_ref, begun) {
                    break;
                }
                let is_done = !keeps && (part_ref.is_done() || mutant!("prune_undone"));
                // SAFETY: the part is in the list, and this thread has the lock. This part and `before` are done, and
                // `keeps` is set for the part for which the beginner waits.
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
            // SAFETY: this thread has unlinked the part above, and the part is done.
            removed = unsafe { unpack(part) }.next.into_inner();
        }
    }

    /// Returns the first part. The caller, the beginner, must wait for it and then [remove](Self::remove_first) it.
    pub(crate) fn first(&self) -> Option<NonNull<ItemsPart>> {
        let mut is_awaited = lock(&self.is_awaited);
        let first = NonNull::new(self.first.load(Ordering::Acquire));
        *is_awaited = first.is_some();
        first
    }

    /// Removes the first part, and returns what it had to tell.
    ///
    /// # Safety
    ///
    /// The caller must be the beginner of the loop. `part` must come from [`first`](Self::first), and be done or belong
    /// to the caller again.
    pub(crate) unsafe fn remove_first(&self, part: NonNull<ItemsPart>) -> *mut () {
        {
            let mut is_awaited = lock(&self.is_awaited);
            *is_awaited = false;
            // SAFETY: only the beginner frees this part, because `is_awaited` was set.
            let next = unsafe { part.as_ref() }.next.load(Ordering::Acquire);
            self.first.store(next, Ordering::Release);
        }
        // SAFETY: the part has been unlinked, and the thread that ran it does not use it any more.
        unsafe { unpack(part) }.told.into_inner()
    }
}
