//! Children of fork(2), made while pools are busy: each comes to its end. They have the memory of their parent and one
//! thread, whatever the others were doing, and whichever locks they held.
//!
//! A child that hangs is ended by an alarm, which is not expected.
#![cfg(all(unix, not(any(miri, filch_sanitizer = "thread"))))]
#![allow(missing_docs)]

#[cfg(target_os = "linux")]
#[path = "fork/page.rs"]
mod page;
#[path = "fork/queued.rs"]
mod queued;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "common/seccomp.rs"]
mod seccomp;

use filch::{Pool, Scheduler, Strand};
use std::fs::File;
use std::io::Read;
use std::os::fd::FromRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Barrier, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Longer than a child takes, on whatever machine.
const FOREVER_S: u32 = 120;

const CHILDREN: usize = 60;

/// How a child has ended.
#[derive(Debug)]
struct End {
    how: How,
    said: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// With 0, as it should, or because `f` has panicked.
    Exited(i32),
    /// By abort.
    Aborted,
    /// By the alarm, because it would never have ended; or by another signal.
    Signal(i32),
}

/// Forks. In the child: nothing more, after [`begin_child`]. In the parent: how the child has ended.
fn fork() -> Option<End> {
    let mut ends = [0; 2];
    // SAFETY: there is room for two descriptors.
    assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
    // SAFETY: the child does what a child of a process with threads may do, or what these tests are about.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "there is no process to be had");
    if child == 0 {
        begin_child(ends[1]);
        return None;
    }
    // SAFETY: ours.
    unsafe { libc::close(ends[1]) };
    let mut said = Vec::new();
    // SAFETY: ours, and not used elsewhere.
    unsafe { File::from_raw_fd(ends[0]) }.read_to_end(&mut said).expect("a pipe can be read");
    let mut status = 0;
    // SAFETY: there is room for the status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    let how = if libc::WIFEXITED(status) {
        How::Exited(libc::WEXITSTATUS(status))
    } else if libc::WTERMSIG(status) == libc::SIGABRT {
        How::Aborted
    } else {
        How::Signal(libc::WTERMSIG(status))
    };
    Some(End { how, said: String::from_utf8_lossy(&said).into_owned() })
}

/// Speaks to `stderr`, leaves no file behind when it aborts, and does not live for ever.
fn begin_child(stderr: i32) {
    let no_core = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: takes numbers only.
    unsafe { libc::alarm(FOREVER_S) };
    // SAFETY: as above.
    unsafe { libc::dup2(stderr, 2) };
    // SAFETY: the limits live, and are read.
    unsafe { libc::setrlimit(libc::RLIMIT_CORE, &raw const no_core) };
}

/// Ends the child, without what the parent has left to do at its end.
fn end_child(is_right: bool) -> ! {
    // SAFETY: ends the process.
    unsafe { libc::_exit(i32::from(!is_right)) }
}

/// Runs `f` in a child, which must come to its end.
fn in_child(f: impl FnOnce()) {
    if let Some(end) = fork() {
        assert_eq!(end.how, How::Exited(0), "{}", end.said);
        return;
    }
    end_child(catch_unwind(AssertUnwindSafe(f)).is_ok());
}

fn fib(mut s: Strand<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
    a + b
}

/// Some of each construct, where this thread is.
fn work() {
    assert_eq!(filch::run(|s| fib(s, 12)), 144);
    let sum = AtomicU64::new(0);
    filch::for_each(0..1_000_u64, |_, i| _ = sum.fetch_add(i, Relaxed));
    filch::for_each_item(0..100_u64, |_, i| _ = sum.fetch_add(i, Relaxed));
    filch::scope(|_, scope| {
        (0..10_u64).for_each(|i| {
            scope.spawn({
                let sum = &sum;
                move |_| _ = sum.fetch_add(i, Relaxed)
            })
        })
    });
    filch::traverse(
        [10_u64],
        || (),
        |list, n| {
            sum.fetch_add(n, Relaxed);
            (0..n.min(1)).for_each(|_| list.push(n - 1));
        },
    );
    assert_eq!(sum.into_inner(), 499_500 + 4_950 + 45 + 55);
}

fn eager_pool(scheduler: Scheduler) -> Pool {
    let scheduler = scheduler.with_period(Duration::ZERO);
    Pool::builder().workers(4).scheduler(scheduler).build().expect("a small pool")
}

/// Returns once all threads of the pool have begun. A thread that begins, or ends, holds a lock of the standard
/// library's for a moment; a child that is made then can start no threads itself.
fn await_threads(pool: &Pool) {
    fn meet(mut s: Strand<'_>, workers: usize, barrier: &Barrier) {
        if workers > 1 {
            s.join(|s| meet(s, workers - workers / 2, barrier), |s| meet(s, workers / 2, barrier));
        } else {
            barrier.wait();
        }
    }
    let barrier = Barrier::new(pool.num_workers());
    pool.run(|s| meet(s, pool.num_workers(), &barrier));
}

