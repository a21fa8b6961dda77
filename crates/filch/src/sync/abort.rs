//! Code that must not unwind.
//!
//! Panics of user code are caught where it is called. Anything else that unwinds from a wait, a task or the search of a
//! thread comes from a broken invariant. It would free a frame that a thief is running, or leave a thread waiting for
//! ever.

/// Aborts the process if it is dropped, which only a panic does.
#[must_use]
pub(crate) struct AbortOnUnwind(());

impl AbortOnUnwind {
    pub(crate) fn arm() -> Self {
        AbortOnUnwind(())
    }

    /// Ends the code that must not unwind.
    pub(crate) fn disarm(self) {
        std::mem::forget(self);
    }
}

impl Drop for AbortOnUnwind {
    fn drop(&mut self) {
        std::process::abort();
    }
}
