//! Freed memory stays in the process.
//!
//! The allocator of glibc returns freed memory to the system when more than a threshold is free at the end of its heap,
//! and the threshold depends on what has been freed before. Where programs take turns, one of them may free enough for
//! that, and the next one then pays for the pages of both. A search that reaches 50 of a million vertices took 4 times
//! as long as the serial one, because the latter has one array more; with each of them on new pages it took a third,
//! and with both on old ones as long. So freed memory is kept here for the next program, as in a process that has done
//! such work before. Large allocations are mapped on their own, and are new for every program.

/// Allocations of at least this many bytes are mapped on their own. It is the most that glibc accepts on 64 bits.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MAPPED_BYTES: libc::c_int = 32 << 20;

/// More than this is returned to the system: more than all allocations of a measurement that are not mapped.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT_BYTES: libc::c_int = 1 << 30;

/// Keeps what is freed from now on. Does nothing where the allocator is not that of glibc.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn keep_freed_memory() {
    for (setting, bytes) in [(libc::M_MMAP_THRESHOLD, MAPPED_BYTES), (libc::M_TRIM_THRESHOLD, KEPT_BYTES)] {
        // SAFETY: `mallopt` takes two numbers, locks the allocator itself, and changes nothing but what becomes of free
        // memory. A value that is refused changes nothing.
        unsafe { libc::mallopt(setting, bytes) };
    }
}

/// Keeps what is freed from now on. Does nothing where the allocator is not that of glibc.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn keep_freed_memory() {}
