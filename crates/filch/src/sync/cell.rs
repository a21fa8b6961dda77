//! Memory that only one thread at a time may touch, which a protocol around it guarantees. This is `std`'s cell with
//! the interface of loom's, which reports accesses at the same time.

#[cfg(loom)]
pub(crate) use loom::cell::UnsafeCell;

/// Plain memory of a test. Loom watches over it, so a test needs no other proof that its threads take turns.
#[cfg(all(test, loom))]
pub(crate) struct Plain<T>(UnsafeCell<T>);

// SAFETY: loom ends the test before an access that is not ordered with another one.
#[cfg(all(test, loom))]
unsafe impl<T: Send> Sync for Plain<T> {}

#[cfg(all(test, loom))]
impl<T: Copy> Plain<T> {
    pub(crate) fn new(value: T) -> Self {
        Plain(UnsafeCell::new(value))
    }

    pub(crate) fn get(&self) -> T {
        // SAFETY: loom has found no write that is not ordered with this.
        self.0.with(|value| unsafe { *value })
    }

    pub(crate) fn set(&self, value: T) {
        self.update(|place| *place = value);
    }

    /// Changes the value. Returns what `f` returns.
    pub(crate) fn update<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: loom has found no access that is not ordered with this.
        self.0.with_mut(|value| f(unsafe { &mut *value }))
    }
}

#[cfg(not(loom))]
#[repr(transparent)]
pub(crate) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

#[cfg(not(loom))]
impl<T> UnsafeCell<T> {
    #[inline(always)]
    pub(crate) const fn new(value: T) -> Self {
        UnsafeCell(std::cell::UnsafeCell::new(value))
    }

    /// Calls `f` with a pointer to read from.
    #[inline(always)]
    pub(crate) fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        f(self.0.get())
    }

    /// Calls `f` with a pointer to write to.
    #[inline(always)]
    pub(crate) fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        f(self.0.get())
    }
}
