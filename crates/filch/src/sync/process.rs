//! Which process this is: a child of fork(2) has the memory of its parent, and of its threads only the one that forked.
//!
//! Whatever the others were doing stays as it was at that moment: locks stay locked, work that is under way is never
//! done. So each process has a number, its *generation*, which a handler of the system's raises in every child. Who
//! belongs to another generation knows that its threads are gone. What is shared by a whole process, and may be in the
//! hands of a thread that is gone, each process has for itself ([`PerProcess`]).
//!
//! Processes that are made without handlers (vfork, clone, posix_spawn) may do nothing but exec or exit in any case.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// How often this process, or one that it comes from, was forked since [`watch`], at least; 0 if never.
static GENERATION: AtomicUsize = AtomicUsize::new(0);

/// The number of this process.
#[inline]
pub(crate) fn generation() -> usize {
    // Written while there is one thread.
    GENERATION.load(Ordering::Relaxed)
}

/// Whether some threads may be gone.
#[inline]
pub(crate) fn is_forked() -> bool {
    generation() != 0
}

/// From now on children have another number. Called before there is anything that a child could miss.
pub(crate) fn watch() {
    static IS_WATCHED: AtomicUsize = AtomicUsize::new(0);
    if IS_WATCHED.load(Ordering::Acquire) == 0 {
        // Twice, perhaps, by two threads: then a child counts for two. Marked before the handler is there, a child of
        // another thread could go unnoticed.
        system::call_in_children(raise);
        IS_WATCHED.store(1, Ordering::Release);
    }
}

/// In the child, where only what signal handlers may do is allowed.
extern "C" fn raise() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
}

/// Ends the process: it waits for a thread that it does not have. Says so without a lock, which might be one more of
/// those.
#[cold]
pub(crate) fn lost() -> ! {
    system::say(
        "filch: this child of fork(2) waits for work that was under way when its parent forked, on a thread which the child \
         does not have. Before the work that forks is over, the child must exec or exit; or fork outside of runs.\n",
    );
    std::process::abort();
}

/// One value for each process.
pub(crate) struct PerProcess<T> {
    first: T,
    /// Those of children, the newest first. They are never freed: there is one per process that has asked for it.
    later: AtomicPtr<Later<T>>,
}

struct Later<T> {
    generation: usize,
    value: T,
    older: *mut Later<T>,
}

impl<T> PerProcess<T> {
    /// With the value of the first process.
    pub(crate) const fn new(first: T) -> Self {
        PerProcess { first, later: AtomicPtr::new(ptr::null_mut()) }
    }

    /// All values, that of this process among them if it has asked for it.
    pub(crate) fn all(&self) -> impl Iterator<Item = &T> {
        std::iter::once(&self.first)
            .chain(self.later_from(self.later.load(Ordering::Acquire)).map(|later| &later.value))
    }

    fn later_from(&self, mut next: *mut Later<T>) -> impl Iterator<Item = &Later<T>> {
        std::iter::from_fn(move || {
            // SAFETY: in the list, so made by `make` and never freed.
            let later = unsafe { next.as_ref() }?;
            next = later.older;
            Some(later)
        })
    }
}

impl<T: Default> PerProcess<T> {
    /// That of this process.
    #[inline]
    pub(crate) fn get(&self) -> &T {
        if is_forked() { self.of_child(generation()) } else { &self.first }
    }

    /// No locks: another thread may have been here when the process was forked.
    #[cold]
    fn of_child(&self, generation: usize) -> &T {
        let mut newest = self.later.load(Ordering::Acquire);
        let mut made: Option<Box<Later<T>>> = None;
        loop {
            if let Some(later) = self.later_from(newest).find(|later| later.generation == generation) {
                return &later.value;
            }
            let mut later =
                made.take().unwrap_or_else(|| Box::new(Later { generation, value: T::default(), older: newest }));
            later.older = newest;
            let later = Box::into_raw(later);
            match self.later.compare_exchange(newest, later, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => newest = later,
                Err(other) => {
                    newest = other;
                    // SAFETY: made above, and nobody has seen it.
                    made = Some(unsafe { Box::from_raw(later) });
                }
            }
        }
    }
}

/// Compiles the one module if the configuration is such, and else the other.
macro_rules! either {
    ($configuration:meta => $this:item else $other:item) => {
        #[cfg($configuration)]
        $this
        #[cfg(not($configuration))]
        $other
    };
}

// Systems with fork(2). Miri knows no handlers, and the model checker no processes.
either! {
    all(
        any(
            target_os = "linux",
            target_os = "android",
            target_vendor = "apple",
            target_os = "freebsd",
            target_os = "netbsd",
            target_os = "openbsd",
            target_os = "dragonfly",
            target_os = "illumos",
            target_os = "solaris"
        ),
        not(any(miri, loom))
    ) =>
    mod system {
        use std::fs::File;
        use std::io::Write;
        use std::mem::ManuallyDrop;
        use std::os::fd::FromRawFd;

        type Handler = extern "C" fn();

        unsafe extern "C" {
            // POSIX; in the C library, which std links to. The `libc` crate has it for some systems only.
            fn pthread_atfork(prepare: Option<Handler>, parent: Option<Handler>, child: Option<Handler>) -> i32;
        }

        pub(super) fn call_in_children(handler: Handler) {
            // SAFETY: the handler does one atomic access, and lives as long as this library: the system forgets it if that is
            // unloaded.
            let status = unsafe { pthread_atfork(None, None, Some(handler)) };
            // It fails where there is no memory. Then children are as they would be without it.
            debug_assert_eq!(status, 0, "no memory for a handler");
        }

        pub(super) fn say(text: &str) {
            // SAFETY: used for one write and not closed; if there is no such descriptor, the write fails.
            let stderr = unsafe { File::from_raw_fd(2) };
            // Nobody is left to be told that it has failed.
            let _ = ManuallyDrop::new(stderr).write_all(text.as_bytes());
        }
    }
    else
    mod system {
        //! No fork, or none that is told of: nobody is ever lost.

        pub(super) fn call_in_children(_: extern "C" fn()) {}

        pub(super) fn say(_: &str) {}
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn each_process_has_its_own_value_and_finds_it_again() {
        static VALUES: PerProcess<Mutex<usize>> = PerProcess::new(Mutex::new(0));
        let values = &VALUES;
        assert!(ptr::eq(values.get(), &values.first), "no child is tested here");
        for child in 1..4 {
            *values.of_child(child).lock().unwrap() += child;
        }
        for child in 1..4 {
            assert_eq!(*values.of_child(child).lock().unwrap(), child);
        }
        assert_eq!(values.all().map(|value| *value.lock().unwrap()).collect::<Vec<_>>(), [0, 3, 2, 1]);
    }
}
