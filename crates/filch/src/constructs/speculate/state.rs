//! The state of a procedure, into which inlets fold what its children return.
//!
//! | who | how it gets the state |
//! |---|---|
//! | the procedure's thread, while no child runs elsewhere and none can be taken | as its own ([`Shared::alone`]) |
//! | an inlet or a look, otherwise | under the lock |
//!
//! A child that looks at the state has a [`State`], which ends with the child. So while the procedure is alone, nobody
//! else has a way to the state, and the lock is not needed.
//!
//! User code runs while the state is locked. A child that looks again on the same thread would wait for itself, so it
//! panics instead, whatever the scheduler. For that the thread that has the lock writes its name beside it.

use super::speculation::Speculation;
use super::strand::Aborted;
use crate::engine::seats::{current, inlet};
use crate::sync::{AtomicUsize, Mutex, Ordering, lock};
use std::cell::UnsafeCell;
use std::fmt;
use std::mem::ManuallyDrop;

/// What a procedure and its children share. It lives on the stack of the procedure.
pub(super) struct Shared<S> {
    pub(super) speculation: Speculation,
    /// The thread that has the lock; 0 if none has.
    holder: AtomicUsize,
    lock: Mutex<()>,
    state: UnsafeCell<ManuallyDrop<S>>,
}

// SAFETY: one thread at a time uses the state, as explained above.
unsafe impl<S: Send> Sync for Shared<S> {}

impl<S> Shared<S> {
    #[inline(always)]
    pub(super) fn new(speculation: Speculation, state: S) -> Self {
        let state = UnsafeCell::new(ManuallyDrop::new(state));
        Shared { speculation, holder: AtomicUsize::new(0), lock: Mutex::new(()), state }
    }

    /// The state, for the procedure's thread.
    ///
    /// # Safety
    ///
    /// No child runs, and no other thread can begin one, until the result is not used any more. No other such result is
    /// in use.
    #[expect(clippy::mut_from_ref, reason = "the caller has the only way to it")]
    #[inline(always)]
    pub(super) unsafe fn alone(&self) -> &mut S {
        // SAFETY: guaranteed by the caller: only children have another way to the state.
        unsafe { &mut *self.state.get() }
    }

    /// Takes the state out, at the end of the procedure.
    ///
    /// # Safety
    ///
    /// No child is left, and nobody uses the state afterwards.
    #[inline(always)]
    pub(super) unsafe fn take(&self) -> S {
        // SAFETY: guaranteed by the caller.
        unsafe { self.state.get().cast::<S>().read() }
    }

    /// Runs `look` on the state while nobody else has it, unless the children have been aborted.
    pub(super) fn with<R>(&self, look: impl FnOnce(&mut S) -> R) -> Result<R, Aborted> {
        /// Notes that no thread has the lock, also when the code that had it unwinds.
        struct Release<'s>(&'s AtomicUsize);
        impl Drop for Release<'_> {
            fn drop(&mut self) {
                self.0.store(0, Ordering::Relaxed);
            }
        }
        let me = current::thread();
        // Relaxed: only this thread writes its own name, and it removes the name before it unlocks.
        assert!(self.holder.load(Ordering::Relaxed) != me, "a look at the state of a procedure looks at it again");
        let mut look = Some(look);
        let result = {
            let _lock = lock(&self.lock);
            self.holder.store(me, Ordering::Relaxed);
            let _release = Release(&self.holder);
            // This must come after the lock: an inlet that has the state may be about to abort.
            if self.speculation.is_aborted() {
                Err(Aborted)
            } else {
                // SAFETY: a child looks, or the procedure where it is not alone, so whoever uses the state has the
                // lock.
                let state = unsafe { &mut *self.state.get() };
                let look = look.take().expect("called once");
                // A panic aborts before the lock is released: whoever gets the state next must know that it may be
                // broken.
                Ok(self.speculation.aborting_on_panic(|| inlet::within(|| look(state))))
            }
        };
        // What a look owns that has not run is dropped here, not under the lock.
        drop(look);
        result
    }

    /// Folds the result of a child into the state, unless the children have been aborted.
    pub(super) fn fold<T>(&self, result: Result<T, Aborted>, inlet: impl FnOnce(&mut S, T)) {
        if let Ok(value) = result {
            // An abort means that the result is not wanted.
            _ = self.with(|state| inlet(state, value));
        }
    }
}

/// A child's way to the state of its procedure: what the children before it have found.
pub struct State<'c, S>(pub(super) &'c Shared<S>);

impl<S> Clone for State<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for State<'_, S> {}

impl<S> State<'_, S> {
    /// Runs `look` on the state. Meanwhile no inlet runs, and nobody else looks. So `look` should be short, and like an
    /// inlet it should not fork by [free functions](crate::join()), since all strands that want the state wait for it.
    /// (Under [`Wait::Any`](crate::Wait::Any) they may wait for ever: a worker that has a part of what was forked may
    /// begin something that wants the state while it waits.) Neither may [broadcast](crate::broadcast()), which panics;
    /// and if they [yield](crate::yield_now), nothing is run.
    ///
    /// # Errors
    ///
    /// [`Aborted`] if the children have been aborted. Then `look` is dropped.
    ///
    /// # Panics
    ///
    /// If it is called by another look at the same state. If `look` panics, which aborts the children.
    ///
    /// The state cannot be kept beyond the look:
    /// ```compile_fail
    /// filch::run(|mut s| s.speculate(0, |p, _| {
    ///     p.spawn(|_, state| state.with(|state| state), |_, _| ());
    /// }));
    /// ```
    pub fn with<R>(self, look: impl FnOnce(&mut S) -> R) -> Result<R, Aborted> {
        self.0.with(look)
    }
}

impl<S> fmt::Debug for State<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}
