//! Stops: how the parts of something, wherever they run, learn that the rest of it need not be done.
//!
//! Loops, spawn loops, scopes and traversals each have one. It is requested when a user cancels, when what was looked
//! for has been found, or when a part has panicked. Each part looks at its next block, item, task or batch; what is
//! under way runs to its end.

use crate::sync::{AtomicBool, Ordering};

/// Whether something is to end early. Once requested, it stays so.
#[derive(Debug, Default)]
pub(crate) struct Stop(AtomicBool);

impl Stop {
    pub(crate) fn new() -> Self {
        Stop(AtomicBool::new(false))
    }

    /// The rest need not be done.
    pub(crate) fn request(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether the rest need not be done. Loops ask this for each item, so it orders nothing.
    #[inline(always)]
    pub(crate) fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// As [`is_requested`](Self::is_requested); and if so, the caller sees what was written before the request.
    pub(crate) fn acquire(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
