//! Binds threads to processors, on Linux, Android and Windows. Elsewhere no processor has a name.

use affinity::Affinity;

/// The processors that the calling thread may use. Affinity masks and the sets of containers have been applied. None if
/// the system does not list them.
pub(super) fn processors() -> Vec<usize> {
    Affinity::of_this_thread().map(|set| (0..affinity::NAMED).filter(|&p| set.has(p)).collect()).unwrap_or_default()
}

/// Binds the calling thread to `processor`. False if the system refuses.
pub(super) fn pin(processor: usize) -> bool {
    processor < affinity::NAMED && Affinity::of(processor).apply()
}

/// While it lives, the thread that has made it is bound to a processor. Then the thread may use again what it could
/// use before.
pub(super) struct Bound {
    before: Affinity,
}

impl Bound {
    /// Binds the calling thread to `processor`. `None` if the system refuses, or does not say what to go back to.
    pub(super) fn to(processor: usize) -> Option<Self> {
        let before = Affinity::of_this_thread().filter(|_| affinity::IS_OF_THREADS)?;
        pin(processor).then_some(Bound { before })
    }

    /// Whether this can be done on this system.
    pub(super) fn is_possible() -> bool {
        affinity::IS_OF_THREADS && Affinity::of_this_thread().is_some()
    }
}

impl Drop for Bound {
    /// If the system refuses, because it has taken these processors away in the meantime, it has moved the thread
    /// elsewhere itself.
    fn drop(&mut self) {
        let _ = self.before.apply();
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod affinity {
    /// How many processors a set can have.
    pub(super) const NAMED: usize = libc::CPU_SETSIZE as usize;

    /// Whether a thread can be asked for its set.
    pub(super) const IS_OF_THREADS: bool = true;

    /// A set of processors that a thread may use.
    pub(super) struct Affinity(libc::cpu_set_t);

    impl Affinity {
        fn none() -> libc::cpu_set_t {
            // SAFETY: the type is an array of integers, for which zero is a value.
            unsafe { std::mem::zeroed() }
        }

        pub(super) fn of_this_thread() -> Option<Self> {
            let mut set = Self::none();
            // SAFETY: the kernel writes at most as many bytes as it is told, which are those of `set`.
            let result = unsafe { libc::sched_getaffinity(0, size_of_val(&set), &raw mut set) };
            (result == 0).then_some(Affinity(set))
        }

        /// `processor` must be less than [`NAMED`].
        pub(super) fn of(processor: usize) -> Self {
            let mut set = Self::none();
            // SAFETY: it is below the size of the set.
            unsafe { libc::CPU_SET(processor, &mut set) };
            Affinity(set)
        }

        /// `processor` must be less than [`NAMED`].
        pub(super) fn has(&self, processor: usize) -> bool {
            // SAFETY: as above.
            unsafe { libc::CPU_ISSET(processor, &self.0) }
        }

        /// Lets the calling thread use these. False if the system refuses.
        pub(super) fn apply(&self) -> bool {
            // SAFETY: the kernel reads as many bytes as it is told, which are those of the set.
            unsafe { libc::sched_setaffinity(0, size_of_val(&self.0), &raw const self.0) == 0 }
        }
    }
}

#[cfg(windows)]
mod affinity {
    use windows_sys::Win32::System::Threading::{
        GetCurrentProcess, GetCurrentThread, GetProcessAffinityMask, SetThreadAffinityMask,
    };

    /// How many processors a set can have: those of the group that the process is in.
    pub(super) const NAMED: usize = usize::BITS as usize;

    /// A thread cannot be asked for its set, but a process can.
    pub(super) const IS_OF_THREADS: bool = false;

    /// A set of processors that a thread may use.
    pub(super) struct Affinity(usize);

    impl Affinity {
        /// The set of the process.
        pub(super) fn of_this_thread() -> Option<Self> {
            let (mut process, mut system) = (0, 0);
            // SAFETY: it has no premises, and the handle is valid in the process.
            let this = unsafe { GetCurrentProcess() };
            // SAFETY: the handle is valid, and the system writes to the two numbers.
            let is_known = unsafe { GetProcessAffinityMask(this, &raw mut process, &raw mut system) };
            (is_known != 0).then_some(Affinity(process))
        }

        /// `processor` must be less than [`NAMED`].
        pub(super) fn of(processor: usize) -> Self {
            Affinity(1 << processor)
        }

        pub(super) fn has(&self, processor: usize) -> bool {
            self.0 >> processor & 1 == 1
        }

        /// Lets the calling thread use these. False if the system refuses.
        pub(super) fn apply(&self) -> bool {
            // SAFETY: it has no premises, and the handle is valid in the thread.
            let this = unsafe { GetCurrentThread() };
            // SAFETY: the handle is valid.
            unsafe { SetThreadAffinityMask(this, self.0) != 0 }
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", windows)))]
mod affinity {
    pub(super) const NAMED: usize = 0;

    pub(super) const IS_OF_THREADS: bool = false;

    pub(super) struct Affinity;

    impl Affinity {
        pub(super) fn of_this_thread() -> Option<Self> {
            None
        }

        pub(super) fn of(_: usize) -> Self {
            Affinity
        }

        pub(super) fn has(&self, _: usize) -> bool {
            false
        }

        pub(super) fn apply(&self) -> bool {
            false
        }
    }
}
