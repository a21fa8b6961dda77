//! Reducers that move to other threads, and threads that use them from outside of the computation.

use crate::common::{Counted, await_value, eager_pool};
use crate::{ROUNDS, fork_apart};
use filch::monoids::{self, Append, Sum};
use filch::{Pool, Reducer, Scheduler, Strand};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn a_reducer_made_in_a_moved_branch_goes_on_where_it_is_moved_to() {
    let pool = eager_pool(3);
    for _ in 0..ROUNDS {
        let text = pool.run(|mut s| {
            // Made on another worker, with views of branches that moved from there.
            let (_, text) = fork_apart(
                &mut s,
                |_| (),
                |mut s| {
                    let text = Reducer::new(Append::<String>::new());
                    text.put("a".to_owned());
                    fork_apart(&mut s, |_| text.put("b".to_owned()), |_| text.put("c".to_owned()));
                    text
                },
            );
            text.put("d".to_owned());
            fork_apart(&mut s, |_| text.put("e".to_owned()), |_| text.put("f".to_owned()));
            // Ended by yet another branch, while views lie with this worker.
            let (_, text) = fork_apart(
                &mut s,
                |_| (),
                |mut s| {
                    fork_apart(&mut s, |_| text.put("g".to_owned()), |_| text.put("h".to_owned()));
                    text.into_inner()
                },
            );
            text
        });
        assert_eq!(text, "abcdefgh");
    }
}

#[test]
fn a_reducer_moved_into_a_branch_takes_the_views_of_earlier_branches_along() {
    let pool = eager_pool(3);
    for _ in 0..ROUNDS {
        let text = Reducer::new(Append::<String>::new());
        let text = pool.run(|mut s| {
            fork_apart(&mut s, |_| text.put("a".to_owned()), |_| text.put("b".to_owned()));
            // Not combined yet: the reducer's home has not used it since.
            fork_apart(
                &mut s,
                |_| (),
                |mut s| {
                    text.put("c".to_owned());
                    fork_apart(&mut s, |_| text.put("d".to_owned()), |_| text.put("e".to_owned()));
                    text
                },
            )
            .1
        });
        text.put("f".to_owned());
        assert_eq!(text.into_inner(), "abcdef");
    }
}

#[test]
fn reducers_of_reducers_and_reducers_inside_of_updates() {
    let pool = eager_pool(3);
    for _ in 0..ROUNDS {
        let lines = Reducer::new(Append::<Vec<String>>::new());
        pool.run(|mut s| {
            s.for_each(0..if cfg!(miri) { 4 } else { 20_u64 }, |mut s, line| {
                let words = Reducer::new(Append::<String>::new());
                s.for_each(0..5_u64, |_, word| words.put(format!("{line}{word} ")));
                lines.update(|lines| lines.push(words.into_inner()));
            });
        });
        let lines = lines.into_inner();
        assert!(lines.iter().enumerate().all(|(i, line)| *line == format!("{i}0 {i}1 {i}2 {i}3 {i}4 ")), "{lines:?}");
    }
}

#[test]
fn runs_on_two_pools_are_part_of_what_their_caller_does() {
    let (a, b) = (eager_pool(2), eager_pool(2));
    for _ in 0..ROUNDS {
        let text = Reducer::new(Append::<String>::new());
        text.put("0".to_owned());
        let fork = |s: &mut Strand<'_>, left: &str, right: &str| {
            fork_apart(s, |_| text.put(left.to_owned()), |_| text.put(right.to_owned()));
        };
        a.run(|mut s| {
            fork(&mut s, "1", "2");
            b.run(|mut s| {
                fork(&mut s, "3", "4");
                a.run(|mut s| fork(&mut s, "5", "6"));
            });
            fork(&mut s, "7", "8");
        });
        b.run(|mut s| fork(&mut s, "9", "a"));
        assert_eq!(text.into_inner(), "0123456789a");
    }
}

#[test]
fn threads_outside_of_the_computation_lose_nothing() {
    let pool = eager_pool(2);
    let sum = Reducer::new(Sum::<u64>::new());
    let order = Reducer::new(Append::<String>::new());
    let turn = AtomicUsize::new(0);
    std::thread::scope(|threads| {
        for name in 1..=3 {
            let (pool, sum, order, turn) = (&pool, &sum, &order, &turn);
            threads.spawn(move || {
                await_value(turn, name - 1);
                order.put(format!("{name}:"));
                turn.store(name, Ordering::SeqCst);
                for _ in 0..if cfg!(miri) { 2 } else { 20 } {
                    pool.run(|mut s| s.for_each(0..10_u64, |_, i| sum.put(i)));
                }
                order.put(format!("{name}."));
            });
        }
        sum.put(1);
        order.put("0".to_owned());
    });
    order.put("0".to_owned());
    assert_eq!(sum.into_inner(), 1 + 3 * 45 * if cfg!(miri) { 2 } else { 20 });
    assert_eq!(order.into_inner(), "001:1.2:2.3:3.");
}

