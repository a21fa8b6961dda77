//! Stretches that must not unwind.
//!
//! User code's panics are caught where it is called. Anything else that unwinds from a wait, a task or a thread's
//! search is a broken invariant, and would free a frame that a thief is running, or leave somebody waiting for ever.

/// Aborts the process if dropped by a panic.
#[must_use]
pub(crate) struct AbortOnUnwind(());

impl AbortOnUnwind {
    pub(crate) fn arm() -> Self {
        AbortOnUnwind(())
    }

    /// The stretch is over.
    pub(crate) fn disarm(self) {
        std::mem::forget(self);
    }
}

impl Drop for AbortOnUnwind {
    fn drop(&mut self) {
        std::process::abort();
    }
}
