//! The children of a procedure that are not over, for the thread of the procedure.
//!
//! At most one child is *latent*: it has been spawned and has not begun. It lies in the frame of the procedure, which
//! is on the ladder meanwhile. To spawn another one, the owner pops the frame, as a return pops the frame of a fork,
//! puts the new child there, pushes the frame again, and runs the earlier child in place. So one worker runs children
//! in the order of their spawns, in constant space; and while one runs, a thief finds the next one.
//!
//! To run an inlet, the owner pops the frame, too. If no child has left it, the state is the owner's alone.
//!
//! If a worker is idle, a new child is left to it, and does not become latent. So the body goes ahead to its next
//! spawn, and a long child does not hide those behind it.
//!
//! `models/speculate.pml` checks the protocol, with mutants.

use super::child::{Child, Room};
use super::frame::ProcedureFrame;
use super::state::Shared;
use super::strand::Aborted;
use crate::constructs::drop_while_unwinding::{drop_quietly, lose_payload};
use crate::constructs::parts::Collected;
use crate::constructs::strand::Strand;
use crate::engine::seats::{current, inlet};
use crate::engine::share::at_fork::{self, Way};
use crate::engine::share::at_return::{self, Settled};
use crate::engine::team::{Pushed, Returned, Top};
use std::any::Any;
use std::mem::ManuallyDrop;
use std::panic::resume_unwind;
use std::ptr;

