//! Tasks with handles: each runs at most once, and whoever awaits it gets its result.
#![allow(missing_docs)]

mod common;

use common::{eager_pool, must_end};
use filch::{Handle, Pool, Strand};
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

const WORKERS: &[usize] = if cfg!(miri) { &[1, 3] } else { &[1, 2, 9] };

const MANY: usize = if cfg!(miri) { 12 } else { 3000 };

/// Counts how often it is dropped.
struct Counted<'a>(&'a AtomicUsize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn fib(mut s: Strand<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
    a + b
}

/// Waits for a future as an executor does that has nothing else to do.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(thread::Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

#[test]
fn a_handle_has_the_result_wherever_it_is_joined() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        assert_eq!(pool.submit(|s| fib(s, 10)).join(), 55, "outside of the pool");
        assert_eq!(pool.run(|_| pool.submit(|s| fib(s, 10)).join()), 55, "inside");
        let other = eager_pool(2);
        assert_eq!(other.run(|_| pool.submit(|s| fib(s, 10)).join()), 55, "inside another pool");
        assert_eq!(pool.run(|_| other.run(|_| pool.submit(|s| fib(s, 10)).join())), 55, "inside both");
        assert_eq!(block_on(pool.submit(|s| fib(s, 10))), 55, "as a future");
    }
}

#[test]
fn many_handles_are_joined_in_any_order_and_each_task_runs_once() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let runs = Arc::new(AtomicUsize::new(0));
        let submit = |i: usize| {
            let runs = Arc::clone(&runs);
            pool.submit(move |mut s| {
                runs.fetch_add(1, Ordering::Relaxed);
                s.join(|_| i, |_| i).0
            })
        };
        for is_reversed in [false, true] {
            let sum = pool.run(|_| {
                let mut handles: Vec<Handle<'_, usize>> = (0..MANY).map(submit).collect();
                if is_reversed {
                    handles.reverse();
                }
                handles.into_iter().map(Handle::join).sum::<usize>()
            });
            assert_eq!(sum, MANY * (MANY - 1) / 2);
        }
        let handles: Vec<_> = (0..MANY).map(submit).collect();
        assert_eq!(handles.into_iter().map(block_on).sum::<usize>(), MANY * (MANY - 1) / 2);
        assert_eq!(runs.load(Ordering::Relaxed), 3 * MANY);
    }
}

#[test]
fn tasks_submit_and_join_tasks() {
    fn sum(from: u64, to: u64) -> u64 {
        if to - from == 1 {
            return from;
        }
        let middle = from.midpoint(to);
        let later = filch::submit(move |_| sum(middle, to));
        sum(from, middle) + later.join()
    }
    for &workers in WORKERS {
        let n = MANY as u64 / 3;
        assert_eq!(eager_pool(workers).run(|_| sum(0, n)), n * (n - 1) / 2);
    }
}

#[test]
fn a_panic_is_resumed_where_the_handle_is_joined() {
    let pool = eager_pool(2);
    let is_oh = |payload: Box<dyn std::any::Any + Send>| payload.downcast_ref::<&str>() == Some(&"oh");
    let submit = || pool.submit(|_| -> u32 { panic!("oh") });
    assert!(catch_unwind(|| submit().join()).is_err_and(is_oh));
    assert!(catch_unwind(|| pool.run(|_| submit().join())).is_err_and(is_oh));
    assert!(catch_unwind(|| block_on(submit())).is_err_and(is_oh));
    assert_eq!(pool.submit(|_| 1).join(), 1, "the pool is usable");
}

#[test]
fn the_panic_of_a_task_that_nobody_awaits_goes_to_the_handler() {
    let (sender, receiver) = mpsc::channel();
    let handler = move |payload: Box<dyn std::any::Any + Send>| {
        sender.send(*payload.downcast::<&str>().unwrap()).unwrap();
    };
    let pool = Pool::builder().workers(2).unawaited_panic_handler(handler).build().unwrap();
    let (go, may_go) = mpsc::channel::<()>();
    drop(pool.submit(move |_| {
        may_go.recv().unwrap();
        panic!("oh");
    }));
    go.send(()).unwrap();
    assert_eq!(receiver.recv(), Ok("oh"));
}

