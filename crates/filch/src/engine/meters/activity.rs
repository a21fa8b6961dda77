//! What the occupant of a worker is doing: a byte for each worker, for whoever wants to know.
//!
//! Only the occupant writes it, where one activity begins or ends. All of that is on slow paths: a fork that stays with
//! its worker changes nothing. Activities nest, as calls do, so each is a guard that restores the one around it, also
//! when a panic unwinds. Other threads read the byte as a hint, of this moment only, and conclude nothing from it about
//! other memory; so all accesses are relaxed.
//!
//! A thread that sleeps for lack of work occupies no worker. [`Team::activity_of`](crate::engine::team::Team) knows
//! these, too.
//!
//! A trace has a slice for each activity, which begins and ends here.

use crate::engine::trace::{self, Slice};
use crate::sync::{AtomicU8, Ordering};
use std::fmt;
use std::ptr;

/// What the occupant of a worker is doing: the thread that works there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum Activity {
    /// There is no occupant, or it has nothing to do here.
    Away,
    /// It runs what has come from outside of the pool.
    Run,
    /// It runs a frame that has moved, or spawned tasks.
    Task,
    /// It looks for work.
    Search,
    /// It has asked another worker, and waits for the answer.
    Ask,
    /// It waits for what has moved: at a join, at the end of a scope, for a handle or a value.
    Wait,
    /// It sleeps until it is called, or for a while.
    Sleep,
    /// It is in a blocking section.
    Block,
}

impl Activity {
    /// All of them.
    pub const ALL: [Activity; 8] = [
        Activity::Away,
        Activity::Run,
        Activity::Task,
        Activity::Search,
        Activity::Ask,
        Activity::Wait,
        Activity::Sleep,
        Activity::Block,
    ];

    /// What a trace calls them.
    pub(crate) const NAMES: &[&str] = &{
        let mut names = [""; Activity::ALL.len()];
        let mut number = 0;
        while number < names.len() {
            names[number] = Activity::ALL[number].name();
            number += 1;
        }
        names
    };

    fn of(byte: u8) -> Self {
        // Another process might have written to the page.
        Activity::ALL.get(usize::from(byte)).copied().unwrap_or(Activity::Away)
    }

    /// The calling thread, which occupies no worker, does this until the result is dropped.
    pub(crate) fn without_worker(self) -> Slice {
        trace::begin(self as u8, 0, 0)
    }

    /// Its name: one word in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Activity::Away => "away",
            Activity::Run => "run",
            Activity::Task => "task",
            Activity::Search => "search",
            Activity::Ask => "ask",
            Activity::Wait => "wait",
            Activity::Sleep => "sleep",
            Activity::Block => "block",
        }
    }
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The activity of one worker, on the [page](crate::engine::meters::page).
#[repr(transparent)]
pub(crate) struct ActivityCell(AtomicU8);

impl ActivityCell {
    pub(crate) fn new() -> Self {
        ActivityCell(AtomicU8::new(Activity::Away as u8))
    }

    /// The worker has no occupant.
    pub(crate) fn reset(&self) {
        self.0.store(Activity::Away as u8, Ordering::Relaxed);
    }

    /// What the occupant is doing now. A hint, unless the caller is the occupant.
    pub(crate) fn now(&self) -> Activity {
        Activity::of(self.0.load(Ordering::Relaxed))
    }

    /// The occupant begins this, and does it until the result is dropped.
    #[must_use]
    pub(crate) fn begin(&self, activity: Activity) -> Doing<'_> {
        self.begin_frame(activity, 0)
    }

    /// [`begin`](Self::begin), for the frame at this address, which has moved.
    #[must_use]
    pub(crate) fn begin_frame(&self, activity: Activity, frame: usize) -> Doing<'_> {
        let around = self.now();
        self.0.store(activity as u8, Ordering::Relaxed);
        let slice = trace::begin(activity as u8, frame as u64, self.name());
        Doing { cell: self, around, _slice: slice }
    }

    /// What a trace knows the worker by.
    pub(crate) fn name(&self) -> u64 {
        ptr::from_ref(self).addr() as u64
    }
}

/// The occupant of a worker does something as long as this lives, and then what it has done before. What begins
/// meanwhile ends first.
pub(crate) struct Doing<'w> {
    cell: &'w ActivityCell,
    around: Activity,
    _slice: Slice,
}

impl Drop for Doing<'_> {
    fn drop(&mut self) {
        self.cell.0.store(self.around as u8, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn each_activity_is_its_own_byte() {
        assert!(Activity::ALL.iter().enumerate().all(|(byte, &activity)| activity as usize == byte));
    }

    #[test]
    fn what_ends_restores_what_was_around_it_also_when_a_panic_unwinds() {
        let cell = ActivityCell::new();
        let run = cell.begin(Activity::Run);
        let unwound = catch_unwind(AssertUnwindSafe(|| {
            let _wait = cell.begin(Activity::Wait);
            let _task = cell.begin(Activity::Task);
            assert_eq!(cell.now(), Activity::Task);
            panic!("in a task");
        }));
        assert!(unwound.is_err());
        assert_eq!(cell.now(), Activity::Run);
        drop(run);
        assert_eq!(cell.now(), Activity::Away);
    }
}
