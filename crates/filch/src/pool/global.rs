//! The pool that needs no building.

use super::{Pool, PoolError};
use crate::sync::process;
use crate::sync::process::PerProcess;
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
        static GLOBAL: PerProcess<OnceLock<Result<Pool, PoolError>>> = PerProcess::new(OnceLock::new());
        process::watch();
        // A child of fork(2) keeps that of its parent, but one that was being built then is never finished.
        let built = GLOBAL.all().find_map(OnceLock::get);
        built.unwrap_or_else(|| GLOBAL.get().get_or_init(|| Pool::builder().build())).as_ref()
    }
}
