//! Parts of the frame of a loop, a search or a procedure, which stays with its owner while they leave it.
//!
//! A part lies in memory that the thief brings. It is accessed by the worker that runs it, from the split until `done`;
//! then by the owner, which frees it.

use crate::engine::frame::part_memory::{PartMemory, unpack};
use crate::engine::frame::{Claim, FrameKind, Header, Unbegun};
use crate::engine::seats::ambient::end_if_cancelled;
use crate::engine::team::Top;
use crate::engine::team::stop::count_begun;
use crate::engine::wait::join_end::{Waited, reclaim, wait};
use std::cell::Cell;
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{self, NonNull};
use std::thread;

/// What all parts of a loop, a search or a procedure share. It lives on the stack of the worker that began it, which
/// collects all parts before it returns.
pub(super) trait Divided: Sync {
    /// What a part is to do.
    type Work: Send;
    /// What the owner knows of a part that another worker runs.
    type Label;
    type Out: Send;

    const KIND: &'static FrameKind;

    /// Runs a part. May unwind.
    fn run(&self, top: Top<'_>, work: Self::Work) -> Self::Out;

    /// Notes that a part has panicked. Then the others need not go on.
    fn fail(&self);

    /// Whether a part that begins now does so after an abort.
    fn is_aborted(&self) -> bool;
}

#[repr(C)]
struct Part<'s, D: Divided> {
    header: Header,
    shared: &'s D,
    /// Until a worker begins the part.
    work: Cell<Option<D::Work>>,
    label: D::Label,
    /// Written by the thief before `done`.
    result: Cell<Option<Box<thread::Result<D::Out>>>>,
    older: Cell<*mut Part<'s, D>>,
}

/// The parts that have left a frame and have not been collected, newest first, which is their serial order in a loop or
/// a search. Accessed by the owner while the frame is off the ladder, or under L.
pub(super) struct Parts<'s, D: Divided>(Cell<*mut Part<'s, D>>);

impl<'s, D: Divided> Parts<'s, D> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Parts(Cell::new(ptr::null_mut()))
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.get().is_null()
    }

    /// Adds a part that leaves with this claim.
    pub(super) fn add(
        &self,
        memory: Box<PartMemory>,
        claim: Claim,
        shared: &'s D,
        work: D::Work,
        label: D::Label,
    ) -> Unbegun {
        let (header, older) = (Header::claimed(D::KIND, claim), self.0.get());
        let (work, result, older) = (Cell::new(Some(work)), Cell::new(None), Cell::new(older));
        let part = memory.pack(Part { header, shared, work, label, result, older });
        self.0.set(part.as_ptr());
        // SAFETY: the part has just got its claim, and lives until it has been joined.
        unsafe { Unbegun::of(part.cast()) }
    }

    /// What is known of the newest part.
    pub(super) fn newest(&self) -> Option<&D::Label> {
        // SAFETY: a part in the list lives, and no thread writes the label.
        NonNull::new(self.0.get()).map(|part| unsafe { &(*part.as_ptr()).label })
    }

    /// Removes the newest part.
    pub(super) fn pop(&self) -> Option<Departed<'s, D>> {
        let part = NonNull::new(self.0.get())?;
        // SAFETY: a part in the list lives, and no thread writes the link.
        self.0.set(unsafe { (*part.as_ptr()).older.get() });
        Some(Departed(part))
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        let first = NonNull::new(self.0.get());
        // SAFETY: a part in the list lives, and no thread writes the link.
        iter::successors(first, |part| NonNull::new(unsafe { part.as_ref() }.older.get())).count()
    }

    /// Removes a part that is done, if there is one.
    pub(super) fn pop_done(&self) -> Option<Departed<'s, D>> {
        // SAFETY: a part has been claimed.
        self.pop_if(|header| unsafe { header.claim() }.done.is_set())
    }

    /// Takes back a part that no worker has begun, if there is one.
    pub(super) fn pop_unbegun(&self, top: &mut Top<'_>) -> Option<D::Work> {
        // SAFETY: a part has been claimed, and this thread owns it.
        let Departed(part) = self.pop_if(|header| unsafe { reclaim(top, header) })?;
        // SAFETY: the part is the caller's again, so no other thread has it.
        unsafe { unpack(part) }.work.into_inner()
    }

    fn pop_if(&self, mut is_wanted: impl FnMut(&Header) -> bool) -> Option<Departed<'s, D>> {
        let mut link = &self.0;
        loop {
            let part = NonNull::new(link.get())?;
            // SAFETY: a part in the list lives. What others write in it is in cells.
            let part_ref = unsafe { part.as_ref() };
            if is_wanted(&part_ref.header) {
                link.set(part_ref.older.get());
                return Some(Departed(part));
            }
            link = &part_ref.older;
        }
    }
}

/// A part that has left its frame, and has been removed from its list: only the holder waits for it.
pub(super) struct Departed<'s, D: Divided>(NonNull<Part<'s, D>>);

/// What became of a part.
pub(super) enum Collected<D: Divided> {
    Done(thread::Result<D::Out>),
    /// No worker has begun it, and it belongs to its owner again.
    Reclaimed(D::Work),
}

impl<D: Divided> Departed<'_, D> {
    /// Waits for the part, or takes it back, and frees it.
    pub(super) fn join(self, top: &mut Top<'_>) -> Collected<D> {
        // SAFETY: a part lives until it is freed below, and starts with its header.
        let header = unsafe { self.0.cast::<Header>().as_ref() };
        // SAFETY: a part has been claimed, and its list had it once.
        let waited = unsafe { wait(top, header) };
        // SAFETY: the part is done or the caller's again, so no other thread has it.
        let part = unsafe { unpack(self.0) };
        match waited {
            Waited::Reclaimed => Collected::Reclaimed(part.work.into_inner().expect("no worker has begun the part")),
            Waited::Done => Collected::Done(*part.result.into_inner().expect("a part that is done has a result")),
        }
    }
}

/// What the worker that has a part calls ([`FrameKind::run`]).
pub(super) unsafe fn run_part<D: Divided>(header: NonNull<Header>, top: Top<'_>) {
    // SAFETY: the header of what has left a frame of this kind is that of a part, which the caller alone accesses, and
    // which lives until it is done. Its owner waits for it, so what is shared lives, too.
    let part = unsafe { header.cast::<Part<'_, D>>().as_ref() };
    count_begun(*top, part.shared.is_aborted());
    let work = part.work.take().expect("a part is run once");
    // Unwind safety: the owner resumes the panic before other code can see what has been left broken.
    let result = catch_unwind(AssertUnwindSafe(|| {
        end_if_cancelled(*top);
        part.shared.run(top, work)
    }));
    if result.is_err() {
        part.shared.fail();
    }
    part.result.set(Some(Box::new(result)));
}
