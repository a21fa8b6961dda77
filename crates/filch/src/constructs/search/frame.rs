//! The frame of a search as slow paths see it, and the parts that are split from it.
//!
//! One frame stands for a whole search, or a part of one, whatever the depth. It is on the ladder while the owner goes
//! from node to node, and so while code of the user runs. Other threads reach only what has been prepared: the owner
//! puts a part in [`ready`](SearchFrame::ready), with a copy of the workspace, before it may leave
//! ([`prepare`](crate::engine::share::prepare)). The path, the choices and the workspace belong to the owner alone.
//!
//! | variable | owner | others |
//! |---|---|---|
//! | the position of the owner | reads and writes | |
//! | `at_rest` | writes; code that prepares reads | |
//! | `ready` | writes while the frame is off the ladder; splits read and write then, or under L | |
//! | `parts` | reads and writes while the frame is off the ladder; so do splits | |
//!
//! Splits are done by the owner: no thief takes from this frame. A thief that finds the frame [passes
//! it](crate::protocol::ladder::Verdict::Passes), and E is above its rung then.
//!
//! At each node the owner compares E with its rung. If E is raised, it pops the frame and attends. Only then, between
//! two nodes, is the position [at rest](AtRest), and can be prepared. A fork in code of the user, which finds this
//! frame to be the oldest at its return, cannot have it prepared, and so passes it by.

use super::Search;
use super::collect::Collect;
use super::place::Place;
use super::position::{Next, Position};
use super::shared::Shared;
use crate::constructs::parts::{Divided, Parts, run_part};
use crate::engine::frame::part_memory::PartMemory;
use crate::engine::frame::{Claim, Divide, FrameKind, Header, Unbegun};
use crate::engine::share::prepare::count_unfetched;
use crate::engine::team::Top;
use crate::protocol::ladder::Claimed;
use filch_policy::Left;
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{self, NonNull};

/// The frame of a search. It lives on the stack of the worker that runs the search, or a part of it.
#[repr(C)]
pub(super) struct SearchFrame<'c, P: Search, C: Collect<P::Workspace>> {
    header: Header,
    pub(super) shared: &'c Shared<'c, P, C>,
    /// The position of the owner, while it is between two nodes and attends. Otherwise null.
    at_rest: Cell<*mut AtRest<'c, P>>,
    /// A part that has been split off, and that no other worker has got.
    ready: Cell<Option<Box<Position<P>>>>,
    /// Its place. A copy, for the owner, which cannot look at a part that another worker runs.
    ready_place: Cell<Place>,
    /// The parts that other workers have got and that have not been collected, newest first, which is their order.
    pub(super) parts: Parts<'c, Shared<'c, P, C>>,
}

/// What a part can be split from.
pub(super) struct AtRest<'a, P: Search> {
    pub(super) position: &'a mut Position<P>,
    pub(super) next: Next<P>,
    /// The panic of code of the user that was to prepare a part.
    pub(super) panic: Option<Box<dyn Any + Send>>,
}

impl<'c, P: Search, C: Collect<P::Workspace>> SearchFrame<'c, P, C> {
    /// What slow paths can do with the frame.
    pub(super) const KIND: &'static FrameKind = &FrameKind {
        run: run_part::<Shared<'c, P, C>>,
        divide: Some(Divide { left: left::<P, C>, split: split::<P, C> }),
        prepare: Some(prepare::<P, C>),
    };

    #[inline]
    pub(super) fn new(shared: &'c Shared<'c, P, C>) -> Self {
        SearchFrame {
            header: Header::new(Self::KIND),
            shared,
            at_rest: Cell::new(ptr::null_mut()),
            ready: Cell::new(None),
            ready_place: Cell::default(),
            parts: Parts::new(),
        }
    }

    /// The pointer for a slot. It is valid for access to the whole frame.
    #[inline]
    pub(super) fn header(&self) -> NonNull<Header> {
        NonNull::from(self).cast()
    }

    /// Runs `attend`, during which parts can be split from `at_rest`.
    pub(super) fn resting<R>(&self, at_rest: &mut AtRest<'_, P>, attend: impl FnOnce() -> R) -> R {
        // The pointer is used before this returns.
        self.at_rest.set((&raw mut *at_rest).cast());
        let result = attend();
        self.at_rest.set(ptr::null_mut());
        result
    }

    fn is_ready(&self) -> bool {
        let ready = self.ready.take();
        let is_there = ready.is_some();
        self.ready.set(ready);
        is_there
    }

    /// Takes back the part that no worker has got.
    pub(super) fn take_ready(&self, top: &Top<'_>) -> Option<Box<Position<P>>> {
        let ready = self.ready.take()?;
        count_unfetched(**top);
        Some(ready)
    }
}

/// Splits off a part of `frame`, unless one is ready. Returns false if there is none, or if the owner is in code of the
/// user.
///
/// # Safety
///
/// As for [`FrameKind::prepare`]; `frame` must be the header of a frame of this type.
unsafe fn prepare<P: Search, C: Collect<P::Workspace>>(frame: NonNull<Header>, _: Top<'_>) -> bool {
    // SAFETY: the caller guarantees that this is the header of such a frame, which lives.
    let frame = unsafe { frame.cast::<SearchFrame<'_, P, C>>().as_ref() };
    if frame.is_ready() {
        return true;
    }
    if frame.shared.has_failed() {
        return false;
    }
    // The position is not to be found here while the user's code, below, has it.
    let at_rest = frame.at_rest.replace(ptr::null_mut());
    // SAFETY: not null only during `resting`, which has borrowed this for that time. No other reference is made from
    // the pointer meanwhile, because it is null until this one has ended.
    let Some(here) = (unsafe { at_rest.as_mut() }) else { return false };
    // Unwind safety: the panic stops the search, and the owner resumes it before other code can see what is broken.
    let split = catch_unwind(AssertUnwindSafe(|| here.position.split(&mut here.next.rest, || frame.shared.spare())));
    match split {
        Ok(part) => {
            frame.ready_place.set(part.as_ref().map(|part| part.place.clone()).unwrap_or_default());
            frame.ready.set(part);
        }
        Err(payload) => {
            frame.shared.fail();
            here.panic = Some(payload);
        }
    }
    frame.at_rest.set(at_rest);
    frame.is_ready()
}

/// How much is left of `frame`. A part that could not be prepared counts, too: it costs code of the user to find out,
/// which does not run here.
///
/// # Safety
///
/// As for [`Divide`]; `frame` must be the header of a frame of this type.
unsafe fn left<P: Search, C: Collect<P::Workspace>>(frame: NonNull<Header>) -> Left {
    // SAFETY: the caller guarantees that this is the header of such a frame, which lives.
    let frame = unsafe { frame.cast::<SearchFrame<'_, P, C>>().as_ref() };
    if frame.is_ready() || !frame.at_rest.get().is_null() { Left::Plenty } else { Left::Nothing }
}

/// Moves the part that is ready into `memory`, with this claim.
///
/// # Safety
///
/// As for [`Divide::split`]; `frame` must be the header of a frame of this type that has
/// been prepared.
unsafe fn split<P: Search, C: Collect<P::Workspace>>(
    frame: NonNull<Header>,
    memory: Box<PartMemory>,
    claim: Claim,
) -> Claimed<Unbegun> {
    // SAFETY: the caller guarantees that this is the header of such a frame, which lives.
    let frame = unsafe { frame.cast::<SearchFrame<'_, P, C>>().as_ref() };
    let position = frame.ready.take().expect("a part leaves a search when it is ready");
    Claimed::Part(frame.parts.add(memory, claim, frame.shared, position, frame.ready_place.take()))
}
