//! A run: from a thread that may or may not be working already to a strand.

use super::Pool;
use crate::strand::{Context, JoinFrame, Strand};
use crate::worker::current;
use std::panic::resume_unwind;

impl Pool {
    /// Runs `f` with a strand on this pool, and returns its result.
    ///
    /// From a thread outside the calling thread itself works, as one of the pool's workers. If another caller is at it
    /// already, `f` is queued, and runs on a thread of the pool or here, whichever is free first. Inside a run of the
    /// same pool, however many other pools have been entered since, `f` runs at once, here.
    ///
    /// A run that never forks disturbs nobody. The first fork wakes napping workers.
    ///
    /// A thread that enters a pool in which it has no place waits until the callers' seat is free or a worker of the pool
    /// has nothing else to do. If all of that pool's workers wait, directly or not, for this very run, it waits for ever:
    /// so pools that enter each other need more workers than such entries at a time.
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
    /// What moves in and out must be `Send`, as the run may be a thread's of the pool.
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
        match current::seat_in(&self.team) {
            None => self.run_from_outside(f),
            Some(ladder) => {
                let (top, works_here) = current::top_of(ladder);
                // SAFETY: `f` leaves the ladder as it finds it, and gets the strand for no longer than that.
                let strand = unsafe { Strand::at(top) };
                if works_here { f(strand) } else { current::occupy(&self.team, ladder, top, || f(strand)) }
            }
        }
    }

    fn run_from_outside<F, R>(&self, f: F) -> R
    where
        F: FnOnce(Strand<'_>) -> R + Send,
        R: Send,
    {
        let frame = JoinFrame::new(|strand: Strand<'_>, _| f(strand));
        let seated = |rung| {
            // SAFETY: the seat is this thread's and the frame is its own: nobody else has begun it.
            let f = unsafe { frame.take_closure() };
            // SAFETY: this thread occupies the ladder, which is empty, until the run is over.
            f(unsafe { Strand::at(rung) }, Context::STAYED)
        };
        // SAFETY: the frame lives here, and only `seated` touches it.
        match unsafe { self.team.run_from_outside(frame.header(), seated) } {
            Some(result) => result,
            // SAFETY: the frame is done.
            None => unsafe { frame.result() }.unwrap_or_else(|payload| resume_unwind(payload)),
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
}
