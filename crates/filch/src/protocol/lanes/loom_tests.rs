//! Loom checks the sources of the lanes: each batch is got once, in its phase, and the end comes after all of them.
//!
//! `models/lanes.pml` searches more lanes and more ways to leave batches. These tests check the memory orderings, in
//! small cases.

use super::{Found, Lanes, Next};
use crate::sync::cell::Plain;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};

/// An item that leads to `now` further items in this phase. If `now` is 0, it leads to `next` items in the next phase.
#[derive(Clone, Copy)]
struct Item {
    phase: usize,
    now: usize,
    next: usize,
}

/// Visits `item`, and everything that comes after it in lane `me`, until the lane runs dry.
fn work(lanes: &Lanes<Item>, me: usize, item: Item, seen: &Seen) {
    let mut item = Some(item);
    while let Some(Item { phase, now, next }) = item {
        assert_eq!(seen.phases.get(), phase, "the action at the end of the previous phase has run");
        assert!(!lanes.is_over());
        assert_eq!(lanes.phase(), phase, "an item is found in its own phase");
        seen.items.fetch_add(1, Ordering::Relaxed);
        for _ in 0..now {
            lanes.push(me, Item { phase, now: 0, next });
        }
        if now == 0 {
            for _ in 0..next {
                lanes.push_next(me, Item { phase: phase + 1, now: 0, next: 0 }, 1);
            }
        }
        assert_eq!(lanes.phase(), phase, "the phase does not change while this worker has an item in hand");
        item = lanes.get_own(me).or_else(|| match lanes.next_or_run_dry(me) {
            Next::Batch(item) => Some(item),
            Next::Nothing => None,
            Next::PhaseIsOver => {
                seen.phases.update(|phases| *phases += 1);
                lanes.advance();
                None
            }
        });
    }
}

/// Counts the items that have been visited and the phases that have ended. The latter is plain memory, so that loom
/// reports each access that the lanes do not order.
struct Seen {
    items: AtomicUsize,
    phases: Plain<usize>,
}

/// Takes part in lane `me` until a search finds nothing, and then leaves.
fn take_part(lanes: &Lanes<Item>, me: usize, seen: &Seen) {
    while let Some(Found { batch: item, .. }) = lanes.find(me, 0, |_| true) {
        work(lanes, me, item, seen);
    }
}

/// Runs `root` in lane 0, beside another worker, which may take part in lane 1.
fn check(root: Item, items: usize, phases: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(move || {
        let lanes = Arc::new(Lanes::new(2, 0, [root], 1));
        let seen = Arc::new(Seen { items: AtomicUsize::new(0), phases: Plain::new(0) });
        let other = loom::thread::spawn({
            let (lanes, seen) = (Arc::clone(&lanes), Arc::clone(&seen));
            move || take_part(&lanes, 1, &seen)
        });
        take_part(&lanes, 0, &seen);
        other.join().unwrap();
        // A worker that has left has left no work behind.
        assert!(lanes.is_over());
        assert_eq!((seen.items.load(Ordering::Relaxed), lanes.phase() + 1), (items, phases));
        assert_eq!(seen.phases.get(), phases);
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

/// Both workers leave something for the next phase. So one of them finds that its lane has been counted since it last
/// looked there.
#[test]
fn a_phase_begins_in_the_lane_of_a_thief() {
    check(Item { phase: 0, now: 2, next: 1 }, 5, 2);
}
