//! Time as the protocols use it: nanoseconds since the first look at the clock. Only slow paths read it.
//!
//! On wasm32-unknown-unknown there is no clock, and std panics when asked for one. There, time advances by looking:
//! each look counts as the time that a look takes elsewhere. So a loop that waits for a time ends, as it would with a
//! clock. And iterations of loops count as cheap. That does no harm where no other worker could share them, and little
//! where one can (docs/wasm.md). A sleep whose time is up counts as that time, so that a thread which has nothing to do
//! sleeps longer and longer there, too.

use std::sync::OnceLock;
pub(crate) use system::{now_ns, slept};

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
    use std::time::{Duration, Instant};

    /// Nanoseconds since the process first asked, at least 1, so that 0 can stand for "never".
    pub(crate) fn now_ns() -> u64 {
        static START: OnceLock<Instant> = OnceLock::new();
        let elapsed = START.get_or_init(Instant::now).elapsed();
        // In 584 years this saturates.
        u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX).saturating_add(1)
    }

    /// This thread has slept for so long. The clock knows.
    pub(crate) fn slept(_time: Duration) {}
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod system {
    use crate::sync::{AtomicU64, Ordering};
    use std::time::Duration;

    /// Roughly the time that a look takes where there is a clock.
    const LOOK_NS: u64 = 30;

    static NOW: AtomicU64 = AtomicU64::new(1);

    /// The time according to looks and sleeps, at least 1, so that 0 can stand for "never".
    pub(crate) fn now_ns() -> u64 {
        NOW.fetch_add(LOOK_NS, Ordering::Relaxed)
    }

    /// This thread has slept for so long. Where several sleep, time is as fast as all of them together.
    pub(crate) fn slept(time: Duration) {
        // No sleep is so long that this is cut off.
        NOW.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }
}
