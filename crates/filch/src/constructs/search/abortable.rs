//! A search that can be aborted from outside.

use super::collect::Collect;
use super::place::Place;
use crate::engine::team::stop::Abort;

/// What a search makes of its solutions, until it is aborted. Each part learns of an abort at its next node, and the
/// results of parts are not combined any more, because nodes may have been left out.
pub(super) struct Abortable<C, A> {
    pub(super) collect: C,
    /// A search that nothing can abort is compiled as if this were not there.
    pub(super) abort: A,
}

impl<W, C: Collect<W>, A: Abort> Collect<W> for Abortable<C, A> {
    type Out = C::Out;

    #[inline(always)]
    fn begin(&self, place: &Place) -> C::Out {
        self.collect.begin(place)
    }

    #[inline(always)]
    fn add(&self, out: C::Out, solution: &W, place: &Place) -> C::Out {
        self.collect.add(out, solution, place)
    }

    fn combine(&self, former: C::Out, latter: C::Out) -> C::Out {
        // If a part has left nodes out, the worker that has collected the part reads true here.
        if self.is_aborted() { former } else { self.collect.combine(former, latter) }
    }

    #[inline(always)]
    fn is_over(&self, out: &mut C::Out, place: &Place) -> bool {
        self.abort.is_requested() || self.collect.is_over(out, place)
    }

    fn is_aborted(&self) -> bool {
        self.abort.is_requested()
    }

    #[inline(always)]
    fn pass_on(&self, out: &mut C::Out, place: &Place, next: &Place) {
        // What comes next would be handed over behind what has been left out.
        if !self.is_aborted() {
            self.collect.pass_on(out, place, next);
        }
    }
}
