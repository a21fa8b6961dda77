//! The place of a view, with the mark that it is in use.

use std::cell::{Cell, UnsafeCell};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// A view. It belongs to one task at a time.
pub(super) struct Slot<V> {
    view: UnsafeCell<V>,
    is_held: Cell<bool>,
}

impl<V> Slot<V> {
    pub(super) fn new(view: V) -> Self {
        Slot { view: UnsafeCell::new(view), is_held: Cell::new(false) }
    }

    pub(super) fn into_inner(self) -> V {
        self.view.into_inner()
    }

    /// A slot that stays at its address until [`from_table`](Self::from_table).
    pub(super) fn for_table(view: V) -> NonNull<Self> {
        NonNull::from(Box::leak(Box::new(Slot::new(view))))
    }

    /// # Safety
    ///
    /// `slot` must come from [`for_table`](Self::for_table). This must be the only call for it, and no reference to it
    /// may be used afterwards.
    pub(super) unsafe fn from_table(slot: NonNull<()>) -> Box<Self> {
        // SAFETY: `for_table` leaked a box, and the caller guarantees that it comes back once.
        unsafe { Box::from_raw(slot.cast().as_ptr()) }
    }

    /// Marks the view as in use, until the result is dropped.
    ///
    /// # Panics
    ///
    /// If the view is in use.
    ///
    /// # Safety
    ///
    /// The view must belong to the task that the caller runs in.
    #[inline]
    pub(super) unsafe fn hold(&self) -> Held<'_, V> {
        if self.is_held.replace(true) {
            is_held_already();
        }
        Held(self)
    }
}

#[cold]
#[inline(never)]
fn is_held_already() -> ! {
    panic!("a reducer was updated within an update of the same reducer")
}

/// A view that is in use by its task.
pub(super) struct Held<'s, V>(&'s Slot<V>);

impl<V> Deref for Held<'_, V> {
    type Target = V;

    #[inline]
    fn deref(&self) -> &V {
        // SAFETY: the view is marked as in use by this value, and only the one thread that runs its task can mark it.
        unsafe { &*self.0.view.get() }
    }
}

impl<V> DerefMut for Held<'_, V> {
    #[inline]
    fn deref_mut(&mut self) -> &mut V {
        // SAFETY: the view is marked as in use by this value, and this borrow of it is unique.
        unsafe { &mut *self.0.view.get() }
    }
}

impl<V> Drop for Held<'_, V> {
    #[inline]
    fn drop(&mut self) {
        self.0.is_held.set(false);
    }
}
