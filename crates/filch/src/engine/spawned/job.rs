//! A closure that waits in a spawn queue. Closures of all types become jobs of one size.

use crate::engine::frame::Top;
use std::mem::{MaybeUninit, align_of, size_of};
use std::thread;

/// A job with this many words and the pointer beside them fills a cache line. Larger closures are boxed.
const INLINE_WORDS: usize = 7;

type Words = MaybeUninit<[usize; INLINE_WORDS]>;

/// What to do with a job.
pub(crate) enum Fate<'l> {
    /// Run it here.
    Run(Top<'l>),
    /// Drop it without running it.
    Drop,
    /// Leave it as it is, and write down whether it [is over](Task::is_over).
    Look(&'l mut bool),
}

/// What a closure must be able to do to become a job.
pub(crate) trait Task: Send {
    /// Whether it says itself when it begins and ends ([`profile`](crate::engine::profile)).
    const IS_TIMED: bool = false;

    fn run(self, top: Top<'_>);

    /// Whether it has been run elsewhere, so that nothing is left to do. Runs no user code.
    fn is_over(&self) -> bool {
        false
    }
}

/// A task whose type has been erased. It leaks if it is dropped, so it must be [finished](Self::finish).
#[must_use]
pub(crate) struct Job {
    /// Reads the task out of the words and runs or drops it. Returns the panic that it catches.
    finish: unsafe fn(&Words, Fate<'_>) -> thread::Result<()>,
    words: Words,
}

// SAFETY: a job is only made from a `Task`, which is `Send`.
unsafe impl Send for Job {}

fn fits<T>() -> bool {
    size_of::<T>() <= size_of::<Words>() && align_of::<T>() <= align_of::<Words>()
}

impl Job {
    /// # Safety
    ///
    /// The job is finished before anything that `task` borrows ends.
    pub(crate) unsafe fn new<T: Task>(task: T) -> Self {
        if fits::<T>() {
            // SAFETY: guaranteed by the caller.
            unsafe { Self::inline(task) }
        } else {
            // SAFETY: a box fits; the rest is guaranteed by the caller.
            unsafe { Self::inline(Boxed(Box::new(task))) }
        }
    }

    /// # Safety
    ///
    /// As for [`new`](Self::new), and `T` [`fits`].
    unsafe fn inline<T: Task>(task: T) -> Self {
        debug_assert!(fits::<T>(), "a task lies within its words");
        let mut words = Words::uninit();
        // SAFETY: `T` fits into the words, as the caller guarantees, and the words are a local variable.
        unsafe { words.as_mut_ptr().cast::<T>().write(task) };
        Job { finish: finish::<T>, words }
    }

    /// The address of the code that is made for tasks of its type.
    pub(crate) fn code(&self) -> usize {
        self.finish as *const () as usize
    }

    /// Whether it has been run elsewhere.
    pub(crate) fn is_over(&self) -> bool {
        let mut is_over = false;
        // SAFETY: `words` hold a task of the type that `finish` was made for. It is only looked at.
        let looked = unsafe { (self.finish)(&self.words, Fate::Look(&mut is_over)) };
        looked.is_ok() && is_over
    }

    /// Runs or drops the job that is here, and returns the panic that it catches. Not by value: a job would be copied
    /// on its way.
    pub(crate) fn finish(here: &mut Option<Job>, fate: Fate<'_>) -> thread::Result<()> {
        let Some(job) = here else { return Ok(()) };
        // SAFETY: `words` hold a task of the type that `finish` was made for, because `inline` sets both. It does not
        // unwind, so the job is not here afterwards, and is read once.
        let result = unsafe { (job.finish)(&job.words, fate) };
        *here = None;
        result
    }
}

/// # Safety
///
/// `words` hold a `T`, which is not used again unless it was only looked at.
unsafe fn finish<T: Task>(words: &Words, fate: Fate<'_>) -> thread::Result<()> {
    if let Fate::Look(is_over) = fate {
        // SAFETY: guaranteed by the caller.
        *is_over = unsafe { &*words.as_ptr().cast::<T>() }.is_over();
        return Ok(());
    }
    // SAFETY: the caller guarantees that `words` hold a `T` which is not used again.
    let task = unsafe { words.as_ptr().cast::<T>().read() };
    // Unwind safety: the owner of the scope resumes the panic before its code can see values that the panic left
    // broken.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match fate {
        Fate::Run(top) => task.run(top),
        Fate::Drop | Fate::Look(_) => drop(task),
    }))
}

struct Boxed<T>(Box<T>);

impl<T: Task> Task for Boxed<T> {
    fn run(self, top: Top<'_>) {
        self.0.run(top);
    }

    fn is_over(&self) -> bool {
        self.0.is_over()
    }
}
