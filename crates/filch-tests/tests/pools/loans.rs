//! Seats that are lent: to which thread, and what the lender does meanwhile.

use crate::common::{
    SendWrapper, assert_usable, await_above_an_older_frame, await_value, eager_pool, must_end, with_another_held,
};
use crate::{ROUNDS, begun_elsewhere, tree};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The worker that waits at the end of the outer pool's scope helps on a ladder for which it has no seat of its own.
#[test]
fn a_task_that_is_helped_with_above_an_older_frame_gets_the_seat_of_the_worker_that_waits_for_it() {
    must_end(|| {
        let (a, b) = (eager_pool(2), eager_pool(1));
        for _ in 0..ROUNDS {
            with_another_held(&a, |s, released| {
                await_above_an_older_frame(s, released, |_| {
                    b.run(|_| a.run(|mut s| begun_elsewhere(&mut s, |_| b.run(|_| ()))));
                });
            });
        }
        assert_usable(&a);
        assert_usable(&b);
    });
}

/// A thread has brought a strand of the outer pool into a run of the inner one, and waits there for a branch that needs
/// a seat of the inner one. It lends that, which is its latest, though it will go on with the other.
#[test]
fn a_thread_that_waits_with_a_strand_of_an_older_seat_lends_its_latest() {
    must_end(|| {
        let (a, b) = (eager_pool(2), eager_pool(1));
        let mut rounds = 0;
        // In some rounds the lender is slow, and the other thread goes without a seat.
        while rounds < ROUNDS.min(20) || b.counters().seats_borrowed == 0 {
            rounds += 1;
            a.run(|of_a| {
                let mut of_a = SendWrapper::new(of_a);
                b.run(|_| {
                    let s = of_a.get().expect("on its own thread");
                    begun_elsewhere(s, |_| b.run(|s| tree(s, 2, &|| ())));
                });
            });
        }
        assert_usable(&a);
        assert_usable(&b);
    });
}

/// What it helps with belongs to the older pool. It does not wait for its latest seat before: the thread that has that
/// seat waits for this very task.
#[test]
fn a_thread_that_helps_with_a_strand_of_an_older_seat_does_not_wait_for_its_latest() {
    must_end(|| {
        let (a, b, c) = (eager_pool(2), eager_pool(1), eager_pool(1));
        for _ in 0..ROUNDS.min(20) {
            a.run(|of_a| {
                let mut of_a = SendWrapper::new(of_a);
                b.run(|_| {
                    begun_elsewhere(of_a.get().expect("on its own thread"), |of_a| {
                        let mut of_a = SendWrapper::new(of_a);
                        b.run(|_| {
                            begun_elsewhere(of_a.get().expect("as above"), |_| c.run(|_| ()));
                        });
                    });
                });
            });
        }
        assert_usable(&a);
        assert_usable(&b);
    });
}

/// A thread holds a lock and waits in an inner pool. Its seat is not lent to a thread that may wait for that lock.
#[test]
fn a_seat_is_not_lent_to_strangers() {
    let (a, b) = (eager_pool(1), eager_pool(2));
    let lock = std::sync::Mutex::new(0);
    for _ in 0..ROUNDS {
        let inside = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                a.run(|_| {
                    let mut held = lock.lock().expect("nobody panics");
                    inside.store(1, Ordering::SeqCst);
                    b.run(|mut s| begun_elsewhere(&mut s, |_| std::thread::sleep(Duration::from_micros(200))));
                    *held += 1;
                });
            });
            await_value(&inside, 1);
            // A thread with a seat in another pool, on which no other thread depends.
            let c = eager_pool(1);
            c.run(|_| a.run(|_| *lock.lock().expect("nobody panics") += 1));
        });
    }
    assert_eq!(lock.into_inner().expect("nobody panics"), 2 * ROUNDS);
}

/// Trees that run at the same time, on a ladder and on a spare one.
const TREES: usize = if cfg!(miri) { 4 } else { 50 };

/// A thread that has lent its seat helps, and what it helps with uses a strand of that seat at the same time as the
/// borrower.
#[test]
fn a_strand_of_a_lent_seat_does_no_harm() {
    let (a, b) = (eager_pool(2), eager_pool(2));
    let leaves = AtomicUsize::new(0);
    for _ in 0..ROUNDS.min(20) {
        let (helped, seated) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let (a, helped, seated, leaves) = (&a, &helped, &seated, &leaves);
        let count = || {
            leaves.fetch_add(1, Ordering::Relaxed);
        };
        std::thread::scope(|scope| {
            // Keeps the other seat of `a` until the first has been lent.
            scope.spawn(|| {
                a.run(|_| {
                    seated.store(1, Ordering::SeqCst);
                    await_value(helped, 1);
                });
            });
            await_value(seated, 1);
            a.run(|of_a| {
                let mut of_a = SendWrapper::new(of_a);
                b.run(move |mut s| {
                    begun_elsewhere(&mut s, move |mut s| {
                        s.join(
                            move |_| {
                                a.run(|mut s| {
                                    // Not for ever: perhaps no other thread takes the other branch.
                                    (0..if cfg!(miri) { 200 } else { 2_000 })
                                        .take_while(|_| helped.load(Ordering::SeqCst) == 0)
                                        .for_each(|_| {
                                            std::thread::yield_now();
                                        });
                                    helped.store(1, Ordering::SeqCst);
                                    (0..TREES).for_each(|_| tree(s.reborrow(), 6, &count));
                                });
                            },
                            move |_| {
                                if let Some(s) = of_a.get() {
                                    helped.store(1, Ordering::SeqCst);
                                    (0..TREES).for_each(|_| tree(s.reborrow(), 6, &count));
                                }
                            },
                        );
                    });
                });
            });
        });
    }
    assert!(leaves.into_inner() >= ROUNDS.min(20) * TREES * 64);
}
