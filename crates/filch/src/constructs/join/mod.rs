//! Joins: two branches, the second of which another worker may take.
//!
//! The story, in order: [`fork()`] leaves a [`frame`] on the native stack and runs the first branch; `engine/share` has
//! what happens when somebody wants the frame, on its owner's side (`victim.rs`) and on the other (`thief.rs`);
//! `engine/wait/join_end.rs` what the owner does when it comes back and finds the frame gone. [`unwind`] is the same
//! for a panic.

mod context;
mod fork;
mod frame;
mod unwind;

pub use context::Context;
pub(crate) use fork::fork;

use super::strand::Strand;
use crate::engine::share::way;

impl Strand<'_> {
    /// Runs `a` here and then `b`, unless another worker has taken `b` meanwhile; returns both results.
    ///
    /// Work: a few instructions more than calling both (`docs/fork.md` lists them), no allocation. Span: the longer of
    /// the two. While `b` is elsewhere and `a` is done, this worker runs parts of `b`, and nothing else (papers:
    /// cilk5.txt section 2 for the construct, sections 3 to 5 for its price).
    ///
    /// If `a` blocks until `b` has begun, `b` needs another worker: one with nothing to do, or one that waits for what
    /// `b` is part of, is not 64 tasks deep in waiting already, and is not unwinding. It cannot be had from a
    /// worker that helps others at the end of a scope within the first branch of an older join. And it needs a
    /// place on the ladder: beyond [`ladder_capacity`](crate::PoolBuilder::ladder_capacity) open forks, `b` runs
    /// after `a`, here.
    ///
    /// # Panics
    ///
    /// If a branch panics. The other one, if it has not begun, is dropped; if it has, it is awaited. If both panic, the
    /// payload of `a` is passed on.
    ///
    /// ```
    /// let (a, b) = filch::run(|mut s| s.join(|_| 6 * 7, |_| "forty-two"));
    /// assert_eq!((a, b), (42, "forty-two"));
    /// ```
    #[inline(always)]
    pub fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Strand<'_>) -> RA,
        B: FnOnce(Strand<'_>) -> RB + Send,
        RB: Send,
    {
        self.join_context(
            #[inline(always)]
            |s, _| a(s),
            #[inline(always)]
            |s, _| b(s),
        )
    }

    /// [`join`](Self::join), telling each branch whether it has moved to another worker.
    ///
    /// ```
    /// let (_, split_further) = filch::run(|mut s| s.join_context(|_, _| (), |_, context| context.migrated()));
    /// # let _ = split_further;
    /// ```
    /// ```compile_fail,E0277
    /// filch::run(|mut s| {
    ///     let local = std::rc::Rc::new(1);
    ///     s.join_context(|_, _| (), |_, _| *local);
    /// });
    /// ```
    ///
    /// # Panics
    ///
    /// As [`join`](Self::join).
    #[inline(always)]
    pub fn join_context<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Strand<'_>, Context) -> RA,
        B: FnOnce(Strand<'_>, Context) -> RB + Send,
        RB: Send,
    {
        // SAFETY: a strand exists only on the thread that occupies its ladder, and not longer than the top stays above.
        let may_push = unsafe { self.rung().is_free() };
        // The strand keeps its own rung: once this fork is over, that may be the better one again.
        // SAFETY: as above.
        unsafe { fork(self.rung(), may_push, way::recover_stale, a, b) }
    }
}
