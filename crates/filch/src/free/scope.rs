//! Scopes without a strand.

use super::run::here;
use crate::constructs::{Scope, Strand};

/// Runs `body`, which may [spawn](Scope::spawn) tasks, and returns its result when all tasks are done.
///
/// This is [`Strand::scope`] without a strand. Inside a run, the tasks stay in its pool. Outside of any run, they run
/// on the [global pool](crate::Pool::global). `body` and its result must be `Send`.
///
/// ```
/// let words = ["one", "two", "three"];
/// let mut lengths = [0; 3];
/// filch::scope(|_, scope| {
///     for (word, length) in words.iter().zip(&mut lengths) {
///         scope.spawn(|_| *length = word.len());
///     }
/// });
/// assert_eq!(lengths, [3, 3, 5]);
/// ```
/// ```compile_fail,E0277
/// let local = std::rc::Rc::new(1);
/// filch::scope(|_, _| println!("{local}"));
/// ```
/// ```compile_fail,E0277
/// filch::scope(|_, _| std::rc::Rc::new(1));
/// ```
///
/// # Panics
///
/// As [`Strand::scope`]. Outside of any run, also as [`run`](crate::run).
pub fn scope<'env, F, R>(body: F) -> R
where
    F: for<'scope> FnOnce(Strand<'_>, &'scope Scope<'scope, 'env>) -> R + Send,
    R: Send,
{
    here(|mut s| s.scope(body))
}

/// Like [`scope`], but each worker runs the tasks that it has spawned in the order in which it spawned them:
/// [`Strand::scope_fifo`] without a strand.
///
/// ```
/// let done = std::sync::atomic::AtomicU32::new(0);
/// filch::scope_fifo(|_, scope| {
///     for _ in 0..3 {
///         scope.spawn(|_| { done.fetch_add(1, std::sync::atomic::Ordering::Relaxed); });
///     }
/// });
/// assert_eq!(done.into_inner(), 3);
/// ```
///
/// # Panics
///
/// As [`scope`].
pub fn scope_fifo<'env, F, R>(body: F) -> R
where
    F: for<'scope> FnOnce(Strand<'_>, &'scope Scope<'scope, 'env>) -> R + Send,
    R: Send,
{
    here(|mut s| s.scope_fifo(body))
}
