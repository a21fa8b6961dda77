//! A worker that has slept for long is called as soon as there is work for it, and finds that work.

use crate::assert_no_worker_was_late;
use crate::common::{await_value, must_end, scheduler, takes};
use crate::meeting::meet;
use filch::{Pool, Scheduler, Wait};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Long enough for workers that have nothing to do to arrange to be called, and to sleep.
const QUIET: Duration = Duration::from_millis(20);

const ROUNDS: usize = 30;

/// All seats are taken: by the worker that waits, by the one that it waits for, and by one that has work to share.
#[test]
fn a_worker_that_waits_and_runs_anything_is_called_for_the_first_fork_of_a_run() {
    if !takes() {
        return;
    }
    must_end(|| {
        let scheduler = scheduler().with_wait(Wait::Any);
        let pool = &Pool::builder().workers(3).scheduler(scheduler).build().expect("a small pool");
        let step = &AtomicUsize::new(0);
        let waited_for = |_: filch::Strand<'_>| {
            step.store(1, Ordering::SeqCst);
            await_value(step, 2);
        };
        thread::scope(|threads| {
            threads.spawn(|| pool.run(|mut s| s.join(|_| await_value(step, 1), waited_for)));
            await_value(step, 1);
            for _ in 0..ROUNDS {
                thread::sleep(QUIET);
                meet(2, |meeting| {
                    pool.run(|mut s| s.join(|_| meeting.attend(), |_| meeting.attend()));
                });
            }
            step.store(2, Ordering::SeqCst);
        });
        assert_no_worker_was_late(pool);
    });
}

/// Under CAB, what a worker may run depends on its squad. Each leaf has a worker of its squad called, and the fork
/// above the boundary level has the head of the other squad called.
#[test]
fn a_worker_is_called_for_what_its_squad_may_run() {
    if !takes() {
        return;
    }
    must_end(|| {
        let cab = Scheduler::cab().with_boundary(2).with_period(Duration::ZERO);
        let topology = "2x2".parse().expect("a topology");
        let pool = Pool::builder().scheduler(cab).topology(topology).build().expect("a small pool");
        for _ in 0..ROUNDS {
            meet(4, |meeting| {
                pool.run(|mut s| {
                    // The run is active from the first fork on.
                    s.join(|_| (), |_| ());
                    thread::sleep(QUIET);
                    let leaf = |mut s: filch::Strand<'_>| {
                        thread::sleep(QUIET);
                        s.join(|_| meeting.attend(), |_| meeting.attend());
                    };
                    s.join(leaf, leaf);
                });
            });
        }
        assert_no_worker_was_late(&pool);
    });
}

/// On one processor, a worker that is called runs at once, before the one that has called it goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_is_called_on_one_processor_finds_what_it_was_called_for() {
    fn stay_on_one_processor() {
        // SAFETY: a set of processors is an array of integers.
        let mut processors: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: the set lives, and is as large as that.
        let status = unsafe { libc::sched_getaffinity(0, size_of_val(&processors), &raw mut processors) };
        assert_eq!(status, 0);
        // SAFETY: below the size of a set.
        let first = (0..libc::CPU_SETSIZE as usize).find(|&cpu| unsafe { libc::CPU_ISSET(cpu, &processors) });
        // SAFETY: it is a set.
        unsafe { libc::CPU_ZERO(&mut processors) };
        // SAFETY: below the size of a set.
        unsafe { libc::CPU_SET(first.expect("this runs on one"), &mut processors) };
        // SAFETY: as above.
        let status = unsafe { libc::sched_setaffinity(0, size_of_val(&processors), &raw const processors) };
        assert_eq!(status, 0);
    }

    if !takes() {
        return;
    }
    // In a thread of its own; those of the pool stay on the same processor.
    must_end(|| {
        stay_on_one_processor();
        let pool = Pool::builder().workers(2).scheduler(scheduler()).build().expect("a small pool");
        let begun = AtomicUsize::new(0);
        pool.run(|mut s| {
            let helped = |mut s: filch::Strand<'_>| {
                begun.store(1, Ordering::SeqCst);
                for _ in 0..ROUNDS {
                    // The system prefers a thread that has slept all the while.
                    let begin = Instant::now();
                    while begin.elapsed() < QUIET {}
                    meet(2, |meeting| {
                        s.join(|_| meeting.attend(), |_| meeting.attend());
                    });
                }
            };
            s.join(|_| await_value(&begun, 1), helped);
        });
        assert_no_worker_was_late(&pool);
    });
}