#[test]
fn an_aborted_task_is_dropped_once_and_never_runs() {
    static DROPS: AtomicUsize = AtomicUsize::new(0);
    let pool = eager_pool(1);
    let submit = || {
        let counted = Counted(&DROPS);
        pool.submit(move |_| {
            let _counted = counted;
            unreachable!("the only worker does not come to it")
        })
    };
    pool.run(|_| {
        let handle: Handle<'_, ()> = submit();
        assert!(handle.abort());
        assert_eq!(DROPS.load(Ordering::Relaxed), 1);
        drop(submit().abort_on_drop());
        assert_eq!(DROPS.load(Ordering::Relaxed), 2);
    });
    let handle = pool.submit(|_| 1);
    while !handle.is_finished() {
        thread::yield_now();
    }
    assert!(!handle.abort(), "too late");
}

#[test]
fn results_and_closures_are_dropped_once() {
    for &workers in WORKERS {
        let drops = AtomicUsize::new(0);
        let pool = eager_pool(workers);
        let drops = &drops;
        pool.run(|mut s| {
            s.scope(|_, scope| {
                for i in 0..MANY {
                    let captured = Counted(drops);
                    let handle = scope.submit(move |_| {
                        let _captured = captured;
                        Counted(drops)
                    });
                    match i % 4 {
                        0 => drop(handle.join()),
                        1 => drop(handle),
                        2 => drop(handle.abort_on_drop()),
                        _ => drop(handle.try_join()),
                    }
                }
            });
        });
        let dropped = drops.load(Ordering::Relaxed);
        // An aborted task has no result.
        assert!((2 * MANY - MANY.div_ceil(4)..=2 * MANY).contains(&dropped), "{dropped} of {MANY} twice");
    }
}

#[test]
fn a_task_of_a_scope_borrows_and_ends_with_it() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let words = ["to", "be", "or", "not"].map(String::from);
        let lengths = pool.run(|mut s| {
            s.scope(|_, scope| {
                let handles = words.each_ref().map(|word| scope.submit(move |_| word.len()));
                handles.map(Handle::join)
            })
        });
        assert_eq!(lengths, [2, 2, 2, 3]);
        let done = AtomicUsize::new(0);
        pool.run(|mut s| s.scope(|_, scope| drop(scope.submit(|_| done.fetch_add(1, Ordering::Relaxed)))));
        assert_eq!(done.into_inner(), 1, "the scope awaits a task whose handle has been dropped");
    }
}

#[test]
fn whoever_joins_a_task_of_a_cancelled_scope_learns_it() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let joined = pool.run(|mut s| {
            s.scope(|_, scope| {
                scope.cancel();
                let handle = scope.submit(|_| 1);
                catch_unwind(AssertUnwindSafe(|| handle.join()))
            })
        });
        let message = *joined.unwrap_err().downcast::<&str>().unwrap();
        assert!(message.contains("cancelled"), "{message}");
    }
}

/// The task waits for its second branch, which only the thread that joins can run: the other worker is in the first.
#[test]
fn a_worker_that_joins_runs_parts_of_the_task_and_nothing_else() {
    if !common::takes() || !common::waits_for_descendants() {
        return;
    }
    must_end(|| {
        let pool = eager_pool(2);
        let strangers = Arc::new(Mutex::new(Vec::new()));
        pool.run(|_| {
            let (begun, has_begun) = mpsc::channel();
            let handle = pool.submit(move |mut s| {
                begun.send(()).unwrap();
                let (tell, told) = mpsc::channel();
                s.join(move |_| told.recv().unwrap(), move |_| tell.send(thread::current().id()).unwrap()).0
            });
            has_begun.recv().unwrap();
            let here = thread::current().id();
            let stranger = pool.submit({
                let strangers = Arc::clone(&strangers);
                move |_| strangers.lock().unwrap().push(thread::current().id())
            });
            assert_eq!(handle.join(), here, "the second branch was run here");
            assert!(!strangers.lock().unwrap().contains(&here), "and nothing else");
            drop(stranger);
        });
    });
}

