//! Time as the protocols use it: nanoseconds since the first look at the clock. Read on slow paths only.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Nanoseconds since the process first asked, at least 1, so that 0 can stand for "never".
pub(crate) fn now_ns() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let elapsed = START.get_or_init(Instant::now).elapsed();
    as_ns(elapsed).saturating_add(1)
}

/// A duration in whole nanoseconds, saturating (584 years).
pub(crate) fn as_ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
