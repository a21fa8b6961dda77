//! A lock that one thread, its owner, enters without a locked instruction, while no other thread wants it.
//!
//! As on the ladder, the thief asks, and then takes. It says that it wants the lock. The owner sees that when it enters
//! the next time, stays outside, and takes the lock like any other thread. An owner that enters every few hundred
//! nanoseconds has thus answered before a barrier would be over. If it does not come, the thief issues the heavy
//! barrier, after which either the owner has seen that the lock is wanted, or the thief sees whether the owner is
//! inside (Dijkstra 1965; Frigo, Leiserson and Randall 1998, section 5). Such locks are called biased.
//!
//! After that the lock is shared: all threads take the inner lock. The owner biases it again after some entries, and
//! after many more if it did not come lately. An owner that leaves, or will not enter for a while, makes the lock
//! shared itself. So what lies behind it can be had also where the system has refused the barrier.
//!
//! | state | written by | read by |
//! |---|---|---|
//! | `is_biased` | the owner sets it, and a thief resets it, both under the lock | the owner, when it enters |
//! | `is_inside` | the owner | a thief, under the lock, after its barrier |
//! | `is_shared` | the owner, before it takes the lock, and under it; a thief, under it | a thief, under the lock |
//! | `entries` | the owner, under the lock | the same |
//! | `interruptions` | thieves, under the lock | the owner, under the lock |
//!
//! The owner sets `is_shared` before it takes an unbiased lock, and resets it when it biases the lock. A thief sets it
//! after its barrier, once the owner is outside.
//!
//! The value belongs to the owner while it is inside and found `is_biased` set, and to the holder of the lock while
//! `is_shared` is set. The model is `models/biased.pml`.

#[cfg(all(test, loom))]
mod loom_tests;

use crate::sync::cell::UnsafeCell;
#[cfg(not(loom))]
use crate::sync::process;
use crate::sync::{AtomicBool, AtomicU32, Mutex, MutexGuard, Ordering, clock, fence, lock};
use filch_policy::{awaits_owner, biases_after};
#[cfg(loom)]
use loom::thread::yield_now;
#[cfg(not(loom))]
use std::thread::yield_now;

pub(crate) struct BiasedLock<T> {
    /// Whether the owner may enter without the lock.
    is_biased: AtomicBool,
    /// Whether the owner is inside, or looks whether it may enter, without the lock.
    is_inside: AtomicBool,
    /// Whether the holder of the lock may touch the value.
    is_shared: AtomicBool,
    /// How often the owner has entered since the lock was shared.
    entries: AtomicU32,
    /// How often in a row the owner did not come.
    interruptions: AtomicU32,
    lock: Mutex<()>,
    value: UnsafeCell<T>,
}

// SAFETY: one thread at a time touches the value, as explained above.
unsafe impl<T: Send> Sync for BiasedLock<T> {}

/// The owner is outside when this is dropped, also when unwinding.
struct Outside<'a>(&'a AtomicBool);

impl Drop for Outside<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl<T> BiasedLock<T> {
    /// A lock that is shared.
    pub(crate) fn new(value: T) -> Self {
        BiasedLock {
            is_biased: AtomicBool::new(false),
            is_inside: AtomicBool::new(false),
            is_shared: AtomicBool::new(true),
            entries: AtomicU32::new(0),
            interruptions: AtomicU32::new(0),
            lock: Mutex::new(()),
            value: UnsafeCell::new(value),
        }
    }

