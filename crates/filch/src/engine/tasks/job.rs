//! A closure that waits in a pool: of any type, in one size.

use crate::engine::frame::Rung;
use std::mem::{MaybeUninit, align_of, size_of};
use std::thread;

/// What fits beside a pointer on a line of the cache. Larger closures are boxed.
const INLINE_WORDS: usize = 7;

type Words = MaybeUninit<[usize; INLINE_WORDS]>;

/// What is to be done with it.
#[derive(Clone, Copy)]
pub(crate) enum Fate {
    /// Run, at this rung, the top of a ladder that the caller occupies.
    Run(Rung),
    /// Drop, not run.
    Drop,
}

/// What a job needs of a type: to be run or dropped.
pub(crate) trait Task: Send {
    /// # Safety
    ///
    /// The caller occupies the ladder of `rung`, its top, until this returns.
    unsafe fn run(self, rung: Rung);
}

/// A task of a type that is forgotten. Whoever has it must [finish](Self::finish) it; dropped, it leaks.
#[must_use]
pub(crate) struct Job {
    /// Reads the task out of the words, and runs or drops it; what it panics with.
    finish: unsafe fn(&Words, Fate) -> thread::Result<()>,
    words: Words,
}

// SAFETY: it is made from a `Task`, which is `Send`.
unsafe impl Send for Job {}

fn fits<T>() -> bool {
    size_of::<T>() <= size_of::<Words>() && align_of::<T>() <= align_of::<Words>()
}

impl Job {
    /// # Safety
    ///
    /// The job is finished while what `task` borrows lives.
    pub(crate) unsafe fn new<T: Task>(task: T) -> Self {
        if fits::<T>() {
            // SAFETY: forwarded.
            unsafe { Self::inline(task) }
        } else {
            // SAFETY: forwarded; a box fits.
            unsafe { Self::inline(Boxed(Box::new(task))) }
        }
    }

    /// # Safety
    ///
    /// As [`new`](Self::new), and `T` [`fits`].
    unsafe fn inline<T: Task>(task: T) -> Self {
        debug_assert!(fits::<T>(), "a task lies within its words");
        let mut words = Words::uninit();
        // SAFETY: it fits, and nobody else has the words.
        unsafe { words.as_mut_ptr().cast::<T>().write(task) };
        Job { finish: finish::<T>, words }
    }

    /// Runs or drops it; `Err` with what that panicked with.
    ///
    /// # Safety
    ///
    /// As [`Task::run`], where it is run.
    pub(crate) unsafe fn finish(self, fate: Fate) -> thread::Result<()> {
        // SAFETY: of one type, by `new`; consumed, so it is called once. The rest is forwarded.
        unsafe { (self.finish)(&self.words, fate) }
    }
}

/// # Safety
///
/// `words` hold a `T`, which is not used again; and as [`Task::run`].
unsafe fn finish<T: Task>(words: &Words, fate: Fate) -> thread::Result<()> {
    // SAFETY: by contract.
    let task = unsafe { words.as_ptr().cast::<T>().read() };
    // Unwind safety: the owner of the scope resumes the panic before anybody can look at what is left broken.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match fate {
        // SAFETY: forwarded.
        Fate::Run(rung) => unsafe { task.run(rung) },
        Fate::Drop => drop(task),
    }))
}

struct Boxed<T>(Box<T>);

impl<T: Task> Task for Boxed<T> {
    unsafe fn run(self, rung: Rung) {
        // SAFETY: forwarded.
        unsafe { self.0.run(rung) }
    }
}
