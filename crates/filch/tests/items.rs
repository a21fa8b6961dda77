//! Spawn loops: loops over iterators.
#![allow(missing_docs)]

mod common;

use common::{Counted, assert_usable, await_value, eager_pool, panic_text, takes};
use filch::monoids::Append;
use filch::{CancelToken, Pool, Reducer, Strand};
use std::cell::Cell;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::thread::{self, ThreadId};

const MANY: usize = if cfg!(miri) { 60 } else { 3000 };

fn fib(mut s: Strand<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
    a + b
}

/// What one call of `f` does, as often as it takes for work to move in it, or a hundred times.
fn until_it_moves(pool: &Pool, mut f: impl FnMut()) {
    let before = common::tasks(pool);
    for _ in 0..if cfg!(miri) { 3 } else { 100 } {
        f();
        if common::tasks(pool) > before {
            break;
        }
    }
}

#[test]
fn every_item_is_run_once() {
    for workers in [1, 2, 4, 8] {
        let pool = eager_pool(workers);
        for len in [0, 1, 2, 3, 7, 100, MANY] {
            let seen: Vec<AtomicU8> = (0..len).map(|_| AtomicU8::new(0)).collect();
            pool.run(|mut s| {
                s.for_each_item(0..len, |_, i| {
                    seen[i].fetch_add(1, Ordering::Relaxed);
                });
            });
            assert!(seen.iter().all(|seen| seen.load(Ordering::Relaxed) == 1), "{len} items on {workers} workers");
        }
    }
}

#[test]
fn items_that_fork_are_run_once_and_in_full() {
    for workers in [1, 2, 4] {
        let pool = eager_pool(workers);
        let total = AtomicUsize::new(0);
        pool.run(|mut s| {
            s.for_each_item((0..MANY / 10).map(|i| i as u64 % 12), |s, n| {
                total.fetch_add(fib(s, n) as usize, Ordering::Relaxed);
            });
        });
        let expected: usize = (0..MANY / 10).map(|i| [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89][i % 12]).sum();
        assert_eq!(total.into_inner(), expected);
    }
}

#[test]
fn the_iterator_is_asked_for_its_items_one_after_the_other_and_not_again_after_its_end() {
    struct Strict<'a> {
        next: usize,
        is_in_use: &'a AtomicBool,
        is_at_end: bool,
    }
    impl Iterator for Strict<'_> {
        type Item = usize;
        fn next(&mut self) -> Option<usize> {
            assert!(!self.is_in_use.swap(true, Ordering::SeqCst), "two at a time");
            assert!(!self.is_at_end, "asked after its end");
            self.next += 1;
            self.is_at_end = self.next > MANY;
            self.is_in_use.store(false, Ordering::SeqCst);
            (!self.is_at_end).then_some(self.next)
        }
    }
    let pool = eager_pool(4);
    until_it_moves(&pool, || {
        let (is_in_use, sum) = (AtomicBool::new(false), AtomicUsize::new(0));
        let items = Strict { next: 0, is_in_use: &is_in_use, is_at_end: false };
        pool.run(|mut s| {
            s.for_each_item(items, |_, i| {
                sum.fetch_add(i, Ordering::Relaxed);
            });
        });
        assert_eq!(sum.into_inner(), MANY * (MANY + 1) / 2);
    });
}

#[test]
fn items_stay_on_the_thread_that_they_were_made_on() {
    let pool = eager_pool(4);
    until_it_moves(&pool, || {
        let sum = AtomicUsize::new(0);
        // Not `Send`, though the iterator is.
        let items = (0..MANY).map(|i| (Rc::new(Cell::new(i)), thread::current().id()));
        pool.run(|mut s| {
            s.for_each_item(items, |mut s, (item, made_on)| {
                s.join(|_| (), |_| ());
                assert_eq!(thread::current().id(), made_on);
                sum.fetch_add(Rc::clone(&item).replace(0), Ordering::Relaxed);
            });
        });
        assert_eq!(sum.into_inner(), MANY * (MANY - 1) / 2);
    });
}

