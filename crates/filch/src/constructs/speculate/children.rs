//! The children of a procedure that are not over, for the thread of the procedure.
//!
//! At most one child is *latent*: it has been spawned and has not begun. It lies in the frame of the procedure. To
//! spawn another one, the owner pops the frame, as a return pops the frame of a fork, puts the new child there, pushes
//! the frame again, and runs the earlier child in place, above the frame. So one worker runs children in the order of
//! their spawns, in constant space; and while one runs, a thief finds the next one.
//!
//! To run an inlet, the owner pops the frame, too. If no child has left it, the state is the owner's alone.
//!
//! The frame is on the ladder as long as the body runs, also without a child: thieves pass by an empty frame, as by one
//! that cannot be prepared. So whatever the body opens works above it, and no call of the procedure, from wherever,
//! moves anything there.
//!
//! If a worker is idle, or the child before has left, a new child is left for others, too, and does not become latent.
//! So the body goes ahead to its next spawn, and a long child does not hide those behind it. There are at most twice
//! as many such children as other workers: then the owner takes one back.

use super::child::{Child, Room};
use super::frame::ProcedureFrame;
use super::state::Shared;
use super::strand::Aborted;
use crate::constructs::drop_while_unwinding::{drop_quietly, lose_payload};
use crate::constructs::parts::Collected;
use crate::engine::profile::site::Site;
use crate::engine::recording::{self, RecordedScope, SpawnedTask};
use crate::engine::seats::ambient::{end_if_cancelled, pass_on};
use crate::engine::seats::inlet;
use crate::engine::share::descent;
use crate::engine::team::{Pushed, Returned, Top};
use std::any::Any;
use std::mem::ManuallyDrop;
use std::ptr;

/// The children of a procedure that are not over: its [frame](ProcedureFrame), for the thread of the procedure.
pub(super) struct Children<'f, S: Send>(pub(super) &'f ProcedureFrame<'f, S>);

impl<S: Send> Clone for Children<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Send> Copy for Children<'_, S> {}

impl<'f, S: Send> Children<'f, S> {
    #[inline(always)]
    pub(super) fn of(frame: &'f ProcedureFrame<'f, S>) -> Self {
        Children(frame)
    }

    /// The procedure whose frame this is; `None` if it is null.
    ///
    /// # Safety
    ///
    /// If not null, it comes from [`frame`](Self::frame) of a procedure with this state, which lives.
    #[inline(always)]
    pub(super) unsafe fn at(frame: *const ()) -> Option<Self> {
        // SAFETY: guaranteed by the caller.
        unsafe { frame.cast::<ProcedureFrame<'f, S>>().as_ref() }.map(Children)
    }

    #[inline(always)]
    fn frame(self) -> *const () {
        ptr::from_ref(self.0).cast()
    }

    #[inline(always)]
    pub(super) fn shared(self) -> &'f Shared<S> {
        &self.0.shared
    }

    /// Shows the frame, whose new child is latent, where the child before has left: leaves this one, too, or shows it.
    /// If many have left, and one of them has not begun, runs that one.
    #[cold]
    #[inline(never)]
    fn go_ahead(self, mut top: Top<'f>, is_wanted: bool) {
        self.0.goes_ahead.set(false);
        self.collect_done(&mut top);
        if self.has_left_many(&top) {
            let back = self.0.parts.pop_unbegun(&mut top);
            self.show(top, is_wanted);
            if let Some(child) = back {
                self.run_reclaimed(child);
            }
        } else if top.owner().may_leave_ahead() {
            self.leave(top);
        } else {
            self.show(top, is_wanted);
        }
    }

    /// Spawns the child that `put` puts into a room: makes it the latent one, and runs the one that was.
    #[inline(always)]
    pub(super) fn spawn(self, put: impl FnOnce(&Room<S>)) {
        match self.hide() {
            Ok(top) => self.replace(top, false, put),
            Err(returned) => self.attend_and_replace(returned, put),
        }
    }

    #[cold]
    #[inline(never)]
    fn attend_and_replace(self, returned: Returned<'f>, put: impl FnOnce(&Room<S>)) {
        let (top, is_wanted) = Self::attend(returned);
        end_if_cancelled(*top);
        self.replace(top, is_wanted, put);
    }

