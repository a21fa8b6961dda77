//! Regions: code that runs inside of a token, and inside of other regions.

use super::token::{Called, Token};
use crate::sync::{AtomicPtr, Ordering};
use std::marker::PhantomData;
use std::ptr::{self, NonNull};

/// Code that runs inside of a token. It lies on the stack of the thread that has begun it, and ends when everything
/// inside has ended.
pub(crate) struct Region {
    token: NonNull<Token>,
    around: Around,
}

/// The regions around some code, of which it knows the innermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Around(Option<NonNull<Region>>);

// SAFETY: a region is read only, and its tokens are `Sync`. It lives as long as what is inside (`Region::inside`).
unsafe impl Send for Around {}
// SAFETY: as above.
unsafe impl Sync for Around {}

impl Region {
    /// Code inside of `token` and of the regions around. The token lives as long as this.
    pub(crate) fn new(token: &Token, around: Around) -> Self {
        Region { token: NonNull::from(token), around }
    }

    /// This region, and those around it, for what runs inside.
    ///
    /// # Safety
    ///
    /// The region and its token live, and the region stays where it is, as long as a copy of the result is used; and so
    /// do those around it.
    pub(crate) unsafe fn inside(&self) -> Around {
        Around(Some(NonNull::from(self)))
    }
}

impl Around {
    /// Nothing cancels the code.
    pub(crate) const NONE: Around = Around(None);

    #[inline(always)]
    pub(crate) fn is_none(self) -> bool {
        self.0.is_none()
    }

    /// Whether one of the tokens has been cancelled.
    #[inline]
    pub(crate) fn is_cancelled(self) -> bool {
        self.0.is_some() && self.tokens().any(Token::is_cancelled)
    }

    /// The tokens, the innermost first.
    fn tokens<'a>(self) -> impl Iterator<Item = &'a Token> {
        let mut next = self;
        std::iter::from_fn(move || {
            // SAFETY: by the contract of `inside`, whoever is inside may look at the region and its token.
            let region = unsafe { next.0?.as_ref() };
            next = region.around;
            // SAFETY: as above.
            Some(unsafe { region.token.as_ref() })
        })
    }

    /// While the result lives, `called` is called when one of the tokens is cancelled.
    ///
    /// # Safety
    ///
    /// The result is dropped.
    pub(crate) unsafe fn call_while<C: Called + 'static>(self, called: &C) -> Calling<'_> {
        // SAFETY: guaranteed by the caller.
        unsafe { self.innermost_call_while(called, usize::MAX) }
    }

    /// [`call_while`](Self::call_while), for so many of the innermost tokens only: the others call already.
    ///
    /// # Safety
    ///
    /// The result is dropped.
    pub(crate) unsafe fn innermost_call_while<C: Called + 'static>(self, called: &C, count: usize) -> Calling<'_> {
        let called: NonNull<dyn Called> = NonNull::from(called);
        // SAFETY: it is borrowed until the result is dropped, which the caller guarantees.
        self.tokens().take(count).for_each(|token| unsafe { token.enter(called) });
        Calling { around: self, count, called, of: PhantomData }
    }
}

/// Somebody is in the lists of tokens.
pub(crate) struct Calling<'c> {
    around: Around,
    count: usize,
    called: NonNull<dyn Called>,
    of: PhantomData<&'c ()>,
}

impl Drop for Calling<'_> {
    fn drop(&mut self) {
        self.around.tokens().take(self.count).for_each(|token| token.leave(self.called));
    }
}

/// A cell for the region of a task, which other workers read.
pub(crate) struct AroundCell(AtomicPtr<Region>);

impl AroundCell {
    pub(crate) fn new() -> Self {
        AroundCell(AtomicPtr::new(ptr::null_mut()))
    }

    /// Acquires what was written before [`set`](Self::set).
    #[inline(always)]
    pub(crate) fn get(&self) -> Around {
        Around(NonNull::new(self.0.load(Ordering::Acquire)))
    }

    pub(crate) fn set(&self, around: Around) {
        self.0.store(around.0.map_or(ptr::null_mut(), NonNull::as_ptr), Ordering::Release);
    }
}