    /// Calls `f`, which does not enter again, with the value.
    ///
    /// # Safety
    ///
    /// The caller is the owner: it enters after any other owner has been outside for good.
    #[inline(always)]
    pub(crate) unsafe fn enter<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        self.is_inside.store(true, Ordering::Relaxed);
        fence::light();
        let outside = Outside(&self.is_inside);
        if self.is_biased.load(Ordering::Relaxed) || mutant!("biased_blind") {
            // SAFETY: a thief that wants the lock, which the load has not seen, sees after its barrier that the owner
            // is inside. It touches the value only when the owner has gone out, which `outside` notes at the end.
            let result = self.value.with_mut(|value| f(unsafe { &mut *value }));
            drop(outside);
            return result;
        }
        drop(outside);
        // SAFETY: guaranteed by the caller.
        unsafe { self.enter_shared(f) }
    }

    /// # Safety
    ///
    /// As for [`enter`](Self::enter), and the owner is outside.
    #[cold]
    unsafe fn enter_shared<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        // From here on the owner takes the lock. A thief that waits for this need not issue a barrier.
        self.is_shared.store(true, Ordering::Release);
        let lock = lock(&self.lock);
        // SAFETY: this thread has the lock, and the lock is shared.
        let result = self.value.with_mut(|value| f(unsafe { &mut *value }));
        self.note_entry();
        drop(lock);
        result
    }

    /// Notes that the owner has entered, under the lock, which may be biased afterwards.
    fn note_entry(&self) {
        let entries = self.entries.load(Ordering::Relaxed).saturating_add(1);
        // Under loom, one entry stands for all of them.
        let interruptions = self.interruptions.load(Ordering::Relaxed);
        let is_to_be_biased = (cfg!(loom) || biases_after(entries, interruptions)) && fence::is_ready();
        self.entries.store(if is_to_be_biased { 0 } else { entries }, Ordering::Relaxed);
        if is_to_be_biased {
            if !mutant!("biased_stays_shared") {
                self.is_shared.store(false, Ordering::Relaxed);
            }
            self.is_biased.store(true, Ordering::Relaxed);
        }
    }

    /// Makes the lock a shared one.
    ///
    /// # Safety
    ///
    /// The caller is the owner, as for [`enter`](Self::enter), and is outside.
    pub(crate) unsafe fn share(&self) {
        if !self.is_shared.load(Ordering::Relaxed) {
            self.is_biased.store(false, Ordering::Relaxed);
            self.is_shared.store(true, Ordering::Release);
        }
    }

    /// Calls `f` with the value. `None` if there is no barrier any more, and the owner has not come.
    ///
    /// `f` does not enter again. May be called by any thread, the owner included.
    pub(crate) fn visit<R>(&self, f: impl FnOnce(&mut T) -> R) -> Option<R> {
        let _lock = self.lock_shared()?;
        // SAFETY: this thread has the lock, and the lock is shared.
        Some(self.value.with_mut(|value| f(unsafe { &mut *value })))
    }

    /// Takes the lock, and makes it a shared one. `None` if that fails, as there is no barrier.
    #[inline(never)]
    fn lock_shared(&self) -> Option<MutexGuard<'_, ()>> {
        let lock = lock(&self.lock);
        (self.is_shared.load(Ordering::Acquire) || self.revoke()).then_some(lock)
    }

    /// Makes the lock a shared one. False if that fails, as there is no barrier. The caller holds the lock.
    #[cold]
    fn revoke(&self) -> bool {
        if !mutant!("biased_late") {
            self.is_biased.store(false, Ordering::Relaxed);
        }
        if self.owner_comes() {
            self.interruptions.store(0, Ordering::Relaxed);
            return true;
        }
        self.interruptions.store(self.interruptions.load(Ordering::Relaxed).saturating_add(1), Ordering::Relaxed);
        if !fence::heavy() {
            return false;
        }
        if mutant!("biased_late") {
            self.is_biased.store(false, Ordering::Relaxed);
        }
        // The owner stays for some instructions, unless it loses its processor; or for ever, if it is a thread of a
        // parent of this process.
        while self.is_inside.load(Ordering::Acquire) && !mutant!("biased_no_wait") {
            #[cfg(not(loom))]
            if process::is_forked() {
                process::lost();
            }
            yield_now();
        }
        self.is_shared.store(true, Ordering::Relaxed);
        true
    }

    /// Waits as long as a barrier would take. Returns whether the owner has seen meanwhile that the lock is wanted.
    fn owner_comes(&self) -> bool {
        let begin_ns = clock::now_ns();
        loop {
            if self.is_shared.load(Ordering::Acquire) {
                return true;
            }
            // Under loom one look stands for all of them.
            if cfg!(loom) || !awaits_owner(clock::now_ns() - begin_ns) {
                return false;
            }
            std::hint::spin_loop();
        }
    }
}
