//! How long a thread waits in the queue for a seat of another pool, before it works without one.
//!
//! Decided from how long its request has not come forward. A seat may be held by somebody who waits for this very
//! thread by means that the runtime does not know of, such as a lock or a channel. So rather a thread more than
//! processors for a while than one that waits for ever.

use std::time::Duration;

/// How often a waiting thread looks again at who waits for whom, and at the queue.
pub const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// For how long a request may stand at one place in the queue.
const STANDSTILL: Duration = LOOK_AGAIN;

/// The same, where the thread holds a seat elsewhere: then another may be lent to it.
const STANDSTILL_OF_HOLDER: Duration = Duration::from_millis(15);

/// Whether a thread whose request has stood at one place for so long works without a seat. `holds_a_seat`: it has one
/// elsewhere.
pub fn works_without_seat(stood_ns: u64, holds_a_seat: bool) -> bool {
    let standstill = if holds_a_seat { STANDSTILL_OF_HOLDER } else { STANDSTILL };
    Duration::from_nanos(stood_ns) >= standstill
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_may_be_lent_a_seat_waits_for_longer() {
        assert!(!works_without_seat(4_999_999, false) && works_without_seat(5_000_000, false));
        assert!(!works_without_seat(14_999_999, true) && works_without_seat(15_000_000, true));
    }
}
