//! Loops whose bodies have a [state](PerWorker) for each worker.

use super::body::{Body, Item};
use super::indexed::{Access, Indexed};
use super::run::run;
use crate::constructs::drop_while_unwinding::Quiet;
use crate::constructs::per_worker::{Lease, PerWorker};
use crate::constructs::strand::Strand;
use std::marker::PhantomData;

impl Strand<'_> {
    /// Like [`for_each`](Self::for_each), with a state for each worker: scratch memory, for example, that is dear to
    /// make and that each body leaves for the next one.
    ///
    /// `make` is called when a worker first needs a state. So there is at most one state for each worker that takes
    /// part, and one more for each body that is suspended: a body that forks may wait for another worker, and meanwhile
    /// its own worker runs another part of this loop. No body has a state that another one is using. All states are
    /// dropped at the end, by this thread.
    ///
    /// To use the states in several loops, or to get them at the end, make a [`PerWorker`] and call
    /// [`for_each_using`](Self::for_each_using). Which items share a state depends on the schedule.
    ///
    /// Work: that of [`for_each`](Self::for_each), two locked instructions for each block of some microseconds, and an
    /// allocation for each state. Span: as `for_each`, and one call of `make`.
    ///
    /// ```
    /// let (texts, mut sorted) = (["filch", "strand", "rung"], vec![String::new(); 3]);
    /// filch::run(|mut s| {
    ///     s.for_each_with(Vec::new, (&texts, &mut sorted), |_, letters, (text, sorted)| {
    ///         letters.clear();
    ///         letters.extend(text.chars());
    ///         letters.sort_unstable();
    ///         sorted.extend(&*letters);
    ///     });
    /// });
    /// assert_eq!(sorted, ["cfhil", "adnrst", "gnru"]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`for_each`](Self::for_each). Also if `make` or the destructor of a state panics.
    #[inline]
    pub fn for_each_with<I, S, N, F>(&mut self, make: N, items: I, body: F)
    where
        I: Indexed,
        S: Send,
        N: Fn() -> S + Sync,
        F: Fn(Strand<'_>, &mut S, I::Item) + Sync,
    {
        let states = Quiet::new(self.occupied(), PerWorker::new(make));
        self.for_each_using(states.get(), items, body);
        drop(states.take());
    }

    /// [`for_each_with`](Self::for_each_with), with states that several loops share, one after the other or one inside
    /// the other. A loop inside a body does not get the state that the body has, but another one.
    ///
    /// ```
    /// let counts = filch::PerWorker::new(|| 0_u64);
    /// filch::run(|mut s| {
    ///     s.for_each_using(&counts, 0..10_u64, |mut s, count, i| {
    ///         *count += 1;
    ///         s.for_each_using(&counts, 0..i, |_, count, _| *count += 1);
    ///     });
    /// });
    /// assert_eq!(counts.into_states().sum::<u64>(), 10 + 45);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`for_each`](Self::for_each). Also if a state has to be made and that panics.
    #[inline]
    pub fn for_each_using<I, S, N, F>(&mut self, states: &PerWorker<S, N>, items: I, body: F)
    where
        I: Indexed,
        S: Send,
        N: Fn() -> S + Sync,
        F: Fn(Strand<'_>, &mut S, I::Item) + Sync,
    {
        run(self.reborrow(), items, With { states, body, access: PhantomData });
    }

    /// Like [`for_each_item`](Self::for_each_item), with a state for each worker, as in
    /// [`for_each_with`](Self::for_each_with).
    ///
    /// Work: that of `for_each_item`, two locked instructions for each item, and an allocation for each state.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    ///
    /// let long = AtomicUsize::new(0);
    /// filch::run(|mut s| {
    ///     s.for_each_item_with(String::new, "to be or not".split(' '), |_, upper, word| {
    ///         upper.clear();
    ///         upper.extend(word.chars().flat_map(char::to_uppercase));
    ///         long.fetch_add(usize::from(upper == "NOT"), Relaxed);
    ///     });
    /// });
    /// assert_eq!(long.into_inner(), 1);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`for_each_item`](Self::for_each_item). Also if `make` or the destructor of a state panics.
    pub fn for_each_item_with<I, S, N, F>(&mut self, make: N, items: I, body: F)
    where
        I: IntoIterator,
        I::IntoIter: Send,
        S: Send,
        N: Fn() -> S + Sync,
        F: Fn(Strand<'_>, &mut S, I::Item) + Sync,
    {
        let states = Quiet::new(self.occupied(), PerWorker::new(make));
        self.for_each_item_using(states.get(), items, body);
        drop(states.take());
    }

    /// [`for_each_item_with`](Self::for_each_item_with), with states that several loops share.
    ///
    /// # Panics
    ///
    /// As [`for_each_item`](Self::for_each_item). Also if a state has to be made and that panics.
    pub fn for_each_item_using<I, S, N, F>(&mut self, states: &PerWorker<S, N>, items: I, body: F)
    where
        I: IntoIterator,
        I::IntoIter: Send,
        S: Send,
        N: Fn() -> S + Sync,
        F: Fn(Strand<'_>, &mut S, I::Item) + Sync,
    {
        self.for_each_item(items, |s, item| {
            let mut lease = lease_for(states, &s);
            body(s, lease.state(), item);
            lease.give_back();
        });
    }
}

/// A state for the worker of `s`.
#[inline]
fn lease_for<'p, S, N: Fn() -> S>(states: &'p PerWorker<S, N>, s: &Strand<'_>) -> Lease<'p, S> {
    let at = s.occupied();
    states.lease(at.owner().seat(), at.owner().num_workers())
}

struct With<'p, A, S, N, F> {
    states: &'p PerWorker<S, N>,
    body: F,
    access: PhantomData<A>,
}

impl<A, S, N, F> Body for With<'_, A, S, N, F>
where
    A: Access,
    S: Send,
    N: Fn() -> S + Sync,
    F: Fn(Strand<'_>, &mut S, A::Item) + Sync,
{
    type Access = A;
    type Out = ();
    type Scratch<'b>
        = Option<Lease<'b, S>>
    where
        Self: 'b;

    #[inline(always)]
    fn identity(&self) {}

    #[inline(always)]
    fn stride<'b>(
        &'b self,
        mut s: Strand<'_>,
        items: impl Iterator<Item = Item<Self>>,
        (): (),
        lease: &mut Option<Lease<'b, S>>,
    ) {
        // No state is made for a loop without items.
        if items.size_hint() == (0, Some(0)) {
            return;
        }
        let state = lease.get_or_insert_with(|| lease_for(self.states, &s)).state();
        for item in items {
            (self.body)(s.reborrow(), state, item);
        }
    }

    #[inline(always)]
    fn end_block(&self, lease: Option<Lease<'_, S>>) {
        if let Some(lease) = lease {
            lease.give_back();
        }
    }

    fn combine(&self, (): (), (): ()) {}
}