#[test]
fn an_iterator_may_borrow_what_its_items_change() {
    let pool = eager_pool(3);
    let mut numbers: Vec<usize> = (0..MANY).collect();
    let names: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    pool.run(|mut s| {
        s.for_each_item(numbers.iter_mut().zip(&names), |_, (number, name)| *number += name.parse::<usize>().unwrap());
    });
    assert!(numbers.iter().enumerate().all(|(i, &number)| number == 2 * i));
}

#[test]
fn loops_nest_in_bodies_and_in_iterators() {
    let pool = eager_pool(4);
    let n = if cfg!(miri) { 4 } else { 12 };
    let total = AtomicUsize::new(0);
    // Whoever asks for an item runs a loop and a join of its own for it.
    let items = |n: usize| {
        (0..n).map(|i| {
            let sum = AtomicUsize::new(0);
            filch::for_each_item(0..=i, |_, j| {
                sum.fetch_add(j, Ordering::Relaxed);
            });
            filch::join(|| sum.load(Ordering::Relaxed), || ()).0
        })
    };
    pool.run(|mut s| {
        s.for_each_item(items(n), |mut s, a| {
            s.for_each_item(items(n), |mut s, b| {
                s.for_each(0..n, |mut s, c| {
                    s.for_each_item(Some(a + b + c), |_, sum| {
                        total.fetch_add(sum, Ordering::Relaxed);
                    });
                });
            });
        });
    });
    let triangles: usize = (0..n).map(|i| i * (i + 1) / 2).sum();
    assert_eq!(total.into_inner(), 2 * n * n * triangles + n * n * n * (n - 1) / 2);
}

#[test]
fn a_body_may_wait_for_the_next_items_if_there_are_workers_for_them() {
    if !takes() {
        return;
    }
    let pool = eager_pool(3);
    let begun = AtomicUsize::new(0);
    pool.run(|mut s| {
        s.for_each_item(0..3, |_, _| {
            begun.fetch_add(1, Ordering::SeqCst);
            await_value(&begun, 3);
        });
    });
    assert_eq!(begun.into_inner(), 3);
}

#[test]
fn an_iterator_may_wait_for_the_body_of_an_earlier_item() {
    if !takes() {
        return;
    }
    let pool = eager_pool(2);
    let (asked, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let items = (0..3).inspect(|&i| {
        if i == 1 {
            asked.fetch_add(1, Ordering::SeqCst);
            await_value(&done, 1);
        }
    });
    pool.run(|mut s| {
        s.for_each_item(items, |_, i| {
            if i == 0 {
                await_value(&asked, 1);
            }
            done.fetch_add(1, Ordering::SeqCst);
        });
    });
    assert_eq!(done.into_inner(), 3);
}

#[test]
fn an_endless_iterator_ends_with_the_first_error() {
    for workers in [1, 2, 4] {
        let pool = eager_pool(workers);
        let result =
            pool.run(|mut s| s.try_for_each_item(0_u64.., |_, i| if i >= MANY as u64 { Err(i) } else { Ok(()) }));
        let error = result.unwrap_err();
        assert_eq!(error, MANY as u64, "items are made in order, and of those that failed the first counts");
    }
}

#[test]
fn of_two_errors_the_one_of_the_earlier_item_is_returned() {
    if !takes() {
        return;
    }
    let pool = eager_pool(2);
    for _ in 0..if cfg!(miri) { 2 } else { 50 } {
        let failed = AtomicUsize::new(0);
        let alive = AtomicUsize::new(0);
        let result = pool.run(|mut s| {
            s.try_for_each_item(0.., |_, i| {
                if i == 0 {
                    await_value(&failed, 1);
                }
                failed.fetch_add(i, Ordering::SeqCst);
                Err((i, Counted::new(&alive)))
            })
        });
        assert_eq!(result.map_err(|(i, _)| i), Err(0));
        assert_eq!(alive.into_inner(), 0, "the other has been dropped");
    }
}

#[test]
fn a_cancelled_loop_begins_no_further_item() {
    for workers in [1, 4] {
        let pool = eager_pool(workers);
        let (token, run, asked) = (CancelToken::new(), AtomicUsize::new(0), AtomicUsize::new(0));
        let items = std::iter::repeat_with(|| {
            asked.fetch_add(1, Ordering::SeqCst);
            token.is_cancelled()
        });
        let result = pool.run(|mut s| {
            s.for_each_item_until(&token, items, |_, was_late| {
                if run.fetch_add(1, Ordering::SeqCst) == MANY {
                    token.cancel();
                }
                assert!(!was_late || workers > 1);
            })
        });
        assert_eq!(result, Err(filch::Cancelled));
        assert_eq!(run.load(Ordering::SeqCst), asked.load(Ordering::SeqCst), "whatever was made was run");
        assert_eq!(
            pool.run(|mut s| s.for_each_item_until(&token, [1, 2], |_, _| unreachable!())),
            Err(filch::Cancelled)
        );
        let token = CancelToken::new();
        assert_eq!(pool.run(|mut s| s.for_each_item_until(&token, [1, 2], |_, _| ())), Ok(()));
    }
}

/// Says when it is dropped, and where, and how many bodies run then.
struct Watched<'a, I> {
    items: I,
    running: &'a AtomicUsize,
    dropped: &'a Mutex<Vec<(ThreadId, usize)>>,
}

