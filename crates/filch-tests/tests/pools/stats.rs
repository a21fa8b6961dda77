//! What each worker of a pool does and has done, and the seats that are free.

use super::common::await_value;
use super::{ROUNDS, begun_elsewhere, tree_on};
use filch::{Activity, Counters, Pool, Scheduler, WorkerStats};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, mpsc};

fn pool(workers: usize) -> Pool {
    Pool::builder().workers(workers).build().expect("a small pool")
}

#[test]
fn what_the_workers_have_done_is_what_the_pool_has_counted() {
    let pool = pool(3);
    for _ in 0..ROUNDS.min(20) {
        tree_on(&pool);
    }
    let (before, workers, after) = (pool.counters(), pool.worker_stats(), pool.counters());
    assert!(workers.iter().map(|worker| worker.index).eq(0..workers.len()) && workers.len() >= 3);
    for ((name, before), (_, after)) in before.iter().zip(after.iter()) {
        let of = |counters: &Counters| counters.iter().find(|(other, _)| *other == name).expect("all have it").1;
        let sum: u64 = workers.iter().map(|worker| of(&worker.counters)).sum();
        assert!((before..=after).contains(&sum), "{name}: {before} to {after}, but {sum}");
    }
}

#[test]
fn a_task_that_has_moved_is_seen_and_so_is_who_sleeps_afterwards() {
    let pool = pool(2);
    let activities = || -> Vec<Activity> { pool.worker_stats().iter().map(|worker| worker.activity).collect() };
    let (mut seen, mut seats) = (Vec::new(), None);
    pool.run(|mut s| {
        begun_elsewhere(&mut s, |_| {
            seats = Some(pool.seat_stats());
            seen = activities();
        })
    });
    // The caller runs the first branch, or waits for the second one in one of several ways.
    assert!(seen.contains(&Activity::Task) && !seen.contains(&Activity::Away), "{seen:?}");
    assert_eq!(seats.map(|seats| (seats.seats, seats.free, seats.waiting)), Some((2, 0, 0)));
    // The caller has left, and with time the other one sleeps, though it may look for work again before that.
    while activities() != [Activity::Away, Activity::Sleep] || pool.seat_stats().free != 2 {
        std::thread::yield_now();
    }
}

#[test]
fn a_run_that_waits_for_a_seat_is_seen() {
    let pool = Pool::builder().workers(1).scheduler(Scheduler::default()).build().expect("a small pool");
    let is_seen = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (begun, has_begun) = mpsc::channel();
        let (pool, is_seen) = (&pool, &is_seen);
        scope.spawn(move || {
            pool.run(|_| {
                begun.send(()).expect("somebody waits");
                await_value(is_seen, 1);
            })
        });
        has_begun.recv().expect("a run that begins");
        scope.spawn(|| pool.run(|_| ()));
        while pool.seat_stats().waiting == 0 && pool.counters().seats_exceeded == 0 {
            std::thread::yield_now();
        }
        assert_eq!(pool.seat_stats().free, 0);
        is_seen.store(1, Ordering::SeqCst);
    });
    assert_eq!((pool.seat_stats().free, pool.seat_stats().waiting), (1, 0));
}

/// One worker counts a fork wherever its ladder is full, the same number each time.
#[test]
fn an_interval_has_what_came_after_the_one_before() {
    let pool = Pool::builder().workers(1).ladder_capacity(2).build().expect("a small pool");
    let overflowed = |worker: &WorkerStats| worker.counters.overflowed_forks;
    tree_on(&pool);
    let once = overflowed(&pool.worker_stats()[0]);
    assert!(once > 0);
    let mut intervals = pool.intervals();
    let mut next = || intervals.next().map(|interval| overflowed(&interval.workers[0]));
    tree_on(&pool);
    assert_eq!(next(), Some(once));
    assert_eq!(next(), Some(0));
    tree_on(&pool);
    tree_on(&pool);
    assert_eq!(next(), Some(2 * once));
}

#[test]
fn a_spare_worker_stands_behind_the_others() {
    let pool = pool(1);
    let meeting = Barrier::new(2);
    std::thread::scope(|scope| {
        scope.spawn(|| pool.run(|_| filch::blocking(|| _ = meeting.wait())));
        // Both are inside at once, though there is one seat: whoever came first has left it.
        pool.run(|_| {
            filch::blocking(|| {
                meeting.wait();
                let workers = pool.worker_stats();
                assert!(workers.len() > 1 && workers.iter().any(|it| it.activity == Activity::Block), "{workers:?}");
                assert!(workers.iter().map(|it| it.index).eq(0..workers.len()));
            });
        });
    });
}

#[test]
fn each_counter_is_described() {
    let names: Vec<_> = Counters::default().iter().map(|(name, _)| name).collect();
    assert!(Counters::descriptions().map(|(name, _)| name).eq(names));
    assert!(Counters::descriptions().all(|(_, text)| text.ends_with('.') && !text.contains("  ")));
}
