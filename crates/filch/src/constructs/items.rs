//! Spawn loops: loops over iterators, whose items come one after the other.
use super::here;
use super::loops::{CancelToken, Cancelled};
use crate::strand::{Strand, items};
use std::convert::Infallible;
use std::ops::ControlFlow;

impl Strand<'_> {
    /// x
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
        let ControlFlow::Continue(()) = items::run(self.reborrow(), items.into_iter(), &body);
    }

    /// x
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
        match items::run(self.reborrow(), items.into_iter(), &body) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(error) => Err(error),
        }
    }

    /// x
    pub fn for_each_item_until<I, F>(&mut self, token: &CancelToken, items: I, body: F) -> Result<(), Cancelled>
    where
        I: IntoIterator,
        I::IntoIter: Send,
        F: Fn(Strand<'_>, I::Item) + Sync,
    {
        let mut items = items.into_iter();
        self.for_each_item(std::iter::from_fn(|| if token.is_cancelled() { None } else { items.next() }), body);
        if token.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}
/// x
pub fn for_each_item<I, F>(items: I, body: F)
where
    I: IntoIterator + Send,
    I::IntoIter: Send,
    F: Fn(Strand<'_>, I::Item) + Send + Sync,
{
    here(|mut s| s.for_each_item(items, body));
}
/// x
pub fn try_for_each_item<I, E, F>(items: I, body: F) -> Result<(), E>
where
    I: IntoIterator + Send,
    I::IntoIter: Send,
    E: Send,
    F: Fn(Strand<'_>, I::Item) -> Result<(), E> + Send + Sync,
{
    here(|mut s| s.try_for_each_item(items, body))
}

/// x
pub fn for_each_item_until<I, F>(token: &CancelToken, items: I, body: F) -> Result<(), Cancelled>
where
    I: IntoIterator + Send,
    I::IntoIter: Send,
    F: Fn(Strand<'_>, I::Item) + Send + Sync,
{
    here(|mut s| s.for_each_item_until(token, items, body))
}
