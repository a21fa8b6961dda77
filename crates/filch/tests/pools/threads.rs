//! Threads of a pool: how many there are, what they are called, where they run, and how they end.

use crate::common::{assert_usable, await_value, eager_pool};
use crate::{ROUNDS, tree};
use filch::{Pool, Scheduler};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
#[cfg(all(target_os = "linux", not(miri)))]
fn threads_that_cannot_start_leave_nothing_behind() {
    let bytes = 1 << 46;
    let builder = Pool::builder().workers(4).stack_size(bytes).thread_name(|_| "unstarted".to_owned());
    let error = builder.build().expect_err("refused");
    let filch::PoolError::Spawn { stack_bytes, .. } = &error else { panic!("{error}") };
    assert_eq!(*stack_bytes, bytes);
    assert!(error.to_string().contains(&format!("with a stack of {bytes} bytes")), "{error}");
    assert!(error.to_string().contains("ask for a smaller stack_size"), "{error}");
    // And when some have started already: threads start with the highest worker.
    let name = |worker| if worker == 1 { "a\0b" } else { "unstarted" }.to_owned();
    let error = Pool::builder().workers(4).thread_name(name).build().expect_err("refused");
    assert!(matches!(error, filch::PoolError::ThreadName { worker: 1, .. }), "{error}");
    let named = |task: &std::fs::DirEntry| {
        std::fs::read_to_string(task.path().join("comm")).is_ok_and(|name| name.starts_with("unstarted"))
    };
    let tasks = || std::fs::read_dir("/proc/self/task").expect("procfs").filter_map(Result::ok);
    // A thread that has been joined is listed a moment longer.
    while tasks().any(|task| named(&task)) {
        std::thread::yield_now();
    }
    assert_usable(&Pool::builder().workers(2).build().expect("a pool after all"));
}

#[test]
fn a_pool_has_one_thread_less_than_workers_and_names_them() {
    let pool = Pool::builder().workers(3).thread_name(|worker| format!("lab-{worker}")).build().expect("a pool");
    assert_eq!(pool.num_workers(), 3);
    let barrier = std::sync::Barrier::new(3);
    let seen = std::sync::Mutex::new(Vec::new());
    let note = || {
        barrier.wait();
        let name = std::thread::current().name().map(str::to_owned);
        seen.lock().expect("nobody panics").push((filch::current_worker(), name.unwrap_or_default()));
    };
    pool.run(|mut s| {
        s.join(
            |_| note(),
            |mut s| {
                s.join(|_| note(), |_| note());
            },
        );
    });
    let mut seen = seen.into_inner().expect("nobody panics");
    seen.sort();
    let workers: Vec<_> = seen.iter().map(|(worker, _)| *worker).collect();
    assert_eq!(workers, [Some(0), Some(1), Some(2)]);
    assert_eq!((seen[1].1.as_str(), seen[2].1.as_str()), ("lab-1", "lab-2"));
    assert_eq!(filch::current_worker(), None);
}

#[test]
#[cfg(not(miri))]
fn pinned_threads_stay_on_one_processor() {
    let pool = Pool::builder().workers(3).pin_threads(true).thread_name(|worker| format!("pinned-{worker}")).build();
    let pool = match pool {
        Ok(pool) => pool,
        Err(filch::PoolError::Pinning { .. }) if !cfg!(target_os = "linux") => return,
        Err(error) => panic!("{error}"),
    };
    assert_usable(&pool);
    if cfg!(target_os = "linux") {
        let tasks = std::fs::read_dir("/proc/self/task").expect("procfs").filter_map(Result::ok);
        let status = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("status")).ok());
        let pinned: Vec<String> = status.filter(|status| status.contains("pinned-")).collect();
        assert_eq!(pinned.len(), 2, "worker 0 is the caller");
        for status in &pinned {
            let list =
                status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).expect("a line of procfs");
            assert!(list.trim().parse::<usize>().is_ok(), "one processor: {list}");
        }
    }
}

#[test]
fn a_serial_pool_runs_everything_here_in_program_order() {
    let pool = Pool::builder().scheduler(Scheduler::serial()).build().expect("a pool");
    assert_eq!(pool.num_workers(), 1);
    let here = std::thread::current().id();
    let order = std::sync::Mutex::new(Vec::new());
    let note = |i: u32| {
        assert_eq!(std::thread::current().id(), here);
        order.lock().expect("nobody panics").push(i);
    };
    pool.run(|mut s| s.join(|mut s| s.join(|_| note(1), |_| note(2)), |mut s| s.join(|_| note(3), |_| note(4))));
    assert_eq!(order.into_inner().expect("nobody panics"), [1, 2, 3, 4]);
    assert_eq!(pool.counters().forks_taken, 0);
}

#[test]
fn pools_come_and_go() {
    for i in 0..if cfg!(miri) { 3 } else { 60 } {
        let pool = eager_pool(1 + i % 4);
        assert_usable(&pool);
        pool.shutdown();
    }
}

#[test]
fn the_last_to_leave_ends_a_shared_pool() {
    for _ in 0..ROUNDS.min(50) {
        let pool = Arc::new(eager_pool(2));
        let inside = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (its_pool, inside) = (Arc::clone(&pool), &inside);
            scope.spawn(move || {
                its_pool.run(|s| {
                    inside.store(1, Ordering::SeqCst);
                    tree(s, 3, &|| std::thread::yield_now());
                });
            });
            await_value(inside, 1);
            drop(pool);
        });
    }
}
