//! The environment variables of a pool: rayon's for the number of threads, Filch's for the rest.

use crate::build_error::ThreadPoolBuildError;
use filch::{Scheduler, Wait};
use std::env;
use std::thread;

/// The most workers that a pool of Filch can have.
pub(crate) const MAX_THREADS: usize = 4096;

/// As many threads as `RAYON_NUM_THREADS` or else its older name says. If neither is a positive number, as many as this
/// process can run at once. As in the original, nonsense is no error.
pub(crate) fn num_threads() -> usize {
    let number = |name| env::var(name).ok().and_then(|value| value.parse::<usize>().ok());
    let set = match number("RAYON_NUM_THREADS") {
        // A zero asks for the default, whatever the older name says.
        Some(threads) => threads,
        None => number("RAYON_RS_NUM_CPUS").unwrap_or(0),
    };
    if set > 0 { set } else { thread::available_parallelism().map_or(1, |n| n.get()) }
}

/// A variable of Filch's, which is not set if it is empty.
fn variable(name: &str) -> Option<String> {
    env::var_os(name).map(|value| value.to_string_lossy().into_owned()).filter(|value| !value.trim().is_empty())
}

/// How work is shared, and what a waiting thread may run.
pub(crate) fn scheduler() -> Result<Scheduler, ThreadPoolBuildError> {
    let scheduler = match variable("FILCH_SCHEDULER") {
        Some(value) => value
            .trim()
            .parse::<Scheduler>()
            .map_err(|reason| ThreadPoolBuildError::setting(format!("FILCH_SCHEDULER = {value:?}: {reason}")))?,
        None => Scheduler::default(),
    };
    let value = variable("FILCH_WAIT");
    let wait = match value.as_deref().map(str::trim) {
        // What the scheduler's own text says stands.
        None if scheduler.wait().is_some() => return Ok(scheduler),
        None | Some("any") => Wait::Any,
        Some("descendants") => Wait::Descendants,
        Some(value) => {
            let message = format!("FILCH_WAIT = {value:?}: expected any or descendants");
            return Err(ThreadPoolBuildError::setting(message));
        }
    };
    let waiting = scheduler.clone().with_wait(wait);
    // A preset without this setting, such as `serial`, never waits for others.
    Ok(if waiting.check().is_ok() { waiting } else { scheduler })
}
