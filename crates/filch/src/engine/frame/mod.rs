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
use crate::protocol::task_pool::Parcel;
use crate::sync::cell::UnsafeCell;
use crate::sync::done::Done;
use crate::sync::{AtomicU32, Ordering, clock};
use filch_policy::{self as policy, Left, Tier};
use part_memory::PartMemory;
use std::mem::MaybeUninit;
use std::ops::Deref;
use std::ptr::NonNull;
use task::{Goal, Origin, TaskId};

/// A rung of a worker's ladder.
pub(crate) type Rung = ladder::Rung<Header>;

/// The top of a ladder that this thread occupies.
pub(crate) type Top<'l> = ladder::Top<'l, Header>;

/// A frame that lives throughout `'a`.
pub(crate) type FrameRef<'a> = ladder::FrameRef<'a, Header>;

/// The start of every frame.
#[repr(C, align(8))]
pub(crate) struct Header {
    kind: &'static FrameKind,
    claim: UnsafeCell<MaybeUninit<Claim>>,
}

/// What slow paths can do with a frame. There is one static table for each kind of frame.
pub(crate) struct FrameKind {
    /// Runs the frame's work and stores the result. Must not unwind.
    ///
    /// Safety: the caller has claimed the frame and calls this once.
    pub(crate) run: unsafe fn(NonNull<Header>, Top<'_>),
    /// For a frame that stays with its owner while parts of it leave, such as that of a loop. Without it, a frame
    /// leaves whole.
    pub(crate) divide: Option<Divide>,
    /// For a frame whose construct has something to do before the frame may leave its ladder. Such a frame is given,
    /// and never taken. See [`prepare`](crate::engine::share::prepare). Returns false if the frame cannot leave now.
    ///
    /// What is forked at the top must be popped again. Must not unwind.
    ///
    /// Safety: the caller is the owner of the frame, which lives and has not left. It holds no lock.
    pub(crate) prepare: Option<unsafe fn(NonNull<Header>, Top<'_>) -> bool>,
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
    pub(crate) split: unsafe fn(NonNull<Header>, Box<PartMemory>, Claim) -> Claimed<Unbegun>,
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

    /// What the frame's task leaves to reducers.
    ///
    /// # Safety
    ///
    /// The result is used by the thread that runs the frame, until it sets `done`; or by the owner of the frame after
    /// that, or for the owner by one other thread at a time.
    pub(crate) unsafe fn views(&self) -> Views<'_> {
        Views(&self.views)
    }
}

/// The views that a frame's task leaves, for the only thread that may use them now.
pub(crate) struct Views<'f>(&'f UnsafeCell<Option<Box<Hypermap>>>);

impl Views<'_> {
    fn with<R>(&mut self, f: impl FnOnce(&mut Option<Box<Hypermap>>) -> R) -> R {
        // SAFETY: no other thread may use them now, and this one has them borrowed.
        self.0.with_mut(|views| f(unsafe { &mut *views }))
    }

    /// Leaves these for the owner of the frame.
    pub(crate) fn leave(mut self, views: Option<Box<Hypermap>>) {
        self.with(|place| *place = views);
    }

    pub(crate) fn is_empty(&mut self) -> bool {
        self.with(|views| views.is_none())
    }

    /// Adds those that were left with `later` behind these.
    pub(crate) fn append(mut self, mut later: Views<'_>) {
        let later = later.with(Option::take);
        self.with(|views| match (views, later) {
            (Some(views), Some(later)) => views.append(*later),
            (views, Some(later)) => *views = Some(later),
            (_, None) => {}
        });
    }

    /// Adds them behind those of the current task of this thread. Runs no user code, so it may be called while a panic
    /// unwinds.
    pub(crate) fn absorb(mut self) {
        if let Some(views) = self.with(Option::take) {
            hypermap::absorb(*views);
        }
    }
}

/// A frame that is on no ladder, for its owner. No other thread can find it.
pub(crate) struct OffLadder<'f>(FrameRef<'f>);

impl OffLadder<'_> {
    /// # Safety
    ///
    /// The frame lives throughout `'f`, and longer if it leaves: until it has been waited for. It is on no ladder, the
    /// caller is its owner, and nothing else stands for it meanwhile.
    pub(crate) unsafe fn new(frame: NonNull<Header>) -> Self {
        // SAFETY: guaranteed by the caller.
        OffLadder(unsafe { FrameRef::new(frame) })
    }

    /// How much is left; [`Left::One`] for a frame that leaves whole.
    pub(crate) fn left(&self) -> Left {
        // SAFETY: the frame is off the ladder, and its owner's. The table is that of its own type.
        self.kind.divide.map_or(Left::One, |divide| unsafe { (divide.left)(self.as_ptr()) })
    }
}

