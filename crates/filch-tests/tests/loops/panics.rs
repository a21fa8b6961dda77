//! Every placement of a panic in a loop: the right payload arrives, nothing runs on, nothing leaks, the pool goes on.
//! In the names, *it* is the panic.

use crate::common::{Counted, assert_usable, await_value, eager_pool, panic_text, takes};
use filch::{Pool, Strand};
use std::ops::Range;
use std::panic::panic_any;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const LEN: usize = if cfg!(miri) { 12 } else { 1000 };

/// The result of a part of a loop.
struct Sum<'a> {
    _counted: Counted<'a>,
    /// The items that it is the result of. Ranges that are combined meet.
    indices: Range<usize>,
    /// Whether it began as the identity of a part that has moved.
    has_moved: bool,
    /// Whether it panics when it is dropped.
    is_armed: bool,
}

impl Drop for Sum<'_> {
    fn drop(&mut self) {
        if self.is_armed {
            panic_any("a result's drop");
        }
    }
}

/// A loop whose owner waits, in the first iteration, until another worker has begun a part, if the scheduler takes.
struct Trial<'p> {
    pool: &'p Pool,
    owner: std::thread::ThreadId,
    alive: AtomicUsize,
    identities: AtomicUsize,
    /// Iterations that another worker has begun.
    elsewhere: AtomicUsize,
    is_over: AtomicBool,
}

/// The user's functions, each of which may panic.
#[derive(Clone, Copy)]
struct Body<'b> {
    map: &'b (dyn Fn(&Trial<'_>, usize) + Sync),
    identity: &'b (dyn Fn(&Trial<'_>, &mut Sum<'_>) + Sync),
    combine: &'b (dyn Fn(&Sum<'_>, &Sum<'_>) + Sync),
}

impl Default for Body<'_> {
    fn default() -> Self {
        Body { map: &|_, _| (), identity: &|_, _| (), combine: &|_, _| () }
    }
}

impl Trial<'_> {
    fn sum(&self, indices: Range<usize>) -> Sum<'_> {
        assert!(!self.is_over.load(Ordering::SeqCst), "the loop has returned");
        Sum { _counted: Counted::new(&self.alive), indices, has_moved: false, is_armed: false }
    }

    fn is_here(&self) -> bool {
        std::thread::current().id() == self.owner
    }

    fn run(&self, body: Body<'_>) -> Range<usize> {
        let sum = self.pool.run(|mut s| {
            let identity = || {
                let mut sum = self.sum(0..0);
                sum.has_moved = self.identities.fetch_add(1, Ordering::SeqCst) > 0;
                (body.identity)(self, &mut sum);
                sum
            };
            let map = |_: Strand<'_>, i| {
                if !self.is_here() {
                    self.elsewhere.fetch_add(1, Ordering::SeqCst);
                } else if i == 0 && takes() {
                    await_value(&self.elsewhere, 1);
                }
                (body.map)(self, i);
                self.sum(i..i + 1)
            };
            s.map_reduce(0..LEN, identity, map, |mut a, mut b| {
                (body.combine)(&a, &b);
                b.is_armed = false;
                if a.indices.is_empty() {
                    a.indices = b.indices.clone();
                } else if !b.indices.is_empty() {
                    assert_eq!(a.indices.end, b.indices.start, "a gap is shown to the user");
                    a.indices.end = b.indices.end;
                }
                a
            })
        });
        sum.indices.clone()
    }
}

fn trial(pool: &Pool) -> Trial<'_> {
    Trial {
        pool,
        owner: std::thread::current().id(),
        alive: AtomicUsize::new(0),
        identities: AtomicUsize::new(0),
        elsewhere: AtomicUsize::new(0),
        is_over: AtomicBool::new(false),
    }
}

/// Runs such a loop often; checks with which text it panics, and what must hold afterwards.
fn check(expected: &str, body: Body<'_>) {
    let pool = eager_pool(3);
    for _ in 0..if cfg!(miri) { 1 } else { 50 } {
        let trial = trial(&pool);
        assert_eq!(panic_text(|| trial.run(body)), expected);
        trial.is_over.store(true, Ordering::SeqCst);
        assert_eq!(trial.alive.load(Ordering::SeqCst), 0, "nothing leaks, and nothing is under way");
        assert_usable(&pool);
    }
}

