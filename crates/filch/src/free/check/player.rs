//! Runs a program under any schedule.

use crate::constructs::Strand;
use crate::engine::meters::schedule::{Moved, Script};
use crate::pool::Pool;
use filch_policy::Scheduler;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a run has returned, or the text that it has panicked with.
pub(super) type Outcome<T> = Result<T, String>;

pub(super) fn differs<T: PartialEq>(expected: &T, found: &Outcome<T>) -> bool {
    found.as_ref() != Ok(expected)
}

/// A program, and the pool on which it is run under any schedule.
pub(super) struct Player<'f, F> {
    pool: Pool,
    f: &'f F,
}

impl<'f, T: Send, F: Fn(Strand<'_>) -> T + Sync> Player<'f, F> {
    pub(super) fn new(workers: usize, f: &'f F) -> Self {
        let pool = Pool::builder().workers(workers).scheduler(Scheduler::chaos(0)).build();
        Player { pool: pool.unwrap_or_else(|error| panic!("a check has no pool: {error}")), f }
    }

    /// Runs the program without any moves.
    pub(super) fn in_serial_order(&self) -> Result<T, Box<dyn Any + Send>> {
        self.pool.play(Script::new(0, Some(Vec::new()), false));
        // Unwind safety: what the program shares between runs is its own business, as in a test that panics.
        catch_unwind(AssertUnwindSafe(|| self.pool.run(self.f)))
    }

    /// Runs the program under the schedule of a seed, or with these moves alone. Returns also what has moved.
    pub(super) fn play(&self, seed: u64, kept: Option<Vec<u64>>, locates: bool) -> (Outcome<T>, Vec<Moved>) {
        self.pool.play(Script::new(seed, kept, locates));
        // Unwind safety: as above.
        let result = catch_unwind(AssertUnwindSafe(|| self.pool.run(self.f)));
        (result.map_err(|payload| text_of(&*payload)), self.pool.moved())
    }
}

fn text_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| payload.downcast_ref().cloned()).unwrap_or_else(|| "a payload that is no text".to_owned())
}