impl<'f> Deref for OffLadder<'f> {
    type Target = FrameRef<'f>;

    fn deref(&self) -> &FrameRef<'f> {
        &self.0
    }
}

/// A frame that has been claimed and has not begun. Its owner waits for it, so it lives, and whoever has this runs it
/// or passes it on. Only the pool that it lies in drops this, when the owner takes the frame back.
#[must_use]
pub(crate) struct Unbegun {
    frame: NonNull<Header>,
    /// The group that it was handed to, and when. A group is a squad for what lies in the pool of one, and a seat
    /// elsewhere.
    handed: Option<(u16, u64)>,
}

// SAFETY: a frame that has been claimed may be run on any thread. It is sent by a lock or a release.
unsafe impl Send for Unbegun {}

impl Unbegun {
    /// # Safety
    ///
    /// The frame has been claimed, which happened before this call, and is not claimed again. It lives until it is done
    /// or taken back from its pool. Nothing else stands for it.
    pub(crate) unsafe fn of(frame: NonNull<Header>) -> Self {
        Unbegun { frame, handed: None }
    }

    /// Hands it to a group, if there is one: while it lies in a pool, others may begin it only after a while.
    pub(crate) fn handed_to(self, group: Option<usize>) -> Self {
        // There are as many seats as names of workers, and no more squads.
        Unbegun { handed: group.map(|group| (group as u16, clock::now_ns())), ..self }
    }

    /// Whether a worker of this group may begin it now.
    pub(crate) fn may_be_begun_by(&self, group: usize) -> bool {
        self.handed.is_none_or(|(to, since_ns)| {
            policy::may_begin_handed(group, to.into(), clock::now_ns().saturating_sub(since_ns))
        })
    }

    /// Where the frame is, by which a trace knows it.
    pub(crate) fn addr(&self) -> usize {
        self.frame.addr().get()
    }

    /// The frame, as a mailbox knows it.
    pub(crate) fn into_inner(self) -> NonNull<Header> {
        self.frame
    }

    fn header(&self) -> &Header {
        // SAFETY: it lives, as `of` demands.
        unsafe { self.frame.as_ref() }
    }

    pub(crate) fn claim(&self) -> &Claim {
        // SAFETY: it has been claimed, as `of` demands.
        unsafe { self.header().claim() }
    }

    /// Runs the frame's work.
    pub(crate) fn run(self, top: Top<'_>) -> Ran {
        // SAFETY: it has been claimed, and nothing else stands for it, so this is the only call. The table is that of
        // the frame's own type.
        unsafe { (self.header().kind.run)(self.frame, top) };
        Ran(self)
    }
}

impl Parcel for Unbegun {
    type Frame = Header;

    fn frame(&self) -> NonNull<Header> {
        self.frame
    }
}

/// A frame that this thread has run, and which its owner waits for.
#[must_use]
pub(crate) struct Ran(Unbegun);

impl Ran {
    /// Leaves these views, and gives the frame back to its owner, which may return at once. Returns whether the owner
    /// sleeps.
    pub(crate) fn end(self, views: Option<Box<Hypermap>>) -> bool {
        let claim = self.0.claim();
        // SAFETY: this thread has run the frame, and `done` is not set yet.
        unsafe { claim.views() }.leave(views);
        claim.done.set()
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

    /// Marks a frame as one that leaves its ladder.
    ///
    /// # Safety
    ///
    /// The frame lives until it is done or taken back, and no other thread reads or writes its claim: either the caller
    /// holds the L of the frame's ladder, and H has not moved past the frame, or no other thread can find it yet.
    pub(crate) unsafe fn set_claim(frame: NonNull<Header>, claim: Claim) -> Unbegun {
        // SAFETY: the caller guarantees that the frame lives.
        let header = unsafe { frame.as_ref() };
        // SAFETY: the caller guarantees that no other thread accesses the claim.
        header.claim.with_mut(|place| unsafe { place.write(MaybeUninit::new(claim)) });
        Unbegun { frame, handed: None }
    }

    /// The claim of this frame.
    ///
    /// # Safety
    ///
    /// The frame has been claimed. The claim happened before this call, by a lock or by an acquired message, and is not
    /// written again.
    pub(crate) unsafe fn claim(&self) -> &Claim {
        // SAFETY: whoever claimed the frame has written it, which happened before this call, and it is not written
        // again, as the caller guarantees. What changes in it is atomic or in a cell.
        self.claim.with(|claim| unsafe { &*claim.cast::<Claim>() })
    }
}
