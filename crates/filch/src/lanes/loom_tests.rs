//! The sources under the model checker: what is left in lanes is got once each, and the end comes after all of it.

use super::Lanes;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};

/// An item that leads to `now` more in this phase, and `next` more in the next one, which lead nowhere.
#[derive(Clone, Copy)]
struct Item {
    now: usize,
    next: usize,
}

/// Looks so often before it leaves.
const LOOKS: usize = 2;

/// Takes part in lane `me`, until it has found nothing; how many items it has seen.
fn take_part(lanes: &Lanes<Item>, me: usize, seen: &AtomicUsize) {
    let mut vain = 0;
    while vain < LOOKS && !lanes.is_over() {
        let Some((item, _)) = lanes.find(me, |_| true) else {
            vain += 1;
            loom::thread::yield_now();
            continue;
        };
        let mut item = Some(item);
        while let Some(some) = item {
            assert!(!lanes.is_over());
            seen.fetch_add(1, Ordering::Relaxed);
            let phase = lanes.phase();
            for _ in 0..some.now {
                lanes.push(me, Item { now: 0, next: 0 });
            }
            for _ in 0..some.next {
                lanes.push_next(me, Item { now: 0, next: 0 }, 1);
            }
            assert_eq!(lanes.phase(), phase, "it has something in hand");
            item = lanes.get_own(me).or_else(|| lanes.next_or_run_dry(me));
        }
    }
}

/// Runs `root` in lane 0, with others that may take part or not.
fn check(root: Item, items: usize, phases: usize) {
    loom::model(move || {
        let lanes = Arc::new(Lanes::new(2, Some(root)));
        let seen = Arc::new(AtomicUsize::new(0));
        let other = loom::thread::spawn({
            let (lanes, seen) = (Arc::clone(&lanes), Arc::clone(&seen));
            move || take_part(&lanes, 1, &seen)
        });
        take_part(&lanes, 0, &seen);
        other.join().unwrap();
        // Whoever has left, has left nothing.
        assert!(lanes.is_over());
        assert_eq!((seen.load(Ordering::Relaxed), lanes.phase() + 1), (items, phases));
        assert!((0..2).all(|lane| lanes.depth(lane) == 0));
    });
}

#[test]
fn the_end_comes_when_nobody_has_anything() {
    check(Item { now: 2, next: 0 }, 3, 1);
}

#[test]
fn a_phase_begins_when_the_one_before_is_over_everywhere() {
    check(Item { now: 1, next: 1 }, 3, 2);
}
