//! The two fences of the ladder: light for the owner, heavy for the thief.
//!
//! The ladder is Dijkstra's exclusion (cilk5.txt, section 5): the owner empties a slot and then reads the bound, the
//! thief raises the bound and then reads the slot. Each must see its own write before its read, which costs a full
//! fence on both sides, or nothing on the owner's side and one *asymmetric barrier* on the thief's: a system call that
//! makes every running thread of the process execute a full fence. Thieves are rare, so the thief pays.
//!
//! | mode | chosen when | owner | thief |
//! |---|---|---|---|
//! | asymmetric | Linux, Android (`membarrier`), Windows (`FlushProcessWriteBuffers`) | compiler fence | system call |
//! | real | any other system, `--cfg filch_fence="real"`, Miri, loom | `fence(SeqCst)` | `fence(SeqCst)` |
//!
//! ThreadSanitizer does not model fences: `--cfg filch_sanitizer="thread"` keeps the asymmetric mode and leaves out the one
//! fence beside its system call. (A thief that shares another's barrier then relies on its own `fetch_max` being a full
//! fence, as it is on x86, where the sanitizer runs.) Nothing is lost to the sanitizer: no access to a frame is ordered by
//! a fence alone, each has a release and an acquire of a slot, the lock or `done` as well.
//!
//! macOS is on the real side by choice: its asymmetric barrier must visit every thread of the process.

#[cfg(not(loom))]
use std::sync::atomic::{Ordering, compiler_fence, fence};

#[cfg(not(loom))]
use super::process::PerProcess;

#[cfg(loom)]
use loom::sync::atomic::{Ordering, fence};

/// Whether this build relies on the system's asymmetric barrier.
pub(crate) const ASYMMETRIC: bool =
    cfg!(all(any(target_os = "linux", target_os = "android", windows), not(any(loom, miri, filch_fence = "real"))));

/// Orders the owner's store to its slot before its load of the bound.
#[inline(always)]
pub(crate) fn light() {
    if cfg!(filch_mutant = "no_owner_fence") {
        return;
    }
    #[cfg(not(loom))]
    if ASYMMETRIC {
        compiler_fence(Ordering::SeqCst);
        return;
    }
    fence(Ordering::SeqCst);
}

/// Orders the thief's raise of the bound before its load of the slot, and makes [`light`] a full fence on every thread.
///
/// Costs a system call and an interruption of every running thread of the process in the asymmetric mode
/// (`filch machine` measures it), a hardware fence otherwise.
pub(crate) fn heavy() {
    if cfg!(filch_mutant = "no_thief_fence") {
        return;
    }
    if !cfg!(filch_sanitizer = "thread") {
        fence(Ordering::SeqCst);
    }
    #[cfg(not(loom))]
    if ASYMMETRIC {
        shared_barrier();
    }
}

/// Whether the kernel grants the asymmetric barrier; asked for once. Always true in the real mode, which needs none.
pub(crate) fn available() -> bool {
    #[cfg(not(loom))]
    if ASYMMETRIC {
        use std::sync::OnceLock;
        static GRANTED: PerProcess<OnceLock<bool>> = PerProcess::new(OnceLock::new());
        return *GRANTED.get().get_or_init(system::register);
    }
    true
}

/// Issues a barrier, or waits for one that another thief began after this call did.
///
/// A barrier serves everybody who stored before it *began*, so of many thieves that arrive while one is under way, one
/// issues the next and the others share it. `BEGUN` counts barriers begun; whoever read `s` from it is served by any
/// barrier numbered above `s`: that barrier's store to `BEGUN` comes after the read, hence after the caller's fence.
#[cfg(not(loom))]
fn shared_barrier() {
    use super::AtomicU64;
    use std::sync::Mutex;

    static BEGUN: AtomicU64 = AtomicU64::new(0);
    /// Number of the last barrier that has completed.
    static COMPLETED: PerProcess<Mutex<u64>> = PerProcess::new(Mutex::new(0));

    let seen = BEGUN.load(Ordering::SeqCst);
    let mut completed = super::lock(COMPLETED.get());
    if *completed > seen {
        return;
    }
    // A child begins with none completed, and goes on with the numbers.
    let number = seen.max(*completed) + 1;
    BEGUN.store(number, Ordering::SeqCst);
    system::barrier();
    *completed = number;
}

#[cfg(all(not(loom), any(target_os = "linux", target_os = "android")))]
mod system {
    //! `membarrier(2)`, private and expedited: interrupts the cores that run this process, no others.

    fn membarrier(command: libc::c_int) -> libc::c_long {
        // SAFETY: `membarrier` takes integers only and touches no memory of the caller.
        unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) }
    }

    /// Registers this process, which the kernel demands once before the first barrier. False where it refuses.
    pub(super) fn register() -> bool {
        membarrier(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0
    }

    pub(super) fn barrier() {
        let status = membarrier(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED);
        // The kernel does not refuse a registered process, and only pools that saw `register` succeed come here; a
        // sandbox put up since might. Going on without the barrier would run a frame twice, and unwinding would take a
        // frame from under the thief that runs it.
        if status != 0 {
            std::process::abort();
        }
    }
}

#[cfg(all(not(loom), windows))]
mod system {
    //! `FlushProcessWriteBuffers`: documented to act as a barrier on every processor that runs this process.

    pub(super) fn register() -> bool {
        true
    }

    pub(super) fn barrier() {
        // SAFETY: takes nothing, returns nothing, and has no preconditions.
        unsafe { windows_sys::Win32::System::Threading::FlushProcessWriteBuffers() };
    }
}

#[cfg(all(not(loom), not(any(target_os = "linux", target_os = "android", windows))))]
mod system {
    //! No asymmetric barrier: [`super::ASYMMETRIC`] is false and nothing here is reached.

    pub(super) fn register() -> bool {
        true
    }

    pub(super) fn barrier() {}
}

#[cfg(all(test, not(loom)))]
mod tests {
    #[test]
    fn a_barrier_completes_on_many_threads_at_once() {
        assert!(super::available());
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..20).for_each(|_| super::heavy()));
            }
        });
    }
}
