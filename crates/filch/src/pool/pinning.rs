//! Binds threads to processors.

use core_affinity::CoreId;

/// How many processors `core_affinity` can name.
const NAMED: usize = if cfg!(windows) { 64 } else { 1024 };

/// The processors that the calling thread may use. Affinity masks and the sets of containers have been applied. None if
/// the system does not list them.
pub(super) fn processors() -> Vec<usize> {
    core_affinity::get_core_ids().unwrap_or_default().into_iter().map(|core| core.id).collect()
}

/// Binds the calling thread to `processor`. False if the system refuses.
pub(super) fn pin(processor: usize) -> bool {
    processor < NAMED && core_affinity::set_for_current(CoreId { id: processor })
}

/// While it lives, the thread that has made it is bound to a processor. Then the thread may use again what it could
/// use before.
pub(super) struct Bound {
    before: Affinity,
}

impl Bound {
    /// Binds the calling thread to `processor`. `None` if the system refuses, or does not say what to go back to.
    pub(super) fn to(processor: usize) -> Option<Self> {
        let before = Affinity::of_this_thread()?;
        pin(processor).then_some(Bound { before })
    }

    /// Whether this can be done on this system.
    pub(super) fn is_possible() -> bool {
        Affinity::of_this_thread().is_some()
    }
}

impl Drop for Bound {
    fn drop(&mut self) {
        self.before.restore();
    }
}

/// The processors that a thread may use.
#[cfg(any(target_os = "linux", target_os = "android"))]
struct Affinity(libc::cpu_set_t);

#[cfg(any(target_os = "linux", target_os = "android"))]
impl Affinity {
    fn of_this_thread() -> Option<Self> {
        // SAFETY: the type is an array of integers, for which zero is a value.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: the kernel writes at most as many bytes as it is told, which are those of `set`.
        let result = unsafe { libc::sched_getaffinity(0, size_of_val(&set), &raw mut set) };
        (result == 0).then_some(Affinity(set))
    }

    /// Lets the calling thread use these. If the system refuses, because it has taken them all away in the meantime, it
    /// has moved the thread elsewhere itself.
    fn restore(&self) {
        // SAFETY: the kernel reads as many bytes as it is told, which are those of the set.
        let _ = unsafe { libc::sched_setaffinity(0, size_of_val(&self.0), &raw const self.0) };
    }
}

/// Elsewhere it is not known.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
struct Affinity;

#[cfg(not(any(target_os = "linux", target_os = "android")))]
impl Affinity {
    fn of_this_thread() -> Option<Self> {
        None
    }

    fn restore(&self) {}
}
