//! Where a view lies, and the mark that it is being used.

use std::cell::{Cell, UnsafeCell};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// A view. Of one task at a time.
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

    /// One that stays where it is until [`from_table`](Self::from_table).
    pub(super) fn for_table(view: V) -> NonNull<Self> {
        NonNull::from(Box::leak(Box::new(Slot::new(view))))
    }

    /// # Safety
    ///
    /// From [`for_table`](Self::for_table), once; nobody refers to it any more.
    pub(super) unsafe fn from_table(slot: NonNull<()>) -> Box<Self> {
        // SAFETY: by contract.
        unsafe { Box::from_raw(slot.cast().as_ptr()) }
    }

    /// Holds the view.
    ///
    /// # Panics
    ///
    /// If it is held.
    ///
    /// # Safety
    ///
    /// It belongs to the task that the caller is in.
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

/// A view that its task is using.
pub(super) struct Held<'s, V>(&'s Slot<V>);

impl<V> Deref for Held<'_, V> {
    type Target = V;

    #[inline]
    fn deref(&self) -> &V {
        // SAFETY: marked, on the one thread that its task runs on, by this.
        unsafe { &*self.0.view.get() }
    }
}

impl<V> DerefMut for Held<'_, V> {
    #[inline]
    fn deref_mut(&mut self) -> &mut V {
        // SAFETY: as above.
        unsafe { &mut *self.0.view.get() }
    }
}

impl<V> Drop for Held<'_, V> {
    #[inline]
    fn drop(&mut self) {
        self.0.is_held.set(false);
    }
}