/// One test at a time, as others start threads.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `f` while other threads keep these pools busy.
fn while_busy(pools: &[&Pool], f: impl FnOnce()) {
    struct End<'a>(&'a AtomicBool);
    impl Drop for End<'_> {
        fn drop(&mut self) {
            self.0.store(true, Relaxed);
        }
    }
    let is_over = AtomicBool::new(false);
    pools.iter().for_each(|pool| await_threads(pool));
    let are_up = Barrier::new(2 * pools.len() + 1);
    std::thread::scope(|scope| {
        let _end = End(&is_over);
        for pool in pools {
            for _ in 0..2 {
                scope.spawn(|| {
                    are_up.wait();
                    while !is_over.load(Relaxed) {
                        pool.run(|s| fib(s, 14));
                    }
                });
            }
        }
        are_up.wait();
        f();
    });
}

#[test]
fn a_child_of_a_busy_parent_runs_on_old_pools_and_on_new_ones() {
    let _alone = alone();
    let asking = eager_pool(Scheduler::default());
    let taking = eager_pool(Scheduler::cilk5());
    let global = Pool::global().expect("a global pool");
    while_busy(&[&asking, &taking, global], || {
        for round in 0..CHILDREN {
            in_child(|| {
                work();
                for old in [&asking, &taking] {
                    assert_eq!(old.run(|s| fib(s, 12)), 144);
                    // Into each other, and into the same one again.
                    assert_eq!(old.run(|_| taking.run(|_| asking.run(|_| old.run(|s| fib(s, 12))))), 144);
                    old.run(|_| work());
                }
                // With threads of its own, some of which take.
                if round % 4 == 0 {
                    let new = eager_pool(Scheduler::cilk5());
                    assert_eq!(new.run(|s| fib(s, 16)), 987);
                    new.run(|_| asking.run(|s| fib(s, 12)));
                }
            });
        }
    });
}

/// Asks each question that has the number of workers as its answer, or an index below it.
#[test]
fn a_child_has_as_many_workers_as_it_broadcasts_to() {
    let _alone = alone();
    let pools = [eager_pool(Scheduler::default()), eager_pool("default,wait=any".parse().expect("a scheduler"))];
    let owning = Pool::builder().workers(3).own_threads(true).build().expect("a small pool");
    let global = Pool::global().expect("a global pool");
    let [a, b] = &pools;
    for pool in [a, b, &owning, global] {
        await_threads(pool);
        let agrees = |workers: usize| {
            assert_eq!((pool.num_workers(), pool.num_threads()), (workers, 0));
            assert_eq!(pool.broadcast(|_, to| (to.index(), to.num_workers())).len(), workers);
            let in_run = || (filch::num_workers(), filch::broadcast(|_, _| ()).len(), pool.current_worker().is_some());
            assert_eq!(pool.run(|_| in_run()), (workers, workers, true));
            assert_eq!(pool.run_on_worker(|_| in_run()), (workers, workers, true));
            let calls = std::sync::Arc::new(AtomicU64::new(0));
            let its = std::sync::Arc::clone(&calls);
            pool.spawn_broadcast(move |_, _| _ = its.fetch_add(1, Relaxed));
            // What nobody waits for is never part of a run of the parent's: it has the one worker of this process.
            assert_eq!(calls.load(Relaxed), 1);
            assert_eq!(pool.run(|_| (pool.has_pending_tasks(), pool.yield_now().is_some())), (Some(false), true));
            assert_eq!(pool.current_worker().is_some(), filch::is_worker());
        };
        in_child(|| {
            agrees(1);
            assert_eq!(filch::num_workers(), filch::broadcast(|_, _| ()).len());
            in_child(|| agrees(1));
            let new = Pool::builder().workers(3).build().expect("a small pool");
            assert_eq!((new.num_workers(), new.broadcast(|_, _| ()).len()), (3, 3));
        });
        // A run of the parent's goes on in its child with the workers that it had.
        let workers = pool.num_workers();
        pool.run(|_| in_child(|| agrees(workers)));
    }
}

#[test]
fn several_threads_of_a_child_may_run_on_an_old_pool_at_once() {
    let _alone = alone();
    let pool = eager_pool(Scheduler::default());
    while_busy(&[&pool], || {
        for _ in 0..CHILDREN / 4 {
            in_child(|| {
                std::thread::scope(|scope| {
                    for _ in 0..4 {
                        scope.spawn(|| (0..20).for_each(|_| assert_eq!(pool.run(|s| fib(s, 10)), 55)));
                    }
                });
            });
        }
    });
}