/// A future wakes the last waker that it was polled with.
#[test]
fn the_last_waker_is_woken_once() {
    struct Count(AtomicUsize, Mutex<mpsc::Sender<()>>);
    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
            self.1.lock().unwrap().send(()).unwrap();
        }
    }
    let pool = Pool::builder().workers(1).own_threads(true).build().unwrap();
    let (go, may_go) = mpsc::channel::<()>();
    let mut handle = pool.submit(move |_| may_go.recv().unwrap());
    let (sender, receiver) = mpsc::channel();
    let wakers = [0, 1].map(|_| Arc::new(Count(AtomicUsize::new(0), Mutex::new(sender.clone()))));
    for waker in &wakers {
        let waker = Waker::from(Arc::clone(waker));
        assert!(pin!(&mut handle).poll(&mut Context::from_waker(&waker)).is_pending());
    }
    go.send(()).unwrap();
    receiver.recv().unwrap();
    assert_eq!(block_on(handle), ());
    assert_eq!(wakers.each_ref().map(|waker| waker.0.load(Ordering::Relaxed)), [0, 1]);
}

/// What is left in the queue by tasks that have been joined does not pile up.
#[cfg(not(miri))]
#[test]
fn a_worker_that_submits_and_joins_for_long_needs_no_more_memory() {
    let pool = Pool::builder().workers(1).build().unwrap();
    pool.run(|_| {
        for _ in 0..1000 {
            let handles: [_; 3] = std::array::from_fn(|i| pool.submit(move |_| i));
            let [a, b, c] = handles;
            assert_eq!((b.join(), a.join(), c.join()), (1, 0, 2));
        }
        // The first task in the queue is the next one if there is no other.
        assert!(!filch::has_pending_tasks().unwrap(), "empty tasks are removed");
    });
}

/// However the holder joins: an old task that is never joined is at one end of the queue, a new one at the other.
#[cfg(target_os = "linux")]
#[cfg(not(miri))]
#[test]
fn tasks_that_are_over_do_not_fill_the_queue() {
    fn resident_kib() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }
    let pool = Pool::builder().workers(1).build().unwrap();
    let before = resident_kib();
    pool.run(|_| {
        let oldest = pool.submit(|_| 0);
        let mut window = std::collections::VecDeque::new();
        for i in 0..300_000 {
            window.push_back(pool.submit(move |_| i));
            if window.len() > 5 {
                window.pop_front().unwrap().join();
            }
            assert!(pool.submit(|_| ()).abort());
        }
        oldest.join();
    });
    let grown = resident_kib().saturating_sub(before);
    assert!(grown < 20_000, "{grown} KiB");
}

#[test]
fn a_cancelled_scope_drops_a_task_that_its_holder_would_run() {
    eager_pool(1).run(|mut s| {
        let joined = s.scope(|_, scope| {
            let handle = scope.submit(|_| unreachable!("the scope is cancelled"));
            scope.cancel();
            catch_unwind(AssertUnwindSafe(|| handle.join()))
        });
        assert!(joined.unwrap_err().downcast::<&str>().unwrap().contains("cancelled"));
    });
}

#[test]
fn a_scope_panics_for_a_task_whose_handle_is_dropped_before_or_after_it() {
    for is_done in [false, true] {
        let panic = catch_unwind(|| {
            eager_pool(1).run(|mut s| {
                s.scope(|_, scope| {
                    let handle = scope.submit(|_| panic!("oh"));
                    while is_done && !handle.is_finished() {
                        filch::yield_now();
                    }
                    drop(handle);
                });
            });
        });
        assert_eq!(panic.unwrap_err().downcast_ref::<&str>(), Some(&"oh"));
    }
}

#[test]
fn what_has_been_awaited_is_finished_and_cannot_be_aborted() {
    let pool = eager_pool(2);
    let mut handle = pool.submit(|_| 1);
    assert_eq!(block_on(&mut handle), 1);
    assert!(handle.is_finished() && !handle.abort());
}

#[cfg(not(miri))]
#[test]
fn handles_keep_their_promises_under_other_schedulers() {
    common::run_under_other_schedulers();
}
