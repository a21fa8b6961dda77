//! Time as the protocols use it: nanoseconds since the first look at the clock. Only slow paths read it.
//!
//! On wasm32-unknown-unknown there is no clock, and std panics when asked for one. There, time advances by looking:
//! each look counts as the time that a look takes elsewhere. So a loop that waits for a time ends, as it would with a
//! clock. And iterations of loops count as cheap, which does no harm where no other worker could share them.

use std::sync::OnceLock;
pub(crate) use system::now_ns;

/// The least time that a look at the clock takes, in nanoseconds. The time between two looks includes it, so callers
/// subtract it. Measured once.
pub(crate) fn look_ns() -> u64 {
    static LOOK: OnceLock<u64> = OnceLock::new();
    *LOOK.get_or_init(|| {
        let between_two = || {
            let begin = now_ns();
            now_ns() - begin
        };
        (0..LOOKS).map(|_| between_two()).min().unwrap_or(0)
    })
}

/// How many looks are measured: so few that they take about a microsecond.
const LOOKS: u32 = 16;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system {
    use std::sync::OnceLock;
    use std::time::Instant;

    /// Nanoseconds since the process first asked, at least 1, so that 0 can stand for "never".
    pub(crate) fn now_ns() -> u64 {
        static START: OnceLock<Instant> = OnceLock::new();
        let elapsed = START.get_or_init(Instant::now).elapsed();
        // In 584 years this saturates.
        u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX).saturating_add(1)
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod system {
    use crate::sync::{AtomicU64, Ordering};

    /// Roughly the time that a look takes where there is a clock.
    const LOOK_NS: u64 = 30;

    /// The time according to the number of looks, at least 1, so that 0 can stand for "never".
    pub(crate) fn now_ns() -> u64 {
        static NOW: AtomicU64 = AtomicU64::new(1);
        NOW.fetch_add(LOOK_NS, Ordering::Relaxed)
    }
}
