//! Which of the frames that a worker has left for others are open to them.
//!
//! Decided from the balancer, and from whether the owner is busy. The balancers of heartbeat scheduling are a
//! concurrent deque, a private one, and a concurrent cell in front of a private deque (Acar, Charguéraud, Guatto,
//! Rainey and Sieczkowski 2018, section 5.1). A worker that is not busy can neither hand over nor fill the cell again,
//! so then everything is open.

use crate::scheduler::Balancer;

impl Balancer {
    /// How many of the oldest of so many frames are open to others. They are *public* while their owner is not busy.
    pub fn open_of(self, frames: usize, is_public: bool) -> usize {
        match self {
            _ if is_public => frames,
            Balancer::Concurrent => frames,
            Balancer::Mixed => frames.min(1),
            Balancer::Private => 0,
        }
    }

    /// Whether a frame that comes in opens as many as may be open. A cell that others have emptied stays empty until
    /// the owner [fills](Self::fills) it.
    pub fn opens_at_put(self, was_empty: bool, is_public: bool) -> bool {
        was_empty || is_public || self != Balancer::Mixed
    }

    /// Whether the owner, which has come to a return, opens what has come to be the oldest frame.
    pub fn fills(self, open: usize, frames: usize) -> bool {
        self == Balancer::Mixed && open == 0 && frames > 0
    }

    /// Whether it makes a difference to others that the owner is busy.
    pub fn is_ever_closed(self) -> bool {
        self != Balancer::Concurrent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_open_while_the_owner_is_not_busy_and_otherwise_what_the_balancer_says() {
        for balancer in [Balancer::Concurrent, Balancer::Mixed, Balancer::Private] {
            assert_eq!([0, 1, 5].map(|frames| balancer.open_of(frames, true)), [0, 1, 5]);
        }
        let open = |balancer: Balancer| [0, 1, 5].map(|frames| balancer.open_of(frames, false));
        assert_eq!(open(Balancer::Concurrent), [0, 1, 5]);
        assert_eq!(open(Balancer::Mixed), [0, 1, 1]);
        assert_eq!(open(Balancer::Private), [0, 0, 0]);
    }

    #[test]
    fn only_a_cell_has_to_be_filled_and_only_if_it_is_empty_and_there_is_more() {
        assert!(Balancer::Mixed.fills(0, 2) && !Balancer::Mixed.fills(1, 2) && !Balancer::Mixed.fills(0, 0));
        assert!(!Balancer::Private.fills(0, 2) && !Balancer::Concurrent.fills(0, 2));
        assert!(!Balancer::Mixed.opens_at_put(false, false) && Balancer::Mixed.opens_at_put(true, false));
    }
}
