//! Code that has the state of a speculation: an inlet, or a look. Other strands wait for the state meanwhile.
//!
//! So this thread must not run what may want the same state, which would be refused it and panic; nor may it wait for
//! what a thread must do that waits for the state. In such code a worker that yields runs nothing, one that waits for
//! its own forks runs parts of these only, chaos moves nothing, and a broadcast panics.

use std::cell::Cell;

thread_local! {
    /// How many states this thread has.
    static STATES: Cell<usize> = const { Cell::new(0) };
}

/// Runs `f`, which has a state.
#[inline(always)]
pub(crate) fn within<R>(f: impl FnOnce() -> R) -> R {
    struct Leave<'s>(&'s Cell<usize>);
    impl Drop for Leave<'_> {
        #[inline(always)]
        fn drop(&mut self) {
            self.0.set(self.0.get() - 1);
        }
    }
    STATES.with(|states| {
        states.set(states.get() + 1);
        let _leave = Leave(states);
        f()
    })
}

/// Whether this thread has a state.
pub(crate) fn is_here() -> bool {
    STATES.get() > 0
}

/// # Panics
///
/// If this thread has a state.
pub(crate) fn must_be_outside() {
    assert!(
        !is_here(),
        "an inlet, or a look at the state of a speculation, broadcasts: a thread that waits for the state would not \
         come to its part"
    );
}
