//! Records of one kind: those that are in use, and those that are free.

use crate::sync::{AtomicU32, Ordering};

/// Places for records. Those that others can see are used first.
pub(super) struct Slots<T: 'static> {
    shared: &'static [T],
    /// How many of those have been in use, for readers.
    used: Option<&'static AtomicU32>,
    next: usize,
    /// Free ones that have been in use.
    free_shared: Vec<&'static T>,
    free_private: Vec<&'static T>,
}

impl<T: Default> Slots<T> {
    pub(super) const NONE: Slots<T> =
        Slots { shared: &[], used: None, next: 0, free_shared: Vec::new(), free_private: Vec::new() };

    /// From now on there are these, too, which others can see.
    #[cfg(all(target_os = "linux", target_has_atomic = "64", not(any(miri, loom))))]
    pub(super) fn share(&mut self, shared: &'static [T], used: &'static AtomicU32) {
        self.shared = shared;
        self.used = Some(used);
    }

    /// A free record.
    pub(super) fn claim(&mut self) -> &'static T {
        if let Some(free) = self.free_shared.pop() {
            return free;
        }
        if let (Some(next), Some(used)) = (self.shared.get(self.next), self.used) {
            self.next += 1;
            used.store(self.next as u32, Ordering::Release);
            return next;
        }
        self.free_private.pop().unwrap_or_else(|| Box::leak(Box::default()))
    }

    /// The record is free again.
    pub(super) fn give_back(&mut self, record: &'static T) {
        let is_shared = self.shared.as_ptr_range().contains(&std::ptr::from_ref(record));
        if is_shared { &mut self.free_shared } else { &mut self.free_private }.push(record);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sync::{Mutex, lock};
    use std::ptr;

    #[test]
    fn records_are_used_again_and_no_more_are_made_than_are_in_use_at_once() {
        // Tools that look for memory that was lost find it there.
        static SLOTS: Mutex<Slots<u64>> = Mutex::new(Slots::NONE);
        let mut slots = lock(&SLOTS);
        let (a, b) = (slots.claim(), slots.claim());
        assert!(!ptr::eq(a, b));
        slots.give_back(a);
        assert!(ptr::eq(slots.claim(), a));
        slots.give_back(b);
        slots.give_back(a);
    }

    #[test]
    #[cfg(all(target_os = "linux", target_has_atomic = "64", not(miri)))]
    fn those_that_others_can_see_come_first_and_the_heap_has_the_rest() {
        static SHARED: [u64; 2] = [0; 2];
        static USED: AtomicU32 = AtomicU32::new(0);
        let mut slots = Slots::<u64>::NONE;
        slots.share(&SHARED, &USED);
        let claimed = [(); 3].map(|()| slots.claim());
        assert!(ptr::eq(claimed[0], &SHARED[0]) && ptr::eq(claimed[1], &SHARED[1]));
        assert!(!SHARED.as_ptr_range().contains(&ptr::from_ref(claimed[2])));
        assert_eq!(USED.load(Ordering::Relaxed), 2);
        for record in claimed {
            slots.give_back(record);
        }
        assert!(ptr::eq(slots.claim(), &SHARED[1]));
    }
}
