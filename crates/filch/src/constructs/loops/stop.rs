//! Loops that end before all items have been looked at.

use super::indexed::{Access, Indexed};
use super::job::Job;
use super::run::run;
use crate::constructs::stop::{CancelToken, Cancelled};
use crate::constructs::strand::Strand;
use crate::engine::stop::Stop;

impl Strand<'_> {
    /// [`for_each`](Self::for_each), until `token` is cancelled.
    ///
    /// The token is looked at before each item, so a body of a few instructions is not vectorised.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] if the token has been cancelled by the end: some items may not have been looked at.
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
        let access = items.access();
        // SAFETY: the length is that of what the job runs over.
        unsafe { run(self.reborrow(), Until { access, body, token }, access.len()) };
        if token.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// [`for_each`](Self::for_each), until a body fails: then no further one is begun.
    ///
    /// # Errors
    ///
    /// The error of a body that has failed: if several have, the one with the lowest index of those. Which items had
    /// been looked at by then is a matter of luck, so it need not be the error that the plain loop would have met.
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
        let find = |s: Strand<'_>, item| body(s, item).err();
        self.first_met(items, find).map_or(Ok(()), Err)
    }

    /// An item that `is_wanted`, if there is one; once one has been found, no further item is looked at.
    ///
    /// Which one of several is a matter of luck. Work and span at most as [`for_each`](Self::for_each).
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
        self.first_met(items, |s, item| is_wanted(s, &item).then_some(item))
    }

    /// What `find` returns for some item, if for any.
    fn first_met<I, T, F>(&mut self, items: I, find: F) -> Option<T>
    where
        I: Indexed,
        T: Send,
        F: Fn(Strand<'_>, I::Item) -> Option<T> + Sync,
    {
        let access = items.access();
        let job = Find { access, find, found: Stop::new() };
        // SAFETY: the length is that of what the job runs over.
        unsafe { run(self.reborrow(), job, access.len()) }
    }
}

struct Until<'t, A, F> {
    access: A,
    body: F,
    token: &'t CancelToken,
}

impl<A, F> Job for Until<'_, A, F>
where
    A: Access,
    F: Fn(Strand<'_>, A::Item) + Sync,
{
    type Out = ();

    #[inline(always)]
    fn identity(&self) {}

    #[inline(always)]
    unsafe fn block(&self, mut s: Strand<'_>, lo: u64, hi: u64, (): ()) {
        let access = self.access;
        for index in lo..hi {
            // Not only between blocks: one may be long because iterations before it were cheap, or nobody has timed
            // them.
            if self.is_stopped() {
                return;
            }
            // SAFETY: forwarded.
            let item = unsafe { access.item(index) };
            (self.body)(s.reborrow(), item);
        }
    }

    fn combine(&self, (): (), (): ()) {}

    #[inline(always)]
    fn is_stopped(&self) -> bool {
        self.token.is_cancelled()
    }
}

struct Find<A, F> {
    access: A,
    find: F,
    found: Stop,
}

impl<A, T, F> Job for Find<A, F>
where
    A: Access,
    T: Send,
    F: Fn(Strand<'_>, A::Item) -> Option<T> + Sync,
{
    type Out = Option<T>;

    #[inline(always)]
    fn identity(&self) -> Option<T> {
        None
    }

    #[inline(always)]
    unsafe fn block(&self, mut s: Strand<'_>, lo: u64, hi: u64, so_far: Option<T>) -> Option<T> {
        if so_far.is_some() {
            return so_far;
        }
        let access = self.access;
        for index in lo..hi {
            // As in `Until`.
            if self.is_stopped() {
                return None;
            }
            // SAFETY: forwarded.
            let item = unsafe { access.item(index) };
            if let Some(found) = (self.find)(s.reborrow(), item) {
                self.found.request();
                return Some(found);
            }
        }
        None
    }

    fn combine(&self, left: Option<T>, right: Option<T>) -> Option<T> {
        left.or(right)
    }

    #[inline(always)]
    fn is_stopped(&self) -> bool {
        self.found.is_requested()
    }
}