impl<I: Iterator> Iterator for Watched<'_, I> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        self.items.next()
    }
}

impl<I> Drop for Watched<'_, I> {
    fn drop(&mut self) {
        self.dropped.lock().unwrap().push((thread::current().id(), self.running.load(Ordering::SeqCst)));
    }
}

#[test]
fn the_iterator_is_dropped_once_where_the_loop_began_after_all_bodies_have_ended() {
    struct Runs<'a>(&'a AtomicUsize);
    impl Drop for Runs<'_> {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::SeqCst);
        }
    }
    let pool = eager_pool(4);
    for end in ["the end", "a panic", "an error", "the iterator's panic"] {
        until_it_moves(&pool, || {
            let (running, dropped) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
            let items = (0..MANY).inspect(|&i| assert!(i < MANY / 2 || end != "the iterator's panic"));
            let items = Watched { items, running: &running, dropped: &dropped };
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                pool.run(|mut s| {
                    let result = s.try_for_each_item(items, |mut s, i| {
                        running.fetch_add(1, Ordering::SeqCst);
                        let _runs = Runs(&running);
                        s.join(|_| (), |_| ());
                        assert!(i < MANY / 2 || end != "a panic");
                        if i < MANY / 2 || end != "an error" { Ok(()) } else { Err(()) }
                    });
                    (result, dropped.lock().unwrap().len())
                })
            }));
            match end {
                "the end" => assert!(matches!(result, Ok((Ok(()), 1)))),
                "an error" => assert!(matches!(result, Ok((Err(()), 1)))),
                _ => assert!(result.is_err()),
            }
            assert_eq!(dropped.into_inner().unwrap(), [(thread::current().id(), 0)], "{end}");
        });
    }
    assert_usable(&pool);
}

#[test]
fn the_first_panic_in_the_order_of_the_items_is_passed_on() {
    for workers in [1, 2, 4] {
        let pool = eager_pool(workers);
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.for_each_item(0.., |s, i| {
                    fib(s, 3);
                    assert!(i < MANY, "item {i}");
                });
            });
        });
        assert_eq!(text, format!("item {MANY}"), "items are made in order, so the first to panic has this number");
        assert_usable(&pool);
    }
}

#[test]
fn a_panic_while_later_items_run_waits_for_them_and_wins() {
    if !takes() {
        return;
    }
    let pool = eager_pool(3);
    for _ in 0..if cfg!(miri) { 2 } else { 50 } {
        let (begun, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.for_each_item(0..3, |_, i| {
                    begun.fetch_add(1, Ordering::SeqCst);
                    await_value(&begun, 3);
                    if i > 0 {
                        await_value(&ended, i - 1);
                    }
                    ended.fetch_add(1, Ordering::SeqCst);
                    panic!("item {i}");
                });
            });
        });
        assert_eq!((text.as_str(), ended.into_inner()), ("item 0", 3));
    }
    assert_usable(&pool);
}

