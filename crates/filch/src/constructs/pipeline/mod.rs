//! Pipelines: a source, and stages through which each of its items passes.
//!
//! Items travel in [batches](batch), and a batch is carried by one worker through as many stages as it can
//! ([`stages`]). A serial stage has a [`turn`]: where a worker finds it taken, or not yet at its batch, it parks the
//! batch there and does something else. So no worker waits, and none spins. Whoever leaves a stage at which a batch is
//! ready sees to it that somebody takes it on ([`mod@run`]). The [`source`] is pulled by one worker at a time, and what
//! it has pulled so far can be taken by another one.
//!
//! User code runs under no lock: a worker takes the source or the closure of a stage out of its lock, and puts it back.

mod batch;
mod run;
mod source;
mod stages;
mod turn;

use self::run::run;
pub(crate) use self::stages::Stages;
use self::stages::{Nothing, Parallel, Serial, Then};
use crate::constructs::strand::Strand;
use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;

/// A pipeline that is being built: what [`pipeline`](crate::pipeline) returns.
///
/// The last stage returns `()`, so that no result is lost. `E` is the error with which stages may fail.
///
/// ```
/// // Which words begin with the letter that the word before them ends with? Lengths are added in any order.
/// let (mut last, mut chained, mut letters) = (None, Vec::new(), 0);
/// filch::pipeline("one eleven nine four".split(' '))
///     .parallel(|word| (word, word.chars().next(), word.chars().last()))
///     .serial(|item| { letters += item.0.len(); item })
///     .serial_in_order(|(word, first, end)| {
///         if last.replace(end) == Some(first) {
///             chained.push(word);
///         }
///     })
///     .run();
/// assert_eq!((chained, letters), (vec!["eleven", "nine"], 17));
/// ```
#[must_use = "a pipeline does nothing until it is run"]
pub struct Pipeline<I, T, E, S> {
    source: I,
    stages: S,
    capacity: Option<usize>,
    types: PhantomData<fn(T) -> E>,
}

impl<I: Iterator + Send, E> Pipeline<I, I::Item, E, ()> {
    /// A pipeline without stages.
    pub(crate) fn of(source: I) -> Pipeline<I, I::Item, E, impl Stages<I::Item, I::Item, E>>
    where
        I::Item: Send,
        E: Send,
    {
        Pipeline { source, stages: Nothing, capacity: None, types: PhantomData }
    }
}

impl<I, T, E, S> Pipeline<I, T, E, S>
where
    I: Iterator + Send,
    I::Item: Send,
    T: Send,
    E: Send,
    S: Stages<I::Item, T, E>,
{
    fn then<U, N>(self, next: N) -> Pipeline<I, U, E, Then<S, N, T>> {
        let Pipeline { source, stages, capacity, .. } = self;
        Pipeline { source, stages: Then::new(stages, next), capacity, types: PhantomData }
    }

    /// Adds a stage that handles many items at a time.
    pub fn parallel<U, F>(self, f: F) -> Pipeline<I, U, E, impl Stages<I::Item, U, E>>
    where
        U: Send,
        F: Fn(T) -> U + Send + Sync,
    {
        self.try_parallel(move |item| Ok(f(item)))
    }

    /// Adds a stage that handles one item at a time, in any order.
    pub fn serial<U, F>(self, mut f: F) -> Pipeline<I, U, E, impl Stages<I::Item, U, E>>
    where
        U: Send,
        F: FnMut(T) -> U + Send,
    {
        self.try_serial(move |item| Ok(f(item)))
    }

    /// Adds a stage that handles one item at a time, in the order of the source.
    pub fn serial_in_order<U, F>(self, mut f: F) -> Pipeline<I, U, E, impl Stages<I::Item, U, E>>
    where
        U: Send,
        F: FnMut(T) -> U + Send,
    {
        self.try_serial_in_order(move |item| Ok(f(item)))
    }

    /// [`parallel`](Self::parallel), for a stage that may fail. An error ends the pipeline: see
    /// [`try_run`](Self::try_run).
    pub fn try_parallel<U, F>(self, f: F) -> Pipeline<I, U, E, impl Stages<I::Item, U, E>>
    where
        U: Send,
        F: Fn(T) -> Result<U, E> + Send + Sync,
    {
        self.then(Parallel::new(f))
    }

    /// [`serial`](Self::serial), for a stage that may fail. An error ends the pipeline: see [`try_run`](Self::try_run).
    pub fn try_serial<U, F>(self, f: F) -> Pipeline<I, U, E, impl Stages<I::Item, U, E>>
    where
        U: Send,
        F: FnMut(T) -> Result<U, E> + Send,
    {
        self.then(Serial::in_any_order(f))
    }

    /// [`serial_in_order`](Self::serial_in_order), for a stage that may fail. An error ends the pipeline: see
    /// [`try_run`](Self::try_run).
    pub fn try_serial_in_order<U, F>(self, f: F) -> Pipeline<I, U, E, impl Stages<I::Item, U, E>>
    where
        U: Send,
        F: FnMut(T) -> Result<U, E> + Send,
    {
        self.then(Serial::in_order(f))
    }

    /// Lets at most `items` be under way at a time: pulled from the source, and not through the last stage.
    ///
    /// Without this, there are some batches under way for each worker: [`pipeline`](crate::pipeline).
    ///
    /// # Panics
    ///
    /// If `items` is zero.
    ///
    /// ```
    /// let mut sum = 0;
    /// filch::pipeline(1..=100).capacity(8).parallel(|n| n * n).serial(|n| sum += n).run();
    /// assert_eq!(sum, 338_350);
    /// ```
    pub fn capacity(mut self, items: usize) -> Self {
        assert!(items > 0, "a pipeline has at least one item under way");
        self.capacity = Some(items);
        self
    }
}

impl<I, E, S> Pipeline<I, (), E, S>
where
    I: Iterator + Send,
    I::Item: Send,
    E: Send,
    S: Stages<I::Item, (), E>,
{
    /// [`try_run`](Self::try_run) on the pool of a strand.
    ///
    /// # Errors
    ///
    /// As [`try_run`](Self::try_run).
    ///
    /// # Panics
    ///
    /// As [`try_run`](Self::try_run).
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// let mut numbers = Vec::new();
    /// let texts = filch::pipeline("1 2 3".split(' '));
    /// let read = texts.try_parallel(str::parse::<u32>).serial_in_order(|n| numbers.push(n));
    /// pool.run(|s| read.try_run_in(s))?;
    /// assert_eq!(numbers, [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn try_run_in(self, s: Strand<'_>) -> Result<(), E> {
        run(s, self.source, self.stages, self.capacity)
    }
}

impl<I, S> Pipeline<I, (), Infallible, S>
where
    I: Iterator + Send,
    I::Item: Send,
    S: Stages<I::Item, (), Infallible>,
{
    /// [`run`](Self::run) on the pool of a strand.
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run).
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// let mut squares = Vec::new();
    /// pool.run(|s| filch::pipeline(0..5).parallel(|n| n * n).serial_in_order(|n| squares.push(n)).run_in(s));
    /// assert_eq!(squares, [0, 1, 4, 9, 16]);
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn run_in(self, s: Strand<'_>) {
        let Ok(()) = self.try_run_in(s);
    }
}

impl<I, T, E, S> fmt::Debug for Pipeline<I, T, E, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipeline").field("capacity", &self.capacity).finish_non_exhaustive()
    }
}
