//! An event as a ring keeps it: four words.

use crate::sync::{AtomicPtr, AtomicU64, Ordering};
use std::{ptr, slice, str};

/// What happens to a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// It begins something, as the occupant of `worker`: zero if it occupies none. If it runs a frame that has moved,
    /// it says which.
    Begin { name: u8, frame: u64, worker: u64 },
    /// It begins what the user calls so.
    Span { name: &'static str },
    /// What it has begun last is over.
    End,
    /// It gives a frame away, or leaves it for others.
    Given { frame: u64 },
    /// It takes a frame from the occupant of this worker.
    Taken { frame: u64, from: u64 },
    /// It takes a frame back that it has given.
    Reclaimed { frame: u64 },
}

/// Times have this many bits, which last for two years. What the event is has the others.
const TIME_BITS: u32 = 56;

/// The names of slices have this many bits.
const NAME_BITS: u32 = 4;

const BEGIN: u64 = 0;
const SPAN: u64 = 1;
const END: u64 = 2;
const GIVEN: u64 = 3;
const TAKEN: u64 = 4;
const RECLAIMED: u64 = 5;

/// A place in a ring. One thread writes it, and another one reads it afterwards.
#[derive(Default)]
pub(super) struct Slot {
    head: AtomicU64,
    /// The name of a span.
    text: AtomicPtr<u8>,
    words: [AtomicU64; 2],
}

const _: () = assert!(size_of::<Slot>() == 32 || cfg!(not(target_pointer_width = "64")));

impl Slot {
    pub(super) fn set(&self, at_ns: u64, event: Event) {
        let (kind, name, text, words) = match event {
            Event::Begin { name, frame, worker } => (BEGIN, name, ptr::null(), [frame, worker]),
            Event::Span { name } => (SPAN, 0, name.as_ptr(), [name.len() as u64, 0]),
            Event::End => (END, 0, ptr::null(), [0, 0]),
            Event::Given { frame } => (GIVEN, 0, ptr::null(), [frame, 0]),
            Event::Taken { frame, from } => (TAKEN, 0, ptr::null(), [frame, from]),
            Event::Reclaimed { frame } => (RECLAIMED, 0, ptr::null(), [frame, 0]),
        };
        debug_assert!(u64::from(name) < 1 << NAME_BITS && at_ns < 1 << TIME_BITS);
        let head = (kind << NAME_BITS | u64::from(name)) << TIME_BITS | at_ns;
        self.head.store(head, Ordering::Relaxed);
        self.text.store(text.cast_mut(), Ordering::Relaxed);
        self.words.iter().zip(words).for_each(|(place, word)| place.store(word, Ordering::Relaxed));
    }

    /// The time, and the event.
    ///
    /// # Safety
    ///
    /// The slot has been [set](Self::set), which happened before this, and is not set meanwhile.
    pub(super) unsafe fn get(&self) -> (u64, Event) {
        let head = self.head.load(Ordering::Relaxed);
        let [first, second] = self.words.each_ref().map(|word| word.load(Ordering::Relaxed));
        let event = match head >> (TIME_BITS + NAME_BITS) {
            BEGIN => {
                let name = (head >> TIME_BITS) as u8 & ((1 << NAME_BITS) - 1);
                Event::Begin { name, frame: first, worker: second }
            }
            SPAN => {
                let text = self.text.load(Ordering::Relaxed);
                // SAFETY: both are those of a text that lives for ever, as the caller guarantees.
                let bytes = unsafe { slice::from_raw_parts(text, first as usize) };
                // SAFETY: as above.
                Event::Span { name: unsafe { str::from_utf8_unchecked(bytes) } }
            }
            GIVEN => Event::Given { frame: first },
            TAKEN => Event::Taken { frame: first, from: second },
            RECLAIMED => Event::Reclaimed { frame: first },
            _ => Event::End,
        };
        (head & ((1 << TIME_BITS) - 1), event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_has_what_was_put_there() {
        let slot = Slot::default();
        for event in [
            Event::Begin { name: 15, frame: u64::MAX, worker: 7 },
            Event::Span { name: "a span" },
            Event::End,
            Event::Given { frame: 1 << 63 },
            Event::Taken { frame: 2, from: 3 },
            Event::Reclaimed { frame: 4 },
        ] {
            slot.set((1 << TIME_BITS) - 1, event);
            // SAFETY: it has been set by this thread.
            assert_eq!(unsafe { slot.get() }, ((1 << TIME_BITS) - 1, event));
        }
    }
}
