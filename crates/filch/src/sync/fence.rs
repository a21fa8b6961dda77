//! The two fences of the ladder: a light one for the owner, and a heavy one for the thief.
//!
//! The ladder rests on Dijkstra's mutual exclusion (Dijkstra 1965; Frigo, Leiserson and Randall 1998, section 5). The
//! owner empties a slot and then reads the bound. The thief raises the bound and then reads the slot. On both sides the
//! write must become visible before the read. That takes a full fence on both sides; or nothing on the owner's side and
//! an *asymmetric barrier* on the thief's side, a system call that makes every running thread of the process execute a
//! full fence. Takes are rare, so the thief pays.
//!
//! | mode | chosen when | owner | thief |
//! |---|---|---|---|
//! | asymmetric | Linux, Android (`membarrier`), Windows (`FlushProcessWriteBuffers`) | compiler fence | system call |
//! | real | any other system, `--cfg filch_fence="real"`, Miri, loom | `fence(SeqCst)` | `fence(SeqCst)` |
//!
//! ThreadSanitizer does not model fences. `--cfg filch_sanitizer="thread"` keeps the asymmetric mode and leaves out the
//! one fence beside its system call. (A thief that shares another thief's barrier then relies on its own `fetch_max`
//! being a full fence, which it is on x86, where the sanitizer runs.) The sanitizer misses nothing because of that: no
//! access to a frame is ordered by a fence alone. Each is also ordered by a release and an acquire of a slot, the lock
//! or `done`.
//!
//! macOS uses the real mode by choice, because its asymmetric barrier has to visit every thread of the process.

#[cfg(not(loom))]
use super::barrier::SharedBarrier;
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
    if mutant!("no_owner_fence") {
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
/// Returns false if there was no barrier. Then nothing may be taken, now or later.
///
/// In the asymmetric mode this costs a system call and interrupts every running thread of the process (`filch machine`
/// measures it). Otherwise it costs a hardware fence.
#[must_use]
pub(crate) fn heavy() -> bool {
    if mutant!("no_thief_fence") {
        return true;
    }
    if !cfg!(filch_sanitizer = "thread") {
        fence(Ordering::SeqCst);
    }
    #[cfg(not(loom))]
    if ASYMMETRIC {
        return shared_barrier();
    }
    true
}

/// Whether the system has the barrier that this build relies on, if it relies on one. The system may still refuse it.
pub(crate) fn is_known() -> bool {
    #[cfg(not(loom))]
    if ASYMMETRIC {
        static KNOWN: PerProcess<std::sync::OnceLock<bool>> = PerProcess::new(std::sync::OnceLock::new());
        return *KNOWN.get().get_or_init(system::is_known);
    }
    true
}

/// Whether [`heavy`] works, as far as is known. False until [`prepare`] has finished, and after the system has refused
/// a barrier.
pub(crate) fn is_ready() -> bool {
    #[cfg(not(loom))]
    if ASYMMETRIC {
        return readiness::is_granted();
    }
    true
}

/// Asks the system to grant the barrier, unless another thread does or has done so. This may take milliseconds.
pub(crate) fn prepare() {
    #[cfg(not(loom))]
    if ASYMMETRIC {
        readiness::prepare();
    }
}

/// What the system has answered so far.
#[cfg(not(loom))]
mod readiness {
    use super::super::process::PerProcess;
    use super::system;
    use std::sync::atomic::{AtomicU8, Ordering};

    const UNKNOWN: u8 = 0;
    const ASKED: u8 = 1;
    const GRANTED: u8 = 2;
    const REFUSED: u8 = 3;

    static STATE: PerProcess<AtomicU8> = PerProcess::new(AtomicU8::new(UNKNOWN));

    /// A hint to a thread that is about to take. Relaxed suffices, because the barrier itself orders what has to be
    /// ordered.
    pub(super) fn is_granted() -> bool {
        STATE.get().load(Ordering::Relaxed) == GRANTED
    }

    pub(super) fn prepare() {
        if STATE.get().compare_exchange(UNKNOWN, ASKED, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            let is_granted = system::register();
            STATE.get().store(if is_granted { GRANTED } else { REFUSED }, Ordering::Relaxed);
        }
    }

    /// The system has refused a barrier although it had granted them.
    #[cold]
    pub(super) fn give_up() {
        STATE.get().store(REFUSED, Ordering::Relaxed);
    }
}

/// Issues a barrier, or waits for one that another thief began after the start of this call. Returns false if there was
/// none.
#[cfg(not(loom))]
fn shared_barrier() -> bool {
    static SHARED: PerProcess<SharedBarrier> = PerProcess::new(SharedBarrier::new());

    let is_granted = SHARED.get().pass(system::barrier);
    if !is_granted {
        readiness::give_up();
    }
    is_granted
}

#[cfg(all(not(loom), any(target_os = "linux", target_os = "android")))]
mod system {
    //! `membarrier(2)`, private and expedited: interrupts only the processors that run this process.

    fn membarrier(command: libc::c_int) -> libc::c_long {
        // SAFETY: `membarrier` takes integers only and touches no memory of the caller.
        unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) }
    }

    /// Whether the kernel has the command.
    pub(super) fn is_known() -> bool {
        let commands = membarrier(libc::MEMBARRIER_CMD_QUERY);
        commands > 0 && commands & libc::c_long::from(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0
    }

    /// Registers this process, which the kernel demands once before the first barrier. Returns false if the kernel
    /// refuses. In a process of several threads the call waits until each processor has been through the kernel, which
    /// takes milliseconds.
    pub(super) fn register() -> bool {
        membarrier(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0
    }

    /// Returns false if the kernel refuses, for example because of a sandbox that has been put up since.
    pub(super) fn barrier() -> bool {
        membarrier(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0
    }
}

#[cfg(all(not(loom), windows))]
mod system {
    //! `FlushProcessWriteBuffers`: documented to act as a barrier on every processor that runs this process.

    pub(super) fn is_known() -> bool {
        true
    }

    pub(super) fn register() -> bool {
        true
    }

    pub(super) fn barrier() -> bool {
        // SAFETY: the function takes nothing, returns nothing, and has no preconditions.
        unsafe { windows_sys::Win32::System::Threading::FlushProcessWriteBuffers() };
        true
    }
}

#[cfg(all(not(loom), not(any(target_os = "linux", target_os = "android", windows))))]
mod system {
    //! No asymmetric barrier: [`super::ASYMMETRIC`] is false and nothing here is reached.

    pub(super) fn is_known() -> bool {
        true
    }

    pub(super) fn register() -> bool {
        true
    }

    pub(super) fn barrier() -> bool {
        true
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    #[test]
    fn a_barrier_completes_on_many_threads_at_once() {
        assert!(super::is_known());
        super::prepare();
        // Another test may be preparing it.
        while !super::is_ready() {
            std::thread::yield_now();
        }
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..20).for_each(|_| assert!(super::heavy())));
            }
        });
    }
}
