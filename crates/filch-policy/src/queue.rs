//! How long a thread waits in the queue for a seat of another pool before it works without one.
//!
//! Decided from how long its request has not moved in the queue. A thread that holds a seat may wait for this very
//! thread by means that the runtime does not know of, such as a lock or a channel. So it is better to have more threads
//! than processors for a while than a thread that waits for ever.

use std::time::Duration;

/// How often a waiting thread looks again at which threads wait for which, and at the queue.
pub const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// How long a request may stay at the same place in the queue.
const STANDSTILL: Duration = LOOK_AGAIN;

/// The same for a thread that holds a seat elsewhere, because another thread may lend it a seat.
const STANDSTILL_OF_HOLDER: Duration = Duration::from_millis(15);

/// Whether a thread works without a seat after its request has stayed at the same place in the queue for this long.
/// `holds_a_seat` says that the thread holds a seat elsewhere.
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
