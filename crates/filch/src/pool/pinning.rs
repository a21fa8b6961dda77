//! Binds threads to processors.

use super::PoolError;

/// A processor that this process may use.
pub(super) type Processor = core_affinity::CoreId;

/// All such processors. An error if the system does not list them.
pub(super) fn processors() -> Result<Vec<Processor>, PoolError> {
    let known = core_affinity::get_core_ids().unwrap_or_default();
    if known.is_empty() { Err(PoolError::Pinning { worker: 0, processor: None }) } else { Ok(known) }
}

/// Binds the calling thread to `processor`. False if the system refuses.
pub(super) fn pin(processor: Processor) -> bool {
    core_affinity::set_for_current(processor)
}
