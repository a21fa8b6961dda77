//! Panics that unwind through a search.

use super::Search;
use super::collect::Collect;
use super::frame::SearchFrame;
use super::part::{Collected, collect_part};
use super::position::Position;
use crate::constructs::quietly::{drop_quietly, lose_payload};
use crate::engine::frame::Rung;
use crate::engine::share::victim;
use crate::engine::team::{Returned, Worker};

/// The position of the part that a worker runs. If a panic unwinds, it may have left the workspace in the middle of a
/// step, so the workspace is dropped, and not used again.
pub(super) struct Held<P: Search> {
    rung: Rung,
    position: Option<Box<Position<P>>>,
}

impl<P: Search> Held<P> {
    pub(super) fn new(rung: Rung, position: Box<Position<P>>) -> Self {
        Held { rung, position: Some(position) }
    }

    pub(super) fn position(&mut self) -> &mut Position<P> {
        self.position.as_mut().expect("it is here until it is released")
    }

    pub(super) fn release(mut self) -> Box<Position<P>> {
        self.position.take().expect("it is released once")
    }
}

impl<P: Search> Drop for Held<P> {
    fn drop(&mut self) {
        drop_quietly(self.rung, self.position.take());
    }
}

/// A guard for a search while user code runs. It is forgotten when that code returns, and dropped only if it unwinds.
/// After the drop no rung points to the frame, and no worker runs a part.
pub(super) struct Unwinding<'f, 'c, P: Search, C: Collect<P::Workspace>> {
    rung: Rung,
    frame: &'f SearchFrame<'c, P, C>,
}

impl<'f, 'c, P: Search, C: Collect<P::Workspace>> Unwinding<'f, 'c, P, C> {
    pub(super) fn new(rung: Rung, frame: &'f SearchFrame<'c, P, C>) -> Self {
        Unwinding { rung, frame }
    }
}

impl<P: Search, C: Collect<P::Workspace>> Drop for Unwinding<'_, '_, P, C> {
    /// Takes the search apart while a panic unwinds. That panic goes on, and the results of parts are dropped.
    #[cold]
    fn drop(&mut self) {
        let Unwinding { rung, frame } = *self;
        frame.shared.fail();
        // SAFETY: the thread that drops the guard occupies the ladder, and user code has popped everything that it
        // pushed.
        if unsafe { rung.holds_frame() } && !unsafe { rung.pop::<Worker>() } {
            // SAFETY: the frame has just been popped. The answer is not needed: what has left is in the frame's list.
            victim::attend(unsafe { Returned::at(rung, frame.header()) }).is_gone();
        }
        // SAFETY: the thread that drops the guard occupies the ladder.
        drop_quietly(rung, unsafe { frame.take_ready(rung) });
        while let Some(part) = frame.pop_part() {
            // SAFETY: the frame is off the ladder, and the part has been removed from it.
            match unsafe { collect_part(part, rung) } {
                Collected::Done(Ok(result)) => drop_quietly(rung, result),
                Collected::Done(Err(payload)) => lose_payload(rung, payload),
                Collected::Reclaimed(position) => drop_quietly(rung, position),
            }
        }
    }
}
