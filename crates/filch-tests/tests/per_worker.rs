//! States per worker: no two bodies have the same state at the same time, and there are few of them.
#![allow(missing_docs)]

mod common;

use common::{Counted, await_value, eager_pool, fib, scheduler};
use filch::{PerWorker, Pool, Strand};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;

const N: usize = if cfg!(miri) { 12 } else { 2_000 };

/// A state that notices if two bodies have it at the same time.
struct Alone<'a> {
    is_used: AtomicBool,
    uses: usize,
    _counted: Counted<'a>,
}

impl<'a> Alone<'a> {
    fn new(alive: &'a AtomicUsize) -> Self {
        Alone { is_used: AtomicBool::new(false), uses: 0, _counted: Counted::new(alive) }
    }

    fn use_during<R>(&mut self, f: impl FnOnce() -> R) -> R {
        assert!(!self.is_used.swap(true, SeqCst), "another body has the state");
        self.uses += 1;
        let result = f();
        assert!(self.is_used.swap(false, SeqCst));
        result
    }
}

/// Counts calls, and how many are under way at most.
#[derive(Default)]
struct Calls {
    now: AtomicUsize,
    most: AtomicUsize,
    all: AtomicUsize,
}

impl Calls {
    fn during<R>(&self, f: impl FnOnce() -> R) -> R {
        self.all.fetch_add(1, SeqCst);
        self.most.fetch_max(self.now.fetch_add(1, SeqCst) + 1, SeqCst);
        let result = f();
        self.now.fetch_sub(1, SeqCst);
        result
    }
}

#[test]
fn bodies_that_do_not_fork_make_at_most_one_state_for_each_worker() {
    for workers in 1..=4 {
        let pool = eager_pool(workers);
        let (made, calls) = (AtomicUsize::new(0), Calls::default());
        for _ in 0..3 {
            made.store(0, SeqCst);
            let make = || made.fetch_add(1, SeqCst);
            pool.run(|mut s| s.for_each_with(make, 0..N, |_, _, _| calls.during(|| ())));
            assert!((1..=pool.num_workers()).contains(&made.load(SeqCst)), "{} states", made.load(SeqCst));
        }
        assert_eq!(calls.all.into_inner(), 3 * N);
    }
}

#[test]
fn a_body_that_forks_keeps_its_state_to_itself_and_there_are_no_more_states_than_bodies_at_a_time() {
    for workers in 1..=4 {
        let pool = eager_pool(workers);
        let (alive, made, calls) = (AtomicUsize::new(0), AtomicUsize::new(0), Calls::default());
        let make = || {
            made.fetch_add(1, SeqCst);
            Alone::new(&alive)
        };
        pool.run(|mut s| {
            s.for_each_with(make, 0..N / 4, |s, state, i| {
                calls.during(|| state.use_during(|| assert_eq!(fib(s, i as u64 % 7), [0, 1, 1, 2, 3, 5, 8][i % 7])));
            });
        });
        assert_eq!((calls.all.into_inner(), alive.into_inner()), (N / 4, 0));
        // Bodies under way, and those that have a state but are not counted yet, or not any more: one each worker.
        let most = calls.most.into_inner() + workers;
        assert!((1..=most).contains(&made.into_inner()));
    }
}

#[test]
fn a_state_may_be_sent_to_another_branch() {
    let pool = eager_pool(3);
    let alive = AtomicUsize::new(0);
    let states = PerWorker::new(|| Alone::new(&alive));
    pool.run(|mut s| {
        s.for_each_using(&states, 0..N / 4, |mut s, state, _| {
            s.join(|s| fib(s, 5), |s| state.use_during(|| fib(s, 5)));
        });
    });
    assert_eq!(states.into_states().map(|state| state.uses).sum::<usize>(), N / 4);
    assert_eq!(alive.into_inner(), 0);
}

