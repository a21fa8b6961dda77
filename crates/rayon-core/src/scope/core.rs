//! What both kinds of scopes are made of: a scope of Filch, and the first panic.
//!
//! A scope of Filch drops its tasks when one of them panics, and a scope of rayon runs them. So no panic reaches Filch:
//! it is kept here, and resumed at the end of the scope.

use crate::broadcast::{BroadcastContext, in_context};
use crate::unwind::{Payload, halt_unwinding, resume_unwinding};
use std::fmt;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

type Inner<'scope> = filch::Scope<'scope, 'scope>;

/// It is set up before the scope of Filch is opened, because tasks use it up to the end of that scope.
pub(super) struct Core<'scope> {
    /// Null until the body begins. Everything that reads it is called by the body or later.
    inner: AtomicPtr<Inner<'scope>>,
    panic: Mutex<Option<Payload>>,
}

impl<'scope> Core<'scope> {
    pub(super) fn new() -> Self {
        Core { inner: AtomicPtr::new(ptr::null_mut()), panic: Mutex::new(None) }
    }

    /// Runs `body` in the scope `inner`. Returns `None` if it panics. To be called once, as the body of `inner`.
    ///
    /// # Safety
    ///
    /// Until `inner` has ended, this stays where it is. Afterwards, nothing can be spawned into it.
    pub(super) unsafe fn enter<R>(&self, inner: &filch::Scope<'_, '_>, body: impl FnOnce() -> R) -> Option<R> {
        let inner = ptr::from_ref(inner).cast::<Inner<'scope>>();
        // The tasks are spawned by this thread, or by code that it has told about the scope.
        self.inner.store(inner.cast_mut(), Ordering::Relaxed);
        self.run(body)
    }

    fn inner(&self) -> &'scope Inner<'scope> {
        let inner = self.inner.load(Ordering::Relaxed);
        debug_assert!(!inner.is_null(), "what spawns is called by the body of the scope, or later");
        // SAFETY: `enter` has stored it. It is used to spawn, which the caller of `enter` allows up to its end. Its
        // tasks may borrow for `'scope`, which is longer than the call that it belongs to.
        unsafe { &*inner }
    }

    pub(super) fn spawn(&self, task: impl FnOnce() + Send + 'scope) {
        self.inner().spawn(|_| task());
    }

    pub(super) fn spawn_broadcast(&self, task: impl Fn(BroadcastContext<'_>) + Send + Sync + 'scope) {
        self.inner().spawn_broadcast(in_context(task));
    }

    /// Runs the body or a task, and keeps its panic if it is the first one.
    pub(super) fn run<R>(&self, f: impl FnOnce() -> R) -> Option<R> {
        let payload = match halt_unwinding(f) {
            Ok(result) => return Some(result),
            Err(payload) => payload,
        };
        let mut panic = self.panic.lock().unwrap_or_else(PoisonError::into_inner);
        if panic.is_none() {
            *panic = Some(payload);
        } else {
            drop(panic);
            // A destructor of the user's, which may panic.
            let _ = halt_unwinding(|| drop(payload));
        }
        None
    }

    /// What the scope returns, or its panic.
    pub(super) fn end<R>(self, result: Option<R>) -> R {
        if let Some(payload) = self.panic.into_inner().unwrap_or_else(PoisonError::into_inner) {
            resume_unwinding(payload);
        }
        result.expect("the body has a result unless it has panicked")
    }
}

impl fmt::Debug for Core<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Core").field("panic", &self.panic).finish_non_exhaustive()
    }
}

/// A scope where it is, for its tasks.
pub(super) struct Pinned<T>(*const T);

// SAFETY: this is a shared reference, but for the lifetime.
unsafe impl<T: Sync> Send for Pinned<T> {}

// SAFETY: as above.
unsafe impl<T: Sync> Sync for Pinned<T> {}

impl<T> Pinned<T> {
    pub(super) fn new(scope: &T) -> Self {
        Pinned(scope)
    }

    /// # Safety
    ///
    /// The scope has not ended.
    pub(super) unsafe fn get(&self) -> &T {
        // SAFETY: guaranteed by the caller; a scope stays where it is up to its end.
        unsafe { &*self.0 }
    }
}

/// Something that stays on its thread, although a signature asks for something that could leave it.
pub(super) struct Stays<T>(T);

// SAFETY: `new` guarantees that the value does not leave its thread.
unsafe impl<T> Send for Stays<T> {}

impl<T> Stays<T> {
    /// # Safety
    ///
    /// The value does not leave the calling thread, and is not borrowed by another one.
    pub(super) unsafe fn new(value: T) -> Self {
        Stays(value)
    }

    pub(super) fn into_inner(self) -> T {
        self.0
    }
}
