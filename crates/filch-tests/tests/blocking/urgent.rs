//! Runs and tasks that begin though all workers are busy.

use super::*;

/// Calls `f` while each worker of the pool is in a task that ends when `f` has returned.
fn while_all_are_busy<R>(pool: &Pool, f: impl FnOnce() -> R) -> R {
    let (begun, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let be_busy = || {
        begun.fetch_add(1, Ordering::SeqCst);
        while !is_over.load(Ordering::SeqCst) {
            thread::yield_now();
        }
    };
    thread::scope(|threads| {
        for _ in 0..pool.num_workers() {
            threads.spawn(|| pool.run(|_| be_busy()));
        }
        while begun.load(Ordering::SeqCst) < pool.num_workers() {
            thread::yield_now();
        }
        let result = f();
        is_over.store(true, Ordering::SeqCst);
        result
    })
}

#[test]
fn what_is_urgent_begins_though_all_workers_are_busy() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        for pool in pools() {
            for _ in 0..ROUNDS.min(10) {
                let join = |mut s: filch::Strand<'_>| s.join(|_| 1, |_| 2);
                while_all_are_busy(&pool, || {
                    let before = pool.counters().seats_exceeded;
                    assert_eq!(pool.run_urgent(join), (1, 2));
                    assert_eq!(pool.counters().seats_exceeded, before + 1);
                    let handles: Vec<_> = (0..MANY).map(|_| pool.submit_urgent(join)).collect();
                    handles.into_iter().for_each(|handle| assert_eq!(handle.join(), (1, 2)));
                    assert_eq!(block_on(pool.submit_urgent(join)), (1, 2));
                });
            }
            assert_usable(&pool);
        }
    });
}

#[test]
fn urgent_runs_beyond_the_number_of_workers_wait() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        let pool = build(builder(1));
        while_all_are_busy(&pool, || {
            let (runs, is_over) = (AtomicUsize::new(0), Signal::default());
            thread::scope(|threads| {
                let run = || {
                    pool.run_urgent(|_| {
                        if runs.fetch_add(1, Ordering::SeqCst) == 0 {
                            is_over.wait();
                        }
                    });
                };
                (0..2).for_each(|_| _ = threads.spawn(run));
                // The second one waits for a seat, and goes on without after some milliseconds.
                while pool.counters().seats_awaited == 0 {
                    thread::yield_now();
                }
                is_over.give();
            });
            assert_eq!(runs.into_inner(), 2);
        });
        assert_usable(&pool);
    });
}

#[test]
fn urgent_tasks_are_run_once_or_dropped_and_their_panics_arrive() {
    must_end(|| {
        for pool in pools().chain([eager_pool(1), eager_pool(2), build(builder(1).blocking_threads(0))]) {
            let (runs, drops) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
            let task = || {
                let (runs, held) = (Arc::clone(&runs), AtEnd(Arc::clone(&drops)));
                move |_: filch::Strand<'_>| {
                    let _held = held;
                    runs.fetch_add(1, Ordering::SeqCst);
                }
            };
            let handles: Vec<_> = (0..MANY).map(|_| pool.submit_urgent(task())).collect();
            let aborted = handles.into_iter().map(filch::Handle::abort).filter(|&is_aborted| is_aborted).count();
            let panic = pool.submit_urgent(|_| panic!("urgently"));
            assert!(catch_unwind(AssertUnwindSafe(|| panic.join())).is_err());
            assert_usable(&pool);
            pool.shutdown();
            assert_eq!((runs.load(Ordering::SeqCst) + aborted, drops.load(Ordering::SeqCst)), (MANY, MANY));
        }
    });
}
