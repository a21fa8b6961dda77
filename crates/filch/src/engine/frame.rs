//! A frame as slow paths know it: a header that says what can be done with it.
//!
//! Written by a fork: `kind`, nothing else. `claim` is uninitialised until whoever takes or gives the frame writes it,
//! under its owner's L and before H moves; its owner reads it only after it has seen under L that H has moved. So the
//! fast path never pays for the state of a frame that stays.

use crate::engine::part_memory::PartMemory;
use crate::engine::task::{Goal, Origin, TaskId};
use crate::engine::views::hypermap;
use crate::engine::views::hypermap::Hypermap;
use crate::protocol::ladder::{self, Claimed};
use crate::sync::cell::UnsafeCell;
use crate::sync::done::Done;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// A rung of a worker's ladder.
pub(crate) type Rung = ladder::Rung<Header>;

/// Start of every frame.
#[repr(C, align(8))]
pub(crate) struct Header {
    kind: &'static FrameKind,
    claim: UnsafeCell<MaybeUninit<Claim>>,
}

/// What slow paths can do with a frame; one static table per kind.
pub(crate) struct FrameKind {
    /// Runs the frame's work at the given rung of the caller's own ladder and stores the result. Must not unwind.
    ///
    /// Safety: the caller has claimed the frame and calls this once, and occupies the ladder, whose top is the rung.
    pub(crate) run: unsafe fn(NonNull<Header>, Rung),
    /// Of a frame that stays with its owner while parts of it leave, such as a loop's. Without it, a frame leaves whole.
    pub(crate) divide: Option<Divide>,
}

/// How parts leave a frame that stays with its owner.
///
/// Safety, of both: the frame lives and is of the type that this belongs to. The caller holds the L of the ladder that
/// it is, or just was, on; and it is on the ladder below its owner, or its owner is the caller.
#[derive(Clone, Copy)]
pub(crate) struct Divide {
    /// How much is left of it.
    pub(crate) left: unsafe fn(NonNull<Header>) -> Left,
    /// Puts what leaves the frame into memory for a part, with this claim.
    ///
    /// Safety, beyond the above: something is left. The memory came from `Box::into_raw`, and nobody else has it.
    pub(crate) split: unsafe fn(NonNull<Header>, NonNull<PartMemory>, Claim) -> Claimed<Header>,
}

/// How much is left of a frame that can be divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Left {
    /// Nothing.
    Nothing,
    /// What cannot be divided further.
    One,
    /// More, but not enough for its owner, who is about to go on with it, to part with half of it unless it must; or
    /// that is not known.
    Some,
    /// Enough for that.
    Plenty,
}

/// Where a claimed frame lies until somebody begins it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Nowhere: it was taken by who runs it.
    Nowhere,
    /// In the mailbox of a worker that has asked, by its name.
    Mailbox(u16),
    /// On the shelf of a worker.
    Shelf(u16),
}

/// What is written into a frame that leaves its ladder.
pub(crate) struct Claim {
    /// Of the task that is to run it.
    pub(crate) origin: Origin,
    /// The worker that waits for it: the one whose ladder it was on, unless the frame
    /// says otherwise.
    pub(crate) waiter: u16,
    /// Where it may lie until somebody begins it.
    place: Place,
    pub(crate) done: Done,
    /// What views of reducers it leaves. The thief's until `done`, then the owner's.
    views: UnsafeCell<Option<Box<Hypermap>>>,
}

impl Claim {
    /// For `frame`, of worker `waiter` in its task `parent`.
    pub(crate) fn new(frame: NonNull<Header>, parent: Option<TaskId>, waiter: usize, place: Place) -> Self {
        Claim {
            origin: Origin { parent, goal: Goal::at(frame) },
            // Workers' names are short (`task.rs`).
            waiter: waiter as u16,
            place,
            done: Done::new(),
            views: UnsafeCell::new(None),
        }
    }

    /// For a frame that another worker waits for than the one whose ladder it was on, or in another task.
    pub(crate) fn awaited_by(self, waiter: usize, origin: Origin) -> Self {
        Claim { waiter: waiter as u16, origin, ..self }
    }

