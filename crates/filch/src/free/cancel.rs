//! Runs that are cancelled, and looks whether they are.

use super::run::global;
use crate::constructs::{CancelToken, Cancelled, Strand};
use crate::engine::cancel::region::Around;
use crate::engine::seats::{ambient, current};
use crate::engine::wait::region::{self, within};

impl CancelToken {
    /// Runs `f`, and ends it if this token is cancelled: on whichever worker a part of it is.
    ///
    /// Everything inside ends: joins, loops, scopes and the tasks that are spawned into them, speculations, searches,
    /// traversals, and runs on other pools; and so does every algorithm that is made of these, without knowing of
    /// tokens. Work that has no such parts ends where it calls [`end_if_cancelled`].
    /// [Detached](crate::spawn) tasks, and those that are [submitted](crate::submit) outside of a scope, are nobody's
    /// part, and go on; so do tasks of scopes that were opened outside.
    ///
    /// It ends by unwinding, as if it panicked, but without a message: destructors run, and no function returns half of
    /// a result. So code that catches panics must pass on what it does not know. What is under way is awaited: a block
    /// of a loop (microseconds), an item, a batch, or a leaf of a recursion. Nothing ends while a panic unwinds, or
    /// inside of an inlet. If `f` returns before it has noticed, its result is returned.
    ///
    /// Inside of a run this works in that run; outside of any, on the [global pool](crate::Pool::global).
    /// [`Pool::run_until`](crate::Pool::run_until) names a pool, and [`Strand::run_until`] has a strand. Runs nest: the
    /// inner one ends if its token is cancelled, or that of an outer one.
    ///
    /// In a build that aborts on panics nothing can unwind. There only what looks at a token itself ends early, by
    /// [`is_cancelled`] or as [`for_each_until`](crate::for_each_until).
    ///
    /// Work: two locks of the token, and a few hundred instructions. No instruction is added to a fork: the workers
    /// learn of it as they learn that another worker wants something.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] if the token was cancelled before `f` was done. If it had been before, `f` does not begin.
    ///
    /// # Panics
    ///
    /// If `f` panics. Outside of any run, also as [`run`](crate::run).
    ///
    /// ```
    /// use filch::{CancelToken, Cancelled};
    ///
    /// fn count(n: u32) -> u64 {
    ///     if n < 2 {
    ///         return 1;
    ///     }
    ///     let (a, b) = filch::join(|| count(n - 1), || count(n - 2));
    ///     a + b
    /// }
    ///
    /// let token = CancelToken::after(std::time::Duration::from_millis(5));
    /// assert_eq!(token.run(|_| count(90)), Err(Cancelled), "it would take centuries");
    /// assert_eq!(CancelToken::new().run(|_| count(20)), Ok(10946));
    /// ```
    pub fn run<F, R>(&self, f: F) -> Result<R, Cancelled>
    where
        F: FnOnce(Strand<'_>) -> R + Send,
        R: Send,
    {
        current::with(|here| match here {
            Some(here) => Strand::of(here.top()).run_until(self, f),
            None => global().run_until(self, f),
        })
    }

    /// [`run`](Self::run), without entering a pool: `f` stays where this thread is. What it runs on any pool is inside.
    ///
    /// For the outermost code of a program, which uses pools of its own. Outside of pools `f` ends where it
    /// [looks](crate::end_if_cancelled), or waits for a pool or a [`Handle`](crate::Handle).
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    ///
    /// # Panics
    ///
    /// If `f` panics.
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// let token = filch::CancelToken::new();
    /// let result = token.run_here(|| {
    ///     pool.run(|mut s| s.for_each(0..u64::MAX, |_, i| if i == 1000 { token.cancel() }));
    /// });
    /// assert!(result.is_err());
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn run_here<R>(&self, f: impl FnOnce() -> R) -> Result<R, Cancelled> {
        current::with(|here| match here {
            Some(here) => Strand::of(here.top()).run_until(self, |_| f()),
            None => {
                let f = |inside| ambient::outside_within(inside, f);
                region::run(self.engine(), ambient::around_here(), None, f).ok_or(Cancelled)
            }
        })
    }
}

/// Whether what this thread runs has been cancelled: it is inside of a [`CancelToken::run`] whose token is cancelled,
/// and would end at its next fork. A few loads.
///
/// ```
/// let token = filch::CancelToken::new();
/// let seen = token.run(|_| {
///     token.cancel();
///     filch::is_cancelled()
/// });
/// assert_eq!(seen, Ok(true));
/// assert!(!filch::is_cancelled());
/// ```
#[inline]
pub fn is_cancelled() -> bool {
    ambient::around_here().is_cancelled()
}

/// Ends what this thread runs, if it [has been cancelled](is_cancelled): unwinds to the [`CancelToken::run`] around.
/// Otherwise, and outside of any, returns at once.
///
/// For code that runs long without forking. A few loads, so a call for every hundred microseconds costs nothing that
/// can be measured. Does not unwind while a panic unwinds, inside of an inlet or a look at the state of a speculation,
/// or in a build that aborts on panics.
///
/// ```
/// let token = filch::CancelToken::new();
/// let result = token.run(|_| {
///     for i in 0..u64::MAX {
///         if i % 1_000 == 0 {
///             filch::end_if_cancelled();
///         }
///         if i == 10_000 {
///             token.cancel();
///         }
///     }
/// });
/// assert_eq!(result, Err(filch::Cancelled));
/// ```
#[inline]
pub fn end_if_cancelled() {
    ambient::end_if_cancelled_here();
}

/// Runs `f` to its end, also if what this thread runs [is cancelled](is_cancelled) meanwhile: `f` is outside of all
/// tokens, and what it forks, too.
///
/// For code that must not be left half done, such as unsafe code between two states that are sound. It should be short:
/// the run that is cancelled waits for it.
///
/// ```
/// let (token, mut done) = (filch::CancelToken::new(), 0);
/// let result = token.run(|_| {
///     filch::to_completion(|| {
///         token.cancel();
///         filch::for_each(0..100_u32, |_, _| filch::end_if_cancelled());
///         done = 100;
///     });
///     filch::end_if_cancelled();
/// });
/// assert_eq!((result, done), (Err(filch::Cancelled), 100));
/// ```
///
/// # Panics
///
/// If `f` panics.
pub fn to_completion<R>(f: impl FnOnce() -> R) -> R {
    current::with(|here| match here {
        Some(here) => within(here.top(), Around::NONE, |_| f()),
        None => ambient::outside_within(Around::NONE, f),
    })
}