    /// Makes the child that `put` puts the latent one, and runs the one that was.
    #[inline(always)]
    fn replace(self, top: Top<'f>, is_wanted: bool, put: impl FnOnce(&Room<S>)) {
        match self.0.replace_latent(put) {
            Some(earlier) => {
                self.show(top, is_wanted);
                self.run(earlier);
            }
            None if !self.0.parts.is_empty() || self.0.goes_ahead.get() => self.go_ahead(top, is_wanted),
            None => self.show(top, is_wanted),
        }
    }

    /// Runs the latent child, if no other worker has it, in the midst of the body.
    #[inline(always)]
    pub(super) fn run_latent(self) {
        let top = self.hidden();
        let latent = self.0.take_latent();
        self.show_empty(top);
        if let Some(latent) = latent {
            self.run(latent);
        }
    }

    /// Runs a child, and its inlet.
    #[inline(always)]
    fn run(self, child: &Room<S>) {
        let speculation = &self.shared().speculation;
        if speculation.is_aborted() || self.0.is_slow.get() {
            return self.run_or_drop(child);
        }
        // SAFETY: it was latent, and is this thread's now.
        speculation.aborting_on_panic(|| unsafe { child.run(self.frame()) });
    }

    #[cold]
    #[inline(never)]
    fn run_or_drop(self, child: &Room<S>) {
        // SAFETY: it was latent, and is this thread's now.
        self.run_reclaimed(unsafe { child.take() });
    }

    /// A child that begins now, for a profile.
    fn recorded_child(self) -> Option<SpawnedTask> {
        let site = Site::of::<S>(Self::recorded_child as *const () as usize);
        self.0.is_slow.get().then(|| recording::spawn_into_innermost(site)).flatten()
    }

    /// Runs a child that was left to others, and which none has begun. On an inter-socket level, it is one level
    /// deeper.
    fn run_reclaimed(self, child: Child<S>) {
        let speculation = &self.shared().speculation;
        if !speculation.is_aborted() {
            let _descent = descent::one_level(*self.above());
            let _begun = recording::begin(self.recorded_child());
            // SAFETY: it is a child of this procedure.
            speculation.aborting_on_panic(|| unsafe { child.run_here(self.frame()) });
        }
    }

    /// Folds the result of a child that this thread has run into the state.
    #[inline(always)]
    pub(super) fn fold<T>(self, result: Result<T, Aborted>, inlet: impl FnOnce(&mut S, T)) {
        let Ok(value) = result else { return };
        // An abort means that the result is not wanted.
        _ = self.with(
            #[inline(always)]
            |state| inlet(state, value),
        );
    }

    /// Runs `look` on the state, unless the children have been aborted.
    #[inline(always)]
    pub(super) fn with<R>(self, look: impl FnOnce(&mut S) -> R) -> Result<R, Aborted> {
        match self.place().map(Pushed::pop) {
            Ok(Ok(top)) if self.0.parts.is_empty() => self.look_hidden(top, false, look),
            Ok(Ok(top)) => self.look_beside_others(top, false, look),
            Ok(Err(returned)) => self.attend_and_look(returned, look),
            // The body is over, and this is its last child.
            Err(_) if self.0.parts.is_empty() => self.look_alone(look),
            Err(_) => self.shared().with(look),
        }
    }

