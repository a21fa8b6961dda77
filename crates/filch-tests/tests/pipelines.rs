//! Pipelines: every item once through every stage, in order where that is promised, within the capacity.
#![allow(missing_docs)]

mod common;

use common::{Counted, assert_usable, eager_pool, fib, must_end, panic_text};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};

const WORKERS: &[usize] = if cfg!(miri) { &[1, 3] } else { &[1, 2, 9] };

const MANY: usize = if cfg!(miri) { 15 } else { 10_000 };

/// Where only one may be at a time.
struct Alone(AtomicBool);

impl Alone {
    const fn new() -> Self {
        Alone(AtomicBool::new(false))
    }

    fn enter<R>(&self, f: impl FnOnce() -> R) -> R {
        assert!(!self.0.swap(true, Ordering::SeqCst), "nobody else is there");
        let result = f();
        self.0.store(false, Ordering::SeqCst);
        result
    }
}

#[test]
fn each_item_passes_each_stage_once_and_in_order_where_that_is_promised() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for capacity in [Some(1), Some(3), Some(1000), None] {
            let (source, any, ordered) = (Alone::new(), Alone::new(), Alone::new());
            let (mut seen, mut ended) = (vec![0; MANY], Vec::new());
            let pipeline = filch::pipeline((0..MANY).inspect(|_| source.enter(|| ())))
                .parallel(|n| n.to_string())
                .serial(|text| {
                    any.enter(|| seen[text.parse::<usize>().unwrap()] += 1);
                    text
                })
                .parallel(|text| text.parse::<usize>().unwrap())
                .serial_in_order(|n| ordered.enter(|| ended.push(n)));
            let pipeline = match capacity {
                Some(items) => pipeline.capacity(items),
                None => pipeline,
            };
            pool.run(|s| pipeline.run_in(s));
            assert!(ended.into_iter().eq(0..MANY), "{workers} workers, capacity {capacity:?}");
            assert!(seen.into_iter().all(|times| times == 1));
        }
    }
}

#[test]
fn a_pipeline_runs_outside_of_any_run_without_items_and_without_stages() {
    let mut sum = 0;
    filch::pipeline(1..=MANY).serial(|n| sum += n).run();
    assert_eq!(sum, MANY * (MANY + 1) / 2);
    filch::pipeline(0..0).parallel(|_: i32| unreachable!("no items")).run();
    filch::pipeline([(); 3]).run();
}

#[test]
fn no_more_items_are_under_way_than_the_capacity() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for capacity in [1, 2, 40] {
            let [pulled, ended] = [const { AtomicUsize::new(0) }; 2];
            let source = (0..MANY).inspect(|_| _ = pulled.fetch_add(1, Ordering::SeqCst));
            let pipeline = filch::pipeline(source).capacity(capacity).parallel(|n| n).serial_in_order(|n| {
                // Items of a batch end together, so some that have passed here may count.
                let under_way = pulled.load(Ordering::SeqCst) - ended.load(Ordering::SeqCst);
                assert!(under_way <= capacity, "{under_way} of {capacity} at {n}");
                ended.fetch_add(1, Ordering::SeqCst);
            });
            pool.run(|s| pipeline.run_in(s));
            assert_eq!(ended.into_inner(), MANY);
        }
    }
}

/// Whether a worker that spawns a task leaves it to another one that is free. Under chaos it may run it at once.
fn runs_spawned_tasks_elsewhere() -> bool {
    !common::scheduler().to_string().starts_with("chaos")
}

/// The first item waits in a parallel stage for those after it.
#[test]
fn a_slow_item_delays_nobody_within_the_capacity() {
    if !runs_spawned_tasks_elsewhere() {
        return;
    }
    must_end(|| {
        let pool = eager_pool(2);
        let (pass, passed) = mpsc::channel();
        let passed = Mutex::new(passed);
        let mut ended = Vec::new();
        let pipeline = filch::pipeline(0..4)
            .capacity(4)
            .parallel(|n| {
                if n == 0 {
                    (0..3).for_each(|_| passed.lock().unwrap().recv().unwrap());
                } else {
                    pass.send(()).unwrap();
                }
                n
            })
            .serial_in_order(|n| ended.push(n));
        pool.run(|s| pipeline.run_in(s));
        assert_eq!(ended, [0, 1, 2, 3]);
    });
}

/// The source makes an item when the one before has ended, after it has made many at once.
#[test]
fn a_source_that_blocks_holds_nothing_back_if_a_worker_is_free() {
    if !runs_spawned_tasks_elsewhere() {
        return;
    }
    must_end(|| {
        let pool = eager_pool(2);
        let (end, ended) = mpsc::channel();
        let source = (0..MANY).inspect(move |&n| {
            if n > MANY / 2 {
                while ended.recv().unwrap() != n - 1 {}
            }
        });
        pool.run(|s| filch::pipeline(source).parallel(|n| n).serial_in_order(|n| _ = end.send(n)).run_in(s));
    });
}

