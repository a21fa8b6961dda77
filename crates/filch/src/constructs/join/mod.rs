//! Joins: two branches, the second of which another worker may run.
//!
//! [`fork()`] is the fast path: it leaves a [`frame`] on the native stack and runs the first branch. `engine/share` has
//! what happens if another worker wants the frame, on its owner's side (`at_return.rs`) and on the thief's side
//! (`thief.rs`). `engine/wait/join_end.rs` has what the owner does if it returns and finds the frame gone. [`unwind`]
//! has the return by a panic.

mod accumulate;
mod context;
mod fork;
mod frame;
mod unwind;

pub use context::Context;
pub(crate) use fork::{fork, share};

use super::strand::Strand;
use crate::engine::share::at_fork;

impl Strand<'_> {
    /// Runs `a` and `b`, in parallel if another worker is idle, and returns both results.
    ///
    /// This worker runs `a`. Then it runs `b`, unless another worker has taken `b` meanwhile. In that case it waits for
    /// `b`, and runs parts of `b` and nothing else while it waits (unless the scheduler says
    /// [`Wait::Any`](crate::Wait::Any)).
    ///
    /// Work: a few instructions more than two calls (`docs/fork.md` lists them); nothing is allocated. Span: the longer
    /// of the two branches. The construct is that of Frigo, Leiserson and Randall 1998, section 2; sections 3 to 5
    /// there are about its cost.
    ///
    /// `a` should not block until `b` has begun, because `b` might not begin. For that another worker must run it: an
    /// idle one, or one that waits for something of which `b` is a part. A waiting worker does not run parts while it
    /// unwinds, nor while it is 64 tasks deep. If workers cannot [take](crate::Capabilities::taking) from each other, a
    /// waiting worker also cannot reach what is forked by a worker that helps at the end of a scope, inside the first
    /// branch of an older join. And if [`ladder_capacity`](crate::PoolBuilder::ladder_capacity) forks are open, `b`
    /// runs on this worker, after `a`.
    ///
    /// # Panics
    ///
    /// If a branch panics. If `b` has not begun by then, it is dropped; if it has, it is awaited. If both branches
    /// panic, the payload of `a` is passed on.
    ///
    /// ```
    /// let (a, b) = filch::run(|mut s| s.join(|_| 6 * 7, |_| "forty-two"));
    /// assert_eq!((a, b), (42, "forty-two"));
    /// ```
    #[inline(always)]
    #[track_caller]
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

    /// Like [`join`](Self::join), and tells each branch whether it has moved to another worker. A branch tells the code
    /// after the join by its result.
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
    #[track_caller]
    pub fn join_context<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Strand<'_>, Context) -> RA,
        B: FnOnce(Strand<'_>, Context) -> RB + Send,
        RB: Send,
    {
        // The strand keeps its own rung, not the top: that rung may be free again when this fork is over.
        fork(self.occupied(), self.top(), at_fork::recover_stale, a, b)
    }
}
