//! Checks that a program's result does not depend on its schedule: [`check`] and [`Check`].
//!
//! A run under chaos is a function of its program, a seed and the list of places at which something moves. [`Check`]
//! compares the run in which nothing moves with those of many seeds; [`shrink`] finds a short list of moves that
//! suffices for another result; [`difference`] tells it. [`variables`] of the environment name seeds and schedules.

mod difference;
mod player;
mod shrink;
mod variables;

pub use difference::Difference;

use crate::constructs::Strand;
use player::{Player, differs};
use std::fmt::Debug;
use std::ops::Range;
use std::panic::resume_unwind;

/// How many seeds are tried unless anybody says. A mistake that one in twenty schedules shows is then missed by one
/// check in 27,000.
const DEFAULT_SEEDS: u64 = 200;

/// Checks that what `f` returns does not depend on the schedule: runs it in the order of the serial program and then
/// under 200 schedules, and compares the results. For tests.
///
/// ```
/// filch::check(|| {
///     let mut squares = vec![0; 20];
///     filch::for_each((0.., &mut squares), |_, (i, square)| *square = i * i);
///     squares
/// });
/// ```
///
/// A result that depends on the schedule is an error:
/// ```should_panic
/// use std::sync::Mutex;
///
/// filch::check(|| {
///     let list = Mutex::new(vec![]);
///     filch::for_each(0..20, |_, i| list.lock().unwrap().push(i));
///     list.into_inner().unwrap()
/// });
/// ```
///
/// [`Check`] has settings, says more, and has a form for code with strands.
///
/// # Panics
///
/// If a result differs. The message has both results, and the fewest moves of work between workers that were found to
/// suffice, with the lines of the program at which they happen. Also if `f` panics in the order of the serial program,
/// or if `FILCH_CHECK` or `FILCH_CHECK_SEEDS` has a value that cannot be read.
#[track_caller]
pub fn check<T, F>(f: F) -> T
where
    T: PartialEq + Debug + Send,
    F: Fn() -> T + Sync,
{
    Check::new().run(f)
}

/// Settings for a check that a result does not depend on the schedule; [`check`] has the usual ones.
///
/// The schedules are those of [chaos](crate::Scheduler::chaos), on a pool of the check's own: one thread plays all
/// workers. At forks, returns, blocks of loops, items, spawns and ends of scopes it may put what it is doing aside, and
/// run something that another worker could run at that moment.
///
/// **What it finds** is a result that depends on the *order* in which branches, iterations and tasks run, inside each
/// other included, or on which of them moved to other workers. **What it cannot find**: one thread runs at a time, and
/// it changes only at such places. So serial code between two of them is never interrupted, and data races and the
/// reordering of memory accesses within such code are not explored; for these there are Miri, loom and the sanitizers.
/// Code that blocks until a later branch has begun hangs, as under chaos.
///
/// The program must use the pool that it is in: [`join`](crate::join()), [`for_each`](crate::for_each()),
/// [`scope`](crate::scope()), or the strand that [`run_with`](Self::run_with) gives it. [`filch::run`](crate::run) is a
/// run on the global pool, which is not explored. It must do the same in each run, but for the schedule. If one
/// schedule gives two results, the message says so.
///
/// **Cost.** One run for each seed. If a result differs, up to a thousand more to find the fewest moves. A fork under
/// chaos costs a fraction of a microsecond, so programs should be small.
///
/// **Environment.** `FILCH_CHECK_SEEDS=10000` tries that many seeds in each check. `FILCH_CHECK=seed=7` tries this seed
/// alone, and `FILCH_CHECK=seed=7,moves=3+12` runs the schedule of a message again. Both come before what the program
/// has set.
///
/// ```
/// use filch::{Check, Strand};
/// use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
///
/// /// Loads and stores, with a fork in between, during which another branch may do the same.
/// fn increment(mut s: Strand<'_>, count: &AtomicU32) {
///     let before = count.load(SeqCst);
///     s.join(|_| (), |_| ());
///     count.store(before + 1, SeqCst);
/// }
///
/// let difference = Check::new().seeds(1000).try_run_with(|mut s| {
///     let count = AtomicU32::new(0);
///     s.join(|s| increment(s, &count), |s| increment(s, &count));
///     count.into_inner()
/// });
/// let difference = difference.unwrap_err();
/// assert_eq!((difference.expected(), difference.found()), (&2, Ok(&1)));
/// ```
#[derive(Clone, Debug)]
#[must_use = "a check does nothing until it runs"]
pub struct Check {
    seeds: Range<u64>,
    workers: usize,
}

