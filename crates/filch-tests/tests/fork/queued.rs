//! Detached tasks, and ends of pools, in children of fork(2).

use super::*;

/// A task that spawns the next one, on the pool that it runs on, and so on.
fn chain(left: usize, done: &'static AtomicU64) {
    done.fetch_add(1, Relaxed);
    if left > 0 {
        filch::spawn(move |_| chain(left - 1, done));
    }
}

/// Nobody in the child would come for what is left in the queues of its parent's pools.
#[test]
fn a_child_runs_the_tasks_that_it_spawns_on_a_pool_of_its_parent_and_no_chain_of_them_needs_a_stack() {
    const LINKS: usize = 100_000;
    let _alone = alone();
    static DONE: AtomicU64 = AtomicU64::new(0);
    let pool = Pool::builder().workers(2).build().expect("a small pool");
    // As a parent that has spawned, too, and has a global pool.
    pool.spawn(|_| ());
    filch::spawn(|_| ());
    await_threads(&pool);
    let spawn = || {
        DONE.store(0, Relaxed);
        pool.spawn(|_| chain(LINKS, &DONE));
        assert_eq!(DONE.swap(0, Relaxed), 1 + LINKS as u64);
        pool.spawn_broadcast(|_, _| chain(LINKS, &DONE));
        assert_eq!(DONE.swap(0, Relaxed), 1 + LINKS as u64);
        filch::spawn(|_| chain(LINKS, &DONE));
        assert_eq!(DONE.swap(0, Relaxed), 1 + LINKS as u64);
    };
    in_child(spawn);
    // In a run of its parent.
    pool.run(|_| in_child(spawn));
    pool.run(|_| in_child(|| pool.run(|_| spawn())));
}

/// A pool that a child builds in a run of its parent and drops there has done its work.
#[test]
fn a_child_waits_for_the_end_of_its_own_pools_also_in_a_run_of_its_parent() {
    let _alone = alone();
    static DONE: AtomicU64 = AtomicU64::new(0);
    let pool = Pool::builder().workers(2).build().expect("a small pool");
    await_threads(&pool);
    let build = || {
        let own = Pool::builder().workers(2).build().expect("a small pool");
        (0..10).for_each(|_| own.spawn(|_| _ = DONE.fetch_add(1, Relaxed)));
        drop(own);
        assert_eq!(DONE.swap(0, Relaxed), 10);
    };
    in_child(build);
    pool.run(|_| in_child(build));
    pool.run_on_worker(|_| in_child(build));
}

/// They are its parent's, which runs them when it leaves the pool.
#[test]
fn a_child_that_leaves_a_run_of_its_parent_runs_none_of_the_tasks_that_wait_there() {
    let _alone = alone();
    static DONE: AtomicU64 = AtomicU64::new(0);
    let pool = Pool::builder().workers(1).build().expect("a small pool");
    let mut end = None;
    pool.run(|_| {
        filch::spawn(|_| _ = DONE.fetch_add(1, Relaxed));
        end = fork();
    });
    let Some(end) = end else { end_child(DONE.load(Relaxed) == 0) };
    assert_eq!(end.how, How::Exited(0), "{}", end.said);
    assert_eq!(DONE.swap(0, Relaxed), 1);
}