#[test]
fn panics_of_items_and_iterators_in_being_dropped_are_passed_on_or_lost() {
    struct Bad(&'static str);
    impl Drop for Bad {
        fn drop(&mut self) {
            if !self.0.is_empty() {
                panic!("{}", self.0);
            }
        }
    }
    struct Items(usize, #[allow(dead_code)] Bad);
    impl Iterator for Items {
        type Item = Bad;
        fn next(&mut self) -> Option<Bad> {
            self.0 += 1;
            (self.0 <= MANY).then(|| Bad(if self.0 == MANY / 2 { "item" } else { "" }))
        }
    }
    let pool = eager_pool(3);
    let text = panic_text(|| pool.run(|mut s| s.for_each_item(Items(0, Bad("")), |_, _| ())));
    assert_eq!(text, "item");
    let text = panic_text(|| pool.run(|mut s| s.for_each_item(Items(0, Bad("iterator")), |_, _| ())));
    assert_eq!(text, "item", "the iterator's panic came second");
    let text = panic_text(|| pool.run(|mut s| s.for_each_item(Items(MANY, Bad("iterator")), |_, _| ())));
    assert_eq!(text, "iterator");
    // An error is lost to the panic of what is dropped after it.
    let text = panic_text(|| {
        pool.run(|mut s| s.try_for_each_item(Items(MANY / 2, Bad("iterator")), |_, _| Err::<(), _>(Bad(""))))
    });
    assert_eq!(text, "iterator");
    assert_usable(&pool);
}

#[test]
fn what_the_others_leave_when_one_panics_is_dropped() {
    let pool = eager_pool(4);
    for round in 0..if cfg!(miri) { 3 } else { 100 } {
        let alive = AtomicUsize::new(0);
        let text = panic_text(|| {
            pool.run(|mut s| {
                let items = (0..MANY).map(|i| (i, Counted::new(&alive)));
                s.try_for_each_item(items, |s, (i, item)| {
                    fib(s, i as u64 % 6);
                    match i {
                        _ if i == round + 5 => panic!("wanted"),
                        _ if i > round + 5 => Err(item),
                        _ => Ok(()),
                    }
                })
                .map_err(|_| ())
            })
        });
        assert_eq!(text, "wanted");
        assert_eq!(alive.into_inner(), 0);
    }
    assert_usable(&pool);
}

#[test]
fn a_loop_in_a_destructor_of_an_unwinding_branch_runs_to_its_end() {
    struct Loops<'a>(&'a AtomicUsize);
    impl Drop for Loops<'_> {
        fn drop(&mut self) {
            filch::for_each_item(0..100, |mut s, _| {
                s.join(|_| (), |_| ());
                self.0.fetch_add(1, Ordering::Relaxed);
            });
        }
    }
    let pool = eager_pool(3);
    let run = AtomicUsize::new(0);
    let text = panic_text(|| {
        pool.run(|mut s| {
            s.join(
                |_| {
                    let _loops = Loops(&run);
                    panic!("on the way")
                },
                |_| (),
            )
        });
    });
    assert_eq!((text.as_str(), run.into_inner()), ("on the way", 100));
    assert_usable(&pool);
}

#[test]
fn a_ladder_without_room_runs_the_rest_here() {
    fn nest(mut s: Strand<'_>, depth: usize, run: &AtomicUsize) {
        run.fetch_add(1, Ordering::Relaxed);
        if depth > 0 {
            s.for_each_item(0..2, |s, _| nest(s, depth - 1, run));
        }
    }
    for capacity in [1, 2, 5] {
        let pool = Pool::builder()
            .workers(2)
            .scheduler(common::scheduler())
            .ladder_capacity(capacity)
            .build()
            .expect("a pool");
        let depth = if cfg!(miri) { 4 } else { 10 };
        let run = AtomicUsize::new(0);
        pool.run(|s| nest(s, depth, &run));
        assert_eq!(run.into_inner(), (2 << depth) - 1);
        let text = panic_text(|| {
            pool.run(|mut s| s.for_each_item(0..9, |mut s, i| s.for_each_item([i], |_, i| assert!(i < 5, "{i}"))))
        });
        assert_eq!(text, "5");
        pool.run(|mut s| {
            s.for_each_item(0..9, |mut s, i| assert_eq!(s.try_for_each_item([i], |_, i| Err(i)), Err(i)));
        });
    }
}

