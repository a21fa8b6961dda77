//! Pools: settings, seats, nesting, the end.
#![allow(missing_docs)]

mod common;

use common::{assert_usable, await_value, eager_pool};
use filch::{Pool, Scheduler};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn settings_out_of_range_are_named_with_their_value_and_what_is_allowed() {
    let refuse = |builder: filch::PoolBuilder| builder.build().expect_err("refused").to_string();
    assert_eq!(refuse(Pool::builder().workers(0)), "workers = 0: expected 1 to 4096");
    assert_eq!(refuse(Pool::builder().workers(5000)), "workers = 5000: expected 1 to 4096");
    assert!(refuse(Pool::builder().stack_size(1)).starts_with("stack_size = 1 bytes: expected 65536 to"));
    assert!(refuse(Pool::builder().stack_size(usize::MAX)).contains("bytes: expected 65536 to"));
    assert!(refuse(Pool::builder().ladder_capacity(0)).starts_with("ladder_capacity = 0: expected 1 to"));
    let serial = Pool::builder().scheduler(Scheduler::serial()).workers(3);
    assert!(refuse(serial).starts_with("scheduler = serial with workers = 3"));
    let nameless = Pool::builder().workers(2).thread_name(|_| "a\0b".to_owned());
    assert!(refuse(nameless).contains("for worker 1: expected a name without a zero byte"));
}

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

/// Settings come from the environment of the process, so each is tried in a process of its own: this test binary again,
/// asked for the probe below.
#[test]
#[cfg(not(miri))]
fn bad_settings_in_the_environment_are_named_with_their_value_and_what_is_allowed() {
    let probe = |name: &str, value: &str, scheduler: Option<&str>| {
        let mut command = std::process::Command::new(std::env::current_exe().expect("a test binary"));
        command.args(["--exact", "probe_of_the_environment", "--nocapture"]).env(PROBE, "1").env(name, value);
        scheduler.map(|scheduler| command.env("FILCH_SCHEDULER", scheduler));
        let output = command.output().expect("it runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for value in ["0", "-1", "many", "5000", ""] {
        let said = probe("FILCH_WORKERS", value, None);
        assert!(said.contains(&format!("FILCH_WORKERS = {value:?}: expected a whole number, 1 to 4096")), "{said}");
    }
    let said = probe("FILCH_SCHEDULER", "clik5", None);
    let expected = "FILCH_SCHEDULER = \"clik5\": unknown scheduler `clik5`; expected one of: default, cilk5, serial";
    assert!(said.contains(expected), "{said}");
    let said = probe("FILCH_WORKERS", "4", Some("serial"));
    assert!(said.contains("scheduler = serial with workers = 4"), "{said}");
    let said = probe("FILCH_WORKERS", "3", Some("cilk5,period=1ms"));
    assert!(said.contains("3 workers, cilk5,period=1ms"), "{said}");
}

const PROBE: &str = "FILCH_TEST_PROBE";

/// Says what the global pool is like, for the test above; by itself it has nothing to say.
#[test]
fn probe_of_the_environment() {
    if std::env::var_os(PROBE).is_some() {
        match Pool::global() {
            Ok(pool) => println!("{} workers, {}", pool.num_workers(), pool.scheduler()),
            Err(error) => println!("{error}"),
        }
    }
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
fn runs_nest_on_the_same_pool_and_on_others() {
    let (a, b) = (eager_pool(1), eager_pool(2));
    let depth =
        a.run(|_| b.run(|_| a.run(|mut s| s.join(|_| b.run(|_| filch::num_workers()), |_| filch::num_workers()))));
    assert_eq!(depth, (2, 1));
    assert_usable(&a);
    assert_usable(&b);
}

#[test]
fn more_callers_than_seats_are_all_served() {
    for workers in [1, 2, 3] {
        let pool = eager_pool(workers);
        let (total, ran) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let all_there = std::sync::Barrier::new(8);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    all_there.wait();
                    for _ in 0..if cfg!(miri) { 2 } else { 100 } {
                        let (a, b) = pool.run(|mut s| {
                            ran.fetch_add(1, Ordering::Relaxed);
                            s.join(|_| 1, |_| filch::join(|| 2, || 3).1)
                        });
                        total.fetch_add(a + b, Ordering::Relaxed);
                    }
                });
            }
        });
        let runs = 8 * if cfg!(miri) { 2 } else { 100 };
        assert_eq!((total.into_inner(), ran.into_inner()), (4 * runs, runs), "each run once");
        assert_usable(&pool);
    }
}

#[test]
fn a_caller_that_finds_one_seat_taken_gets_another() {
    let pool = eager_pool(2);
    let inside = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            pool.run(|_| {
                inside.store(1, Ordering::SeqCst);
                await_value(&inside, 2);
            });
        });
        await_value(&inside, 1);
        assert_eq!(pool.run(|_| filch::current_worker()), Some(1));
        inside.store(2, Ordering::SeqCst);
    });
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
fn capabilities_agree_with_the_build() {
    let pool = eager_pool(2);
    let capabilities = pool.capabilities();
    assert!(capabilities.taking(), "cilk5 would have been refused");
    let real = cfg!(filch_fence = "real") || cfg!(miri) || !cfg!(any(target_os = "linux", windows));
    assert_eq!(capabilities.owner_fence_is_real(), real);
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
