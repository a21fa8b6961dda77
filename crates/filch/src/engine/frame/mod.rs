//! A frame as slow paths know it: a header that says what can be done with it. [`part_memory`]: for what leaves a
//! frame; [`ready`]: whether it may leave; [`task`]: work that has moved; [`costs`]: of iterations.
//!
//! A fork writes only `kind`. The giver or taker of a frame writes `claim`, once, before any other worker can read it:
//! for a frame on a ladder, under L and before H moves. The owner reads `claim` only after it has seen under L that H
//! has moved, or if it has put the frame into a pool itself. Until then `claim` is uninitialised. So the fast path does
//! not pay for the state of a frame that stays.

pub(crate) mod costs;
pub(crate) mod part_memory;
pub(crate) mod ready;
pub(crate) mod task;

use crate::engine::views::hypermap;
use crate::engine::views::hypermap::Hypermap;
use crate::protocol::ladder::{self, Claimed};
use crate::sync::cell::UnsafeCell;
use crate::sync::done::Done;
use crate::sync::{AtomicU32, Ordering};
use filch_policy::{Left, Tier};
use part_memory::PartMemory;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use task::{Goal, Origin, TaskId};

/// A rung of a worker's ladder.
pub(crate) type Rung = ladder::Rung<Header>;

/// The start of every frame.
#[repr(C, align(8))]
pub(crate) struct Header {
    kind: &'static FrameKind,
    claim: UnsafeCell<MaybeUninit<Claim>>,
}

/// What slow paths can do with a frame. There is one static table for each kind of frame.
pub(crate) struct FrameKind {
    /// Runs the frame's work at the given rung and stores the result. Must not unwind.
    ///
    /// Safety: the caller has claimed the frame and calls this once. It occupies the ladder of the rung, which is its
    /// top.
    pub(crate) run: unsafe fn(NonNull<Header>, Rung),
    /// For a frame that stays with its owner while parts of it leave, such as that of a loop. Without it, a frame
    /// leaves whole.
    pub(crate) divide: Option<Divide>,
    /// For a frame whose construct has something to do before the frame may leave its ladder. Such a frame is given,
    /// and never taken. See [`prepare`](crate::engine::share::prepare). Returns false if the frame cannot leave now.
    ///
    /// The rung is the top of the owner's ladder; what is forked there must be popped again. Must not unwind.
    ///
    /// Safety: the caller is the owner of the frame, which lives and has not left. It holds no lock.
    pub(crate) prepare: Option<unsafe fn(NonNull<Header>, Rung) -> bool>,
}

/// How parts leave a frame that stays with its owner.
///
/// Safety, for both functions: the frame lives, and this table belongs to its type. Either the caller holds the L of
/// the frame's ladder, under which it has found the frame there, or the frame is off the ladder and the caller is its
/// owner.
#[derive(Clone, Copy)]
pub(crate) struct Divide {
    /// How much is left of the frame.
    pub(crate) left: unsafe fn(NonNull<Header>) -> Left,
    /// Moves what leaves the frame into memory for a part, with this claim.
    ///
    /// Safety, in addition: something is left.
    pub(crate) split: unsafe fn(NonNull<Header>, Box<PartMemory>, Claim) -> Claimed<Header>,
}

/// Where a claimed frame lies until a worker begins it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Nowhere: the worker that has taken it runs it.
    Nowhere,
    /// In the mailbox of the worker with this name, which has asked for it.
    Mailbox(u16),
    /// On the shelf of the worker with this name.
    Shelf(u16),
    /// In the pool of the squad with this number.
    Squad(u16),
}

impl Place {
    fn word(self) -> u32 {
        match self {
            Place::Nowhere => 0,
            Place::Mailbox(of) => 1 << 16 | u32::from(of),
            Place::Shelf(of) => 2 << 16 | u32::from(of),
            Place::Squad(of) => 3 << 16 | u32::from(of),
        }
    }

