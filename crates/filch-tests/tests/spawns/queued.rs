//! Detached tasks of pools without threads, which the callers of the pool run.

use crate::common::{is_slow, must_end, panic_text, tell_panics_briefly};
use filch::{Pool, Scheduler, Strand, Yield};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, mpsc};

/// So many tasks, each of which spawns the next, would overflow any stack if they lay upon each other.
fn links() -> usize {
    static LINKS: LazyLock<usize> = LazyLock::new(|| match () {
        () if cfg!(miri) => 5,
        // These tests go through schedulers of their own.
        () if is_slow() => 10_000,
        // At 100 bytes a link this is more than any stack here has.
        () => 100_000,
    });
    *LINKS
}

/// Pools without threads.
fn pools() -> impl Iterator<Item = Pool> {
    let schedulers = [
        Scheduler::default(),
        Scheduler::cilk5(),
        Scheduler::heartbeat(),
        Scheduler::tascell(),
        Scheduler::serial(),
        Scheduler::chaos(1),
    ];
    // Everything is slow under Miri.
    let few = ["default", "chaos"];
    let schedulers = schedulers
        .into_iter()
        .filter(move |scheduler| !cfg!(miri) || few.iter().any(|name| scheduler.to_string().starts_with(name)));
    schedulers.map(|scheduler| {
        let pool = Pool::builder().workers(1).scheduler(scheduler).build().expect("a small pool");
        assert_eq!(pool.num_threads(), 0);
        pool
    })
}

/// Whether one thread plays all workers, which begins tasks at any moment.
fn is_chaos(pool: &Pool) -> bool {
    pool.scheduler().to_string().starts_with("chaos")
}

fn add(n: &AtomicUsize) -> usize {
    n.fetch_add(1, Ordering::SeqCst)
}