/// The children of a procedure that are not over: its [frame](ProcedureFrame), for the thread of the procedure.
pub(super) struct Children<'f, S: Send>(&'f ProcedureFrame<'f, S>);

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

    /// # Panics
    ///
    /// If this is not called by the body itself, but by something inside of it, which works above on the ladder.
    #[inline(always)]
    pub(super) fn must_be_here(self) {
        let is_here = self.0.nesting == current::nesting() && self.0.at.is_below_top(self.0.header());
        assert!(is_here, "a procedure is used inside of another construct that its body has opened");
    }

    /// The frame on the ladder, or else the top.
    #[inline(always)]
    fn place(self) -> Result<Pushed<'f>, Top<'f>> {
        // SAFETY: the body has called this ([`must_be_here`](Self::must_be_here)), or a child has just returned, which
        // leaves the ladder as it found it. So what is above the frame has been popped; and if the frame is not there,
        // this is the top.
        unsafe { self.0.at.pushed_or_top(self.0.header()) }
    }

    /// The strand above the frame.
    #[inline(always)]
    pub(super) fn strand(&self) -> Strand<'_> {
        Strand::of(self.place().map_or_else(|top| top, |pushed| pushed.into_above()))
    }

    /// Takes the frame off the ladder, if it is there; then it has the latent child. As an error, if E was raised: then
    /// [`attend`](Self::attend) comes next.
    #[inline(always)]
    fn hide(self) -> Result<Top<'f>, Returned<'f>> {
        self.place().map_or_else(Ok, Pushed::pop)
    }

    /// Gives other workers what they want, after [`hide`](Self::hide). The latent child may leave, unless that is all
    /// there is: then it is only said whether the child is wanted, for [`show`](Self::show).
    #[cold]
    #[inline(never)]
    fn attend(returned: Returned<'f>) -> (Top<'f>, bool) {
        match at_return::attend_between_items(returned) {
            Settled::Kept(kept) => kept,
            Settled::Gone(top) => (top, false),
        }
    }

    /// Takes the frame off the ladder for longer.
    #[inline(always)]
    fn top(self) -> Top<'f> {
        self.hide().unwrap_or_else(|returned| Self::attend(returned).0)
    }

    /// Shows the frame, which has a latent child, at the top.
    #[inline(always)]
    fn show(self, top: Top<'f>, is_wanted: bool) {
        if is_wanted || !top.is_free() {
            return self.show_to_others(top, is_wanted);
        }
        // SAFETY: the rung is free. The frame lives until it has been popped, and its parts are joined before: at the
        // end of the procedure, or by its guard.
        let _ = unsafe { top.push(self.0.header()) };
    }

    /// [`show`](Self::show), where the child is wanted, or the slot is not free. Leaves the child to an idle worker, if
    /// there is one. On a full ladder it stays latent, unseen.
    #[cold]
    #[inline(never)]
    fn show_to_others(self, mut top: Top<'f>, is_wanted: bool) {
        if !top.is_free() {
            match at_fork::recover(*top) {
                Way::Push(free) => top = free,
                Way::Share(mut top) => return self.leave(&mut top),
                Way::Full => return,
            }
        }
        // SAFETY: as in `show`.
        let pushed = unsafe { top.push(self.0.header()) };
        if is_wanted {
            at_return::answer(pushed.into_above());
        }
    }

    /// Leaves the latent child to others, while the frame is hidden.
    fn leave(self, top: &mut Top<'f>) {
        // SAFETY: the frame is off the ladder and has a latent child, for which this procedure waits.
        drop(unsafe { at_fork::share(top, self.0.header()) });
        self.collect_done(top);
    }

    /// Where the child before has left: may leave the latent one, too. Returns whether it has.
    #[cold]
    #[inline(never)]
    fn goes_ahead(self, top: &mut Top<'f>) -> bool {
        self.collect_done(top);
        let leaves = at_fork::leaves_ahead(top);
        if leaves {
            self.leave(top);
        }
        leaves
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
        self.replace(top, is_wanted, put);
    }

    /// Makes the child that `put` puts the latent one, and runs the one that was.
    #[inline(always)]
    fn replace(self, mut top: Top<'f>, is_wanted: bool, put: impl FnOnce(&Room<S>)) {
        let earlier = self.0.replace_latent(put);
        if earlier.is_none() && !self.0.parts.is_empty() && self.goes_ahead(&mut top) {
            return;
        }
        self.show(top, is_wanted);
        if let Some(earlier) = earlier {
            self.run(earlier);
        }
    }

    /// Runs the latent child, if no other worker has it.
    #[inline(always)]
    pub(super) fn run_latent(self) {
        let _ = self.top();
        if let Some(latent) = self.0.take_latent() {
            self.run(latent);
        }
    }

    /// Runs a child, and its inlet.
    #[inline(always)]
    fn run(self, child: &Room<S>) {
        #[cold]
        #[inline(never)]
        fn drop_child<S: Send>(child: &Room<S>) {
            // SAFETY: it was latent, and is this thread's now.
            drop(unsafe { child.take() });
        }
        let speculation = &self.shared().speculation;
        if speculation.is_aborted() {
            return drop_child(child);
        }
        // SAFETY: as above.
        speculation.aborting_on_panic(|| unsafe { child.run(self.frame()) });
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
        match self.hide() {
            Ok(top) if self.0.parts.is_empty() => {
                let result = self.look_alone(look);
                self.show_latent(top, false);
                result
            }
            Ok(top) => self.look_beside_others(top, look),
            Err(returned) => self.attend_and_look(returned, look),
        }
    }

    #[cold]
    #[inline(never)]
    fn look_beside_others<R>(self, top: Top<'f>, look: impl FnOnce(&mut S) -> R) -> Result<R, Aborted> {
        self.show_latent(top, false);
        self.shared().with(look)
    }

    #[cold]
    #[inline(never)]
    fn attend_and_look<R>(self, returned: Returned<'f>, look: impl FnOnce(&mut S) -> R) -> Result<R, Aborted> {
        let (top, is_wanted) = Self::attend(returned);
        if self.0.parts.is_empty() {
            let result = self.look_alone(look);
            self.show_latent(top, is_wanted);
            result
        } else {
            self.show_latent(top, is_wanted);
            self.shared().with(look)
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

    /// Shows the frame, which is hidden, if it has a latent child.
    #[inline(always)]
    fn show_latent(self, top: Top<'f>, is_wanted: bool) {
        if self.0.has_latent() {
            self.show(top, is_wanted);
        }
    }

    /// Frees what children have left that ran elsewhere and are over, while the frame is hidden. Each spawn that finds
    /// that the child before it has left calls this, so there is never more than other workers have at a time.
    #[cold]
    #[inline(never)]
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

    /// Runs the latent child, and returns whether no child is elsewhere.
    pub(super) fn are_over(self) -> bool {
        self.run_latent();
        let mut top = self.top();
        self.collect_done(&mut top);
        self.0.parts.is_empty()
    }

    /// Returns when all children are over. `Aborted` if a speculation around the procedure has been aborted.
    #[inline(always)]
    pub(super) fn sync(self) -> Result<(), Aborted> {
        self.run_latent();
        // A panic of a child has aborted the others, too.
        if self.0.parts.is_empty() && !self.shared().speculation.is_aborted() {
            return Ok(());
        }
        self.sync_with_others()
    }

    #[cold]
    #[inline(never)]
    fn sync_with_others(self) -> Result<(), Aborted> {
        while let Some(part) = self.0.parts.pop() {
            let mut top = self.top();
            match part.join(&mut top) {
                Collected::Done(Ok(())) => {}
                Collected::Done(Err(payload)) => self.keep_first(&top, payload),
                Collected::Reclaimed(child) => self.run_reclaimed(child),
            }
        }
        if let Some(payload) = self.0.panic.take() {
            resume_unwind(ManuallyDrop::into_inner(payload));
        }
        if self.shared().speculation.around().acquire() { Err(Aborted) } else { Ok(()) }
    }

    /// Runs a child that was left to others, and which none has begun.
    fn run_reclaimed(self, child: Child<S>) {
        let speculation = &self.shared().speculation;
        if !speculation.is_aborted() {
            // SAFETY: it is a child of this procedure.
            speculation.aborting_on_panic(|| unsafe { child.run_here(self.frame()) });
        }
    }

    /// Takes the procedure apart while a panic unwinds, which goes on. Afterwards no child is left.
    #[cold]
    #[inline(never)]
    pub(super) fn settle(self) {
        self.shared().speculation.abort();
        let mut top = self.top();
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