#[test]
fn a_reducer_that_nobody_borrows_may_go_while_its_users_go_on() {
    let pool = eager_pool(3);
    for _ in 0..ROUNDS {
        let alive = AtomicUsize::new(0);
        let identity = || vec![Counted::new(&alive)];
        pool.run(|mut s| {
            let monoid = monoids::of(identity, |left: &mut Vec<_>, mut right| left.append(&mut right));
            let list = Arc::new(Reducer::new(monoid));
            let (here, there) = (Arc::clone(&list), list);
            let gone = AtomicUsize::new(0);
            let (gone, alive) = (&gone, &alive);
            fork_apart(
                &mut s,
                move |mut s| {
                    fork_apart(&mut s, |_| here.update(|_| ()), |_| here.update(|_| ()));
                    drop(here);
                    gone.fetch_add(1, Ordering::SeqCst);
                },
                move |mut s| {
                    fork_apart(&mut s, |_| there.update(|_| ()), |_| there.update(|_| ()));
                    drop(there);
                    if gone.fetch_add(1, Ordering::SeqCst) == 1 {
                        assert_eq!(alive.load(Ordering::SeqCst), 0, "all views go with the reducer");
                    }
                },
            );
            assert_eq!(alive.load(Ordering::SeqCst), 0, "before what they borrow");
            // What is left of it is linked to no other reducer.
            let next = Reducer::new(Sum::<u64>::new());
            fork_apart(&mut s, |_| next.put(1), |_| next.put(2));
            assert_eq!(next.into_inner(), 3);
        });
    }
}

/// Updates in the destructor of a thread-local, when the list of its thread's views may be gone.
#[test]
fn a_thread_that_ends_may_update_to_the_last() {
    struct Last(Arc<Reducer<Append<Vec<u64>>>>);

    impl Drop for Last {
        fn drop(&mut self) {
            self.0.put(vec![2]);
            self.0.put(vec![3]);
        }
    }

    std::thread_local!(static LAST: std::cell::RefCell<Option<Last>> = const { std::cell::RefCell::new(None) });

    for updates_first in [false, true] {
        let list = Arc::new(Reducer::new(Append::new()));
        list.put(vec![0]);
        let theirs = Arc::clone(&list);
        let thread = std::thread::spawn(move || {
            if updates_first {
                theirs.put(vec![1]);
                LAST.set(Some(Last(theirs)));
            } else {
                LAST.set(Some(Last(Arc::clone(&theirs))));
                theirs.put(vec![1]);
            }
        });
        thread.join().expect("no panic");
        let list = Arc::into_inner(list).expect("the last of them").into_inner();
        assert_eq!(list, [0, 1, 2, 3]);
    }
}

/// As the one before, with a reducer that is made there: branches that move and come back keep their order, though the
/// list of its thread's views is gone.
#[test]
fn a_thread_that_ends_may_fork_with_a_reducer_of_its_own() {
    struct Last(Arc<AtomicUsize>);

    impl Drop for Last {
        fn drop(&mut self) {
            for seed in 0..if cfg!(miri) { 2 } else { 100 } {
                let pool = Pool::builder().workers(3).scheduler(Scheduler::chaos(seed)).build().expect("a small pool");
                let list = Reducer::new(Append::<Vec<u32>>::new());
                pool.run(|mut s| s.for_each(0..20_u32, |_, i| list.put(vec![i])));
                list.put(vec![20]);
                pool.run(|mut s| s.for_each(21..40_u32, |_, i| list.put(vec![i])));
                // A destructor of a thread-local must not panic.
                let is_right = list.into_inner().into_iter().eq(0..40);
                self.0.fetch_add(usize::from(!is_right), Ordering::SeqCst);
            }
        }
    }

    std::thread_local!(static LAST: std::cell::RefCell<Option<Last>> = const { std::cell::RefCell::new(None) });

    let wrong = Arc::new(AtomicUsize::new(0));
    let theirs = Arc::clone(&wrong);
    let thread = std::thread::spawn(move || {
        LAST.set(Some(Last(theirs)));
        // Branches that come back, after which the list of views is what is dropped first.
        let sum = Reducer::new(Sum::<u64>::new());
        let chaos = Pool::builder().workers(3).scheduler(Scheduler::chaos(1)).build().expect("a small pool");
        chaos.run(|mut s| s.for_each(0..40_u64, |_, i| sum.put(i)));
    });
    thread.join().expect("no panic");
    assert_eq!(wrong.load(Ordering::SeqCst), 0);
}
