//! Task graphs without a strand.

use super::run::here;
use crate::constructs::TaskGraph;

impl TaskGraph<'_> {
    /// Runs all tasks, each after those before it, on the pool that this thread works for or, outside of any run, on
    /// the global pool. Returns when all have ended or are [skipped](crate::TaskGraphBuilder::choice).
    ///
    /// Work: that of the tasks, and some 100 ns for a task and its dependencies, more if it is spawned. Nothing is
    /// allocated for a task. Span: the longest chain of tasks. The greedy bound of Brent 1974 holds as far as workers
    /// find what others have spawned: no worker waits for a task of the graph.
    ///
    /// # Panics
    ///
    /// If a task panics, with its payload. Tasks that have not begun do not run; those that are under way are awaited.
    /// The graph can be run again. Outside of any run, also as [`run`](crate::run).
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    ///
    /// let steps = AtomicU32::new(0);
    /// let graph = filch::TaskGraph::builder();
    /// let mut last = graph.task(|_| ());
    /// for i in 0..10 {
    ///     let steps = &steps;
    ///     last = graph.task(move |_| assert_eq!(steps.fetch_add(1, Ordering::Relaxed), i)).after(&[last]);
    /// }
    /// graph.build()?.run();
    /// # Ok::<(), filch::CycleError>(())
    /// ```
    #[inline]
    pub fn run(&mut self) {
        here(|s| self.run_in(s));
    }
}
