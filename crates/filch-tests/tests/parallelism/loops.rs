//! Loops whose iterations are suddenly dear.

use crate::at_once::Inside;
use crate::meeting::{Meeting, meet};
use crate::{on_all_pools, on_pools};
use filch::Strand;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The iterations used to be cheap, so the runtime believes that those of the last loop are. They sleep.
#[test]
fn iterations_that_are_wrongly_believed_to_be_cheap_run_at_the_same_time() {
    on_all_pools(|pool| {
        let n = pool.num_workers();
        let meeting = Meeting::of(n);
        let is_dear = AtomicBool::new(false);
        let body = |_: Strand<'_>, _: usize| {
            if is_dear.load(Ordering::Relaxed) {
                meeting.attend();
            }
        };
        pool.run(|mut s| {
            (0..200).for_each(|_| s.for_each(0..n, body));
            is_dear.store(true, Ordering::Relaxed);
            s.for_each(0..n, body);
        });
        meeting.assert_over();
    });
}

/// Where there is something older to take, a loop that is believed to be cheap hides its first iterations. If they are
/// dear for once, it hides one of them and then shows the others.
#[test]
fn a_loop_that_hides_its_first_iterations_shows_the_others_once_one_is_dear() {
    on_all_pools(|pool| {
        let n = pool.num_workers();
        let (inside, is_dear) = (Inside::expect(n.min(8).div_ceil(2)), AtomicBool::new(false));
        let body = |_: Strand<'_>, _: usize| {
            if is_dear.load(Ordering::Relaxed) {
                inside.piece();
            }
        };
        let len = 100 * n.max(16);
        pool.run(|mut s| {
            s.join(|mut s| (0..200).for_each(|_| s.for_each(0..len, body)), |_| ());
            is_dear.store(true, Ordering::Relaxed);
            s.join(|mut s| s.for_each(0..len, body), |_| ());
        });
        inside.assert_met(&format!("{n} workers"));
    });
}

/// Iterations that turn dear in the middle of a loop are shared by all, wherever that is.
#[test]
fn a_loop_that_turns_dear_midway_is_shared() {
    on_all_pools(|pool| {
        let n = pool.num_workers();
        let (len, dear) = (200_000, 100 * n.max(16));
        for begin in [0, 1, 1000, len / 2, len - dear - 1, len - dear] {
            let inside = Inside::expect(n.min(8).div_ceil(2));
            pool.run(|mut s| {
                s.for_each(0..len, |_, i| {
                    if (begin..begin + dear).contains(&i) {
                        inside.piece();
                    }
                });
            });
            inside.assert_met(&format!("{n} workers, from {begin} of {len}"));
        }
    });
}

/// The last iterations of a loop are hidden no more than the first.
#[test]
fn the_last_iterations_of_a_loop_meet() {
    on_pools(&[24, 64], |pool| {
        let n = pool.num_workers();
        // A worker that has halved a part waits for the other half and runs nothing else: a few for each piece.
        let pieces = n / 12;
        for len in [n, n + 1, 10 * n] {
            meet(pieces, |meeting| {
                pool.run(|mut s| {
                    s.for_each(0..len, |_, i| {
                        std::thread::sleep(Duration::from_micros(200));
                        if i >= len - pieces {
                            meeting.attend();
                        }
                    });
                });
            });
        }
    });
}