#[test]
fn later_loops_use_the_same_states_and_loops_inside_use_others() {
    let pool = Pool::builder().workers(1).build().expect("a small pool");
    let (alive, made) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let states = PerWorker::new(|| {
        made.fetch_add(1, SeqCst);
        Alone::new(&alive)
    });
    let run = |s: &mut Strand<'_>| s.for_each_using(&states, 0..N, |_, state, _| state.use_during(|| ()));
    pool.run(|mut s| (0..3).for_each(|_| run(&mut s)));
    assert_eq!(made.load(SeqCst), 1);
    for _ in 0..3 {
        pool.run(|mut s| {
            s.for_each_using(&states, 0..3, |mut s, state, _| state.use_during(|| run(&mut s)));
        });
        assert_eq!(made.load(SeqCst), 2, "one for each level");
    }
    // An inner loop that shares no body with the outer one reuses the only state.
    pool.run(|mut s| s.for_each(0..3, |mut s, _| run(&mut s)));
    assert_eq!((made.load(SeqCst), alive.load(SeqCst)), (2, 2));
    drop(states);
    assert_eq!(alive.into_inner(), 0);
}

#[test]
fn a_loop_without_items_makes_no_state() {
    let pool = eager_pool(2);
    let none: [u8; 0] = [];
    for _ in 0..3 {
        pool.run(|mut s| s.for_each_with(|| unreachable!(), &none, |_, (): &mut (), _| ()));
        pool.run(|mut s| s.for_each_item_with(|| unreachable!(), none.iter(), |_, (): &mut (), _| ()));
    }
    assert_eq!(PerWorker::new(|| 1).into_states().count(), 0);
}

#[test]
fn states_are_dropped_by_the_thread_that_began_the_loop() {
    struct DroppedBy(thread::ThreadId);

    impl Drop for DroppedBy {
        fn drop(&mut self) {
            assert_eq!(thread::current().id(), self.0);
        }
    }

    let pool = eager_pool(3);
    let here = thread::current().id();
    pool.run(|mut s| {
        s.for_each_with(|| DroppedBy(here), 0..N, |_, _, _| ());
        s.for_each_item_with(|| DroppedBy(here), 0..N / 10, |_, _, _| ());
    });
}

#[test]
fn the_states_count_every_item_once() {
    for workers in 1..=4 {
        let pool = eager_pool(workers);
        let counts = PerWorker::new(|| 0_usize);
        let body = |mut s: Strand<'_>, count: &mut usize, i: usize| {
            *count += i;
            s.join(|_| counts.with(|count| *count += 1), |_| counts.with(|count| *count += 1));
        };
        pool.run(|mut s| {
            s.for_each_using(&counts, 0..N / 4, body);
            s.for_each_item_using(&counts, (0..N / 4).filter(|_| true), body);
            filch::for_each_using(&counts, 0..N / 4, body);
            filch::for_each_item_using(&counts, 0..N / 4, body);
        });
        let n = N / 4;
        assert_eq!(counts.into_states().sum::<usize>(), 4 * (n * (n - 1) / 2 + 2 * n));
    }
}

#[test]
fn pools_of_any_size_tasks_and_threads_share_states() {
    let counts = PerWorker::<usize>::default();
    let count = || counts.with(|count| *count += 1);
    for workers in [2, 1, 4] {
        let pool = eager_pool(workers);
        pool.run(|mut s| {
            s.scope(|_, scope| (0..9).for_each(|_| scope.spawn(|_| count())));
            s.for_each_using(&counts, 0..9, |_, count, _| {
                // Inside another pool, on a worker of the same number, while this worker's state is taken.
                *count += 1;
                eager_pool(1).run(|_| counts.with(|count| *count += 1));
            });
        });
        thread::scope(|threads| (0..2).for_each(|_| _ = threads.spawn(count)));
    }
    assert_eq!(counts.into_states().sum::<usize>(), 3 * (9 + 18 + 2));
}