    /// Looks while the frame is hidden, and shows it again.
    #[inline(always)]
    fn look_hidden<R>(self, top: Top<'f>, is_wanted: bool, look: impl FnOnce(&mut S) -> R) -> Result<R, Aborted> {
        /// Shows the frame if the look unwinds.
        struct Unwinding<'f, S: Send>(Children<'f, S>);
        impl<S: Send> Drop for Unwinding<'_, S> {
            fn drop(&mut self) {
                if let Err(top) = self.0.place() {
                    self.0.show_again(top, false);
                }
            }
        }
        let unwinding = Unwinding(self);
        let result = self.look_alone(look);
        std::mem::forget(unwinding);
        self.show_again(top, is_wanted);
        result
    }

    #[cold]
    #[inline(never)]
    fn look_beside_others<R>(
        self,
        top: Top<'f>,
        is_wanted: bool,
        look: impl FnOnce(&mut S) -> R,
    ) -> Result<R, Aborted> {
        self.show_again(top, is_wanted);
        self.shared().with(look)
    }

    #[cold]
    #[inline(never)]
    fn attend_and_look<R>(self, returned: Returned<'f>, look: impl FnOnce(&mut S) -> R) -> Result<R, Aborted> {
        let (top, is_wanted) = Self::attend(returned);
        if self.0.parts.is_empty() {
            self.look_hidden(top, is_wanted, look)
        } else {
            self.look_beside_others(top, is_wanted, look)
        }
    }

    /// Looks without the lock. The frame is hidden, and no child is elsewhere.
    #[inline(always)]
    fn look_alone<R>(self, look: impl FnOnce(&mut S) -> R) -> Result<R, Aborted> {
        let shared = self.shared();
        if shared.speculation.is_aborted() {
            return Err(Aborted);
        }
        // SAFETY: this thread runs no child, and no other one can have one while the frame is hidden.
        let state = unsafe { shared.alone() };
        Ok(shared.speculation.aborting_on_panic(|| inlet::within(|| look(state))))
    }

    /// Frees what children have left that ran elsewhere and are over, while the frame is hidden or empty.
    fn collect_done(self, top: &mut Top<'f>) {
        while let Some(part) = self.0.parts.pop_done() {
            if let Collected::Done(Err(payload)) = part.join(top) {
                self.keep_first(top, payload);
            }
        }
    }

    fn keep_first(self, top: &Top<'_>, payload: Box<dyn Any + Send>) {
        match self.0.panic.take() {
            None => self.0.panic.set(Some(ManuallyDrop::new(payload))),
            first => {
                self.0.panic.set(first);
                lose_payload(top, payload);
            }
        }
    }

    /// Runs the latent child and those that have been left and have not begun, and returns whether no child is
    /// elsewhere.
    pub(super) fn are_over(self) -> bool {
        self.run_latent();
        loop {
            let mut top = self.above();
            self.collect_done(&mut top);
            match self.0.parts.pop_unbegun(&mut top) {
                Some(child) => self.run_reclaimed(child),
                None => return self.0.parts.is_empty(),
            }
        }
    }

    /// Returns when all children are over, in the midst of the body.
    #[inline]
    pub(super) fn sync(self) {
        self.run_latent();
        // The body is not told of an abort.
        _ = self.sync_with_others();
    }

    /// Ends the body: takes the frame off the ladder, and returns when all children are over. `Aborted` if a
    /// speculation around the procedure has been aborted.
    #[inline(always)]
    pub(super) fn end(self) -> Result<(), Aborted> {
        let _ = self.hidden();
        if let Some(latent) = self.0.take_latent() {
            self.run(latent);
        }
        // A panic of a child has aborted the others, too.
        if self.0.parts.is_empty() && !self.shared().speculation.is_aborted() {
            return Ok(());
        }
        self.sync_with_others()
    }

    #[cold]
    #[inline(never)]
    fn sync_with_others(self) -> Result<(), Aborted> {
        if self.0.is_slow.get() {
            // In a profile, what comes after has waited.
            let recorded = self.0.recorded.replace(RecordedScope::NONE);
            self.0.recorded.set(recorded.again());
        }
        while let Some(part) = self.0.parts.pop() {
            let mut top = self.above();
            match part.join(&mut top) {
                Collected::Done(Ok(())) => {}
                Collected::Done(Err(payload)) => self.keep_first(&top, payload),
                Collected::Reclaimed(child) => self.run_reclaimed(child),
            }
        }
        if let Some(payload) = self.0.panic.take() {
            pass_on(ManuallyDrop::into_inner(payload));
        }
        if self.shared().speculation.around().acquire() { Err(Aborted) } else { Ok(()) }
    }

    /// Takes the procedure apart while a panic unwinds, which goes on. Afterwards no child is left.
    #[cold]
    #[inline(never)]
    pub(super) fn settle(self) {
        self.shared().speculation.abort();
        self.0.at.owner().note_unwinding();
        let mut top = self.hidden();
        // SAFETY: it was latent, and is this thread's now.
        drop_quietly(&top, self.0.take_latent().map(|latent| unsafe { latent.take() }));
        while let Some(part) = self.0.parts.pop() {
            match part.join(&mut top) {
                Collected::Done(Ok(())) => {}
                Collected::Done(Err(payload)) => lose_payload(&top, payload),
                Collected::Reclaimed(child) => drop_quietly(&top, child),
            }
        }
        if let Some(payload) = self.0.panic.take() {
            lose_payload(&top, ManuallyDrop::into_inner(payload));
        }
        // SAFETY: no child is left, and the procedure ends.
        drop_quietly(&top, unsafe { self.shared().take() });
    }
}