#[test]
fn without_a_panic_all_results_are_combined_and_dropped_once() {
    let pool = eager_pool(3);
    for _ in 0..if cfg!(miri) { 1 } else { 50 } {
        let trial = trial(&pool);
        assert_eq!(trial.run(Body::default()), 0..LEN);
        assert_eq!(trial.alive.load(Ordering::SeqCst), 0);
    }
}

#[test]
fn in_the_owners_first_iteration_the_parts_are_awaited_and_dropped() {
    let map = |_: &Trial<'_>, i| {
        if i == 0 {
            panic_any("first")
        }
    };
    check("first", Body { map: &map, ..Body::default() });
}

#[test]
fn in_the_last_iteration_it_reaches_the_owner_from_any_worker() {
    let map = |_: &Trial<'_>, i| {
        if i == LEN - 1 {
            panic_any("last")
        }
    };
    check("last", Body { map: &map, ..Body::default() });
}

#[test]
fn in_a_part_it_reaches_the_owner() {
    if !takes() {
        return;
    }
    let map = |trial: &Trial<'_>, _| {
        if !trial.is_here() {
            panic_any("part");
        }
    };
    check("part", Body { map: &map, ..Body::default() });
}

#[test]
fn in_both_the_owners_wins() {
    if !takes() {
        return;
    }
    let map = |trial: &Trial<'_>, _| panic_any(if trial.is_here() { "owner" } else { "part" });
    check("owner", Body { map: &map, ..Body::default() });
}

#[test]
fn in_the_first_identity_nothing_has_begun() {
    let map = |_: &Trial<'_>, _| panic_any("an iteration began");
    check("identity", Body { identity: &|_, _| panic_any("identity"), map: &map, ..Body::default() });
}

#[test]
fn in_the_identity_of_a_part_it_reaches_the_owner() {
    if !takes() {
        return;
    }
    let identity = |trial: &Trial<'_>, sum: &mut Sum<'_>| {
        if sum.has_moved {
            // No iteration of this part begins.
            trial.elsewhere.fetch_add(1, Ordering::SeqCst);
            panic_any("identity");
        }
    };
    check("identity", Body { identity: &identity, ..Body::default() });
}

#[test]
fn in_combine_within_a_block_it_reaches_the_owner() {
    let combine = |a: &Sum<'_>, _: &Sum<'_>| {
        if a.indices.contains(&(LEN / 4)) {
            panic_any("combine");
        }
    };
    check("combine", Body { combine: &combine, ..Body::default() });
}

#[test]
fn in_combine_of_the_results_of_parts_it_reaches_the_owner() {
    if !takes() {
        return;
    }
    let combine = |_: &Sum<'_>, b: &Sum<'_>| {
        if b.has_moved {
            panic_any("combine");
        }
    };
    check("combine", Body { combine: &combine, ..Body::default() });
}

#[test]
fn in_the_drop_of_the_result_of_a_part_it_yields_to_that_of_the_owner() {
    let map = |trial: &Trial<'_>, i| {
        if i == 0 {
            panic_any("owner");
        }
        assert!(!trial.is_here() || !takes(), "the owner goes on");
    };
    let identity = |_: &Trial<'_>, sum: &mut Sum<'_>| sum.is_armed = sum.has_moved;
    check("owner", Body { map: &map, identity: &identity, ..Body::default() });
}

#[test]
fn in_the_drop_of_a_result_that_combine_drops_it_reaches_the_caller() {
    let pool = eager_pool(3);
    for _ in 0..if cfg!(miri) { 1 } else { 50 } {
        let trial = trial(&pool);
        let text = panic_text(|| {
            pool.run(|mut s| {
                let map = |_: Strand<'_>, i| {
                    let mut sum = trial.sum(i..i + 1);
                    sum.is_armed = i == LEN / 3;
                    sum
                };
                let last = |a, b| {
                    drop(a);
                    b
                };
                s.map_reduce(0..LEN, || trial.sum(0..0), map, last);
            });
        });
        assert_eq!((text.as_str(), trial.alive.load(Ordering::SeqCst)), ("a result's drop", 0));
        assert_usable(&pool);
    }
}
