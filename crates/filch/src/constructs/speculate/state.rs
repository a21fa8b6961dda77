//! A state that one strand at a time sees.
//!
//! User code runs while the state is locked. Code that wants the state again on the same thread would wait for itself,
//! so it panics instead, whatever the scheduler. For that the thread that has the state writes its name beside it.

use crate::engine::seats::inlet;
use crate::sync::{AtomicUsize, Mutex, Ordering, lock};
use std::ptr;

pub(super) struct State<S> {
    /// The name of the thread that has the state; 0 if none has.
    holder: AtomicUsize,
    value: Mutex<S>,
}

/// Notes that no thread has the state, also when the code that had it unwinds.
struct Release<'s>(&'s AtomicUsize);

impl Drop for Release<'_> {
    fn drop(&mut self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

impl<S> State<S> {
    pub(super) fn new(value: S) -> Self {
        State { holder: AtomicUsize::new(0), value: Mutex::new(value) }
    }

    /// Runs `f` on the state while no other strand sees it. If `f` unwinds, the state may be broken, and the caller
    /// must see to it that nobody looks at it any more.
    ///
    /// # Panics
    ///
    /// If this thread has the state already.
    pub(super) fn with<R>(&self, f: impl FnOnce(&mut S) -> R) -> R {
        self.must_be_elsewhere();
        let mut value = lock(&self.value);
        self.holder.store(this_thread(), Ordering::Relaxed);
        let _release = Release(&self.holder);
        inlet::within(|| f(&mut value))
    }

    /// # Panics
    ///
    /// If this thread has the state.
    pub(super) fn must_be_elsewhere(&self) {
        // Relaxed: only this thread writes its own name, and it removes the name before it unlocks.
        let is_here = self.holder.load(Ordering::Relaxed) == this_thread();
        assert!(
            !is_here,
            "an inlet, or another look at the state, spawns or looks at the state of its own speculation"
        );
    }

    pub(super) fn into_inner(self) -> S {
        self.value.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The name of this thread: an address that no other thread has while this one lives.
fn this_thread() -> usize {
    thread_local!(static HERE: u8 = const { 0 });
    HERE.with(|here| ptr::from_ref(here).addr())
}
