//! Forks whose span follows.

use filch::{Context, Indexed, Strand};

use crate::follow::Followed;

/// Forks of a strand whose [span](crate::in_span) follows what moves.
pub trait FollowingStrand {
    /// [`Strand::join`], whose second branch is in the same span wherever it runs.
    fn join_following<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Strand<'_>) -> RA,
        B: FnOnce(Strand<'_>) -> RB + Send,
        RB: Send;

    /// [`Strand::for_each`], whose bodies are in the same span wherever they run. A part that has moved enters it for
    /// each item: for items of some microseconds, or as the body of one that begins blocks.
    fn for_each_following<I, F>(&mut self, items: I, body: F)
    where
        I: Indexed,
        F: Fn(Strand<'_>, I::Item) + Sync;
}

impl FollowingStrand for Strand<'_> {
    #[inline(always)]
    fn join_following<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Strand<'_>) -> RA,
        B: FnOnce(Strand<'_>) -> RB + Send,
        RB: Send,
    {
        let followed = Followed::here();
        self.join_context(|s, _| a(s), move |s, context| moved(followed, context, || b(s)))
    }

    #[inline]
    fn for_each_following<I, F>(&mut self, items: I, body: F)
    where
        I: Indexed,
        F: Fn(Strand<'_>, I::Item) + Sync,
    {
        let followed = Followed::here();
        self.for_each(items, |s, item| {
            // SAFETY: the loop returns when all bodies have.
            unsafe { followed.enter(|| body(s, item)) }
        });
    }
}

/// [`filch::join`], whose branches are in the same [span](crate::in_span) wherever they run.
///
/// ```
/// let span = tracing::info_span!("both");
/// let (a, b) = filch_tracing::in_span(&span, || filch_tracing::join(|| 1, || 2));
/// assert_eq!(a + b, 3);
/// ```
#[inline(always)]
pub fn join<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
where
    A: FnOnce() -> RA + Send,
    B: FnOnce() -> RB + Send,
    RA: Send,
    RB: Send,
{
    let followed = Followed::here();
    filch::join_context(|_| a(), move |context| moved(followed, context, b))
}

/// Runs a second branch.
#[inline(always)]
fn moved<R>(followed: Followed, context: Context, branch: impl FnOnce() -> R) -> R {
    if !context.migrated() {
        return branch();
    }
    // SAFETY: the join returns when both branches have, also when the first one unwinds.
    unsafe { followed.enter(branch) }
}
