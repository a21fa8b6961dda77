//! Spawn loops: loops over iterators, whose items come one after the other.

mod frame;
mod run;

use super::stop::{CancelToken, Cancelled};
use super::strand::Strand;
use run::run;
use std::convert::Infallible;
use std::iter;
use std::ops::ControlFlow;

impl Strand<'_> {
    /// Runs `body` on every item of an iterator, in parallel: a `for` loop whose body is spawned.
    ///
    /// For what can be had by index, [`for_each`](Self::for_each) is the faster loop. Here items are made one after the
    /// other, each by whoever then runs its body, while the rest of the iterator can be taken by another worker
    /// (papers: cilk5.txt section 2, a `spawn` in a loop). So it pays if making an item costs little beside its
    /// body, and the bodies, or what they fork, take longer than [the period](crate::Pool::period) in which work is
    /// shared.
    ///
    /// The iterator moves between threads and must be `Send`; its items stay on the thread that has made them and need
    /// not be. It is used by one thread at a time, and dropped by the one that has begun the loop, after all bodies
    /// have ended. It may fork, and run loops, itself.
    ///
    /// Work: a push and a pop on top of each item. Memory: some hundred bytes for each worker that takes part, however
    /// many items there are; nothing is allocated unless the iterator moves. Span: that of making all items, and of
    /// the longest body.
    ///
    /// The right to iterate moves at most once a period, some 30 µs: items much shorter than that which do not fork are
    /// run by one worker at a time. For those, collect them and use [`for_each`](Self::for_each).
    ///
    /// An item's body may wait for a later item to be begun only if there is another worker for that, as with
    /// [`join`](Self::join).
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
    /// Items that are not `Send`:
    /// ```
    /// use std::rc::Rc;
    ///
    /// filch::run(|mut s| s.for_each_item((0..100).map(Rc::new), |_, item| assert_eq!(Rc::strong_count(&item), 1)));
    /// ```
    /// Not so the iterator,
    /// ```compile_fail,E0277
    /// filch::run(|mut s| {
    ///     let shared = std::rc::Rc::new(1);
    ///     s.for_each_item((0..100).map(|_| shared.clone()), |_, item| drop(item));
    /// });
    /// ```
    /// and the body is shared.
    /// ```compile_fail,E0277
    /// let count = std::cell::Cell::new(0);
    /// filch::run(|mut s| s.for_each_item(0..10, |_, _| count.set(count.get() + 1)));
    /// ```
    ///
    /// # Panics
    ///
    /// If `body` does, the iterator, or an item in being dropped. No further item is made, bodies under way are
    /// awaited, and of several panics that of the earliest item is passed on.
    #[inline]
    pub fn for_each_item<I, F>(&mut self, items: I, body: F)
    where
        I: IntoIterator,
        I::IntoIter: Send,
        F: Fn(Strand<'_>, I::Item) + Sync,
    {
        let body = |s: Strand<'_>, item| {
            body(s, item);
            ControlFlow::<Infallible>::Continue(())
        };
        let ControlFlow::Continue(()) = run(self.reborrow(), items.into_iter(), &body);
    }

    /// [`for_each_item`](Self::for_each_item), until a body fails: then no further item is made. So the iterator may be
    /// endless.
    ///
    /// # Errors
    ///
    /// The error of a body that has failed: if several have, that of the earliest item. All items before the last one
    /// that was made are run to their end, so it is the error that the plain loop would have met, if bodies do not
    /// depend on one another.
    ///
    /// # Panics
    ///
    /// As [`for_each_item`](Self::for_each_item); an error of an earlier item comes before a panic, which is lost then.
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
        let body = |s: Strand<'_>, item| match body(s, item) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        };
        match run(self.reborrow(), items.into_iter(), &body) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(error) => Err(error),
        }
    }

    /// [`for_each_item`](Self::for_each_item), until `token` is cancelled: it is looked at before each item is made.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] if the token has been cancelled by the end: there may be items that have not been made.
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
        self.for_each_item(iter::from_fn(|| if token.is_cancelled() { None } else { items.next() }), body);
        if token.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}
