//! What all parts of a search share.

use super::Search;
use super::collect::Collect;
use super::part::{Export, SearchPart};
use super::position::{Next, Position};
use crate::constructs::drop_while_unwinding::lose_payload;
use crate::engine::team::Top;
use crate::engine::team::stop::Stop;
use crate::sync::{Mutex, lock};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What all parts of a search share.
pub(super) struct Shared<'c, P: Search, C: Collect<P::Workspace>> {
    pub(super) problem: &'c P,
    pub(super) collect: &'c C,
    /// Where parts go that leave the search for good.
    pub(super) export: Option<&'c dyn Export<P>>,
    /// Whether a part has panicked. Then the other parts need not go on.
    pub(super) failure: Stop,
    /// Positions that are not used any more.
    spares: Mutex<Vec<Box<Position<P>>>>,
}

impl<'c, P: Search, C: Collect<P::Workspace>> Shared<'c, P, C> {
    pub(super) fn new(problem: &'c P, collect: &'c C, export: Option<&'c dyn Export<P>>) -> Self {
        Shared { problem, collect, export, failure: Stop::new(), spares: Mutex::new(Vec::new()) }
    }

    /// If a part has left nodes out because of this flag, the worker that has collected the part reads true here.
    #[inline(always)]
    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_requested()
    }

    /// Whether the part at `position`, with this result so far, need not go on.
    #[inline(always)]
    pub(super) fn is_over(&self, out: &mut C::Out, position: &Position<P>) -> bool {
        self.has_failed() || self.collect.is_over(out, &position.place)
    }

    /// A position that is not used any more.
    pub(super) fn spare(&self) -> Option<Box<Position<P>>> {
        lock(&self.spares).pop()
    }

    /// Keeps a position that is not used any more, for the next part. No panic has left it in the middle of a step.
    pub(super) fn keep(&self, position: Box<Position<P>>) {
        lock(&self.spares).push(position);
    }

    /// Lets a part leave for good, if one is wanted: one that is `ready`, or one from `position`, whose owner goes on
    /// at `next`. Runs user code.
    pub(super) fn offer(
        &self,
        ready: impl FnOnce() -> Option<Box<Position<P>>>,
        position: &mut Position<P>,
        next: &mut Next<P>,
    ) {
        let Some(export) = self.export.filter(|export| export.is_wanted()) else { return };
        if let Some(part) = ready().or_else(|| position.split(&mut next.rest, || self.spare())) {
            export.export(SearchPart::of(*part));
        }
    }

    /// Drops the positions that are not used any more. Called by the worker that began the search, at its end. Returns
    /// the payload of the first panic.
    pub(super) fn drop_spares(&self, top: &Top<'_>) -> Option<Box<dyn Any + Send>> {
        let mut first = None;
        while let Some(spare) = self.spare() {
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(spare))) {
                match first {
                    None => first = Some(payload),
                    Some(_) => lose_payload(top, payload),
                }
            }
        }
        first
    }
}
