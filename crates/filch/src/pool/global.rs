//! The pool that needs no building.

use super::{Pool, PoolError};
use std::sync::OnceLock;

impl Pool {
    /// The pool of [`filch::join`](crate::join) and [`filch::run`](crate::run), built with default settings when first
    /// asked for. It lives until the process ends.
    ///
    /// # Errors
    ///
    /// Bad settings in the environment (`FILCH_WORKERS`, `FILCH_SCHEDULER`), or a system that refuses to start threads.
    /// The first answer stands.
    ///
    /// ```
    /// match filch::Pool::global() {
    ///     Ok(pool) => println!("{} workers, {}", pool.num_workers(), pool.scheduler()),
    ///     Err(error) => eprintln!("{error}"),
    /// }
    /// ```
    pub fn global() -> Result<&'static Pool, &'static PoolError> {
        static GLOBAL: OnceLock<Result<Pool, PoolError>> = OnceLock::new();
        GLOBAL.get_or_init(|| Pool::builder().build()).as_ref()
    }
}
