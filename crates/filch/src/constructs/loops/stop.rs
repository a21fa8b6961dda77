//! Loops that can end before all items have run.

use super::body::{Body, Item};
use super::indexed::{Access, Indexed};
use super::run::run;
use crate::constructs::drop_while_unwinding::former_or;
use crate::constructs::stop::{CancelToken, Cancelled};
use crate::constructs::strand::Strand;
use crate::engine::team::stop::{Abort, Never, Stop};
use std::marker::PhantomData;

impl Strand<'_> {
    /// Like [`for_each`](Self::for_each), until `token` is cancelled.
    ///
    /// The token is checked before each item, so a body of a few instructions is not vectorised.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] if the token was cancelled before the end. Then some items may not have run.
    ///
    /// # Panics
    ///
    /// As [`for_each`](Self::for_each).
    ///
    /// ```
    /// let token = filch::CancelToken::new();
    /// token.cancel();
    /// let result = filch::run(|mut s| s.for_each_until(&token, 0..10, |_, _| unreachable!()));
    /// assert!(result.is_err());
    /// ```
    pub fn for_each_until<I, F>(&mut self, token: &CancelToken, items: I, body: F) -> Result<(), Cancelled>
    where
        I: Indexed,
        F: Fn(Strand<'_>, I::Item) + Sync,
    {
        run(self.reborrow(), items, Until { body, token, access: PhantomData });
        if token.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Like [`for_each`](Self::for_each), until a body fails: then no further item begins.
    ///
    /// # Errors
    ///
    /// The error of a body that failed; if several have failed, the one with the lowest index among them. Which items
    /// have run by then is nondeterministic, so this need not be the error that the serial loop would have returned.
    ///
    /// # Panics
    ///
    /// As [`for_each`](Self::for_each).
    ///
    /// ```
    /// let texts = ["1", "2", "three", "4"];
    /// let result = filch::run(|mut s| s.try_for_each(&texts, |_, text| text.parse::<u32>().map(|_| ())));
    /// assert!(result.is_err());
    /// ```
    pub fn try_for_each<I, E, F>(&mut self, items: I, body: F) -> Result<(), E>
    where
        I: Indexed,
        E: Send,
        F: Fn(Strand<'_>, I::Item) -> Result<(), E> + Sync,
    {
        self.try_for_each_unless(Never, items, body)
    }

    /// [`try_for_each`](Self::try_for_each), for bodies that fail after an `abort`.
    pub(in crate::constructs) fn try_for_each_unless<I, E, F>(
        &mut self,
        abort: impl Abort,
        items: I,
        body: F,
    ) -> Result<(), E>
    where
        I: Indexed,
        E: Send,
        F: Fn(Strand<'_>, I::Item) -> Result<(), E> + Sync,
    {
        let find = |s: Strand<'_>, item| body(s, item).err();
        self.first_met(abort, items, find).map_or(Ok(()), Err)
    }

    /// Returns an item for which `is_wanted` returns true, if there is one. Once an item has been found, no further
    /// item is checked.
    ///
    /// If there are several such items, the choice is nondeterministic. Work and span are at most those of
    /// [`for_each`](Self::for_each).
    ///
    /// # Panics
    ///
    /// As [`for_each`](Self::for_each).
    ///
    /// ```
    /// let composite = filch::run(|mut s| s.find_any(2..100_u64, |_, n| 9991 % n == 0));
    /// assert_eq!(composite, Some(97));
    /// ```
    pub fn find_any<I, F>(&mut self, items: I, is_wanted: F) -> Option<I::Item>
    where
        I: Indexed,
        I::Item: Send,
        F: Fn(Strand<'_>, &I::Item) -> bool + Sync,
    {
        self.first_met(Never, items, |s, item| is_wanted(s, &item).then_some(item))
    }

    /// Returns what `find` has returned for some item, if it has returned something for any.
    fn first_met<I, T, F>(&mut self, abort: impl Abort, items: I, find: F) -> Option<T>
    where
        I: Indexed,
        T: Send,
        F: Fn(Strand<'_>, I::Item) -> Option<T> + Sync,
    {
        run(self.reborrow(), items, Find { find, found: Stop::new(), abort, access: PhantomData })
    }
}

struct Until<'t, A, F> {
    body: F,
    token: &'t CancelToken,
    access: PhantomData<A>,
}

impl<A, F> Body for Until<'_, A, F>
where
    A: Access,
    F: Fn(Strand<'_>, A::Item) + Sync,
{
    type Access = A;
    type Out = ();
    type Scratch<'b>
        = ()
    where
        Self: 'b;

    #[inline(always)]
    fn identity(&self) {}

    #[inline(always)]
    fn stride(&self, mut s: Strand<'_>, items: impl Iterator<Item = Item<Self>>, (): (), (): &mut ()) {
        for item in items {
            // Before each item, not only before each block: a block can be long in time if earlier iterations were
            // cheaper, or have not been timed.
            if self.is_stopped() {
                return;
            }
            (self.body)(s.reborrow(), item);
        }
    }

    fn combine(&self, (): (), (): ()) {}

    #[inline(always)]
    fn is_stopped(&self) -> bool {
        self.token.is_cancelled()
    }
}

struct Find<A, F, O> {
    find: F,
    found: Stop,
    abort: O,
    access: PhantomData<A>,
}

impl<A, T, F, O> Body for Find<A, F, O>
where
    O: Abort,
    A: Access,
    T: Send,
    F: Fn(Strand<'_>, A::Item) -> Option<T> + Sync,
{
    type Access = A;
    type Out = Option<T>;
    type Scratch<'b>
        = ()
    where
        Self: 'b;

    #[inline(always)]
    fn identity(&self) -> Option<T> {
        None
    }

    #[inline(always)]
    fn stride(
        &self,
        mut s: Strand<'_>,
        items: impl Iterator<Item = Item<Self>>,
        so_far: Option<T>,
        (): &mut (),
    ) -> Option<T> {
        if so_far.is_some() {
            return so_far;
        }
        for item in items {
            // Before each item, for the same reason as in `Until`.
            if self.is_stopped() {
                return None;
            }
            if let Some(found) = (self.find)(s.reborrow(), item) {
                self.found.request();
                return Some(found);
            }
        }
        None
    }

    fn combine(&self, left: Option<T>, right: Option<T>) -> Option<T> {
        former_or(left, right)
    }

    #[inline(always)]
    fn is_stopped(&self) -> bool {
        self.found.is_requested()
    }

    fn is_aborted(&self) -> bool {
        self.abort.is_requested()
    }
}
