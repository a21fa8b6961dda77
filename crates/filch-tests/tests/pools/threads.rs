//! Threads of a pool: how many there are, what they are called, where they run, and how they end.

use crate::common::{assert_usable, await_value, eager_pool};
use crate::{ROUNDS, tree};
use filch::{Pool, Scheduler, Topology};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
#[cfg(all(target_os = "linux", not(miri)))]
fn threads_that_cannot_start_leave_nothing_behind() {
    let bytes = 1 << 46;
    let builder = Pool::builder().workers(4).stack_size(bytes).thread_name(|_| "unstarted".to_owned());
    let error = builder.build().expect_err("refused");
    let filch::PoolError::Spawn { stack_bytes, number: 1, threads: 3, source, .. } = &error else { panic!("{error}") };
    assert_eq!(*stack_bytes, bytes);
    assert!(source.raw_os_error().is_some(), "the error of the system: {source:?}");
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
        // A thread that one of them starts has its name for a moment.
        let names: std::collections::BTreeSet<_> = pinned.iter().filter_map(|status| status.lines().next()).collect();
        assert_eq!(names.len(), 2, "worker 0 is the caller: {names:?}");
        for status in &pinned {
            let list =
                status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).expect("a line of procfs");
            assert!(list.trim().parse::<usize>().is_ok(), "one processor: {list}");
        }
    }
}

#[test]
fn a_pool_has_the_workers_of_its_topology_and_runs_everything_on_any_machine() {
    let texts = ["1x1", "2+1", "2x2", "2+3", "4x4,cache=6MiB"];
    for text in &texts[..if cfg!(miri) { 2 } else { texts.len() }] {
        let topology: Topology = text.parse().expect("a topology");
        for pins in [false, true] {
            // Nothing is known of its processors, so there is nothing to bind threads to.
            let pool = Pool::builder().topology(topology.clone()).pin_threads(pins).build().expect(text);
            assert_eq!((pool.num_workers(), pool.topology()), (topology.workers(), &topology));
            assert_usable(&pool);
        }
    }
    let chaos = Pool::builder().scheduler(Scheduler::chaos(1)).topology("2+3".parse().expect("a topology"));
    assert_usable(&chaos.build().expect("a pool"));
}

#[test]
fn a_pool_without_a_topology_knows_of_no_distances() {
    let pool = Pool::builder().workers(3).build().expect("a pool");
    assert_eq!(pool.topology(), &Topology::flat(3));
}

#[test]
#[cfg(all(target_os = "linux", not(miri)))]
fn pinned_threads_have_the_topology_of_the_machine() {
    let machine = Pool::detect_topology();
    let workers = machine.workers();
    let allowed = allowed();
    assert!(machine.squads().count() <= workers && workers > 0);
    assert!((0..workers).all(|worker| allowed.contains(&machine.processor(worker).expect("Linux lists them"))));
    let pool = Pool::builder().workers(workers).pin_threads(true).build().expect("a pool");
    assert_eq!(pool.topology(), &machine);
    // Twice as many: the worker on the same processor is nearest.
    let pool = Pool::builder().workers(2 * workers).pin_threads(true).build().expect("a pool");
    assert_eq!(pool.topology().rings(0)[0], [workers]);
}

#[test]
#[cfg(all(target_os = "linux", not(miri)))]
fn a_processor_that_does_not_exist_is_refused_by_its_number() {
    for absent in [1023, 5000] {
        let topology = Topology::of_processors(&[0, absent], &[]);
        let error = Pool::builder().topology(topology.clone()).pin_threads(true).build().expect_err("refused");
        let filch::PoolError::Pinning { worker: 1, processor } = error else { panic!("{error}") };
        assert_eq!(processor, Some(absent));
        assert_usable(&Pool::builder().topology(topology).build().expect("not bound"));
    }
}

/// The processors that this thread may use.
#[cfg(all(target_os = "linux", not(miri)))]
fn allowed() -> Vec<usize> {
    let status = std::fs::read_to_string("/proc/thread-self/status").expect("procfs");
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).expect("a line of procfs");
    let number = |text: &str| text.trim().parse::<usize>().expect("a number");
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        number(first)..=number(last)
    };
    list.trim().split(',').flat_map(range).collect()
}

#[test]
#[cfg(all(target_os = "linux", not(miri)))]
fn pinned_callers_are_bound_for_the_time_of_a_run() {
    let builder = || Pool::builder().pin_callers(true);
    let before = allowed();
    let pool = builder().workers(2).build().expect("a pool");
    let on = |worker: Option<usize>| vec![pool.topology().processor(worker.expect("inside")).expect("Linux lists it")];
    pool.run(|_| {
        assert_eq!(allowed(), on(filch::current_worker()));
        // Further in, it is the same seat; in another pool, it is that pool's.
        pool.run(|_| assert_eq!(allowed(), on(filch::current_worker())));
        let last = Topology::of_processors(&before[before.len() - 1..], &[]);
        let other = builder().topology(last).build().expect("a pool");
        other.run(|_| assert_eq!(allowed(), before[before.len() - 1..]));
        assert_eq!(allowed(), on(filch::current_worker()));
    });
    assert_eq!(allowed(), before);
    let panics = || pool.run(|_| panic!("inside a run"));
    assert!(std::panic::catch_unwind(panics).is_err());
    assert_eq!(allowed(), before, "also after a panic");
    // Nothing is known of these processors, and a run works without.
    builder().topology("2x2".parse().expect("a topology")).build().expect("a pool").run(|_| {
        assert_eq!(allowed(), before);
    });
}

#[test]
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn callers_that_could_not_be_released_are_not_bound() {
    let error = Pool::builder().pin_callers(true).build().expect_err("refused").to_string();
    assert!(error.contains("expected Linux or Android, or pin_callers = false"), "{error}");
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
