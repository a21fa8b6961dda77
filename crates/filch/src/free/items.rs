//! Spawn loops without a strand.

use super::run::here;
use crate::constructs::{CancelToken, Cancelled, PerWorker, Strand};

/// [`Strand::for_each_item`] without a strand.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// let sum = AtomicU64::new(0);
/// filch::for_each_item((1..).take_while(|n| n * n < 1000), |_, n| _ = sum.fetch_add(n, Ordering::Relaxed));
/// assert_eq!(sum.into_inner(), 31 * 32 / 2);
/// ```
///
/// The first parameter of the body is a [`Strand`], as that of [`for_each`](crate::for_each):
/// ```compile_fail,E0593
/// filch::for_each_item("to be".split(' '), |word| drop(word));
/// ```
///
/// # Panics
///
/// As [`Strand::for_each_item`]. Outside of any run, also as [`run`](crate::run).
pub fn for_each_item<I, F>(items: I, body: F)
where
    I: IntoIterator + Send,
    I::IntoIter: Send,
    F: Fn(Strand<'_>, I::Item) + Send + Sync,
{
    here(|mut s| s.for_each_item(items, body));
}

/// [`Strand::try_for_each_item`] without a strand.
///
/// # Errors
///
/// The error of the earliest item whose body failed.
///
/// # Panics
///
/// As [`Strand::try_for_each_item`]. Outside of any run, also as [`run`](crate::run).
///
/// ```
/// let result = filch::try_for_each_item("1 2 three 4".split(' '), |_, text| text.parse::<u32>().map(|_| ()));
/// assert!(result.is_err());
/// ```
pub fn try_for_each_item<I, E, F>(items: I, body: F) -> Result<(), E>
where
    I: IntoIterator + Send,
    I::IntoIter: Send,
    E: Send,
    F: Fn(Strand<'_>, I::Item) -> Result<(), E> + Send + Sync,
{
    here(|mut s| s.try_for_each_item(items, body))
}

/// [`Strand::for_each_item_until`] without a strand.
///
/// # Errors
///
/// [`Cancelled`] if the token was cancelled before the end.
///
/// # Panics
///
/// As [`Strand::for_each_item`]. Outside of any run, also as [`run`](crate::run).
///
/// ```
/// let token = filch::CancelToken::new();
/// assert!(filch::for_each_item_until(&token, 0..10, |_, _| ()).is_ok());
/// ```
pub fn for_each_item_until<I, F>(token: &CancelToken, items: I, body: F) -> Result<(), Cancelled>
where
    I: IntoIterator + Send,
    I::IntoIter: Send,
    F: Fn(Strand<'_>, I::Item) + Send + Sync,
{
    here(|mut s| s.for_each_item_until(token, items, body))
}

/// [`Strand::for_each_item_with`] without a strand.
///
/// # Panics
///
/// As [`Strand::for_each_item_with`]. Outside of any run, also as [`run`](crate::run).
pub fn for_each_item_with<I, S, N, F>(make: N, items: I, body: F)
where
    I: IntoIterator + Send,
    I::IntoIter: Send,
    S: Send,
    N: Fn() -> S + Send + Sync,
    F: Fn(Strand<'_>, &mut S, I::Item) + Send + Sync,
{
    here(|mut s| s.for_each_item_with(make, items, body));
}

/// [`Strand::for_each_item_using`] without a strand.
///
/// # Panics
///
/// As [`Strand::for_each_item_using`]. Outside of any run, also as [`run`](crate::run).
pub fn for_each_item_using<I, S, N, F>(states: &PerWorker<S, N>, items: I, body: F)
where
    I: IntoIterator + Send,
    I::IntoIter: Send,
    S: Send,
    N: Fn() -> S + Sync,
    F: Fn(Strand<'_>, &mut S, I::Item) + Send + Sync,
{
    here(|mut s| s.for_each_item_using(states, items, body));
}
