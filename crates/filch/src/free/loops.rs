//! Loops without a strand. All arguments must be `Send`: outside of any run, the loop runs on the global pool.

use super::run::here;
use crate::constructs::{CancelToken, Cancelled, Indexed, PerWorker, Strand};

/// [`Strand::for_each`] without a strand.
///
/// ```
/// let mut squares = vec![0; 100];
/// filch::for_each((0.., &mut squares), |_, (i, square)| *square = i * i);
/// assert_eq!(squares[7], 49);
/// ```
///
/// The first parameter of the body is a [`Strand`], by which it can fork. A body that does not fork ignores it, `|_,
/// item|`; one without it is refused, since a closure is expected to take 2 arguments:
/// ```compile_fail,E0593
/// filch::for_each(0..10, |i| drop(i));
/// ```
///
/// What iterations share must be `Sync`:
/// ```compile_fail,E0277
/// let local = std::rc::Rc::new(1);
/// filch::for_each(0..10, |_, _| drop(local.clone()));
/// ```
///
/// # Panics
///
/// As [`Strand::for_each`]. Outside of any run, also as [`run`](crate::run).
pub fn for_each<I, F>(items: I, body: F)
where
    I: Indexed + Send,
    F: Fn(Strand<'_>, I::Item) + Send + Sync,
{
    here(|mut s| s.for_each(items, body));
}

/// [`Strand::map_reduce`] without a strand.
///
/// ```
/// let sum = filch::map_reduce(1..=100_u64, || 0, |_, i| i, |a, b| a + b);
/// assert_eq!(sum, 5050);
/// ```
///
/// The first parameter of `map` is a [`Strand`], as that of the body of [`for_each`]:
/// ```compile_fail,E0593
/// filch::map_reduce(1..=100_u64, || 0, |i| i, |a, b| a + b);
/// ```
///
/// # Panics
///
/// As [`Strand::map_reduce`]. Outside of any run, also as [`run`](crate::run).
pub fn map_reduce<I, T, N, M, C>(items: I, identity: N, map: M, combine: C) -> T
where
    I: Indexed + Send,
    T: Send,
    N: Fn() -> T + Send + Sync,
    M: Fn(Strand<'_>, I::Item) -> T + Send + Sync,
    C: Fn(T, T) -> T + Send + Sync,
{
    here(|mut s| s.map_reduce(items, identity, map, combine))
}

/// [`Strand::for_each_until`] without a strand.
///
/// # Errors
///
/// [`Cancelled`] if the token was cancelled before the end.
///
/// # Panics
///
/// As [`Strand::for_each`]. Outside of any run, also as [`run`](crate::run).
pub fn for_each_until<I, F>(token: &CancelToken, items: I, body: F) -> Result<(), Cancelled>
where
    I: Indexed + Send,
    F: Fn(Strand<'_>, I::Item) + Send + Sync,
{
    here(|mut s| s.for_each_until(token, items, body))
}

/// [`Strand::try_for_each`] without a strand.
///
/// # Errors
///
/// The error of a body that failed.
///
/// # Panics
///
/// As [`Strand::for_each`]. Outside of any run, also as [`run`](crate::run).
pub fn try_for_each<I, E, F>(items: I, body: F) -> Result<(), E>
where
    I: Indexed + Send,
    E: Send,
    F: Fn(Strand<'_>, I::Item) -> Result<(), E> + Send + Sync,
{
    here(|mut s| s.try_for_each(items, body))
}

/// [`Strand::find_any`] without a strand.
///
/// ```
/// let found = filch::find_any(&["a", "bc", "def"], |_, text| text.len() > 1);
/// assert!(found.is_some_and(|text| text.len() > 1));
/// ```
///
/// # Panics
///
/// As [`Strand::for_each`]. Outside of any run, also as [`run`](crate::run).
pub fn find_any<I, F>(items: I, is_wanted: F) -> Option<I::Item>
where
    I: Indexed + Send,
    I::Item: Send,
    F: Fn(Strand<'_>, &I::Item) -> bool + Send + Sync,
{
    here(|mut s| s.find_any(items, is_wanted))
}

/// [`Strand::for_each_with`] without a strand.
///
/// ```
/// let mut rows = vec![[3, 1, 2]; 100];
/// filch::for_each_with(Vec::new, &mut rows, |_, sorted, row| {
///     sorted.clear();
///     sorted.extend(*row);
///     sorted.sort();
///     row.copy_from_slice(sorted);
/// });
/// assert!(rows.iter().all(|&row| row == [1, 2, 3]));
/// ```
/// ```compile_fail,E0277
/// filch::for_each_with(|| std::rc::Rc::new(1), 0..10, |_, _, _| ());
/// ```
///
/// # Panics
///
/// As [`Strand::for_each_with`]. Outside of any run, also as [`run`](crate::run).
pub fn for_each_with<I, S, N, F>(make: N, items: I, body: F)
where
    I: Indexed + Send,
    S: Send,
    N: Fn() -> S + Send + Sync,
    F: Fn(Strand<'_>, &mut S, I::Item) + Send + Sync,
{
    here(|mut s| s.for_each_with(make, items, body));
}

/// [`Strand::for_each_using`] without a strand.
///
/// # Panics
///
/// As [`Strand::for_each_using`]. Outside of any run, also as [`run`](crate::run).
pub fn for_each_using<I, S, N, F>(states: &PerWorker<S, N>, items: I, body: F)
where
    I: Indexed + Send,
    S: Send,
    N: Fn() -> S + Sync,
    F: Fn(Strand<'_>, &mut S, I::Item) + Send + Sync,
{
    here(|mut s| s.for_each_using(states, items, body));
}
