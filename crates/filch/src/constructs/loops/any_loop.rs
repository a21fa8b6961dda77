//! Loops of any body, for code that is compiled once and not for each of them: a block is long enough for a call by a
//! table.

use super::body::Body;
use super::indexed::Access;
use super::indices::{Block, Left, Loop};
use crate::constructs::strand::Strand;
use crate::engine::profile::site::Site;
use crate::protocol::ladder::Limit;
use filch_policy::Over;
use filch_policy::loops::Strides;
use std::marker::PhantomData;

/// A [`Loop`] of any body. The mark `'i` is that of one loop, so it stands for the type of the body.
pub(super) trait AnyLoop<'i>: Sync {
    /// Runs a block until it ends or E exceeds a limit, and adds to `result`.
    fn block<'b>(
        &self,
        result: &mut dyn AnyResult<'i>,
        until: Limit<'_>,
        s: Strand<'_>,
        block: Block<'b, 'i>,
        strides: Strides,
    ) -> Left<'b>;

    /// Adds `later`, the result of a part that comes after that of `result`.
    fn combine(&self, result: &mut dyn AnyResult<'i>, later: &mut dyn AnyResult<'i>);

    /// [`Loop::result`].
    fn nothing(&self) -> Box<dyn AnyResult<'i> + '_>;

    /// As [`Body::is_stopped`].
    fn is_stopped(&self) -> bool;

    /// As [`Body::is_aborted`].
    fn is_aborted(&self) -> bool;

    /// What the loop runs over.
    fn over(&self) -> Over;

    /// Where it is in the program.
    fn site(&self) -> Site;
}

/// A [`PartResult`] of any type, which is that of the one loop with the mark `'i`.
pub(super) trait AnyResult<'i>: Send {
    /// Calls `f` with this, and with a result of nothing.
    fn with_another(&mut self, f: &mut dyn FnMut(&mut dyn AnyResult<'i>, &mut dyn AnyResult<'i>));

    /// Moves this out, and leaves nothing.
    fn take(&mut self) -> Box<dyn AnyResult<'i> + '_>;
}

/// The result of a loop, or of a part of it, so far. `None` before the first block, and if user code has unwound. All
/// with the mark of a loop come from that loop or from each other, so that `T` is the type of its results.
pub(super) struct PartResult<'i, T> {
    so_far: Option<T>,
    mark: PhantomData<fn(&'i ()) -> &'i ()>,
}

impl<'i, B: Body> Loop<'i, B> {
    /// A result of nothing.
    pub(super) fn result(&self) -> PartResult<'i, B::Out> {
        PartResult { so_far: None, mark: PhantomData }
    }

    /// The result of the whole loop, before the first block.
    pub(super) fn begun(&self) -> PartResult<'i, B::Out> {
        PartResult { so_far: Some(self.body.identity()), mark: PhantomData }
    }
}

impl<T> PartResult<'_, T> {
    pub(super) fn into_inner(self) -> Option<T> {
        self.so_far
    }
}

impl<'i, T: Send> AnyResult<'i> for PartResult<'i, T> {
    fn with_another(&mut self, f: &mut dyn FnMut(&mut dyn AnyResult<'i>, &mut dyn AnyResult<'i>)) {
        let mut another = PartResult { so_far: None, ..*self };
        f(self, &mut another);
    }

    fn take(&mut self) -> Box<dyn AnyResult<'i> + '_> {
        Box::new(PartResult { so_far: self.so_far.take(), ..*self })
    }
}

/// # Safety
///
/// `T` is the type of the results of the loop with the mark `'i`.
unsafe fn so_far<'r, 'i, T>(result: &'r mut dyn AnyResult<'i>) -> &'r mut Option<T> {
    let result: *mut dyn AnyResult<'i> = result;
    // SAFETY: guaranteed by the caller.
    &mut unsafe { &mut *result.cast::<PartResult<'i, T>>() }.so_far
}

impl<'i, B: Body> AnyLoop<'i> for Loop<'i, B> {
    // The body is inlined here, once for all blocks, and its captures are loaded once for each block.
    fn block<'b>(
        &self,
        result: &mut dyn AnyResult<'i>,
        until: Limit<'_>,
        mut s: Strand<'_>,
        mut block: Block<'b, 'i>,
        strides: Strides,
    ) -> Left<'b> {
        // SAFETY: there is one loop with the mark, this one, and all results with the mark are of its type.
        let result = unsafe { so_far(result) };
        let mut so_far = result.take().unwrap_or_else(|| self.body.identity());
        let mut scratch = B::Scratch::default();
        loop {
            let stride = block.take_to(|lo| strides.end(lo));
            so_far = self.stride(s.reborrow(), stride, so_far, &mut scratch);
            if block.is_empty() || until.is_exceeded() {
                self.body.end_block(scratch);
                *result = Some(so_far);
                return block.give_back();
            }
        }
    }

    fn combine(&self, result: &mut dyn AnyResult<'i>, later: &mut dyn AnyResult<'i>) {
        // SAFETY: there is one loop with the mark, this one, and all results with the mark are of its type.
        let left: &mut Option<B::Out> = unsafe { so_far(result) };
        // SAFETY: as above.
        let right: Option<B::Out> = unsafe { so_far(later) }.take();
        *left = match (left.take(), right) {
            (Some(left), Some(right)) => Some(self.body.combine(left, right)),
            (left, right) => left.or(right),
        };
    }

    fn nothing(&self) -> Box<dyn AnyResult<'i> + '_> {
        Box::new(self.result())
    }

    fn is_stopped(&self) -> bool {
        self.body.is_stopped()
    }

    fn is_aborted(&self) -> bool {
        self.body.is_aborted()
    }

    fn over(&self) -> Over {
        <B::Access as Access>::OVER
    }

    fn site(&self) -> Site {
        Site::of::<B>(key::<B>())
    }
}

/// Identifies loops of this kind. A function, because a constant could exist once in each codegen unit.
#[inline(always)]
pub(super) fn key<B: Body>() -> usize {
    <Loop<'_, B> as AnyLoop<'_>>::block as *const () as usize
}
