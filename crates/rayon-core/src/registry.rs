//! The global pool, and the way into it.

use crate::build_error::ThreadPoolBuildError;
use crate::settings::Settings;
use crate::thread::ThreadSpawn;
use filch::Pool;
use std::sync::OnceLock;

static GLOBAL: OnceLock<Option<Pool>> = OnceLock::new();

/// The global pool, built with default settings if it has not been built before.
pub(crate) fn global() -> &'static Pool {
    let built = GLOBAL.get_or_init(|| match default_pool() {
        Ok(pool) => Some(pool),
        Err(error) => panic!("cannot start the global thread pool: {error}"),
    });
    built.as_ref().expect("the global thread pool is there, because building it did not fail before")
}

/// A system without threads has a pool of the first thread that needs one.
fn default_pool() -> Result<Pool, ThreadPoolBuildError> {
    Settings::default().build().or_else(|error| {
        if !error.is_unsupported() || filch::is_worker() {
            return Err(error);
        }
        Settings { num_threads: 1, uses_current_thread: true, ..Settings::default() }.build()
    })
}

/// Builds the global pool by `settings`. This happens once in a process, even if it fails.
pub(crate) fn build_global<S: ThreadSpawn>(settings: Settings<S>) -> Result<(), ThreadPoolBuildError> {
    let mut outcome = Err(ThreadPoolBuildError::global_pool_already_initialized());
    GLOBAL.get_or_init(|| match settings.build() {
        Ok(pool) => {
            outcome = Ok(());
            Some(pool)
        }
        Err(error) => {
            outcome = Err(error);
            None
        }
    });
    outcome
}

/// Runs `f` on a thread of a pool: on this one if it is such a thread, else on one of the global pool. Tells `f`
/// whether it has moved.
#[inline]
pub(crate) fn in_worker<R: Send>(f: impl FnOnce(bool) -> R + Send) -> R {
    if filch::is_worker() { f(false) } else { in_global(f) }
}

#[cold]
fn in_global<R: Send>(f: impl FnOnce(bool) -> R + Send) -> R {
    global().run_on_worker(|_| f(true))
}
