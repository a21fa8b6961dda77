//! When a lock is biased towards its owner, and how long another thread waits for that owner to come.
//!
//! A lock that is biased costs its owner no locked instruction, and another thread up to one barrier. So it is worth it
//! where the owner enters often, and others seldom.

/// How often the owner enters after others have been there before the lock is biased again.
const ENTRIES: u32 = 16;

/// After each barrier in a row it is this many times as often.
const GROWTH: u32 = 4;

/// After this many barriers in a row it is not more often any more.
const MOST_BARRIERS: u32 = 4;

/// How long another thread waits. A barrier takes about as long (`filch machine`), so it takes at most twice as long as
/// it would if it knew whether the owner will come: the ski rental problem.
const WAIT_NS: u64 = 5_000;

/// Whether the lock is biased when its owner has entered this often since others have been there. The last
/// `interruptions` times in a row the owner did not come, and there was a barrier. It interrupts all running threads of
/// the process; and an owner that enters so seldom gains little.
pub fn biases_after(entries: u32, interruptions: u32) -> bool {
    entries >= ENTRIES * GROWTH.pow(interruptions.min(MOST_BARRIERS))
}

/// Whether a thread that has waited for this long goes on waiting for the owner.
pub fn awaits_owner(waited_ns: u64) -> bool {
    waited_ns < WAIT_NS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_that_is_seldom_interrupted_pays_little() {
        assert!(!biases_after(ENTRIES - 1, 0) && biases_after(ENTRIES, 0));
        assert!(!biases_after(ENTRIES, 1) && biases_after(ENTRIES * GROWTH, 1));
        assert!(awaits_owner(0) && !awaits_owner(WAIT_NS));
        // An owner that is waited for in vain enters less than once in that time. In the end its barriers, of 10 µs,
        // take less than a part in 2,000 of the time of each thread that runs.
        let between_ns =
            (0..).find(|&entries| biases_after(entries, u32::MAX)).map(|entries| u64::from(entries) * WAIT_NS);
        assert!(between_ns > Some(2_000 * 10_000));
    }
}
