//! Time as the protocols use it: nanoseconds since the first look at the clock. Read on slow paths only.
//!
//! Where the system has no clock, and std panics when asked for one (wasm32-unknown-unknown), time passes by looking:
//! each look counts as what one takes elsewhere. So who looks again and again comes to an end, as it would with a
//! clock, and iterations of loops count as cheap, which costs nothing where there is nobody to share them with.

use std::sync::OnceLock;
use std::time::Duration;
pub(crate) use system::now_ns;

/// A duration in whole nanoseconds, saturating (584 years).
pub(crate) fn as_ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// What a look takes at least, in nanoseconds: what is between two looks is shorter by that. Measured once.
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

/// So few that it takes about a microsecond.
const LOOKS: u32 = 16;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system {
    use std::sync::OnceLock;
    use std::time::Instant;

    /// Nanoseconds since the process first asked, at least 1, so that 0 can stand for "never".
    pub(crate) fn now_ns() -> u64 {
        static START: OnceLock<Instant> = OnceLock::new();
        let elapsed = START.get_or_init(Instant::now).elapsed();
        super::as_ns(elapsed).saturating_add(1)
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod system {
    use crate::sync::{AtomicU64, Ordering};

    /// What a look takes where there is a clock, roughly.
    const LOOK_NS: u64 = 30;

    /// The time by the number of looks, at least 1, so that 0 can stand for "never".
    pub(crate) fn now_ns() -> u64 {
        static NOW: AtomicU64 = AtomicU64::new(1);
        NOW.fetch_add(LOOK_NS, Ordering::Relaxed)
    }
}