    /// Where it may lie until somebody begins it.
    pub(crate) fn place(&self) -> Place {
        self.place
    }

    /// Leaves these views for the frame's owner.
    ///
    /// # Safety
    ///
    /// The caller runs the frame, and has not set `done`.
    pub(crate) unsafe fn leave(&self, views: Option<Box<Hypermap>>) {
        // SAFETY: the thief's turn.
        self.views.with_mut(|place| unsafe { *place = views });
    }

    /// Whether views have been left.
    ///
    /// # Safety
    ///
    /// The frame is done, and the caller may act for its owner.
    pub(crate) unsafe fn has_views(&self) -> bool {
        // SAFETY: the owner's turn.
        self.views.with(|views| unsafe { &*views }.is_some())
    }

    /// What has been left with `later` comes after what has been left here, and is left here now.
    ///
    /// # Safety
    ///
    /// As [`has_views`](Self::has_views), for both.
    pub(crate) unsafe fn append(&self, later: &Claim) {
        // SAFETY: as `take_views`.
        let later = unsafe { later.take_views() };
        self.views.with_mut(|views| {
            // SAFETY: the owner's turn.
            match (unsafe { &mut *views }, later) {
                (Some(views), Some(later)) => views.append(*later),
                (views, Some(later)) => *views = Some(later),
                (_, None) => {}
            }
        });
    }

    /// What has been [left](Self::leave) here comes after everything that this thread's task has done so far. Runs no
    /// code of the user's, so a panic may be passing.
    ///
    /// # Safety
    ///
    /// The caller owns the frame, and it is done.
    pub(crate) unsafe fn absorb(&self) {
        // SAFETY: forwarded.
        if let Some(views) = unsafe { self.take_views() } {
            hypermap::absorb(*views);
        }
    }

    /// # Safety
    ///
    /// As [`has_views`](Self::has_views).
    unsafe fn take_views(&self) -> Option<Box<Hypermap>> {
        // SAFETY: the owner's turn.
        self.views.with_mut(|views| unsafe { &mut *views }.take())
    }
}

impl Header {
    pub(crate) fn new(kind: &'static FrameKind) -> Self {
        Header { kind, claim: UnsafeCell::new(MaybeUninit::uninit()) }
    }

    pub(crate) fn kind(&self) -> &'static FrameKind {
        self.kind
    }

    /// How much is left of `frame`: of one that leaves whole, [one](Left::One).
    ///
    /// # Safety
    ///
    /// As [`Divide`].
    pub(crate) unsafe fn left(frame: NonNull<Header>) -> Left {
        // SAFETY: it lives.
        match &unsafe { frame.as_ref() }.kind.divide {
            None => Left::One,
            // SAFETY: of the frame's own kind; the rest is forwarded.
            Some(divide) => unsafe { (divide.left)(frame) },
        }
    }

    /// Marks a frame as one that leaves its ladder.
    ///
    /// # Safety
    ///
    /// The frame lives, and nobody else reads or writes its claim: the caller holds the L of the ladder that the frame
    /// is on and H has not moved past it.
    pub(crate) unsafe fn set_claim(frame: NonNull<Header>, claim: Claim) {
        // SAFETY: it lives.
        let header = unsafe { frame.as_ref() };
        // SAFETY: exclusive, by contract.
        header.claim.with_mut(|place| unsafe { place.write(MaybeUninit::new(claim)) });
    }

    /// Who has this frame, and whether it is done.
    ///
    /// # Safety
    ///
    /// The caller knows that the frame has been claimed, from a lock that was held while it was, and nobody writes it
    /// again.
    pub(crate) unsafe fn claim(&self) -> &Claim {
        // SAFETY: shared from now on, by contract; `done` is atomic.
        let claim = self.claim.with(|claim| unsafe { &*claim });
        // SAFETY: written by `set_claim`, which happened before, by contract.
        unsafe { claim.assume_init_ref() }
    }
}
