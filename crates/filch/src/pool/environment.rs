//! The environment variables that a pool reads where the program sets nothing. A variable that is empty is not set: it
//! is how scripts and containers unset one.

use super::PoolError;
use super::limits::WORKERS;
use crate::engine::meters::activity::Activity;
use crate::engine::trace::flusher;
use filch_policy::Scheduler;
use filch_policy::topology::Placement;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The value of a variable, as text and, if it can be, parsed.
type Value<T> = (String, Result<T, <T as FromStr>::Err>);

fn variable<T: FromStr>(name: &str) -> Option<Value<T>> {
    let value = std::env::var_os(name)?.to_string_lossy().into_owned();
    let text = value.trim();
    let parsed = (!text.is_empty()).then(|| text.parse())?;
    Some((value, parsed))
}

/// `FILCH_WORKERS`: the number of workers.
pub(super) fn workers() -> Result<Option<usize>, PoolError> {
    match variable("FILCH_WORKERS") {
        None => Ok(None),
        Some((_, Ok(workers))) if WORKERS.contains(&workers) => Ok(Some(workers)),
        Some((value, _)) => Err(PoolError::WorkersVariable { value }),
    }
}

/// `FILCH_SCHEDULER`: how work is shared.
pub(super) fn scheduler() -> Result<Option<Scheduler>, PoolError> {
    let Some((value, parsed)) = variable("FILCH_SCHEDULER") else { return Ok(None) };
    parsed.map(Some).map_err(|reason| PoolError::SchedulerVariable { value, reason })
}

/// `FILCH_PROFILE`: the file for a profile of the whole program. Then every pool records.
pub(super) fn profile() -> Option<PathBuf> {
    let path = std::env::var_os("FILCH_PROFILE").map(PathBuf::from)?;
    (!path.to_string_lossy().trim().is_empty()).then_some(path)
}

/// `FILCH_TOPOLOGY`: where workers are. It must agree with `FILCH_WORKERS`.
pub(super) fn placement() -> Result<Option<Placement>, PoolError> {
    let Some((value, parsed)) = variable("FILCH_TOPOLOGY") else { return Ok(None) };
    let placement = parsed.map_err(|reason| PoolError::TopologyVariable { value, reason })?;
    if let Placement::Squads(topology) = &placement
        && let Some(workers) = workers()?.filter(|&workers| workers != topology.workers())
    {
        return Err(PoolError::Variables { topology: Box::new(topology.clone()), workers });
    }
    Ok(Some(placement))
}

/// `FILCH_TRACE`: the file of a trace, which begins now, if none has begun.
pub(super) fn trace() -> Result<(), PoolError> {
    let is_set = |path: &OsString| !path.to_string_lossy().trim().is_empty();
    let Some(path) = std::env::var_os("FILCH_TRACE").filter(is_set) else { return Ok(()) };
    flusher::start(Path::new(&path), Activity::NAMES).map_err(|source| {
        let value = path.to_string_lossy().into_owned();
        PoolError::TraceVariable { value, source }
    })
}
