//! A place where pieces of work wait for each other.

use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// Longer than it takes any number of threads to wake up and to be scheduled, on whatever machine.
const LIMIT: Duration = Duration::from_secs(30);

/// A place where `expected` pieces of work meet: each of them sleeps until all have begun.
pub(crate) struct Meeting {
    expected: usize,
    come: Mutex<usize>,
    all_have_come: Condvar,
}

impl Meeting {
    pub(crate) fn of(expected: usize) -> Self {
        Meeting { expected, come: Mutex::new(0), all_have_come: Condvar::new() }
    }

    /// Begins one, and waits for the others.
    pub(crate) fn attend(&self) {
        let mut come = self.come.lock().expect("nobody panics here");
        *come += 1;
        if *come == self.expected {
            self.all_have_come.notify_all();
        }
        let late = |come: &mut usize| *come < self.expected;
        let (come, waited) = self.all_have_come.wait_timeout_while(come, LIMIT, late).expect("as above");
        let count = *come;
        // Not with the lock held, so that the others can report the same.
        drop(come);
        assert!(!waited.timed_out(), "{count} of {} have begun, and no worker begins the next", self.expected);
    }

    /// All have attended.
    pub(crate) fn assert_over(self) {
        assert_eq!(self.come.into_inner().expect("as above"), self.expected);
    }
}

/// Has `run` begin `expected` pieces of work, each of which [attends](Meeting::attend).
pub(crate) fn meet(expected: usize, run: impl FnOnce(&Meeting)) {
    let meeting = Meeting::of(expected);
    run(&meeting);
    meeting.assert_over();
}
