//! Panics that unwind through a search.

use super::Search;
use super::collect::Collect;
use super::frame::SearchFrame;
use super::position::Position;
use crate::constructs::drop_while_unwinding::{drop_quietly, lose_payload};
use crate::constructs::parts::{Collected, Divided};
use crate::engine::share::at_return;
use crate::engine::team::Occupied;

/// The position of the part that a worker runs. If a panic unwinds, it may have left the workspace in the middle of a
/// step, so the workspace is dropped, and not used again.
pub(super) struct Held<'l, P: Search> {
    at: Occupied<'l>,
    position: Option<Box<Position<P>>>,
}

impl<'l, P: Search> Held<'l, P> {
    pub(super) fn new(at: Occupied<'l>, position: Box<Position<P>>) -> Self {
        Held { at, position: Some(position) }
    }

    pub(super) fn position(&mut self) -> &mut Position<P> {
        self.position.as_mut().expect("it is here until it is released")
    }

    pub(super) fn release(mut self) -> Box<Position<P>> {
        self.position.take().expect("it is released once")
    }
}

impl<P: Search> Drop for Held<'_, P> {
    fn drop(&mut self) {
        if let Some(position) = self.position.take() {
            drop_quietly(&self.at.top(), position);
        }
    }
}

/// A guard for a search while user code runs. It is forgotten when that code returns, and dropped only if it unwinds.
/// After the drop no rung points to the frame, and no worker runs a part.
pub(super) struct Unwinding<'f, 'c, P: Search, C: Collect<P::Workspace>> {
    at: Occupied<'f>,
    frame: &'f SearchFrame<'c, P, C>,
}

impl<'f, 'c, P: Search, C: Collect<P::Workspace>> Unwinding<'f, 'c, P, C> {
    pub(super) fn new(at: Occupied<'f>, frame: &'f SearchFrame<'c, P, C>) -> Self {
        Unwinding { at, frame }
    }
}

impl<P: Search, C: Collect<P::Workspace>> Drop for Unwinding<'_, '_, P, C> {
    /// Takes the search apart while a panic unwinds. That panic goes on, and the results of parts are dropped.
    #[cold]
    fn drop(&mut self) {
        let Unwinding { at, frame } = *self;
        frame.shared.fail();
        // What has left is in the frame's list.
        // SAFETY: only the search pushes here, and user code has popped everything that it pushed.
        let (mut top, _) = unsafe { at_return::take_off(at, frame.header()) };
        drop_quietly(&top, frame.take_ready(&top));
        while let Some(part) = frame.parts.pop() {
            match part.join(&mut top) {
                Collected::Done(Ok(result)) => drop_quietly(&top, result),
                Collected::Done(Err(payload)) => lose_payload(&top, payload),
                Collected::Reclaimed(position) => drop_quietly(&top, position),
            }
        }
    }
}
