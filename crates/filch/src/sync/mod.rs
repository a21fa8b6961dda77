//! The lowest layer: what the protocols are written in.
//!
//! Atomics and locks of `std` or of the model checker, the two fences of the ladder, parking, completion, counts, the
//! clock, and which process this is. Everything above names these instead of `std::sync`, so that `--cfg loom` checks
//! the very sources that run. May import: nothing of this crate.

mod barrier;
pub(crate) mod cell;
pub(crate) mod clock;
pub(crate) mod compare;
pub(crate) mod done;
pub(crate) mod fence;
pub(crate) mod parker;
pub(crate) mod pending;
pub(crate) mod process;

#[cfg(not(loom))]
pub(crate) use std::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering},
};

#[cfg(all(not(loom), target_has_atomic = "64"))]
pub(crate) use std::sync::atomic::AtomicU64;

// By a lock where it comes to that. Only slow paths touch such words.
#[cfg(all(not(loom), not(target_has_atomic = "64")))]
pub(crate) use portable_atomic::AtomicU64;

use std::sync::TryLockError;

#[cfg(loom)]
pub(crate) use loom::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering},
};

/// Orders everything before it ahead of everything after it, for all threads that do the same. Beside accesses that are
/// sequentially consistent already; the model checker takes those for weaker than they are.
pub(crate) fn full_fence() {
    #[cfg(loom)]
    loom::sync::atomic::fence(Ordering::SeqCst);
}

/// Orders everything before it ahead of everything after it, beside accesses that are weaker than that.
pub(crate) fn memory_fence() {
    #[cfg(not(loom))]
    std::sync::atomic::fence(Ordering::SeqCst);
    #[cfg(loom)]
    loom::sync::atomic::fence(Ordering::SeqCst);
}

/// Locks `mutex`, whether or not a holder has panicked.
///
/// No user code runs under any lock of this crate, so a poisoned lock never guards a half-done change.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    #[cfg(not(loom))]
    if let Some(guard) = try_lock(mutex) {
        return guard;
    } else if process::is_forked() {
        return lock_in_child(mutex);
    }
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// How often a child of fork(2) looks at a lock before it takes the holder for one that is gone: most of them a
/// millisecond apart. Nobody else holds one for longer than it takes to measure what sharing costs.
#[cfg(not(loom))]
const LOOKS: u32 = 5_000;

/// [`lock`], where whoever holds it may be a thread of the parent.
#[cfg(not(loom))]
#[cold]
fn lock_in_child<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    for look in 0..LOOKS {
        if let Some(guard) = try_lock(mutex) {
            return guard;
        }
        if look < LOOKS / 10 {
            std::thread::yield_now();
        } else {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
    process::lost()
}

/// [`lock`], if that can be had at once.
pub(crate) fn try_lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// How long [`lock_soon`] spins. A thief holds L for one barrier, 10 to 20 µs on a virtual machine (`filch machine`),
/// and sleeping and being woken costs more than that; if it has been descheduled, this much is lost.
#[cfg(not(loom))]
const SPIN_NS: u64 = 50_000;

/// [`lock`], spinning first: for a lock whose holder is expected to be at most one barrier away from releasing it. Only
/// threads of the process `generation` hold it, and in a child of that only the one that has forked.
pub(crate) fn lock_soon<T>(mutex: &Mutex<T>, generation: usize) -> MutexGuard<'_, T> {
    if let Some(guard) = try_lock(mutex) {
        return guard;
    }
    #[cfg(not(loom))]
    {
        let begin = clock::now_ns();
        while clock::now_ns() - begin < SPIN_NS {
            std::hint::spin_loop();
            if let Some(guard) = try_lock(mutex) {
                return guard;
            }
        }
    }
    if generation != process::generation() {
        process::lost();
    }
    lock(mutex)
}