#[test]
fn a_child_of_a_child_of_a_busy_parent_runs_too() {
    let _alone = alone();
    let pool = eager_pool(Scheduler::default());
    while_busy(&[&pool], || {
        for _ in 0..CHILDREN / 4 {
            in_child(|| {
                assert_eq!(pool.run(|s| fib(s, 12)), 144);
                in_child(|| assert_eq!(pool.run(|s| fib(s, 12)), 144));
                // The run that forks is serial, so there is nothing that the child of it does not have.
                pool.run(|mut s| {
                    let (inner, sum) = s.join(|s| (in_child(|| pool.run(|_| work())), fib(s, 5)).1, |s| fib(s, 6));
                    assert_eq!((inner, sum), (5, 8));
                });
            });
        }
    });
}

#[test]
fn a_child_drops_a_pool_whose_threads_it_does_not_have() {
    let _alone = alone();
    for workers in 1..4 {
        let pool = Pool::builder().workers(workers).build().expect("a small pool");
        await_threads(&pool);
        assert_eq!(pool.run(|s| fib(s, 12)), 144);
        in_child(move || {
            drop(pool);
            let another = Pool::builder().workers(workers).build().expect("a small pool");
            assert_eq!(another.run(|s| fib(s, 12)), 144);
        });
    }
}

/// The child goes on with a scope, a task of which another thread of its parent runs, and may look into that thread's
/// queue at any moment of its.
#[test]
fn a_child_that_is_made_beside_a_spawner_says_what_it_lacks() {
    let _alone = alone();
    let pool = Pool::builder().workers(2).build().expect("a small pool");
    await_threads(&pool);
    for _ in 0..CHILDREN {
        let (has_begun, is_over) = (AtomicBool::new(false), AtomicBool::new(false));
        let mut end = None;
        pool.run(|mut s| {
            s.scope(|_, all| {
                all.spawn(|mut s| {
                    has_begun.store(true, Relaxed);
                    while !is_over.load(Relaxed) {
                        s.scope(|_, some| (0..1_000).for_each(|_| some.spawn(|_| ())));
                    }
                });
                while !has_begun.load(Relaxed) {
                    std::thread::yield_now();
                }
                // Long enough for its queue to be biased.
                std::thread::sleep(Duration::from_millis(1));
                end = fork();
                is_over.store(end.is_some(), Relaxed);
            })
        });
        let Some(end) = end else { end_child(true) };
        assert!(end.how == How::Aborted && end.said.contains("this child of fork(2) waits"), "{end:?}");
    }
}

/// The child goes on with the run in which it was made. Some of that may be in the hands of threads that it does not
/// have; then it says so. What it can finish itself it finishes.
#[test]
fn a_child_that_is_made_in_a_run_finishes_it_or_says_what_it_lacks() {
    let _alone = alone();
    fn tree(mut s: Strand<'_>, depth: u32, leaf: &(impl Fn() + Sync)) -> u64 {
        if depth == 0 {
            leaf();
            return 1;
        }
        let (a, b) = s.join(|s| tree(s, depth - 1, leaf), |s| tree(s, depth - 1, leaf));
        a + b
    }
    let (mut finished, mut lost) = (0, 0);
    for scheduler in ["default,period=0ns", "default", "cilk5,period=0ns", "serial"] {
        let scheduler: Scheduler = scheduler.parse().expect("a scheduler");
        let workers = if scheduler == Scheduler::serial() { 1 } else { 4 };
        let pool = Pool::builder().workers(workers).scheduler(scheduler).build().expect("a small pool");
        for round in 0..CHILDREN as u64 {
            let (leaves, ends) = (AtomicU64::new(0), Mutex::new(None));
            let is_child = AtomicBool::new(false);
            let sum = pool.run(|s| {
                tree(s, 10, &|| {
                    if leaves.fetch_add(1, Relaxed) == 16 * round {
                        match fork() {
                            None => is_child.store(true, Relaxed),
                            end => *ends.lock().unwrap() = end,
                        }
                    }
                })
            });
            if is_child.load(Relaxed) {
                end_child(sum == 1024 && pool.run(|s| fib(s, 12)) == 144);
            }
            assert_eq!(sum, 1024);
            let end = ends.into_inner().unwrap().expect("one leaf forks");
            match end.how {
                How::Exited(0) => finished += 1,
                How::Aborted => {
                    assert!(end.said.contains("this child of fork(2) waits"), "{}", end.said);
                    lost += 1;
                }
                how => panic!("{how:?}: {}", end.said),
            }
        }
    }
    assert!(finished >= CHILDREN, "those of a serial run finish: {finished}, {lost} are lost");
}
