//! Tokens: the flag, what is inside, and whom to call when it is set.

use crate::sync::{AtomicBool, Mutex, Ordering, lock, memory_fence};
use std::fmt;
use std::ptr::{self, NonNull};
use std::sync::{Arc, Weak};

/// Who is called when a token is cancelled, so that it looks.
pub(crate) trait Called: Sync {
    /// Runs no user code, and takes no lock under which a token is looked at.
    fn call(&self);
}

/// A thread that sleeps where it may be ended.
impl Called for std::thread::Thread {
    fn call(&self) {
        self.unpark();
    }
}

/// What a user cancels.
#[derive(Default)]
pub(crate) struct Token {
    is_cancelled: AtomicBool,
    /// It lives as long as this, because it may have a deadline.
    parent: Option<Arc<Token>>,
    inside: Mutex<Inside>,
}

#[derive(Default)]
struct Inside {
    children: Vec<Weak<Token>>,
    /// Those children that are gone are removed when there are so many.
    sweeps_at: usize,
    called: Vec<CalledRef>,
    /// When the token is cancelled by the clock, if it is; and what takes the deadline back when it is dropped.
    deadline: Option<(u64, Box<dyn Send>)>,
}

struct CalledRef(NonNull<dyn Called>);

// SAFETY: what is called is `Sync`, and lives while it is in the list.
unsafe impl Send for CalledRef {}

/// A list that is shorter is not swept.
const FEW_CHILDREN: usize = 8;

impl Token {
    /// Whether it has been cancelled. Loops ask this for each item, so it orders nothing.
    #[inline(always)]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    /// Cancels it, and all tokens inside.
    pub(crate) fn cancel(&self) {
        let mut inner = Vec::new();
        self.cancel_this(&mut inner);
        while let Some(token) = inner.pop() {
            token.cancel_this(&mut inner);
        }
    }

    /// Adds its children to `inner`.
    fn cancel_this(&self, inner: &mut Vec<Arc<Token>>) {
        // AcqRel: who sees the flag after a call sees what was written before.
        if self.is_cancelled.swap(true, Ordering::AcqRel) {
            return;
        }
        // The flag comes before the looks at the lists, and at the ladders that the calls find.
        memory_fence();
        let mut inside = lock(&self.inside);
        for called in &inside.called {
            // SAFETY: it lives while it is in the list.
            unsafe { called.0.as_ref() }.call();
        }
        inner.extend(inside.children.drain(..).filter_map(|child| child.upgrade()));
    }

    /// A token that is cancelled with this one.
    pub(crate) fn child(self: &Arc<Self>) -> Arc<Token> {
        let mut child = Token::default();
        child.parent = Some(Arc::clone(self));
        let child = Arc::new(child);
        let mut inside = lock(&self.inside);
        if self.is_cancelled() {
            // Nobody has it yet.
            child.is_cancelled.store(true, Ordering::Relaxed);
            return child;
        }
        // Whoever cancels now finds the child in the list.
        if inside.children.len() >= inside.sweeps_at.max(FEW_CHILDREN) {
            inside.children.retain(|child| child.strong_count() > 0);
            inside.sweeps_at = 2 * inside.children.len();
        }
        inside.children.push(Arc::downgrade(&child));
        child
    }

    /// Makes `due_ns` the time when the clock cancels it, unless there is an earlier one. `enter` tells the clock, and
    /// returns what takes the deadline back when it is dropped.
    pub(super) fn be_due<E>(&self, due_ns: u64, enter: impl FnOnce() -> Result<Box<dyn Send>, E>) -> Result<(), E> {
        let mut inside = lock(&self.inside);
        if inside.deadline.as_ref().is_none_or(|(before, _)| due_ns < *before) {
            inside.deadline = Some((due_ns, enter()?));
        }
        Ok(())
    }

    /// Calls `called` when the token is cancelled, until [`leave`](Self::leave).
    ///
    /// # Safety
    ///
    /// `called` lives until it has left.
    pub(super) unsafe fn enter(&self, called: NonNull<dyn Called>) {
        lock(&self.inside).called.push(CalledRef(called));
    }

    /// Undoes one [`enter`](Self::enter).
    pub(super) fn leave(&self, called: NonNull<dyn Called>) {
        let mut inside = lock(&self.inside);
        let is_it = |other: &CalledRef| ptr::addr_eq(other.0.as_ptr(), called.as_ptr());
        if let Some(place) = inside.called.iter().rposition(is_it) {
            inside.called.swap_remove(place);
        }
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        // Not one inside of the other, since they may be nested deeper than the stack is.
        let mut parent = self.parent.take();
        while let Some(mut token) = parent.and_then(Arc::into_inner) {
            parent = token.parent.take();
        }
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").field("is_cancelled", &self.is_cancelled()).finish_non_exhaustive()
    }
}
