//! Which process this is: a child of fork(2) has the memory of its parent, and of its threads only the one that forked.
//!
//! Whatever the other threads were doing stays as it was at that moment: locks stay locked, and work that was under way
//! is never done. So each process has a number, its *generation*, which a handler raises in every child. What belongs
//! to another generation has lost its threads. Values that a whole process shares, and that a lost thread may have been
//! changing, exist once per process ([`PerProcess`]).
//!
//! A process that is made without handlers (by vfork, clone or posix_spawn) may only exec or exit in any case.

use std::any::Any;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// How many forks since [`watch`] lie between the first process and this one, or more than that; 0 if there are none.
static GENERATION: AtomicUsize = AtomicUsize::new(0);

/// The number of this process.
#[inline]
pub(crate) fn generation() -> usize {
    // Relaxed: it is written only in a child, while that has one thread.
    GENERATION.load(Ordering::Relaxed)
}

/// Whether this is a child of fork(2), some threads of which may be missing.
#[inline]
pub(crate) fn is_forked() -> bool {
    generation() != 0
}

/// Whether this process has a single thread, as far as that is known at little cost.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn has_single_thread() -> bool {
    use std::os::unix::fs::MetadataExt;
    // The folder has a link for each thread, and two more.
    std::fs::metadata("/proc/self/task").is_ok_and(|tasks| tasks.nlink() == 3)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn has_single_thread() -> bool {
    false
}

/// Gives children another number from now on. Called before there is anything that a child could find left behind.
pub(crate) fn watch() {
    static IS_WATCHED: AtomicUsize = AtomicUsize::new(0);
    if IS_WATCHED.load(Ordering::Acquire) == 0 {
        // Two threads may both get here; then a child counts as two, which does no harm. If the mark were set before
        // the handler is there, a thread that finds the mark could fork a child that goes unnoticed.
        let is_watched = call_in_children(raise);
        // Otherwise children behave as if there were no handler.
        debug_assert!(is_watched, "no memory for a handler");
        IS_WATCHED.store(1, Ordering::Release);
    }
}

/// Calls `handler` when this process ends by itself, where the system offers that. A child of fork(2) calls it, too.
pub(crate) fn at_exit(handler: extern "C" fn()) {
    system::call_at_exit(handler);
}

/// Calls `handler` at the beginning of each child of fork(2), where it may do what a signal handler may do. Returns
/// false if there is no memory. Where there is no fork(2), or no notice of it, `handler` is never called.
pub(crate) fn call_in_children(handler: extern "C" fn()) -> bool {
    system::call_in_children(handler)
}

/// Runs in the child, where only what a signal handler may do is allowed.
extern "C" fn raise() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
}

/// Aborts the process, which waits for a thread that it does not have. Says so without a lock, because a lost thread
/// might hold that, too.
#[cold]
pub(crate) fn lost() -> ! {
    system::say(
        "filch: this child of fork(2) waits for work that was under way when its parent forked, on a thread which the \
         child does not have. Before the work that forks is over, the child must exec or exit; or fork outside of \
         runs.\n",
    );
    std::process::abort();
}

/// A value of which each process has its own.
pub(crate) struct PerProcess<T> {
    first: T,
    later: LaterValues,
}

impl<T> PerProcess<T> {
    /// Makes it with the value of the first process.
    pub(crate) const fn new(first: T) -> Self {
        PerProcess { first, later: LaterValues(AtomicPtr::new(ptr::null_mut())) }
    }
}

impl<T: Default + Send + Sync + 'static> PerProcess<T> {
    /// All values. That of this process is among them if this process has asked for it.
    pub(crate) fn all(&self) -> impl Iterator<Item = &T> {
        std::iter::once(&self.first).chain(self.later.iter().map(|later| self.value_of(later)))
    }

    /// The value of this process.
    #[inline]
    pub(crate) fn get(&self) -> &T {
        if is_forked() { self.of_child(generation()) } else { &self.first }
    }

    #[cold]
    fn of_child(&self, generation: usize) -> &T {
        self.value_of(self.later.of(generation, &|| Box::<T>::default()))
    }

    fn value_of<'a>(&self, later: &'a Later) -> &'a T {
        later.value.downcast_ref().expect("`of_child` has made it")
    }
}

