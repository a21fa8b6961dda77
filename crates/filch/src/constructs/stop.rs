//! Tokens: how code outside of a loop or a run ends it.

use super::strand::Strand;
use crate::engine::cancel::deadline;
use crate::engine::cancel::token::Token;
use crate::engine::wait::region::run_at;
use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;
use std::time::Duration;

/// Ends loops and whole runs, from any thread. Clones share one state. A token that has been cancelled stays cancelled.
///
/// A loop that takes a token, such as [`for_each_until`](crate::for_each_until), looks at it before each item. Inside
/// of [`run`](Self::run) everything is ended, whatever library it is in.
///
/// ```
/// use filch::CancelToken;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// let (token, run) = (CancelToken::new(), AtomicU64::new(0));
/// let result = filch::for_each_until(&token, 0..u64::MAX, |_, _| {
///     if run.fetch_add(1, Ordering::Relaxed) == 1000 {
///         token.cancel();
///     }
/// });
/// assert_eq!(result, Err(filch::Cancelled));
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<Token>);

impl CancelToken {
    /// A token that is not cancelled. Allocates.
    pub fn new() -> Self {
        CancelToken::default()
    }

    /// A token that is cancelled when `delay` has passed: [`cancel_after`](Self::cancel_after).
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let token = filch::CancelToken::after(Duration::from_millis(1));
    /// let result = token.run(|mut s| loop {
    ///     s.join(|_| (), |_| ());
    /// });
    /// assert_eq!(result, Err::<(), _>(filch::Cancelled));
    /// ```
    ///
    /// # Panics
    ///
    /// As [`cancel_after`](Self::cancel_after).
    pub fn after(delay: Duration) -> Self {
        let token = CancelToken::new();
        token.cancel_after(delay);
        token
    }

    /// A token of its own that is also cancelled when this one is. It may be cancelled alone. It keeps the deadline of
    /// this one, also when this one is dropped.
    ///
    /// ```
    /// let all = filch::CancelToken::new();
    /// let (one, other) = (all.child(), all.child());
    /// one.cancel();
    /// assert!(one.is_cancelled() && !other.is_cancelled() && !all.is_cancelled());
    /// all.cancel();
    /// assert!(other.is_cancelled());
    /// ```
    ///
    /// Work: an allocation and a lock; amortised, since children that are gone are forgotten.
    pub fn child(&self) -> Self {
        CancelToken(self.0.child())
    }

    /// Ends all loops that use this token, and everything that [runs](Self::run) inside of it or of its
    /// [children](Self::child). Returns at once: iterations under way are finished, and no further iterations begin.
    ///
    /// Work: a look at each worker of the pools in which something runs inside, and for each of the children.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Cancels the token when `delay` has passed. If this is called again, the earliest time counts. Nothing is left
    /// behind when all clones and children have been dropped before.
    ///
    /// A thread of the process sleeps until then. Work: a lock, and the logarithm of the number of deadlines.
    ///
    /// # Panics
    ///
    /// If the system refuses the thread, as where there are no threads.
    pub fn cancel_after(&self, delay: Duration) {
        if let Err(error) = deadline::cancel_after(&self.0, delay) {
            panic!("cannot start the thread that waits for deadlines: {error}");
        }
    }

    /// Whether the token has been cancelled. A long body may check this to stop early.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    pub(crate) fn engine(&self) -> &Token {
        &self.0
    }
}

impl Strand<'_> {
    /// Runs `f` until `token` is cancelled: [`CancelToken::run`], with a strand.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] if the token was cancelled before `f` was done.
    ///
    /// # Panics
    ///
    /// If `f` panics.
    ///
    /// ```
    /// use filch::CancelToken;
    ///
    /// let token = CancelToken::new();
    /// let result = filch::run(|mut s| {
    ///     s.run_until(&token, |mut s| s.for_each(0..u64::MAX, |_, i| if i == 1000 { token.cancel() }))
    /// });
    /// assert_eq!(result, Err(filch::Cancelled));
    /// ```
    pub fn run_until<R>(&mut self, token: &CancelToken, f: impl FnOnce(Strand<'_>) -> R) -> Result<R, Cancelled> {
        run_at(&token.0, self.occupied(), |top| f(Strand::of(top))).ok_or(Cancelled)
    }
}

/// The error of a loop or a run whose [`CancelToken`] has been cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl Display for Cancelled {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("cancelled")
    }
}

impl Error for Cancelled {}
