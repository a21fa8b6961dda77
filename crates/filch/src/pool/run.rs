//! Runs: how a thread, inside another run or outside of any, gets a strand.

use super::Pool;
use super::pinning::Bound;
use crate::constructs::{CancelToken, Cancelled, Strand};
use crate::engine::entry::enter::by_pointer;
use crate::engine::seats::ambient;
use crate::engine::seats::current;
use crate::engine::seats::held_seats;
use crate::engine::team::Top;
use crate::engine::wait::region::{self, within};

impl Pool {
    /// Runs `f` with a strand on this pool, and returns its result.
    ///
    /// `f` runs on the calling thread, which works for the pool as one of its workers. A thread from outside the pool
    /// takes a *seat*, the right to work for the pool, for the time of the run. If other callers and busy threads of
    /// the pool have all seats, it waits for one, in order of arrival. A thread that is inside a run of this pool
    /// already has a seat, even if it has entered other pools since.
    ///
    /// Work: a run that never forks costs some 50 ns and wakes no thread. The first fork wakes a sleeping thread,
    /// unless a thread is looking for work already.
    ///
    /// Pools may enter each other in any order and to any depth. A thread that waits lends its seats to the runs that
    /// its own progress depends on, and goes on when they have come back. A pool cannot see what user code waits for by
    /// other means, such as a lock or a channel. So if the queue for the seats of a full pool does not move for some
    /// milliseconds, a run in it starts without a seat, on its own thread. It is counted in
    /// [`Counters::seats_exceeded`](crate::Counters::seats_exceeded).
    ///
    /// # Panics
    ///
    /// If `f` panics. The pool remains usable.
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// let numbers = vec![1, 2, 3];
    /// let sum: i32 = pool.run(|_| numbers.iter().sum());
    /// assert_eq!(sum, 6);
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    ///
    /// `f` and its result must be `Send`, so that a later version can execute a run on another thread:
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
        self.enter(f)
    }

    /// [`run`](Self::run), for a caller that must not wait though all workers are busy.
    ///
    /// If all seats are taken, `f` runs without one, on the calling thread; the system divides the processors among
    /// this thread and those of the workers. At most as many urgent runs go on so at a time as the pool has workers;
    /// others wait for a seat. It is counted in [`Counters::seats_exceeded`](crate::Counters::seats_exceeded).
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run).
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(1).build()?;
    /// let answer = pool.run(|_| {
    ///     // The only worker is here.
    ///     std::thread::scope(|threads| threads.spawn(|| pool.run_urgent(|_| 42)).join().unwrap())
    /// });
    /// assert_eq!(answer, 42);
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn run_urgent<F, R>(&self, f: F) -> R
    where
        F: FnOnce(Strand<'_>) -> R + Send,
        R: Send,
    {
        self.enter_as(f, true)
    }

    /// [`run`](Self::run), for closures that must stay on this thread.
    pub(super) fn enter<R>(&self, f: impl FnOnce(Strand<'_>) -> R) -> R {
        self.enter_as(f, false)
    }

    fn enter_as<R>(&self, f: impl FnOnce(Strand<'_>) -> R, is_urgent: bool) -> R {
        by_pointer(|top| f(Strand::of(top)), |f| self.enter_by_pointer(f, is_urgent))
    }

    fn enter_by_pointer(&self, f: &mut dyn FnMut(Top<'_>), is_urgent: bool) {
        let (team, around) = (self.team.in_force(), ambient::take_entering());
        let mut f = |top: Top<'_>| within(top, around, &mut *f);
        // SAFETY: it is dropped at the end of this.
        let _calling = unsafe { around.call_while(team) };
        let Some(ladder) = held_seats::seat_in(team) else {
            let mut f = |top: Top<'_>| {
                let _bound = if self.pins_callers { self.bind_caller() } else { None };
                f(top);
            };
            return if is_urgent {
                team.run_urgent(around, &mut f)
            } else if team.has_threads() || held_seats::has_entered(team) {
                team.run_from_outside(around, &mut f)
            } else {
                team.run_with_queued(around, &mut f)
            };
        };
        // SAFETY: this thread holds the seat of the ladder.
        unsafe { team.run_on_held(ladder, &mut f) }
    }
}

impl Pool {
    /// [`run`](Self::run), until `token` is cancelled: [`CancelToken::run`](crate::CancelToken::run) on this pool. Also
    /// ends while the run waits for a seat.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] if the token was cancelled before `f` was done.
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run).
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// let token = filch::CancelToken::after(std::time::Duration::from_millis(1));
    /// let endless = pool.run_until(&token, |mut s| loop {
    ///     s.join(|_| (), |_| ());
    /// });
    /// assert_eq!(endless, Err::<(), _>(filch::Cancelled));
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn run_until<F, R>(&self, token: &CancelToken, f: F) -> Result<R, Cancelled>
    where
        F: FnOnce(Strand<'_>) -> R + Send,
        R: Send,
    {
        let enter = |inside| ambient::entering_with(inside, || self.enter(f));
        region::run(token.engine(), ambient::around_here(), None, enter).ok_or(Cancelled)
    }

    /// Binds the calling thread to the processor of the seat that it is on. In a box, so that the frame of a run that
    /// binds no thread has no room for the affinity of one.
    #[cold]
    fn bind_caller(&self) -> Option<Box<Bound>> {
        Bound::to(self.topology.processor(current::seat()?)?).map(Box::new)
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
