//! Programs of the simulator from profiles, which the runtime records.

use filch::Profile;
use filch_sim::program::recorded::{Builder, Recorded, RecordedError, Segment};

/// The program that was profiled. It touches no memory.
///
/// # Errors
///
/// If the simulator has no room for it.
pub fn recorded(profile: &Profile) -> Result<Recorded, RecordedError> {
    let mut builder = Builder::default();
    for filch::Segment { work_ns, forks } in profile.segments() {
        builder.add(Segment { work_ns, forks })?;
    }
    builder.finish(format!("profiled {}", profile.program()), 0)
}