type Spawn = fn(Box<dyn FnOnce(Strand<'_>) + Send>);

/// Spawns a task that spawns the next one by `spawn`, until there have been [`links`] of them.
fn chain(spawn: Spawn, done: Arc<AtomicUsize>) {
    if add(&done) < links() {
        spawn(Box::new(move |_| chain(spawn, done)));
    }
}

#[test]
fn a_chain_of_detached_tasks_needs_no_stack() {
    let ways: [Spawn; 3] = [
        |task| filch::spawn(task),
        |task| filch::spawn_fifo(task),
        |task| {
            let task = Mutex::new(Some(task));
            filch::spawn_broadcast(move |s, _| (task.lock().unwrap().take().expect("of one worker"))(s));
        },
    ];
    must_end(move || {
        for pool in pools() {
            // A broadcast of a pool of chaos has more parts than one.
            for &spawn in &ways[..if pool.num_workers() == 1 { 3 } else { 2 }] {
                let done = Arc::new(AtomicUsize::new(0));
                let its = Arc::clone(&done);
                pool.spawn(move |_| chain(spawn, its));
                assert_eq!(done.load(Ordering::SeqCst), links() + 1, "from outside, {pool:?}");
                let done = Arc::new(AtomicUsize::new(0));
                let its = Arc::clone(&done);
                pool.run(move |_| spawn(Box::new(move |_| chain(spawn, its))));
                assert_eq!(done.load(Ordering::SeqCst), links() + 1, "in a run, {pool:?}");
            }
        }
    });
}

#[test]
fn a_chain_of_tasks_to_and_fro_between_two_pools_needs_no_stack() {
    fn hop(pools: Arc<[Pool; 2]>, done: Arc<AtomicUsize>) {
        let n = add(&done);
        if n < links() {
            let its = Arc::clone(&pools);
            pools[n % 2].spawn(move |_| hop(its, done));
        }
    }
    must_end(|| {
        for (a, b) in pools().zip(pools().skip(1)) {
            let done = Arc::new(AtomicUsize::new(0));
            hop(Arc::new([a, b]), Arc::clone(&done));
            assert_eq!(done.load(Ordering::SeqCst), links() + 1);
        }
    });
}

#[test]
fn a_chain_of_tasks_of_a_scope_needs_no_stack() {
    fn next<'scope>(scope: &'scope filch::Scope<'scope, '_>, done: &'scope AtomicUsize) {
        if add(done) < links() {
            scope.spawn(move |_| next(scope, done));
        }
    }
    must_end(|| {
        for pool in pools() {
            let done = AtomicUsize::new(0);
            pool.run(|mut s| s.scope(|_, scope| next(scope, &done)));
            assert_eq!(done.into_inner(), links() + 1, "{pool:?}");
            let done = AtomicUsize::new(0);
            pool.scope_in_place(|scope| next(scope, &done));
            assert_eq!(done.into_inner(), links() + 1, "{pool:?}");
        }
    });
}

#[test]
fn code_in_a_run_may_spawn_under_a_lock_that_the_task_wants() {
    must_end(|| {
        for pool in pools().filter(|pool| !is_chaos(pool)) {
            let state = Arc::new(Mutex::new(0));
            let visit = |state: &Arc<Mutex<i32>>| {
                let mut here = state.lock().expect("nobody panics");
                let its = Arc::clone(state);
                filch::spawn(move |_| *its.lock().expect("nobody panics") *= 10);
                *here += 1;
            };
            pool.run(|_| visit(&state));
            assert_eq!(*state.lock().expect("nobody panics"), 10, "{pool:?}");
            let its = Arc::clone(&state);
            pool.spawn(move |_| visit(&its));
            assert_eq!(*state.lock().expect("nobody panics"), 110, "{pool:?}");
        }
    });
}

#[test]
fn a_caller_has_run_what_it_has_spawned_when_it_leaves_the_pool() {
    for pool in pools() {
        let done = Arc::new(AtomicUsize::new(0));
        let its = Arc::clone(&done);
        pool.spawn(move |_| _ = add(&its));
        assert_eq!(done.load(Ordering::SeqCst), 1);
        let spawn = || {
            let its = Arc::clone(&done);
            pool.spawn(move |_| _ = add(&its));
        };
        pool.run(|mut s| {
            spawn();
            pool.run(|_| spawn());
            s.scope(|_, _| spawn());
            if !is_chaos(&pool) {
                assert_eq!(done.load(Ordering::SeqCst), 1, "not before the outermost run is over");
            }
        });
        assert_eq!(done.load(Ordering::SeqCst), 4);
        // Through a run of another pool.
        for other in pools() {
            done.store(0, Ordering::SeqCst);
            pool.run(|_| other.run(|_| spawn()));
            assert_eq!(done.load(Ordering::SeqCst), 1);
        }
    }
}

#[test]
fn a_run_that_panics_leaves_no_task_behind() {
    tell_panics_briefly();
    must_end(|| {
        for pool in pools() {
            let done = Arc::new(AtomicUsize::new(0));
            let its = Arc::clone(&done);
            let text = panic_text(|| {
                pool.run(|_| {
                    filch::spawn(move |_| {
                        assert!(!std::thread::panicking(), "the panic has been caught");
                        add(&its);
                        // Of which nothing is run while a panic unwinds.
                        let last = Arc::clone(&its);
                        filch::spawn(move |_| _ = add(&last));
                        while its.load(Ordering::SeqCst) < 2 {
                            assert!(filch::yield_now().is_some(), "in a pool");
                        }
                    });
                    panic!("in a run");
                });
            });
            assert_eq!((text.as_str(), done.load(Ordering::SeqCst)), ("in a run", 2), "{pool:?}");
        }
    });
}

#[test]
fn a_panic_of_a_queued_task_goes_to_the_handler_and_the_others_run() {
    tell_panics_briefly();
    let lost = Arc::new(AtomicUsize::new(0));
    let its = Arc::clone(&lost);
    let handler = move |_| _ = add(&its);
    let pool = Pool::builder().workers(1).unawaited_panic_handler(handler).build().expect("a small pool");
    let done = Arc::new(AtomicUsize::new(0));
    pool.run(|_| {
        for i in 0..10 {
            let its = Arc::clone(&done);
            filch::spawn(move |_| {
                assert!(i % 2 == 0, "in a task");
                add(&its);
            });
        }
    });
    assert_eq!((lost.load(Ordering::SeqCst), done.load(Ordering::SeqCst)), (5, 5));
}

#[test]
fn a_worker_that_yields_runs_a_queued_task() {
    must_end(|| {
        for pool in pools().filter(|pool| !is_chaos(pool)) {
            pool.run(|_| {
                for yields in [filch::yield_now, filch::yield_local] {
                    assert_eq!(filch::has_pending_tasks(), Some(false));
                    let (sender, receiver) = mpsc::channel();
                    filch::spawn(move |_| sender.send(1).expect("the receiver waits"));
                    assert_eq!(filch::has_pending_tasks(), Some(true));
                    assert_eq!(yields(), Some(Yield::Executed));
                    assert_eq!(receiver.try_recv(), Ok(1));
                    assert_eq!(yields(), Some(Yield::Idle));
                }
            });
        }
    });
}

#[test]
fn queued_tasks_run_newest_first_or_in_fifo_order_the_oldest() {
    for pool in pools().filter(|pool| !is_chaos(pool)) {
        let order = Arc::new(Mutex::new(Vec::new()));
        pool.run(|_| {
            for i in 0..3 {
                let [order, fifo] = [(); 2].map(|()| Arc::clone(&order));
                filch::spawn(move |_| order.lock().expect("nobody panics").push(i));
                filch::spawn_fifo(move |_| fifo.lock().expect("nobody panics").push(10 + i));
            }
        });
        let order = order.lock().expect("nobody panics");
        let of = |is_fifo| order.iter().copied().filter(|&i| (i >= 10) == is_fifo).collect::<Vec<_>>();
        assert_eq!((of(false), of(true)), (vec![2, 1, 0], vec![10, 11, 12]), "{pool:?}");
    }
}

#[test]
fn callers_of_a_pool_without_threads_run_each_task_once() {
    const CALLERS: usize = 4;
    let each = if cfg!(miri) { 1 } else { 500 };
    must_end(move || {
        for pool in pools() {
            let done = Arc::new(AtomicUsize::new(0));
            std::thread::scope(|threads| {
                for caller in 0..CALLERS {
                    let (pool, done) = (&pool, &done);
                    let task = || {
                        let done = Arc::clone(done);
                        move |mut s: Strand<'_>| {
                            let its = Arc::clone(&done);
                            filch::spawn(move |_| _ = add(&its));
                            s.join(|_| add(&done), |_| ());
                        }
                    };
                    threads.spawn(move || {
                        for _ in 0..each {
                            if caller % 2 == 0 { pool.spawn(task()) } else { pool.run(|_| filch::spawn(task())) }
                        }
                    });
                }
            });
            pool.shutdown();
            assert_eq!(done.load(Ordering::SeqCst), 2 * CALLERS * each);
            assert_eq!(Arc::strong_count(&done), 1, "each task has been dropped");
        }
    });
}

#[test]
fn a_queued_task_may_own_the_last_handle_of_its_pool() {
    for pool in pools() {
        let pool = Arc::new(pool);
        let (sender, receiver) = mpsc::channel();
        let its = Arc::clone(&pool);
        pool.run(move |_| {
            let sender = sender.clone();
            its.spawn(move |_| filch::spawn(move |mut s| sender.send(s.join(|_| 1, |_| 2)).expect("it waits")));
        });
        drop(pool);
        assert_eq!(receiver.iter().collect::<Vec<_>>(), [(1, 2)]);
    }
}