/// What a pipeline of four stages does if some item fails in some place.
fn fail_at(workers: usize, bad: usize, fail: impl Fn(usize) -> Result<(), usize> + Sync) -> Result<(), usize> {
    let pool = eager_pool(workers);
    let alive = AtomicUsize::new(0);
    for place in 0..5 {
        let fail = |at: usize, n: usize| if (at, n) == (place, bad) { fail(n) } else { Ok(()) };
        let mut ended = Vec::new();
        let [any, ordered] = [const { AtomicUsize::new(0) }; 2];
        let source = (0..).map(|n| {
            _ = fail(0, n).inspect_err(|_| panic!("the source fails by panics"));
            (n, Counted::new(&alive))
        });
        let pipeline = filch::pipeline(source)
            .try_parallel(|item| fail(1, item.0).map(|()| item))
            .try_serial(|item| {
                any.fetch_add(1, Ordering::Relaxed);
                fail(2, item.0).map(|()| item)
            })
            .try_serial_in_order(|item| {
                assert_eq!(ordered.fetch_add(1, Ordering::Relaxed), item.0, "in order");
                fail(3, item.0).map(|()| item)
            })
            .try_parallel(|item| fail(4, item.0).map(|()| item))
            .serial_in_order(|(n, _)| ended.push(n));
        let result = catch_unwind(AssertUnwindSafe(|| pool.run(|s| pipeline.try_run_in(s))));
        assert!(ended.into_iter().eq(0..bad), "all before it, and nothing after it: place {place}, {workers} workers");
        assert!(any.into_inner() >= bad);
        assert_eq!(alive.load(Ordering::SeqCst), 0, "all items are dropped");
        match result {
            Ok(result) => assert_eq!(result, Err(bad), "place {place}"),
            Err(payload) => assert!(payload.is::<String>() || payload.is::<&str>()),
        }
    }
    assert_usable(&pool);
    Err(bad)
}

#[test]
fn an_error_ends_a_pipeline_and_all_items_before_it_pass() {
    common::tell_panics_briefly();
    for &workers in WORKERS {
        for bad in [0, 1, MANY / 3] {
            assert_eq!(fail_at(workers, bad, Err), Err(bad));
        }
    }
}

#[test]
fn a_panic_ends_a_pipeline_and_all_items_before_it_pass() {
    common::tell_panics_briefly();
    for &workers in WORKERS {
        for bad in [0, 1, MANY / 3] {
            _ = fail_at(workers, bad, |n| panic!("oh, {n}"));
        }
    }
}

#[test]
fn of_several_failures_the_first_in_the_order_of_the_source_counts() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let fail = |n: usize| if n % 7 == 6 { Err(n) } else { Ok(n) };
        let pipeline = filch::pipeline(0..).try_parallel(fail).try_serial(|n| if n == 5 { Err(5) } else { Ok(()) });
        assert_eq!(pool.run(|s| pipeline.try_run_in(s)), Err(5));
    }
}

#[test]
fn a_panic_has_the_payload_of_its_stage() {
    let pool = eager_pool(2);
    assert_eq!(
        panic_text(|| pool.run(|s| filch::pipeline(0..9).parallel(|n| assert!(n < 4, "item {n}")).run_in(s))),
        "item 4"
    );
    assert_usable(&pool);
}

/// Panics when it is dropped, unless a panic is under way.
struct Trap<'a>(&'a AtomicUsize);

impl Drop for Trap<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
        assert!(std::thread::panicking(), "a trap");
    }
}

#[test]
fn items_whose_drop_panics_do_not_hide_the_failure() {
    common::tell_panics_briefly();
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let [made, dropped] = [const { AtomicUsize::new(0) }; 2];
        let source = std::iter::repeat_with(|| {
            made.fetch_add(1, Ordering::SeqCst);
            Trap(&dropped)
        });
        let mut count = 0;
        let pipeline = filch::pipeline(source).capacity(20).parallel(|trap| trap).try_serial_in_order(|trap| {
            count += 1;
            if count > MANY / 5 {
                return Err("full");
            }
            std::mem::forget(trap);
            Ok(())
        });
        // The trap of the failing item goes off in the stage, so there is a panic instead of the error.
        let result = catch_unwind(AssertUnwindSafe(|| pool.run(|s| pipeline.try_run_in(s))));
        assert!(result.is_err());
        // One fewer than are dropped has been forgotten by each item that passed.
        assert_eq!(made.into_inner(), dropped.into_inner() + MANY / 5);
        assert_usable(&pool);
    }
}

#[test]
fn stages_fork_borrow_and_run_pipelines() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let depth = if cfg!(miri) { 3 } else { 12 };
        let words = ["to", "be", "or", "not"].map(String::from);
        let mut lengths = Vec::new();
        pool.run(|s| {
            filch::pipeline(&words)
                .parallel(|word| (word, filch::run(|s| fib(s, depth))))
                .parallel(|(word, value)| {
                    let mut sum = 0;
                    filch::pipeline(word.bytes()).parallel(usize::from).serial(|byte| sum += byte).run();
                    (word.len(), value, sum)
                })
                .serial_in_order(|(len, value, sum)| lengths.push((len, value, sum)))
                .run_in(s);
        });
        let value = if cfg!(miri) { 2 } else { 144 };
        let sums = words.each_ref().map(|word| word.bytes().map(usize::from).sum::<usize>());
        assert!(lengths.into_iter().eq(words.iter().zip(sums).map(|(word, sum)| (word.len(), value, sum))));
    }
}

/// A closure that is `Send` and not `Sync`.
#[test]
fn serial_stages_need_not_be_sync() {
    let count = Cell::new(0);
    let pool = eager_pool(3);
    pool.run(|s| filch::pipeline(0..MANY).serial(move |_| count.set(count.get() + 1)).run_in(s));
}

#[cfg(not(miri))]
#[test]
fn pipelines_keep_their_promises_under_other_schedulers() {
    common::run_under_other_schedulers();
}
