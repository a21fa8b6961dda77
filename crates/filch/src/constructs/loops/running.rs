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

/// A [`Loop`] of any body. The mark `'i` is that of one loop, so it stands for the type of the body.
pub(super) trait AnyLoop<'i>: Sync {
    /// A part of the loop, which has run nothing.
    fn begin(&self) -> Box<dyn Running<'i> + '_>;

    /// As [`Body::is_stopped`].
    fn is_stopped(&self) -> bool;

    /// As [`Body::is_aborted`].
    fn is_aborted(&self) -> bool;

    /// What the loop runs over.
    fn over(&self) -> Over;

    /// Where it is in the program.
    fn site(&self) -> Site;
}

/// The results so far of a loop, or of a part of it. They are lost if user code unwinds.
pub(super) trait Running<'i>: Send {
    /// Runs a block until it ends or E exceeds a limit.
    fn block<'b>(&mut self, until: Limit<'_>, s: Strand<'_>, block: Block<'b, 'i>, strides: Strides) -> Left<'b>;

    /// Calls `halves` with this part and with one that comes after it, and combines their results.
    fn in_two(&mut self, halves: &mut dyn FnMut(&mut dyn Running<'i>, &mut dyn Running<'i>));

    /// Combines the results with those of a part that comes after this one.
    fn add(&mut self, later: Box<dyn Running<'i> + '_>);

    /// Takes the results away.
    fn take(&mut self) -> Box<dyn Running<'i> + '_>;
}

/// [`Running`] for one type of bodies.
pub(super) struct Run<'b, 'i, B: Body> {
    of: &'b Loop<'i, B>,
    so_far: Option<B::Out>,
}

impl<'i, B: Body> AnyLoop<'i> for Loop<'i, B> {
    fn begin(&self) -> Box<dyn Running<'i> + '_> {
        Box::new(Run::new(self, self.body.identity()))
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
    run_block::<B> as *const () as usize
}

impl<'b, 'i, B: Body> Run<'b, 'i, B> {
    pub(super) fn new(of: &'b Loop<'i, B>, so_far: B::Out) -> Self {
        Run { of, so_far: Some(so_far) }
    }

    pub(super) fn into_result(self) -> B::Out {
        self.so_far.expect(HAS_RESULT)
    }

    fn combine(&mut self, later: Self) {
        let (left, right) = (self.so_far.take().expect(HAS_RESULT), later.into_result());
        self.so_far = Some(self.of.body.combine(left, right));
    }
}

const HAS_RESULT: &str = "what has not unwound has a result";

impl<'i, B: Body> Running<'i> for Run<'_, 'i, B> {
    fn block<'b>(&mut self, until: Limit<'_>, s: Strand<'_>, block: Block<'b, 'i>, strides: Strides) -> Left<'b> {
        run_block(self, until, s, block, strides)
    }

    fn in_two(&mut self, halves: &mut dyn FnMut(&mut dyn Running<'i>, &mut dyn Running<'i>)) {
        let mut later = Run::new(self.of, self.of.body.identity());
        halves(self, &mut later);
        self.combine(later);
    }

    fn add(&mut self, later: Box<dyn Running<'i> + '_>) {
        // SAFETY: there is one loop with the mark `'i`, and this is the type of all its parts.
        let later = unsafe { Box::from_raw(Box::into_raw(later).cast::<Self>()) };
        self.combine(*later);
    }

    fn take(&mut self) -> Box<dyn Running<'i> + '_> {
        Box::new(Run { of: self.of, so_far: self.so_far.take() })
    }
}

/// [`Running::block`]. The body is inlined here, once for all blocks, and its captures are loaded once for each block.
#[inline(never)]
fn run_block<'b, 'i, B: Body>(
    run: &mut Run<'_, 'i, B>,
    until: Limit<'_>,
    mut s: Strand<'_>,
    mut block: Block<'b, 'i>,
    strides: Strides,
) -> Left<'b> {
    let mut so_far = run.so_far.take().expect(HAS_RESULT);
    let mut scratch = B::Scratch::default();
    loop {
        let stride = block.take_to(|lo| strides.end(lo));
        so_far = run.of.stride(s.reborrow(), stride, so_far, &mut scratch);
        if block.is_empty() || until.is_exceeded() {
            run.of.body.end_block(scratch);
            run.so_far = Some(so_far);
            return block.give_back();
        }
    }
}
