//! Spawn loops: loops over the items of an iterator, which are made one after the other.

mod frame;
mod run;

use super::stop::{CancelToken, Cancelled};
use super::strand::Strand;
use crate::engine::team::stop::{Abort, Never};
use run::run;
use std::convert::Infallible;
use std::iter;
use std::ops::ControlFlow;

impl Strand<'_> {
    /// Runs `body` on every item of an iterator, in parallel: a `for` loop whose body is spawned.
    ///
    /// For items that can be accessed by index, [`for_each`](Self::for_each) is faster. Here items are made one after
    /// the other. The worker that makes an item also runs its body, and meanwhile another worker can take the rest of
    /// the iterator (a `spawn` in a loop: Frigo, Leiserson and Randall 1998, section 2). So this loop pays if making an
    /// item is cheap compared to its body, and if the bodies, or what they fork, take longer than [the
    /// period](crate::Pool::period) in which work is shared.
    ///
    /// The iterator moves between threads, so it must be `Send`. Its items stay on the thread that makes them, so they
    /// need not be. One thread at a time uses the iterator. The thread that began the loop drops it, after all bodies
    /// have ended. The iterator itself may fork and run loops.
    ///
    /// Work: a push and a pop for each item. Span: that of making all items, and of the longest body. Memory: about a
    /// hundred bytes for each worker that takes part, however many items there are. Nothing is allocated unless the
    /// iterator moves.
    ///
    /// The right to iterate moves at most once in a period, which is some tens of microseconds. If items are much
    /// shorter than that and do not fork, only one worker at a time runs them. Collect such items and use
    /// [`for_each`](Self::for_each).
    ///
    /// As with [`join`](Self::join), a body should not block until a later item has begun, unless another worker is
    /// free to run that item.
    ///
    /// ```
    /// use filch::Reducer;
    /// use filch::monoids::Append;
    ///
    /// let text = "to be\nor not\nto be";
    /// let found = Reducer::new(Append::<Vec<&str>>::new());
    /// filch::run(|mut s| {
    ///     s.for_each_item(text.lines(), |_, line| found.put(line.split(' ').filter(|word| word.len() > 2).collect()));
    /// });
    /// assert_eq!(found.into_inner(), ["not"]);
    /// ```
    ///
    /// Items need not be `Send`:
    /// ```
    /// use std::rc::Rc;
    ///
    /// filch::run(|mut s| s.for_each_item((0..100).map(Rc::new), |_, item| assert_eq!(Rc::strong_count(&item), 1)));
    /// ```
    /// The iterator must be `Send`:
    /// ```compile_fail,E0277
    /// filch::run(|mut s| {
    ///     let shared = std::rc::Rc::new(1);
    ///     s.for_each_item((0..100).map(|_| shared.clone()), |_, item| drop(item));
    /// });
    /// ```
    /// The body is shared between threads, so it must be `Sync`:
    /// ```compile_fail,E0277
    /// let count = std::cell::Cell::new(0);
    /// filch::run(|mut s| s.for_each_item(0..10, |_, _| count.set(count.get() + 1)));
    /// ```
    ///
    /// # Panics
    ///
    /// If `body`, the iterator, or the destructor of an item panics. No further item is made, and bodies under way are
    /// awaited. Of several panics, the one of the earliest item is passed on.
    #[inline]
    pub fn for_each_item<I, F>(&mut self, items: I, body: F)
    where
        I: IntoIterator,
        I::IntoIter: Send,
        F: Fn(Strand<'_>, I::Item) + Sync,
    {
        self.for_each_item_unless(Never, items, body);
    }

    /// [`for_each_item`](Self::for_each_item), for an iterator that ends after an `abort`.
    #[inline]
    pub(in crate::constructs) fn for_each_item_unless<I, F>(&mut self, abort: impl Abort, items: I, body: F)
    where
        I: IntoIterator,
        I::IntoIter: Send,
        F: Fn(Strand<'_>, I::Item) + Sync,
    {
        let body = |s: Strand<'_>, item| {
            body(s, item);
            ControlFlow::<Infallible>::Continue(())
        };
        let ControlFlow::Continue(()) = run(self.reborrow(), abort, items.into_iter(), &body);
    }

    /// Like [`for_each_item`](Self::for_each_item), until a body fails: then no further item is made. So the iterator
    /// may be endless.
    ///
    /// # Errors
    ///
    /// The error of a body that failed; if several have failed, that of the earliest item. All items that were made are
    /// run to their end. So this is the error that the serial loop would have returned, if bodies do not depend on each
    /// other.
    ///
    /// # Panics
    ///
    /// As [`for_each_item`](Self::for_each_item). If an earlier item fails with an error, that error is returned and
    /// the panic is lost.
    ///
    /// ```
    /// let divides = |n: u64, d: u64| if n.is_multiple_of(d) { Err(d) } else { Ok(()) };
    /// let smallest = filch::run(|mut s| s.try_for_each_item(2.., |_, d| divides(9991, d)));
    /// assert_eq!(smallest, Err(97));
    /// ```
    #[inline]
    pub fn try_for_each_item<I, E, F>(&mut self, items: I, body: F) -> Result<(), E>
    where
        I: IntoIterator,
        I::IntoIter: Send,
        E: Send,
        F: Fn(Strand<'_>, I::Item) -> Result<(), E> + Sync,
    {
        self.try_for_each_item_unless(Never, items, body)
    }

    /// [`try_for_each_item`](Self::try_for_each_item), for bodies that fail after an `abort`.
    #[inline]
    pub(in crate::constructs) fn try_for_each_item_unless<I, E, F>(
        &mut self,
        abort: impl Abort,
        items: I,
        body: F,
    ) -> Result<(), E>
    where
        I: IntoIterator,
        I::IntoIter: Send,
        E: Send,
        F: Fn(Strand<'_>, I::Item) -> Result<(), E> + Sync,
    {
        let body = |s: Strand<'_>, item| match body(s, item) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        };
        match run(self.reborrow(), abort, items.into_iter(), &body) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(error) => Err(error),
        }
    }

    /// Like [`for_each_item`](Self::for_each_item), until `token` is cancelled. The token is checked before each item
    /// is made.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] if the token was cancelled before the end. Then some items may not have been made.
    ///
    /// # Panics
    ///
    /// As [`for_each_item`](Self::for_each_item).
    ///
    /// ```
    /// let token = filch::CancelToken::new();
    /// let result = filch::run(|mut s| {
    ///     s.for_each_item_until(&token, 0.., |_, i| if i == 1000 { token.cancel() })
    /// });
    /// assert_eq!(result, Err(filch::Cancelled));
    /// ```
    pub fn for_each_item_until<I, F>(&mut self, token: &CancelToken, items: I, body: F) -> Result<(), Cancelled>
    where
        I: IntoIterator,
        I::IntoIter: Send,
        F: Fn(Strand<'_>, I::Item) + Sync,
    {
        let mut items = items.into_iter();
        self.for_each_item(iter::from_fn(move || if token.is_cancelled() { None } else { items.next() }), body);
        if token.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}
