//! Tasks that nobody awaits.

use crate::common::{self, assert_usable, await_value, must_end};
use crate::{ROUNDS, builder, has_threads, own_pool};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};

fn add(n: &AtomicUsize) {
    n.fetch_add(1, Ordering::SeqCst);
}

/// A task that spawns two more, `depth` times.
fn tree(depth: usize, done: Arc<AtomicUsize>) {
    for _ in 0..if depth > 0 { 2 } else { 0 } {
        let done = Arc::clone(&done);
        filch::spawn(move |_| tree(depth - 1, done));
    }
    add(&done);
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and what it runs is run by others")]
fn the_end_of_a_pool_waits_for_every_task() {
    must_end(|| {
        for round in 0..ROUNDS {
            for own in [false, true] {
                let pool = builder(1 + round % 3).own_threads(own).build().expect("a small pool");
                let done = Arc::new(AtomicUsize::new(0));
                let its = Arc::clone(&done);
                pool.spawn(move |_| tree(5, its));
                let its = Arc::clone(&done);
                pool.run(|_| filch::spawn_fifo(move |_| tree(5, its)));
                pool.shutdown();
                assert_eq!(done.load(Ordering::SeqCst), 2 * 63);
                assert_eq!(Arc::strong_count(&done), 1, "each task has been dropped");
            }
        }
    });
}

/// More threads than tasks: those that sleep, or are about to, learn that the last task is done.
#[test]
fn threads_without_a_task_leave_a_pool_that_ends() {
    must_end(|| {
        for round in 0..if cfg!(miri) { 6 } else { 4 * ROUNDS } {
            let pool = own_pool(4);
            pool.spawn(move |_| (0..round % 8).for_each(|_| std::thread::yield_now()));
            pool.shutdown();
        }
    });
}

#[test]
fn tasks_run_although_nobody_enters_the_pool_again() {
    must_end(|| {
        let pool = own_pool(2);
        for _ in 0..ROUNDS {
            let done = Arc::new(AtomicUsize::new(0));
            let its = Arc::clone(&done);
            pool.spawn(move |mut s| {
                s.scope(|_, scope| (0..4).for_each(|_| scope.spawn(|_| add(&its))));
            });
            await_value(&done, 4);
        }
        assert_usable(&pool);
    });
}

#[test]
fn a_released_pool_finishes_its_tasks() {
    must_end(|| {
        for _ in 0..ROUNDS {
            let (sender, receiver) = mpsc::channel();
            let pool = own_pool(2);
            for i in 0..10 {
                let sender = sender.clone();
                pool.spawn(move |_| sender.send(i).expect("the receiver waits"));
            }
            pool.release();
            drop(sender);
            let mut all: Vec<i32> = receiver.iter().collect();
            all.sort_unstable();
            assert_eq!(all, (0..10).collect::<Vec<_>>());
        }
    });
}

#[test]
fn a_task_may_own_the_last_handle_of_its_pool() {
    must_end(|| {
        for _ in 0..ROUNDS {
            let (sender, receiver) = mpsc::channel();
            let pool = Arc::new(own_pool(2));
            let its = Arc::clone(&pool);
            let gate = Arc::new(AtomicUsize::new(0));
            let its_gate = Arc::clone(&gate);
            pool.spawn(move |_| {
                if has_threads() {
                    await_value(&its_gate, 1);
                }
                drop(its);
                filch::spawn(move |mut s| sender.send(s.join(|_| 1, |_| 2)).expect("the receiver waits"));
            });
            drop(pool);
            add(&gate);
            assert_eq!(receiver.recv(), Ok((1, 2)));
        }
    });
}

#[test]
fn a_panic_goes_to_the_handler_of_panics_that_nobody_waits_for() {
    common::tell_panics_briefly();
    let [unawaited, lost] = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
    let count = |n: &Arc<AtomicUsize>| {
        let n = Arc::clone(n);
        move |_| add(&n)
    };
    for own in [false, true] {
        let handlers = builder(2).panic_handler(count(&lost)).unawaited_panic_handler(count(&unawaited));
        let pool = handlers.own_threads(own).build().expect("a small pool");
        pool.spawn(|_| panic!("in a task"));
        pool.run(|_| filch::spawn(|_| panic!("in a task")));
        pool.spawn_fifo(|mut s| s.scope(|_, scope| scope.spawn(|_| panic!("in a scope of a task"))));
        assert_usable(&pool);
        pool.shutdown();
    }
    assert_eq!((unawaited.load(Ordering::SeqCst), lost.load(Ordering::SeqCst)), (6, 0));
    // Without it, the other handler gets the payload; without both, it is dropped.
    let pool = builder(2).panic_handler(count(&lost)).build().expect("a small pool");
    pool.spawn(|_| panic!("in a task"));
    pool.shutdown();
    assert_eq!(lost.load(Ordering::SeqCst), 1);
    let pool = own_pool(2);
    pool.spawn(|_| panic!("in a task"));
    assert_usable(&pool);
}

#[test]
fn a_worker_runs_the_newest_first_or_in_fifo_order_the_oldest() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        let pool = own_pool(1);
        for is_fifo in [false, true] {
            let order = Arc::new(Mutex::new(Vec::new()));
            let (sender, receiver) = mpsc::channel::<()>();
            let its = Arc::clone(&order);
            pool.spawn(move |_| {
                for i in 0..5 {
                    let (order, sender) = (Arc::clone(&its), sender.clone());
                    let task = move |_: filch::Strand<'_>| {
                        order.lock().expect("nobody panics").push(i);
                        drop(sender);
                    };
                    if is_fifo { filch::spawn_fifo(task) } else { filch::spawn(task) }
                }
            });
            assert!(receiver.recv().is_err(), "all of them are over");
            let expected: Vec<_> = if is_fifo { (0..5).collect() } else { (0..5).rev().collect() };
            assert_eq!(*order.lock().expect("nobody panics"), expected);
        }
    });
}

#[test]
fn a_reducer_has_what_detached_tasks_put_in() {
    let sum = Arc::new(filch::Reducer::new(filch::monoids::Sum::<u64>::new()));
    let pool = own_pool(2);
    for i in 1..=100_u64 {
        let sum = Arc::clone(&sum);
        pool.spawn(move |_| sum.update(|view| *view += i));
    }
    pool.shutdown();
    assert_eq!(Arc::into_inner(sum).expect("the tasks are over").into_inner(), 5050);
}