impl Default for Check {
    fn default() -> Self {
        Check::new()
    }
}

impl Check {
    /// The usual settings: 200 seeds and 4 workers.
    pub fn new() -> Self {
        Check { seeds: 0..DEFAULT_SEEDS, workers: 4 }
    }

    /// Sets how many seeds are tried.
    pub fn seeds(self, seeds: u64) -> Self {
        Check { seeds: 0..seeds, ..self }
    }

    /// Tries one seed alone.
    pub fn seed(self, seed: u64) -> Self {
        Check { seeds: seed..seed.saturating_add(1), ..self }
    }

    /// Sets how many workers the one thread plays, 1 to 4096. With one, nothing can move.
    pub fn workers(self, workers: usize) -> Self {
        Check { workers, ..self }
    }

    /// Runs `f` under all schedules, and returns what it has returned.
    ///
    /// # Panics
    ///
    /// As [`check`]. Also if a pool cannot have so many workers.
    #[track_caller]
    pub fn run<T, F>(&self, f: F) -> T
    where
        T: PartialEq + Debug + Send,
        F: Fn() -> T + Sync,
    {
        self.run_with(|_| f())
    }

    /// [`run`](Self::run), for code with a strand.
    ///
    /// ```
    /// fn fib(mut s: filch::Strand<'_>, n: u64) -> u64 {
    ///     if n < 2 {
    ///         return n;
    ///     }
    ///     let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
    ///     a + b
    /// }
    ///
    /// assert_eq!(filch::Check::new().seeds(20).run_with(|s| fib(s, 8)), 21);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run).
    #[track_caller]
    pub fn run_with<T, F>(&self, f: F) -> T
    where
        T: PartialEq + Debug + Send,
        F: Fn(Strand<'_>) -> T + Sync,
    {
        match self.try_run_with(f) {
            Ok(result) => result,
            Err(difference) => panic!("{difference}"),
        }
    }

    /// [`run`](Self::run), with an error instead of a panic.
    ///
    /// # Errors
    ///
    /// If a result differs.
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run), but not if a result differs.
    pub fn try_run<T, F>(&self, f: F) -> Result<T, Box<Difference<T>>>
    where
        T: PartialEq + Debug + Send,
        F: Fn() -> T + Sync,
    {
        self.try_run_with(|_| f())
    }

    /// [`run_with`](Self::run_with), with an error instead of a panic.
    ///
    /// # Errors
    ///
    /// If a result differs.
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run), but not if a result differs.
    pub fn try_run_with<T, F>(&self, f: F) -> Result<T, Box<Difference<T>>>
    where
        T: PartialEq + Debug + Send,
        F: Fn(Strand<'_>) -> T + Sync,
    {
        let (seeds, kept) = variables::asked(&self.seeds).unwrap_or_else(|text| panic!("{text}"));
        let player = Player::new(self.workers, &f);
        let expected = player.in_serial_order().unwrap_or_else(|payload| resume_unwind(payload));
        for seed in seeds {
            let (found, moves) = player.play(seed, kept.clone(), false);
            if differs(&expected, &found) {
                return Err(Box::new(difference::shrunk(&player, seed, expected, found, moves)));
            }
        }
        Ok(expected)
    }
}