#[test]
fn a_body_may_block_until_another_one_has_a_state_of_its_own() {
    common::again_where_work_is_taken(2, |pool| {
        let (begun, made) = (AtomicUsize::new(0), AtomicUsize::new(0));
        pool.run(|mut s| {
            s.for_each_with(
                || made.fetch_add(1, SeqCst),
                0..2,
                |_, _, _| {
                    begun.fetch_add(1, SeqCst);
                    await_value(&begun, 2);
                },
            );
        });
        assert_eq!(made.into_inner(), 2);
    });
}

#[cfg(panic = "unwind")]
mod panics {
    use super::*;
    use common::panic_text;
    use std::sync::Arc;

    #[test]
    fn a_state_whose_body_has_panicked_is_not_used_again() {
        let pool = eager_pool(3);
        let alive = AtomicUsize::new(0);
        let states = PerWorker::new(|| Alone::new(&alive));
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.for_each_using(&states, 0..N / 10, |_, state, i| {
                    state.is_used.store(i == N / 20, SeqCst);
                    assert!(i != N / 20, "item {i}");
                });
            });
        });
        assert_eq!(text, format!("item {}", N / 20));
        let text = panic_text(|| states.with(|state| state.use_during(|| panic!("a task"))));
        assert_eq!(text, "a task");
        pool.run(|mut s| s.for_each_using(&states, 0..N / 10, |_, state, _| state.use_during(|| ())));
        assert!(states.into_states().all(|state| !state.is_used.into_inner()));
        assert_eq!(alive.into_inner(), 0);
        common::assert_usable(&pool);
    }

    #[test]
    fn a_panic_while_a_state_is_made_ends_the_loop() {
        let pool = eager_pool(3);
        let (alive, made) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let make = || {
            let state = Counted::new(&alive);
            assert_eq!(made.fetch_add(1, SeqCst), 1, "the second state");
            state
        };
        let text = panic_text(|| pool.run(|mut s| s.for_each_with(make, 0..N / 10, |_, _, _| ())));
        assert!(text.contains("the second state"), "{text}");
        assert_eq!(alive.into_inner(), 0);
        common::assert_usable(&pool);
    }

    /// Panics when it is dropped.
    struct Bomb<'a>(#[expect(dead_code, reason = "dropped")] Counted<'a>);

    impl Drop for Bomb<'_> {
        fn drop(&mut self) {
            panic!("a destructor");
        }
    }

    #[test]
    fn a_panic_of_a_destructor_goes_on_and_is_lost_while_another_one_unwinds() {
        let lost = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&lost);
        let handler = move |_| _ = counted.fetch_add(1, SeqCst);
        let pool = Pool::builder().workers(1).scheduler(scheduler()).panic_handler(handler).build();
        let pool = pool.expect("a small pool");
        let alive = AtomicUsize::new(0);
        let make = || Bomb(Counted::new(&alive));
        // The only body is suspended nowhere, so there is one state.
        let text = panic_text(|| pool.run(|mut s| s.for_each_with(make, 0..1, |_, _, _| ())));
        assert_eq!((text.as_str(), alive.load(SeqCst), lost.load(SeqCst)), ("a destructor", 0, 0));
        let text = panic_text(|| pool.run(|mut s| s.for_each_with(make, 0..1, |_, _, _| panic!("a body"))));
        assert_eq!((text.as_str(), alive.load(SeqCst), lost.load(SeqCst)), ("a body", 0, 1));
        let text = panic_text(|| pool.run(|mut s| s.for_each_item_with(make, 0..1, |_, _, _| panic!("an item"))));
        assert_eq!((text.as_str(), alive.load(SeqCst), lost.load(SeqCst)), ("an item", 0, 2));
        common::assert_usable(&pool);
    }
}

#[cfg(not(miri))]
#[test]
fn all_of_this_holds_under_other_schedulers() {
    common::run_under_other_schedulers();
}
