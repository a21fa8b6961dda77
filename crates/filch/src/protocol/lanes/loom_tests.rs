//! The sources under the model checker: what is left in lanes is got once each, in its phase, and the end comes after
//! all of it.
//!
//! `models/lanes.pml` searches more lanes and more ways to leave batches; here are the orders of memory, in small
//! cases.

use super::{Found, Lanes, Next};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};

/// Leads to so many of the kind below in this phase, and in the next one.
#[derive(Clone, Copy)]
struct Item {
    phase: usize,
    now: usize,
    next: usize,
}

/// Visits `item`, and all that comes after it in lane `me`, until that runs dry.
fn work(lanes: &Lanes<Item>, me: usize, item: Item, seen: &Seen) {
    let mut item = Some(item);
    while let Some(Item { phase, now, next }) = item {
        // SAFETY: whoever writes is alone, and told of all visits by the lanes.
        let phases = seen.phases.with(|phases| unsafe { *phases });
        assert_eq!(phases, phase, "the action at the end of the phase before has been run");
        assert!(!lanes.is_over());
        assert_eq!(lanes.phase(), phase, "it lay where this phase was to be found");
        seen.items.fetch_add(1, Ordering::Relaxed);
        for _ in 0..now {
            lanes.push(me, Item { phase, now: 0, next });
        }
        if now == 0 {
            for _ in 0..next {
                lanes.push_next(me, Item { phase: phase + 1, now: 0, next: 0 }, 1);
            }
        }
        assert_eq!(lanes.phase(), phase, "it has something in hand");
        item = lanes.get_own(me).or_else(|| match lanes.next_or_run_dry(me) {
            Next::Batch(item) => Some(item),
            Next::Nothing => None,
            Next::PhaseIsOver => {
                // SAFETY: as above.
                seen.phases.with_mut(|phases| unsafe { *phases += 1 });
                lanes.advance();
                None
            }
        });
    }
}

/// What is seen of items, and, without synchronisation of its own, of the ends of phases.
struct Seen {
    items: AtomicUsize,
    phases: UnsafeCell<usize>,
}

// SAFETY: the model checker finds accesses that are not ordered.
unsafe impl Sync for Seen {}

/// Takes part in lane `me` until it has looked in vain; and leaves.
fn take_part(lanes: &Lanes<Item>, me: usize, seen: &Seen) {
    while let Some(Found { batch: item, .. }) = lanes.find(me, 0, |_| true) {
        work(lanes, me, item, seen);
    }
}

/// Runs `root` in lane 0, with another that may take part or not.
fn check(root: Item, items: usize, phases: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(move || {
        let lanes = Arc::new(Lanes::new(2, 0, [root], 1));
        let seen = Arc::new(Seen { items: AtomicUsize::new(0), phases: UnsafeCell::new(0) });
        let other = loom::thread::spawn({
            let (lanes, seen) = (Arc::clone(&lanes), Arc::clone(&seen));
            move || take_part(&lanes, 1, &seen)
        });
        take_part(&lanes, 0, &seen);
        other.join().unwrap();
        // Whoever has left, has left nothing.
        assert!(lanes.is_over());
        assert_eq!((seen.items.load(Ordering::Relaxed), lanes.phase() + 1), (items, phases));
        // SAFETY: all others are gone.
        assert_eq!(seen.phases.with(|phases| unsafe { *phases }), phases);
        assert!((0..2).all(|lane| lanes.depth(lane) == 0));
    });
}

#[test]
fn the_end_comes_when_nobody_has_anything() {
    check(Item { phase: 0, now: 2, next: 0 }, 3, 1);
}

#[test]
fn a_phase_begins_when_the_one_before_is_over_everywhere() {
    check(Item { phase: 0, now: 1, next: 1 }, 3, 2);
}

/// Both leave something for the next phase, so that one of them finds that its lane has been counted since it looked
/// there.
#[test]
fn a_phase_begins_in_the_lane_of_a_thief() {
    check(Item { phase: 0, now: 2, next: 1 }, 5, 2);
}
