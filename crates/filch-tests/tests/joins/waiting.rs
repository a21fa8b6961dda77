//! What a worker runs while it waits at a join.

use crate::common::{self, await_value, busy, eager_pool};
use filch::Strand;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// One branch, the holder, waits for its second branch, which another worker has taken and which does not end.
/// Meanwhile an unrelated frame lies on the ladder of a third worker. The holder must not run it, since it might hold a
/// lock that this frame needs.
#[test]
fn a_waiter_runs_nothing_unrelated() {
    if !(common::takes() && common::waits_for_descendants()) {
        return;
    }
    let pool = eager_pool(3);
    for _ in 0..if cfg!(miri) { 1 } else { 20 } {
        // 1: the holder's second branch has been taken; 2: the unrelated frame has been pushed; 3: it has been run.
        let stage = AtomicUsize::new(0);
        let holder = AtomicUsize::new(usize::MAX);
        let here = || filch::current_worker().expect("inside a run");
        pool.run(|mut s| {
            s.join(
                |mut s| {
                    holder.store(here(), Ordering::SeqCst);
                    s.join(
                        // Ends, and so begins to wait, once the second branch is elsewhere.
                        |_| await_value(&stage, 1),
                        |_| {
                            stage.store(1, Ordering::SeqCst);
                            await_value(&stage, 3);
                        },
                    );
                },
                |mut s| {
                    await_value(&stage, 1);
                    s.join(
                        // Gives the waiter every chance to take the frame behind this branch.
                        |_| busy(Duration::from_millis(2)),
                        |_| {
                            assert_ne!(
                                here(),
                                holder.load(Ordering::SeqCst),
                                "run by a worker that waits for other work"
                            );
                            stage.store(3, Ordering::SeqCst);
                        },
                    );
                },
            );
        });
    }
}

/// Tasks inside tasks, deeper than one worker helps with: the program goes on without its help.
#[test]
fn helping_has_a_depth_beyond_which_a_worker_only_waits() {
    if !common::takes() {
        return;
    }
    fn ping(mut s: Strand<'_>, depth: usize) -> usize {
        if depth == 0 {
            return 0;
        }
        let begun = AtomicUsize::new(0);
        // Gives the other worker, which waits for this one, some time to take the second branch.
        let patience = |begun: &AtomicUsize| {
            (0..2_000).take_while(|_| begun.load(Ordering::SeqCst) == 0).for_each(|_| std::thread::yield_now());
        };
        let ((), below) = s.join(
            |_| patience(&begun),
            |s| {
                begun.store(1, Ordering::SeqCst);
                ping(s, depth - 1)
            },
        );
        below + 1
    }
    let depth = if cfg!(miri) { 10 } else { 300 };
    let pool = eager_pool(2);
    let mut helped = 0;
    // Until a run has had more tasks inside tasks than one worker helps with.
    while helped <= if cfg!(miri) { 0 } else { 64 } {
        let before = pool.counters();
        assert_eq!(pool.run(|s| ping(s, depth)), depth);
        helped = pool.counters().since(&before).tasks_run_while_waiting;
    }
}

/// A lock held across a join is safe while the waiter runs nothing unrelated (rayon's issue 592 is this program).
#[test]
fn a_lock_may_be_held_across_a_join() {
    if !common::waits_for_descendants() {
        return;
    }
    let pool = eager_pool(2);
    let lock = std::sync::Mutex::new(0_u64);
    let work = |mut s: Strand<'_>| {
        let mut held = lock.lock().expect("nobody panics");
        let (a, b) = s.join(|_| 1, |_| 2);
        *held += a + b;
    };
    let rounds = if cfg!(miri) { 3 } else { 500 };
    for _ in 0..rounds {
        pool.run(|mut s| {
            s.join(
                |mut s| {
                    s.join(work, work);
                },
                |mut s| {
                    s.join(work, work);
                },
            );
        });
    }
    assert_eq!(*lock.lock().expect("nobody panics"), rounds * 12);
}