    fn from_word(word: u32) -> Self {
        let of = word as u16;
        match word >> 16 {
            0 => Place::Nowhere,
            1 => Place::Mailbox(of),
            2 => Place::Shelf(of),
            _ => Place::Squad(of),
        }
    }
}

/// What is written into a frame that leaves its ladder.
pub(crate) struct Claim {
    /// The origin of the task that is to run the frame.
    pub(crate) origin: Origin,
    /// The worker that waits for the frame. This is the worker on whose ladder it was, unless the frame says otherwise.
    pub(crate) waiter: u16,
    /// Where the frame may lie until a worker begins it. Changes if the owner hands over a frame that it has kept. A
    /// waiter that reads the old place does not find the frame there, and waits.
    place: AtomicU32,
    /// The tier of the frame's task.
    tier: Tier,
    pub(crate) done: Done,
    /// The views of reducers that the frame's task leaves. They belong to the thief until `done` is set, and then to
    /// the owner.
    views: UnsafeCell<Option<Box<Hypermap>>>,
}

impl Claim {
    /// A claim for `frame`, which worker `waiter` has forked in its task `parent`.
    pub(crate) fn new(frame: NonNull<Header>, parent: Option<TaskId>, waiter: usize, place: Place) -> Self {
        Claim {
            origin: Origin { parent, goal: Goal::at(frame) },
            // The name of a worker has few bits (`WORKER_BITS` in `task.rs`).
            waiter: waiter as u16,
            place: AtomicU32::new(place.word()),
            tier: Tier::INTRA,
            done: Done::new(),
            views: UnsafeCell::new(None),
        }
    }

    /// Changes the worker that waits for the frame, and the origin of its task.
    pub(crate) fn awaited_by(self, waiter: usize, origin: Origin) -> Self {
        Claim { waiter: waiter as u16, origin, ..self }
    }

    /// Changes the tier of the frame's task.
    pub(crate) fn on(self, tier: Tier) -> Self {
        Claim { tier, ..self }
    }

    /// The tier of the frame's task.
    pub(crate) fn tier(&self) -> Tier {
        self.tier
    }

    /// Where the frame may lie until a worker begins it.
    pub(crate) fn place(&self) -> Place {
        Place::from_word(self.place.load(Ordering::Relaxed))
    }

    /// Notes that the frame lies in another place now. Called by its owner, before another worker can find it there.
    pub(crate) fn move_to(&self, place: Place) {
        self.place.store(place.word(), Ordering::Relaxed);
    }

    /// Leaves these views for the owner of the frame.
    ///
    /// # Safety
    ///
    /// The caller runs the frame and has not set `done`.
    pub(crate) unsafe fn leave(&self, views: Option<Box<Hypermap>>) {
        // SAFETY: until `done` is set, the views belong to the thread that runs the frame, which is the caller.
        self.views.with_mut(|place| unsafe { *place = views });
    }

    /// Whether views have been left.
    ///
    /// # Safety
    ///
    /// The frame is done, and the caller is its owner or acts for it.
    pub(crate) unsafe fn has_views(&self) -> bool {
        // SAFETY: the frame is done, so the views belong to its owner, for which the caller acts.
        self.views.with(|views| unsafe { &*views }.is_some())
    }

    /// Adds the views that were left with `later` behind those that were left here.
    ///
    /// # Safety
    ///
    /// As for [`has_views`](Self::has_views), for both claims.
    pub(crate) unsafe fn append(&self, later: &Claim) {
        // SAFETY: guaranteed by the caller, for `later`.
        let later = unsafe { later.take_views() };
        self.views.with_mut(|views| {
            // SAFETY: the frame is done, so the views belong to its owner, for which the caller acts.
            match (unsafe { &mut *views }, later) {
                (Some(views), Some(later)) => views.append(*later),
                (views, Some(later)) => *views = Some(later),
                (_, None) => {}
            }
        });
    }

