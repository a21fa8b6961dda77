//! Helping: a worker that waits finds parts of what it waits for, wherever they are.

use crate::common::{await_value, must_end, takes};
use crate::{common::eager_pool, on_pools};
use filch::{Pool, Strand};
use std::sync::atomic::{AtomicUsize, Ordering};

/// W0 waits for x on W1; W1 waits for y on W2, and helps with p, a part of y; a fork of y needs W0.
fn chain(pool: &Pool) {
    let step = AtomicUsize::new(0);
    let at = |n: usize| await_value(&step, n);
    let now = |n: usize| step.store(n, Ordering::SeqCst);
    let y = |mut s: Strand<'_>| {
        now(2);
        let inner = |mut s: Strand<'_>| {
            // Until p has been begun, by W1, which waits for y.
            at(3);
            s.join(|_| at(4), |_| now(4));
        };
        let p = |_: Strand<'_>| {
            now(3);
            at(4);
        };
        s.join(inner, p);
    };
    let x = |mut s: Strand<'_>| {
        now(1);
        s.join(|_| at(2), y);
    };
    pool.run(|mut s| s.join(|_| at(1), x));
}

#[test]
fn a_part_of_a_part_is_found_while_the_worker_in_between_helps() {
    if takes() {
        must_end(|| on_pools(&[3], chain));
    }
}

/// Each worker of the pool waits for the next one, and the last needs all of them again.
fn deep_chain(pool: &Pool) {
    fn link(mut s: Strand<'_>, depth: usize, step: &AtomicUsize, met: &AtomicUsize, n: usize) {
        let now = step.fetch_add(1, Ordering::SeqCst) + 1;
        if depth == 0 {
            // All others wait: every one of them is needed.
            s.for_each(0..n, |_, _| {
                met.fetch_add(1, Ordering::SeqCst);
                await_value(met, n);
            });
        } else {
            s.join(|_| await_value(step, now + 1), |s| link(s, depth - 1, step, met, n));
        }
    }
    let n = pool.num_workers();
    let [step, met] = [const { AtomicUsize::new(0) }; 2];
    pool.run(|s| link(s, n - 1, &step, &met, n));
}

#[test]
fn all_workers_that_wait_along_a_chain_help_at_its_end() {
    if takes() {
        must_end(|| on_pools(&[2, 3, 6], deep_chain));
    }
}

/// The same for the end of a scope, which waits for tasks of others.
#[test]
fn a_worker_that_waits_at_a_scopes_end_helps_inside_its_tasks() {
    if !takes() {
        return;
    }
    must_end(|| {
        let pool = eager_pool(3);
        for _ in 0..50 {
            let [begun, met] = [const { AtomicUsize::new(0) }; 2];
            pool.run(|mut s| {
                s.scope(|_, scope| {
                    scope.spawn(|mut s| {
                        begun.store(1, Ordering::SeqCst);
                        s.for_each_item(0..3, |_, _| {
                            met.fetch_add(1, Ordering::SeqCst);
                            await_value(&met, 3);
                        });
                    });
                    await_value(&begun, 1);
                });
            });
        }
    });
}
