//! A run: from a thread that may or may not be working already to a strand.

use super::Pool;
use crate::constructs::Strand;
use crate::engine::current;
use crate::engine::seat::held;

impl Pool {
    /// Runs `f` with a strand on this pool, and returns its result.
    ///
    /// `f` runs on the calling thread, which works for the pool as one of its workers. From a thread outside it takes a
    /// seat for as long as that lasts; if other callers and the pool's own busy threads have all of them, it waits
    /// for one, in order of arrival. Inside a run of the same pool, however many other pools have been entered
    /// since, it has one.
    ///
    /// A run that never forks disturbs nobody, and costs some 50 ns. The first fork wakes a sleeping thread, unless one
    /// is on the look-out.
    ///
    /// Pools may enter each other in any order and to any depth: a thread that waits lends its seats to those runs that
    /// its own progress depends on, and goes on once they are back. What a pool cannot see is user code that
    /// blocks; so a run for which the queue of a full pool has not moved for some milliseconds goes without a seat,
    /// on its own thread, and is counted (`seats_exceeded`).
    ///
    /// # Panics
    ///
    /// If `f` does; the pool can be used as before.
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// let numbers = vec![1, 2, 3];
    /// let sum: i32 = pool.run(|_| numbers.iter().sum());
    /// assert_eq!(sum, 6);
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    ///
    /// What moves in and out must be `Send`, so that runs may come to be executed elsewhere one day.
    /// ```compile_fail,E0277
    /// let local = std::rc::Rc::new(1);
    /// filch::Pool::builder().build().unwrap().run(|_| *local);
    /// ```
    /// ```compile_fail,E0277
    /// filch::Pool::builder().build().unwrap().run(|_| std::rc::Rc::new(1));
    /// ```
    pub fn run<F, R>(&self, f: F) -> R
    where
        F: FnOnce(Strand<'_>) -> R + Send,
        R: Send,
    {
        // SAFETY: this thread occupies the ladder, `rung` is its top, and `f` leaves it as it finds it.
        let f = |rung| f(unsafe { Strand::at(rung) });
        let mut team = &*self.team;
        loop {
            match held::seat_in(team) {
                // In a child of fork(2), and not in the run that has forked.
                None if team.is_left_behind() => team = team.heir(),
                None => return team.run_from_outside(f),
                Some(ladder) => {
                    return match current::top_of(ladder) {
                        (top, true) => f(top),
                        (top, false) => team.run_again(ladder, top, f),
                    };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_active_from_its_first_fork_to_its_end() {
        let pool = Pool::builder().workers(2).build().expect("a pool");
        let is_active = || pool.team.is_active();
        for _ in 0..3 {
            let (before, during) = pool.run(|mut s| (is_active(), s.join(|_| is_active(), |_| ()).0));
            assert_eq!((before, during, is_active()), (false, true, false));
        }
        assert!(std::panic::catch_unwind(|| pool.run(|mut s| s.join(|_| panic!("in a fork"), |_| ()))).is_err());
        assert!(!is_active(), "over, if by a panic");
    }

    #[test]
    fn nothing_is_active_after_a_run_under_chaos() {
        let pool = Pool::builder().scheduler(crate::Scheduler::chaos(1)).build().expect("a pool");
        pool.run(|mut s| s.for_each(0..1, |_, _| ()));
        assert!(!pool.team.is_active(), "what was not counted in is not counted out");
    }
}
