//! The global pool.

use super::{Pool, PoolError};
use crate::sync::process;
use crate::sync::process::PerProcess;
use std::sync::OnceLock;

impl Pool {
    /// The pool of [`filch::join`](crate::join) and [`filch::run`](crate::run), built with default settings by the
    /// first call. It lives until the process ends.
    ///
    /// Three environment variables change the default settings, of this pool and of all others:
    ///
    /// * `FILCH_WORKERS`: the number of workers.
    /// * `FILCH_SCHEDULER`: how work is shared, such as `cilk5` ([`Scheduler`](crate::Scheduler)).
    /// * `FILCH_TOPOLOGY`: where workers are, such as `2x2` or `machine` ([`Placement`](crate::topology::Placement)).
    ///
    /// A variable that is empty counts as not set.
    ///
    /// # Errors
    ///
    /// If the environment has invalid settings, or if the system refuses to start threads. Later calls return the same
    /// error.
    ///
    /// ```
    /// match filch::Pool::global() {
    ///     Ok(pool) => println!("{} workers, {}", pool.num_workers(), pool.scheduler()),
    ///     Err(error) => eprintln!("{error}"),
    /// }
    /// ```
    pub fn global() -> Result<&'static Pool, &'static PoolError> {
        static GLOBAL: PerProcess<OnceLock<Result<Pool, PoolError>>> = PerProcess::new(OnceLock::new());
        process::watch();
        // A child of fork(2) uses the pool of its parent, except one that was being built at the fork, which is never
        // finished.
        let built = GLOBAL.all().find_map(OnceLock::get);
        built.unwrap_or_else(|| GLOBAL.get().get_or_init(|| Pool::builder().build())).as_ref()
    }
}
