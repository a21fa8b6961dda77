//! Runs and scopes whose work is done by the threads of the pool, and not by the caller.

use super::Pool;
use crate::constructs::{Scope, Strand, scope_outside};
use crate::engine::scopes::group::SpawnOrder;
use crate::engine::seats::held_seats;
use crate::engine::wait::outside::may_wait_outside;

impl Pool {
    /// Runs `f` with a strand on a thread of this pool, and returns its result. The caller waits.
    ///
    /// So thread-local values, the name and the stack size are those of a thread of the pool. This needs a switch to
    /// that thread and back. [`run`](Self::run), which runs `f` on the calling thread, does without.
    ///
    /// `f` runs on the calling thread in three cases: if that thread works for this pool already; if the pool has no
    /// threads ([`num_threads`](Self::num_threads)); and if the caller works for another pool, unless the waiters of
    /// that pool run anything ([`Wait::Any`](crate::Wait::Any)). In that case the caller runs what the other pool has
    /// until `f` is done. Otherwise two pools could wait for each other's threads for ever.
    ///
    /// # Panics
    ///
    /// If `f` panics. The pool remains usable.
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).thread_name(|i| format!("mine-{i}")).build()?;
    /// let name = pool.run_on_worker(|_| std::thread::current().name().map(str::to_owned));
    /// assert_eq!(name.as_deref(), Some("mine-1"));
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    /// ```compile_fail,E0277
    /// let local = std::rc::Rc::new(1);
    /// filch::Pool::builder().build().unwrap().run_on_worker(|_| *local);
    /// ```
    /// ```compile_fail,E0277
    /// filch::Pool::builder().build().unwrap().run_on_worker(|_| std::rc::Rc::new(1));
    /// ```
    pub fn run_on_worker<F, R>(&self, f: F) -> R
    where
        F: FnOnce(Strand<'_>) -> R + Send,
        R: Send,
    {
        if !self.waits_outside() {
            return self.run(f);
        }
        let mut result = None;
        self.scope_in_place(|scope| scope.spawn(|s| result = Some(f(s))));
        result.expect("a run has a result unless it panics")
    }

    /// Runs `body` on the calling thread, and the tasks that it [spawns](Scope::spawn) on this pool. Returns the result
    /// of `body` when all tasks are done.
    ///
    /// The calling thread does not work for the pool: it takes no seat, gets no strand, and waits for the tasks. There
    /// are the same three exceptions as to [`run_on_worker`](Self::run_on_worker); then this is
    /// [`Strand::scope`].
    ///
    /// # Panics
    ///
    /// As [`Strand::scope`].
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// let mut squares = [0; 10];
    /// pool.scope_in_place(|scope| {
    ///     for (i, square) in squares.iter_mut().enumerate() {
    ///         scope.spawn(move |_| *square = i * i);
    ///     }
    /// });
    /// assert_eq!(squares[9], 81);
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn scope_in_place<'env, F, R>(&self, body: F) -> R
    where
        F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> R,
    {
        self.scope_in(SpawnOrder::Lifo, body)
    }

    /// Like [`scope_in_place`](Self::scope_in_place), in the order of [`Strand::scope_fifo`].
    ///
    /// # Panics
    ///
    /// As [`Strand::scope`].
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(1).own_threads(true).build()?;
    /// let order = std::sync::Mutex::new(vec![]);
    /// pool.scope_fifo_in_place(|scope| {
    ///     for i in 0..3 {
    ///         let order = &order;
    ///         scope.spawn(move |_| order.lock().unwrap().push(i));
    ///     }
    /// });
    /// assert_eq!(order.into_inner().unwrap(), [0, 1, 2]);
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn scope_fifo_in_place<'env, F, R>(&self, body: F) -> R
    where
        F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> R,
    {
        self.scope_in(SpawnOrder::Fifo, body)
    }

    fn scope_in<'env, F, R>(&self, order: SpawnOrder, body: F) -> R
    where
        F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> R,
    {
        if self.waits_outside() {
            // SAFETY: the team lives as long as the pool, and `waits_outside` has checked the rest.
            return unsafe { scope_outside(&self.team, order, body) };
        }
        self.enter(|mut s| s.scope_in(order, |_, scope| body(scope)))
    }

    /// Whether this thread leaves the work to threads of the pool, and waits for them.
    fn waits_outside(&self) -> bool {
        self.team.has_threads() && held_seats::seat_in(&self.team).is_none() && may_wait_outside()
    }
}