#[test]
fn a_strand_smuggled_into_a_body_goes_on_above_the_loop() {
    /// Asserts `Send` and `Sync` and keeps to its thread, as published wrappers do.
    struct ThreadBound<T>(T, ThreadId);
    // SAFETY: `get` gives nothing to any other thread than the one that made it.
    unsafe impl<T> Send for ThreadBound<T> {}
    // SAFETY: as above.
    unsafe impl<T> Sync for ThreadBound<T> {}
    impl<T> ThreadBound<T> {
        fn get(&self) -> Option<&T> {
            (thread::current().id() == self.1).then_some(&self.0)
        }
    }
    let pool = eager_pool(2);
    for _ in 0..if cfg!(miri) { 2 } else { 50 } {
        let sum = AtomicUsize::new(0);
        pool.run(|mut s| {
            let stale = ThreadBound(Cell::new(Some(s.reborrow())), thread::current().id());
            filch::for_each_item(0..100, |_, i| {
                sum.fetch_add(i, Ordering::Relaxed);
                // On the strand's own thread; there it may be in use already.
                if let Some(stale) = stale.get()
                    && let Some(mut s) = stale.take()
                {
                    s.for_each_item(0..10, |mut s, _| {
                        s.join(|_| (), |_| ());
                    });
                    stale.set(Some(s));
                }
            });
        });
        assert_eq!(sum.into_inner(), 4950);
    }
    assert_usable(&pool);
}

#[test]
fn a_loop_outside_of_any_run_is_run_by_the_global_pool() {
    let workers = Mutex::new(HashSet::new());
    filch::for_each_item(0..10, |_, _| {
        workers.lock().unwrap().insert(filch::current_worker());
    });
    assert!(workers.into_inner().unwrap().iter().all(Option::is_some));
    assert_eq!(filch::try_for_each_item(0.., |_, i| if i == 9 { Err(i) } else { Ok(()) }), Err(9));
}

#[test]
fn reducers_come_to_what_the_serial_loop_makes_of_them() {
    for workers in [1, 2, 4] {
        let pool = eager_pool(workers);
        for _ in 0..if cfg!(miri) { 1 } else { 20 } {
            let list = Reducer::new(Append::<Vec<usize>>::new());
            pool.run(|mut s| {
                s.for_each_item(0..MANY / 10, |mut s, i| {
                    // Not everywhere, so that some parts leave nothing.
                    if i % 3 != 0 {
                        s.join(|_| list.put(vec![2 * i]), |_| list.put(vec![2 * i + 1]));
                    }
                });
            });
            let expected: Vec<usize> = (0..MANY / 10 * 2).filter(|i| i / 2 % 3 != 0).collect();
            assert_eq!(list.into_inner(), expected);
        }
    }
}

#[test]
fn reducers_keep_their_order_while_the_loops_beginner_is_busy_and_parts_are_freed_before_it_sees_them() {
    if !takes() {
        return;
    }
    let pool = eager_pool(4);
    let list = Reducer::new(Append::<Vec<usize>>::new());
    let enough = if cfg!(miri) { 5 } else { 100 };
    let (moves, mut made_on, mut count) = (AtomicUsize::new(0), None, 0);
    // Each time another thread than before asks for an item, the right has moved.
    let items = std::iter::from_fn(|| {
        let here = Some(thread::current().id());
        moves.fetch_add(usize::from(made_on != here), Ordering::SeqCst);
        made_on = here;
        count += 1;
        (moves.load(Ordering::SeqCst) < enough).then_some(count - 1)
    });
    pool.run(|mut s| {
        s.for_each_item(items, |_, i| {
            list.put(vec![i]);
            if i == 0 {
                await_value(&moves, enough);
            } else {
                // Lets another take the rest; with fewer processors than workers that is rare otherwise.
                thread::yield_now();
            }
        });
    });
    assert_eq!(list.into_inner(), (0..count - 1).collect::<Vec<_>>());
}

#[test]
fn several_callers_loop_at_once() {
    let pool = eager_pool(3);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..if cfg!(miri) { 1 } else { 20 } {
                    let sum = AtomicUsize::new(0);
                    pool.run(|mut s| {
                        s.for_each_item((0..100).filter(|i| i % 3 == 0), |s, i| {
                            fib(s, 4);
                            sum.fetch_add(i, Ordering::Relaxed);
                        });
                    });
                    assert_eq!(sum.into_inner(), 1683);
                }
            });
        }
    });
}

#[cfg(not(miri))]
#[test]
fn all_of_this_holds_under_every_scheduler() {
    common::run_under_every_scheduler();
}
