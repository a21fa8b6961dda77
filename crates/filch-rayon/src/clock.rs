//! Time, in nanoseconds since an arbitrary moment.

use std::sync::LazyLock;
pub(crate) use system::now_ns;

/// How long a look at the clock takes. What is timed includes it.
pub(crate) fn look_ns() -> u64 {
    static LOOK: LazyLock<u64> = LazyLock::new(|| {
        let looks = (0..32).map(|_| {
            let begin = now_ns();
            now_ns() - begin
        });
        looks.min().unwrap_or(0)
    });
    *LOOK
}

/// What has taken `ns` between two looks at the clock, without the look itself. At least a quarter is left, because no
/// two looks take equally long.
pub(crate) fn without_look(ns: u64) -> u64 {
    ns.saturating_sub(look_ns()).max(ns / 4)
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system {
    use std::sync::LazyLock;
    use std::time::Instant;

    pub(crate) fn now_ns() -> u64 {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        // In 584 years this saturates.
        u64::try_from(START.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

/// There is no clock, and std panics when asked for one. All items count as cheap there, which does no harm: there are
/// no threads either.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod system {
    pub(crate) fn now_ns() -> u64 {
        0
    }
}