/// The values of children, the newest first. They are never freed: there is one per process that has asked for it. They
/// are of one type, so that this code is compiled once for all [`PerProcess`].
struct LaterValues(AtomicPtr<Later>);

struct Later {
    generation: usize,
    value: Box<dyn Any + Send + Sync>,
    older: *mut Later,
}

impl LaterValues {
    fn iter(&self) -> impl Iterator<Item = &Later> {
        let mut next = self.0.load(Ordering::Acquire);
        std::iter::from_fn(move || {
            // SAFETY: `next` is null or an element of the list, which `of` has made and which is never freed.
            let later = unsafe { next.as_ref() }?;
            next = later.older;
            Some(later)
        })
    }

    /// The value of the process `generation`, which `make` makes if there is none. Takes no locks: another thread may
    /// have been here when the process was forked.
    fn of(&self, generation: usize, make: &dyn Fn() -> Box<dyn Any + Send + Sync>) -> &Later {
        loop {
            // Before the search: whoever adds a value meanwhile makes the exchange fail.
            let older = self.0.load(Ordering::Acquire);
            if let Some(later) = self.iter().find(|later| later.generation == generation) {
                return later;
            }
            let later = Box::into_raw(Box::new(Later { generation, value: make(), older }));
            if self.0.compare_exchange(older, later, Ordering::AcqRel, Ordering::Acquire).is_err() {
                // SAFETY: made above, and not published, because the exchange failed.
                drop(unsafe { Box::from_raw(later) });
            }
        }
    }
}

/// Compiles the first module if the configuration holds, and otherwise the second one.
macro_rules! either {
    ($configuration:meta => $this:item else $other:item) => {
        #[cfg($configuration)]
        $this
        #[cfg(not($configuration))]
        $other
    };
}

// Systems with fork(2). Miri does not support handlers, and loom does not know processes.
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
            // POSIX. It is in the C library, which std links to. The `libc` crate declares it for some systems only.
            fn pthread_atfork(prepare: Option<Handler>, parent: Option<Handler>, child: Option<Handler>) -> i32;
            fn atexit(handler: Handler) -> i32;
        }

        pub(super) fn call_in_children(handler: Handler) -> bool {
            // SAFETY: the handler does what is allowed in children, and lives as long as this library. If the library
            // is unloaded, the system forgets the handler.
            unsafe { pthread_atfork(None, None, Some(handler)) == 0 }
        }

        pub(super) fn call_at_exit(handler: Handler) {
            // SAFETY: the handler takes nothing, and lives as long as this library, as above.
            let status = unsafe { atexit(handler) };
            debug_assert_eq!(status, 0, "no memory for a handler");
        }

        pub(super) fn say(text: &str) {
            // SAFETY: the descriptor is used for one write and is not closed. If it does not exist, the write fails.
            let stderr = unsafe { File::from_raw_fd(2) };
            // A failure to write cannot be reported anywhere.
            let _ = ManuallyDrop::new(stderr).write_all(text.as_bytes());
        }
    }
    else
    mod system {
        //! Without fork(2), or without notice of it, no process is ever a child.

        pub(super) fn call_in_children(_: extern "C" fn()) -> bool {
            true
        }

        pub(super) fn call_at_exit(_: extern "C" fn()) {}

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
        assert!(ptr::eq(values.get(), &values.first), "this test does not run in a child");
        for child in 1..4 {
            *values.of_child(child).lock().unwrap() += child;
        }
        for child in 1..4 {
            assert_eq!(*values.of_child(child).lock().unwrap(), child);
        }
        assert_eq!(values.all().map(|value| *value.lock().unwrap()).collect::<Vec<_>>(), [0, 3, 2, 1]);
    }
}
