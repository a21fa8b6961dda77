//! Pipelines without a strand.

use super::run::here;
use crate::constructs::{Pipeline, Stages};
use std::convert::Infallible;

/// Begins a pipeline: each item of `source` passes through the stages that are added, and each stage gets what the one
/// before it returns.
///
/// ```
/// let mut compressed = Vec::new();
/// filch::pipeline(["aaaa", "bb", "ccc"])
///     .parallel(|block| (block.as_bytes()[0], block.len()))
///     .serial_in_order(|run| compressed.push(run))
///     .run();
/// assert_eq!(compressed, [(b'a', 4), (b'b', 2), (b'c', 3)]);
/// ```
///
/// - [`parallel`](Pipeline::parallel) stages handle many items at a time.
/// - [`serial`](Pipeline::serial) stages handle one item at a time, in any order.
/// - [`serial_in_order`](Pipeline::serial_in_order) stages handle one item at a time, in the order of the source. The
///   source itself is such a stage. It may be endless, or block.
/// - A stage whose name begins with `try_` may fail, which ends the pipeline.
///
/// All of them may fork and may borrow what is around the pipeline. Nothing happens until the pipeline is
/// [run](Pipeline::run).
///
/// A worker takes an item through as many stages as it can, so that the item stays in its cache. It does not wait at a
/// serial stage that is taken, or not yet at its item: it leaves the item there, and goes on with another one. Items
/// travel in batches, as many as take about 50 µs. What a source has given is not held back while it blocks, if a
/// worker is free. With a single worker, a source must not wait for what becomes of earlier items of its batch.
///
/// Work: that of the source and the stages, and one or two µs for each batch. Span: the longest serial stage, if there
/// is room for enough items, plus the time of an item. Memory: the items that are under way, at most as many as
/// [`capacity`](Pipeline::capacity) says. Otherwise these are four batches for each worker: four items, if an item
/// takes longer than 50 µs.
///
/// These are the pipelines of Lee, Leiserson, Schardl, Zhang and Sukha 2015, sections 1 and 2: their throttling is the
/// capacity here. Stages are fixed, and a stage in order waits for the one item before.
///
/// A stage that the type of an item does not fit is an error where it is added:
/// ```compile_fail,E0631
/// filch::pipeline(0..10).parallel(|n: i32| n.to_string()).serial(|n: i32| drop(n)).run();
/// ```
/// So is a last stage whose result would be lost:
/// ```compile_fail,E0599
/// filch::pipeline(0..10).parallel(|n: i32| n.to_string()).run();
/// ```
/// Items must be `Send`:
/// ```compile_fail,E0277
/// filch::pipeline((0..10).map(std::rc::Rc::new)).serial(drop).run();
/// ```
pub fn pipeline<I, E>(source: I) -> Pipeline<I::IntoIter, I::Item, E, impl Stages<I::Item, I::Item, E>>
where
    I: IntoIterator,
    I::IntoIter: Send,
    I::Item: Send,
    E: Send,
{
    Pipeline::of(source.into_iter())
}

impl<I, E, S> Pipeline<I, (), E, S>
where
    I: Iterator + Send,
    I::Item: Send,
    E: Send,
    S: Stages<I::Item, (), E>,
{
    /// Runs a pipeline whose stages may fail, on the pool that this thread works for or, outside of any run, on the
    /// global pool.
    ///
    /// # Errors
    ///
    /// The error of the first item, in the order of the source, that fails in any stage. All items before it pass all
    /// stages. It and those after it pass no stage in order after the one where it has failed, and no more of them
    /// enter a stage once the failure is known.
    ///
    /// # Panics
    ///
    /// If a stage or the source panics; this ends the pipeline as an error does. The closure of a serial stage that has
    /// panicked may be called again, on earlier items. Outside of any run, also as [`run`](crate::run).
    ///
    /// ```
    /// let mut sum = 0;
    /// let read = filch::pipeline("1 2 x 3".split(' ')).try_parallel(str::parse::<u32>).serial_in_order(|n| sum += n);
    /// assert!(read.try_run().is_err());
    /// assert_eq!(sum, 3);
    /// ```
    pub fn try_run(self) -> Result<(), E> {
        here(|s| self.try_run_in(s))
    }
}

impl<I, S> Pipeline<I, (), Infallible, S>
where
    I: Iterator + Send,
    I::Item: Send,
    S: Stages<I::Item, (), Infallible>,
{
    /// Runs a pipeline, on the pool that this thread works for or, outside of any run, on the global pool.
    ///
    /// # Panics
    ///
    /// If a stage or the source panics, with the payload of the first item, in the order of the source, that fails in
    /// any stage. All items before it pass all stages. It and those after it pass no stage in order after the one where
    /// it has failed. Outside of any run, also as [`run`](crate::run).
    ///
    /// ```
    /// let mut fizzes = Vec::new();
    /// filch::pipeline(1..=9)
    ///     .parallel(|n| (n, n % 3 == 0))
    ///     .serial_in_order(|(n, is_fizz)| fizzes.extend(is_fizz.then_some(n)))
    ///     .run();
    /// assert_eq!(fizzes, [3, 6, 9]);
    /// ```
    pub fn run(self) {
        here(|s| self.run_in(s));
    }
}