    /// Adds the views that were [left](Self::leave) here behind those of the current task of this thread. Runs no user
    /// code, so it may be called while a panic unwinds.
    ///
    /// # Safety
    ///
    /// The caller owns the frame, and it is done.
    pub(crate) unsafe fn absorb(&self) {
        // SAFETY: guaranteed by the caller.
        if let Some(views) = unsafe { self.take_views() } {
            hypermap::absorb(*views);
        }
    }

    /// # Safety
    ///
    /// As for [`has_views`](Self::has_views).
    unsafe fn take_views(&self) -> Option<Box<Hypermap>> {
        // SAFETY: the frame is done, so the views belong to its owner, for which the caller acts.
        self.views.with_mut(|views| unsafe { &mut *views }.take())
    }
}

impl Header {
    pub(crate) fn new(kind: &'static FrameKind) -> Self {
        Header { kind, claim: UnsafeCell::new(MaybeUninit::uninit()) }
    }

    /// The header of a part, which leaves with this claim.
    pub(crate) fn claimed(kind: &'static FrameKind, claim: Claim) -> Self {
        Header { kind, claim: UnsafeCell::new(MaybeUninit::new(claim)) }
    }

    pub(crate) fn kind(&self) -> &'static FrameKind {
        self.kind
    }

    /// Runs the frame's work at `rung`.
    ///
    /// # Safety
    ///
    /// As for [`FrameKind::run`].
    pub(crate) unsafe fn run(frame: NonNull<Header>, rung: Rung) {
        // SAFETY: the frame lives until it is done.
        let kind = unsafe { frame.as_ref() }.kind();
        // SAFETY: guaranteed by the caller; the table is that of the frame's own type.
        unsafe { (kind.run)(frame, rung) };
    }

    /// How much is left of `frame`; [`Left::One`] for a frame that leaves whole.
    ///
    /// # Safety
    ///
    /// As for [`Divide`].
    pub(crate) unsafe fn left(frame: NonNull<Header>) -> Left {
        // SAFETY: the caller guarantees that the frame lives.
        match &unsafe { frame.as_ref() }.kind.divide {
            None => Left::One,
            // SAFETY: the table is that of the frame's own type; the rest is guaranteed by the caller.
            Some(divide) => unsafe { (divide.left)(frame) },
        }
    }

    /// Marks a frame as one that leaves its ladder.
    ///
    /// # Safety
    ///
    /// The frame lives, and no other thread reads or writes its claim. Either the caller holds the L of the frame's
    /// ladder, and H has not moved past the frame, or no other thread can find the frame yet.
    pub(crate) unsafe fn set_claim(frame: NonNull<Header>, claim: Claim) {
        // SAFETY: the caller guarantees that the frame lives.
        let header = unsafe { frame.as_ref() };
        // SAFETY: the caller guarantees that no other thread accesses the claim.
        header.claim.with_mut(|place| unsafe { place.write(MaybeUninit::new(claim)) });
    }

    /// The claim of a frame that has been claimed, and lies where this thread has found it.
    ///
    /// # Safety
    ///
    /// The frame lives as long as the result is used. The rest as for [`claim`](Self::claim).
    pub(crate) unsafe fn claim_of<'f>(frame: NonNull<Header>) -> &'f Claim {
        // SAFETY: guaranteed by the caller.
        let header = unsafe { frame.as_ref() };
        // SAFETY: guaranteed by the caller.
        unsafe { header.claim() }
    }

    /// The claim of this frame.
    ///
    /// # Safety
    ///
    /// The frame has been claimed. The claim happened before this call, by a lock or by an acquired message, and is not
    /// written again.
    pub(crate) unsafe fn claim(&self) -> &Claim {
        // SAFETY: the caller guarantees that the claim is not written again; what changes in it is atomic or in a cell.
        let claim = self.claim.with(|claim| unsafe { &*claim });
        // SAFETY: `set_claim` has written it, which happened before this call, as the caller guarantees.
        unsafe { claim.assume_init_ref() }
    }
}
