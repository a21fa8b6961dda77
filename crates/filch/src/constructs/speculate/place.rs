//! Where the frame of a procedure is, and what leaves it there. Each call of [`Children`] hides the frame, and shows it
//! again.

use super::children::Children;
use crate::constructs::strand::Strand;
use crate::engine::recording;
use crate::engine::share::at_fork::{self, Way};
use crate::engine::share::at_return::{self, Settled};
use crate::engine::team::{Pushed, Returned, Top};

impl<'f, S: Send> Children<'f, S> {
    /// Begins the body: pushes the frame at the top, which is free or [was not](Self::begin_at_mark).
    #[inline(always)]
    pub(super) fn begin(self, top: Top<'f>, is_free: bool) {
        if !is_free {
            return self.begin_at_mark(top);
        }
        // SAFETY: the rung is free. The rest is as in `show`.
        let _ = unsafe { top.push(self.0.header()) };
    }

    /// The rung was not free: some worker is idle, or the run has not forked yet. On a full ladder the frame stays off.
    #[cold]
    #[inline(never)]
    fn begin_at_mark(self, top: Top<'f>) {
        self.0.is_slow.set(top.owner().forks_across() || top.is_shut());
        if top.is_shut() {
            self.0.is_shut.set(true);
            self.0.recorded.set(recording::open(0));
        }
        if !top.is_full() {
            self.0.goes_ahead.set(true);
            self.show_empty_at_mark(top);
        }
    }

    /// # Panics
    ///
    /// If the body has opened a construct that has a frame above.
    #[inline(always)]
    pub(super) fn must_be_on_top(self) {
        let is_on_top = self.0.at.is_below_top(self.0.header()) && (!self.0.is_slow.get() || self.is_as_at_first());
        assert!(is_on_top, "a procedure is used inside of another construct that its body has opened");
    }

    /// Whether the ladder is shut if it was when the body began: a construct may have opened it for what it runs.
    #[cold]
    fn is_as_at_first(self) -> bool {
        !self.0.is_shut.get() || self.0.at.is_shut()
    }

    /// The frame on the ladder, or else the top.
    #[inline(always)]
    pub(super) fn place(self) -> Result<Pushed<'f>, Top<'f>> {
        // SAFETY: the body has called this ([`must_be_on_top`](Self::must_be_on_top)), or a child has just returned,
        // which leaves the ladder as it found it. So what is above the frame has been popped; and if the frame is not
        // there, the body is over, or the ladder is full, and this is the top.
        unsafe { self.0.at.pushed_or_top(self.0.header()) }
    }

    /// The top above the frame.
    #[inline(always)]
    pub(super) fn above(self) -> Top<'f> {
        self.place().map_or_else(|top| top, Pushed::into_above)
    }

    /// The strand above the frame.
    #[inline(always)]
    pub(super) fn strand(&self) -> Strand<'_> {
        Strand::of(self.above())
    }

    /// Takes the frame off the ladder, if it is there. As an error, if E was raised: then [`attend`](Self::attend)
    /// comes next. After that, no thief can take the latent child, if there is one.
    #[inline(always)]
    pub(super) fn hide(self) -> Result<Top<'f>, Returned<'f>> {
        self.place().map_or_else(Ok, Pushed::pop)
    }

    /// Gives other workers what they want, after [`hide`](Self::hide). The latent child may leave, unless that is all
    /// there is: then it is only said whether the child is wanted, for [`show`](Self::show).
    #[cold]
    #[inline(never)]
    pub(super) fn attend(returned: Returned<'f>) -> (Top<'f>, bool) {
        match at_return::attend_between_items(returned) {
            Settled::Kept(kept) => kept,
            Settled::Gone(top) => (top, false),
        }
    }

    /// The top, with the frame off the ladder.
    #[inline(always)]
    pub(super) fn hidden(self) -> Top<'f> {
        self.hide().unwrap_or_else(|returned| Self::attend(returned).0)
    }

    /// Shows the frame, which has a latent child, at the top.
    #[inline(always)]
    pub(super) fn show(self, top: Top<'f>, is_wanted: bool) {
        if is_wanted || !top.is_free() {
            return self.show_to_others(top, is_wanted);
        }
        // SAFETY: the rung is free. The frame lives until it has been popped, and its parts are joined before: at the
        // end of the procedure, or by its guard.
        let _ = unsafe { top.push(self.0.header()) };
    }

    /// Shows the frame, which is empty. Who has left a mark here is told at the next pop.
    #[inline(always)]
    pub(super) fn show_empty(self, top: Top<'f>) {
        if !top.is_free() {
            return self.show_empty_at_mark(top);
        }
        // SAFETY: as in `show`.
        let _ = unsafe { top.push(self.0.header()) };
    }

    #[cold]
    #[inline(never)]
    pub(super) fn show_empty_at_mark(self, top: Top<'f>) {
        if !top.is_full() {
            top.ladder().raise();
            // SAFETY: the rung has a mark, which is not needed any more. The rest is as in `show`.
            let _ = unsafe { top.push(self.0.header()) };
        }
    }

    /// [`show`](Self::show), where the child is wanted, or the slot is not free. Leaves the child to an idle worker, if
    /// there is one. On a full ladder it stays latent, unseen.
    #[cold]
    #[inline(never)]
    pub(super) fn show_to_others(self, mut top: Top<'f>, is_wanted: bool) {
        if !top.is_free() {
            match at_fork::recover_begun(*top) {
                Way::Push(free) => top = free,
                Way::Share(free) if self.has_left_many(&free) => top = free,
                Way::Share(top) => return self.leave(top),
                Way::Full => return,
            }
        }
        // SAFETY: as in `show`.
        let pushed = unsafe { top.push(self.0.header()) };
        if is_wanted {
            at_return::answer(pushed.into_above());
        }
    }

    /// Whether so many children have left that each other worker can run one while another one waits for it.
    pub(super) fn has_left_many(self, top: &Top<'f>) -> bool {
        self.0.parts.count() >= 2 * (top.owner().num_workers() - 1)
    }

    /// Leaves the latent child to others, while the frame is hidden.
    pub(super) fn leave(self, top: Top<'f>) {
        // SAFETY: the frame is off the ladder and has a latent child, for which this procedure waits.
        drop(unsafe { at_fork::share(&top, self.0.header()) });
        self.show_empty(top);
    }

    /// Shows the frame, which was hidden.
    #[inline(always)]
    pub(super) fn show_again(self, top: Top<'f>, is_wanted: bool) {
        if self.0.has_latent() { self.show(top, is_wanted) } else { self.show_empty(top) }
    }
}
