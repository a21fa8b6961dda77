//! Errors and cancellation, and when the iterator is dropped.

use crate::common::{self, Counted, again_where_work_is_taken, assert_usable, await_value, eager_pool};
use crate::{MANY, WORKERS, until_it_moves};
use filch::CancelToken;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};

#[test]
fn an_endless_iterator_ends_with_the_first_error() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let result =
            pool.run(|mut s| s.try_for_each_item(0_u64.., |_, i| if i >= MANY as u64 { Err(i) } else { Ok(()) }));
        let error = result.unwrap_err();
        assert_eq!(error, MANY as u64, "items are made in order, and of those that failed the first counts");
    }
}

#[test]
fn of_two_errors_the_one_of_the_earlier_item_is_returned() {
    again_where_work_is_taken(2, |pool| {
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
    });
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
        assert_eq!(run.load(Ordering::SeqCst), asked.load(Ordering::SeqCst), "every item that was made was run");
        assert_eq!(
            pool.run(|mut s| s.for_each_item_until(&token, [1, 2], |_, _| unreachable!())),
            Err(filch::Cancelled)
        );
        let token = CancelToken::new();
        assert_eq!(pool.run(|mut s| s.for_each_item_until(&token, [1, 2], |_, _| ())), Ok(()));
    }
}

/// Notes each time that it is dropped: on which thread, and how many bodies run then.
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
    let pool = eager_pool(if cfg!(miri) { 2 } else { 4 });
    common::tell_panics_briefly();
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
