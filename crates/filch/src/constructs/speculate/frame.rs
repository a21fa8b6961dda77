//! The frame of a procedure: on the ladder while the body runs, with the latent child or without one.
//!
//! A frame has room for two children, the latent one and the one that its owner runs, which take turns. It stays with
//! its owner, and a child leaves it as a part does ([`parts`](crate::constructs::parts)).
//!
//! | variable | who |
//! |---|---|
//! | `latent`, the room of the latent child, `parts` | the owner while the frame is off the ladder; thieves under L |
//! | the other room, `panic` | the owner |
//!
//! A thief that finds an empty frame passes by it ([`Divide`]).

use super::child::{Child, Room};
use super::state::Shared;
use crate::constructs::parts::{Divided, Parts, run_part};
use crate::engine::frame::part_memory::PartMemory;
use crate::engine::frame::{Claim, Divide, FrameKind, Header, Unbegun};
use crate::engine::recording::RecordedScope;
use crate::engine::team::{Occupied, Top};
use crate::protocol::ladder::Claimed;
use filch_policy::Left;
use std::any::Any;
use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::ptr::{self, NonNull};

/// The frame of a procedure, on the stack of its thread.
#[repr(C)]
pub(super) struct ProcedureFrame<'f, S: Send> {
    header: Header,
    pub(super) shared: Shared<S>,
    pub(super) parts: Parts<'f, Shared<S>>,
    /// The room of the latent child; null if there is none.
    latent: Cell<*const Room<S>>,
    rooms: (Room<S>, Room<S>),
    /// The rung of the frame.
    pub(super) at: Occupied<'f>,
    /// Whether the next child is left to others, if the scheduler wants that, though none has left yet.
    pub(super) goes_ahead: Cell<bool>,
    /// Whether children run far from the fast path: on an inter-socket level, and in a profile.
    pub(super) is_slow: Cell<bool>,
    /// Whether the ladder was shut when the body began, as in a profile.
    pub(super) is_shut: Cell<bool>,
    /// For a profile: the scope of the children.
    pub(super) recorded: Cell<RecordedScope>,
    /// The first panic of a child that ran elsewhere. Taken at the end, so there is nothing to drop.
    pub(super) panic: Cell<Option<ManuallyDrop<Box<dyn Any + Send>>>>,
}

impl<'f, S: Send> ProcedureFrame<'f, S> {
    #[inline(always)]
    pub(super) fn new(top: &Top<'f>, shared: Shared<S>) -> Self {
        ProcedureFrame {
            header: Header::new(Shared::<S>::KIND),
            shared,
            parts: Parts::new(),
            latent: Cell::new(ptr::null()),
            rooms: (Room::new(), Room::new()),
            at: **top,
            goes_ahead: Cell::new(false),
            is_slow: Cell::new(false),
            is_shut: Cell::new(false),
            recorded: Cell::new(RecordedScope::NONE),
            panic: Cell::new(None),
        }
    }

    /// The pointer for a slot. It is valid for access to the whole frame.
    #[inline(always)]
    pub(super) fn header(&self) -> NonNull<Header> {
        NonNull::from(self).cast()
    }

    #[inline(always)]
    pub(super) fn has_latent(&self) -> bool {
        !self.latent.get().is_null()
    }

    /// The room of the latent child, which is not latent any more, and is the caller's.
    #[inline(always)]
    pub(super) fn take_latent(&self) -> Option<&Room<S>> {
        // SAFETY: if not null, it is one of the rooms.
        unsafe { self.latent.replace(ptr::null()).as_ref() }
    }

    /// Makes a child the latent one, by `put`, which gets a room. Returns the room of the one that was, which is the
    /// caller's.
    #[inline(always)]
    pub(super) fn replace_latent(&self, put: impl FnOnce(&Room<S>)) -> Option<&Room<S>> {
        let (first, second) = (&self.rooms.0, &self.rooms.1);
        let room = if ptr::eq(self.latent.get(), first) { second } else { first };
        put(room);
        // SAFETY: if not null, it is one of the rooms.
        unsafe { self.latent.replace(room).as_ref() }
    }
}

impl<S: Send> Divided for Shared<S> {
    type Work = Child<S>;
    type Label = ();
    type Out = ();

    const KIND: &'static FrameKind = &FrameKind {
        run: run_part::<Self>,
        divide: Some(Divide { left: left::<S>, split: split::<S> }),
        prepare: None,
    };

    fn run(&self, top: Top<'_>, child: Child<S>) {
        if !self.speculation.is_aborted() {
            child.run_elsewhere(top, self);
        }
    }

    fn fail(&self) {
        self.speculation.abort();
    }

    fn is_aborted(&self) -> bool {
        self.speculation.is_aborted()
    }
}

/// Whether `frame` has a latent child.
///
/// # Safety
///
/// As for [`Divide`]; `frame` must be the header of a [`ProcedureFrame`] of this type.
unsafe fn left<S: Send>(frame: NonNull<Header>) -> Left {
    // SAFETY: the caller guarantees that this is the header of a `ProcedureFrame` that lives.
    let frame = unsafe { frame.cast::<ProcedureFrame<'_, S>>().as_ref() };
    if frame.has_latent() { Left::One } else { Left::Nothing }
}

/// Moves the latent child into `memory`, with this claim.
///
/// # Safety
///
/// As for [`Divide::split`]; `frame` must be the header of a [`ProcedureFrame`] of this type.
unsafe fn split<S: Send>(frame: NonNull<Header>, memory: Box<PartMemory>, claim: Claim) -> Claimed<Unbegun> {
    // SAFETY: the caller guarantees that this is the header of a `ProcedureFrame` that lives.
    let frame = unsafe { frame.cast::<ProcedureFrame<'_, S>>().as_ref() };
    let latent = frame.take_latent().expect("something is left");
    // SAFETY: it was there, and is this thread's now.
    let child = unsafe { latent.take() };
    Claimed::All(frame.parts.add(memory, claim, &frame.shared, child, ()))
}
