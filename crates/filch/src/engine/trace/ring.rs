//! The ring of a thread: the thread puts events there, and whoever holds the lock of the flusher removes them (Lamport
//! 1983: each of the two indices has one writer, who writes it after the slot).
//!
//! The writer stores the head with release, after the slot. The reader loads it with acquire, reads the slots below,
//! and stores the tail with release. The writer loads that with acquire before it uses a slot again.

use super::event::{Event, Slot};
use crate::sync::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use crossbeam_utils::CachePadded;

/// The number of slots, a power of two: 256 KiB. A thread that does nothing but find work and give it away has some
/// ten thousand events per second for each hundred microseconds that an ask takes, so this lasts for several periods
/// of the flusher.
const SLOTS: usize = if cfg!(miri) { 64 } else { 8192 };

/// The events of a thread that are not in the file yet.
pub(super) struct Ring {
    /// What the thread is called.
    pub(super) thread: String,
    slots: Box<[Slot]>,
    /// How many events have been put there and removed, modulo the size of a word.
    head: CachePadded<AtomicUsize>,
    tail: CachePadded<AtomicUsize>,
    lost: AtomicU64,
    is_closed: AtomicBool,
}

impl Ring {
    pub(super) fn new(thread: String) -> Self {
        Ring {
            thread,
            slots: (0..SLOTS).map(|_| Slot::default()).collect(),
            head: CachePadded::default(),
            tail: CachePadded::default(),
            lost: AtomicU64::new(0),
            is_closed: AtomicBool::new(false),
        }
    }

    /// Adds an event, if there is room for it and for so many more. Otherwise counts it as lost, and returns false.
    /// For the thread of the ring.
    pub(super) fn put(&self, at_ns: u64, event: Event, more: usize) -> bool {
        let head = self.head.load(Ordering::Relaxed);
        let used = head.wrapping_sub(self.tail.load(Ordering::Acquire));
        if SLOTS - used <= more {
            self.lost.store(self.lost.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
            return false;
        }
        self.slots[head % SLOTS].set(at_ns, event);
        self.head.store(head.wrapping_add(1), Ordering::Release);
        true
    }

    /// Removes all events, the oldest first. One thread at a time may do so.
    pub(super) fn drain(&self, mut each: impl FnMut(u64, Event)) {
        let (mut tail, head) = (self.tail.load(Ordering::Relaxed), self.head.load(Ordering::Acquire));
        while tail != head {
            // SAFETY: slots below the head have been set, and those from the tail on are not set again.
            let (at_ns, event) = unsafe { self.slots[tail % SLOTS].get() };
            each(at_ns, event);
            tail = tail.wrapping_add(1);
        }
        self.tail.store(tail, Ordering::Release);
    }

    /// How many events have been lost.
    pub(super) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// No event comes any more. For the thread of the ring.
    pub(super) fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
    }

    /// Whether no event comes any more. What is there is still to be removed.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    const EVENT: Event = Event::Given { frame: 1 };

    #[test]
    fn a_full_ring_counts_what_it_does_not_take_and_has_room_for_what_ends() {
        let ring = Ring::new("test".into());
        let begun = (0..2 * SLOTS).take_while(|&open| ring.put(0, EVENT, open + 1)).count();
        assert_eq!((begun, ring.lost()), (SLOTS / 2, 1), "as many can end");
        assert!((0..begun).all(|ended| ring.put(0, Event::End, begun - ended - 1)));
        assert!(!ring.put(0, EVENT, 0));
        let mut found = 0;
        ring.drain(|_, _| found += 1);
        assert_eq!((found, ring.lost()), (SLOTS, 2));
        assert!(ring.put(0, EVENT, 0), "there is room again");
    }

    #[test]
    fn events_arrive_once_and_in_order() {
        let (ring, events) = (Ring::new("test".into()), 10 * SLOTS as u64);
        thread::scope(|scope| {
            scope.spawn(|| {
                for event in 0..events {
                    while !ring.put(event, Event::Given { frame: event }, 0) {
                        thread::yield_now();
                    }
                }
                ring.close();
            });
            let mut next = 0;
            while next < events {
                let is_closed = ring.is_closed();
                ring.drain(|at_ns, event| {
                    assert_eq!((at_ns, event), (next, Event::Given { frame: next }));
                    next += 1;
                });
                assert!(!is_closed || next == events);
                thread::yield_now();
            }
        });
    }
}
