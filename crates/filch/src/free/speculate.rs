//! Speculation without a strand.

use super::run::here;
use crate::constructs::{Aborted, Procedure, Speculation, SpeculativeStrand};

/// Runs `body`, a procedure that [spawns](Procedure::spawn) children whose results are folded into `state`, and that
/// may abort them: [`Strand::speculate`](crate::Strand::speculate) without a strand.
///
/// ```
/// let (largest, ()) = filch::speculate(0, |p, _| {
///     for word in ["to", "be", "question"] {
///         p.spawn(|_, _| Ok(word.len()), |largest, length| *largest = length.max(*largest));
///     }
/// });
/// assert_eq!(largest, 8);
/// ```
///
/// # Panics
///
/// As [`Strand::speculate`](crate::Strand::speculate). Outside of any run, also as [`run`](crate::run).
pub fn speculate<'env, S, F, R>(state: S, body: F) -> (S, R)
where
    S: Send + 'env,
    F: for<'scope> FnOnce(&mut Procedure<'_, 'scope, 'env, S>, &'scope Speculation) -> R + Send,
    R: Send,
{
    here(|mut s| s.speculate(state, body))
}

/// Tries alternatives, until one succeeds: [`Strand::first_of`](crate::Strand::first_of) without a strand.
///
/// ```
/// let root = |n: u64| Ok((n * n == 361).then_some(n));
/// assert_eq!(filch::first_of(0.., |_, n| root(n)), Some(19));
/// ```
///
/// # Panics
///
/// As [`Strand::first_of`](crate::Strand::first_of). Outside of any run, also as [`run`](crate::run).
pub fn first_of<I, T, F>(alternatives: I, attempt: F) -> Option<T>
where
    I: IntoIterator + Send,
    I::IntoIter: Send,
    T: Send,
    F: Fn(SpeculativeStrand<'_>, I::Item) -> Result<Option<T>, Aborted> + Send + Sync,
{
    here(|mut s| s.first_of(alternatives, attempt))
}
