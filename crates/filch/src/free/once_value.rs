//! Values that are computed once, without a strand.

use super::run::here;
use crate::constructs::{OnceValue, Strand};
use std::convert::Infallible;

impl<T: Send + Sync> OnceValue<T> {
    /// The value, which `f` computes if nobody has yet. `f` may fork, on the pool that this thread works for or,
    /// outside of any run, on the global pool.
    ///
    /// Work: a load if the value is there. Otherwise that of `f`, and about a microsecond. Who waits sleeps only if
    /// there is no part of the computation to run.
    ///
    /// # Panics
    ///
    /// If `f` panics: then there is no value, and the next who asks computes. If the computation asks for its own value
    /// on the same thread. Outside of any run, also as [`run`](crate::run).
    ///
    /// ```
    /// let value = filch::OnceValue::new();
    /// assert_eq!(*value.get_or_init(|mut s| s.join(|_| 20, |_| 22)), (20, 22));
    /// assert_eq!(value.into_inner(), Some((20, 22)));
    /// ```
    pub fn get_or_init<F>(&self, f: F) -> &T
    where
        F: FnOnce(Strand<'_>) -> T + Send,
    {
        match self.get_or_try_init(|s| Ok::<T, Infallible>(f(s))) {
            Ok(value) => value,
        }
    }

    /// [`get_or_init`](Self::get_or_init), for a computation that may fail.
    ///
    /// # Errors
    ///
    /// The error of `f`: then there is no value, and the next who asks computes.
    ///
    /// # Panics
    ///
    /// As [`get_or_init`](Self::get_or_init).
    ///
    /// ```
    /// let value = filch::OnceValue::new();
    /// assert!(value.get_or_try_init(|_| "x".parse::<u32>()).is_err());
    /// assert_eq!(value.get_or_try_init(|_| "1".parse()), Ok(&1));
    /// ```
    pub fn get_or_try_init<F, E>(&self, f: F) -> Result<&T, E>
    where
        F: FnOnce(Strand<'_>) -> Result<T, E> + Send,
        E: Send,
    {
        match self.get() {
            Some(value) => Ok(value),
            None => here(|s| self.get_or_try_init_in(s, f)),
        }
    }
}
