//! The lowest layer: what the protocols are written in.
//!
//! It has the atomics and locks of `std` or of loom, the two fences of the ladder, parking, completion, counts, the
//! clock, and the number of this process. All layers above use these instead of `std::sync`, so that `--cfg loom`
//! checks the very sources that run. May import: nothing of this crate.

pub(crate) mod abort;
mod barrier;
pub(crate) mod cell;
pub(crate) mod clock;
pub(crate) mod compare;
pub(crate) mod done;
pub(crate) mod fence;
pub(crate) mod parker;
pub(crate) mod pending;
pub(crate) mod process;
pub(crate) mod promise;
pub(crate) mod timer;

#[cfg(not(loom))]
pub(crate) use std::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering},
};

#[cfg(all(not(loom), target_has_atomic = "64"))]
pub(crate) use std::sync::atomic::AtomicU64;

// This uses a lock where the machine has nothing else. Only slow paths touch such words.
#[cfg(all(not(loom), not(target_has_atomic = "64")))]
pub(crate) use portable_atomic::AtomicU64;

use std::sync::TryLockError;

#[cfg(loom)]
pub(crate) use loom::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering},
};

/// Orders everything before it ahead of everything after it, for all threads that do the same. For use beside accesses
/// that are sequentially consistent already: only loom needs it, which treats such accesses as weaker than they are.
pub(crate) fn full_fence() {
    #[cfg(loom)]
    loom::sync::atomic::fence(Ordering::SeqCst);
}

/// Orders everything before it ahead of everything after it, for use beside accesses that are not sequentially
/// consistent.
pub(crate) fn memory_fence() {
    #[cfg(not(loom))]
    std::sync::atomic::fence(Ordering::SeqCst);
    #[cfg(loom)]
    loom::sync::atomic::fence(Ordering::SeqCst);
}

/// What a thread is to run. Of one type, because starting a thread is much code for each.
#[cfg(not(loom))]
pub(crate) fn boxed<'a>(run: impl FnOnce() + Send + 'a) -> Box<dyn FnOnce() + Send + 'a> {
    Box::new(run)
}

/// Locks `mutex`, whether or not a thread has panicked while it held it.
///
/// User code runs under no lock of this crate but two. One is that of the state of a speculation. A panic there aborts
/// the speculation before the lock is released, and nobody looks at the state any more. The other one is that of a task
/// of a graph, which guards the user's closure and is always free. So a poisoned lock never guards a half-done change.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    #[cfg(not(loom))]
    if process::is_forked() {
        await_in_child(&|| try_lock(mutex).is_some());
    }
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// How often a child of fork(2) tries a lock before it concludes that the holder is a thread of its parent. Most tries
/// are a millisecond apart. Any other thread holds a lock for at most as long as it takes to measure what sharing
/// costs.
#[cfg(not(loom))]
const LOOKS: u32 = 5_000;

/// Waits in a child of fork(2) until a lock `is_free`: the holder may be a thread of the parent.
#[cfg(not(loom))]
#[cold]
fn await_in_child(is_free: &dyn Fn() -> bool) {
    for look in 0..LOOKS {
        if is_free() {
            return;
        }
        if look < LOOKS / 10 {
            std::thread::yield_now();
        } else {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
    process::lost()
}

/// Locks `mutex`, if that is possible at once.
pub(crate) fn try_lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// How long [`lock_soon`] spins. A thief holds L for one barrier, which takes 10 to 20 µs on a virtual machine (`filch
/// machine`). To sleep and be woken costs more than that. If the thief has been descheduled, this much time is lost.
#[cfg(not(loom))]
const SPIN_NS: u64 = 50_000;

/// [`lock`], but spins first. For a lock whose holder is expected to be at most one barrier away from releasing it.
/// Only threads of the process `generation` hold it. So where a child of that process finds it held, the holder is
/// gone.
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
