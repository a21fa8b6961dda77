//! Forks allocate nothing, taken or not; nor do spawns of small closures, once there have been as many before, nor
//! speculations with such children, nor runs of task graphs.
//!
//! A program of its own, without the test harness, whose main thread would allocate beside the test.
#![allow(missing_docs)]

mod common;

use filch::{Aborted, SpeculativeStrand, Strand};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, counting.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all is forwarded to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: forwarded.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: forwarded.
        unsafe { System.dealloc(memory, layout) };
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn explicit(mut s: Strand<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = s.join(|s| explicit(s, n - 1), |s| explicit(s, n - 2));
    a + b
}

fn implicit(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = filch::join(|| implicit(n - 1), || implicit(n - 2));
    a + b
}

/// A tree of tasks in one scope, whose closures are as large as fits.
fn spawn<'scope>(scope: &'scope filch::Scope<'scope, '_>, depth: u64, done: &'scope AtomicUsize) {
    let large = [depth; 5];
    done.fetch_add(1, Ordering::Relaxed);
    if depth > 0 {
        (0..2).for_each(|_| scope.spawn(move |_| spawn(scope, large[4] - 1, done)));
    }
}

fn spawned(mut s: Strand<'_>) -> usize {
    let done = AtomicUsize::new(0);
    s.scope(|_, scope| spawn(scope, 8, &done));
    s.scope_fifo(|_, scope| spawn(scope, 8, &done));
    done.into_inner()
}

/// Nested speculations with children of either kind.
fn speculated(mut s: SpeculativeStrand<'_>, depth: u64) -> Result<u64, Aborted> {
    let (sum, ()) = s.speculate(1, |p, _| {
        if depth > 0 {
            p.spawn_each(0..2, |s, _, _| speculated(s, depth - 1), |sum, n| *sum += n);
            p.spawn_add(move |s, _| speculated(s, depth - 1));
        }
    })?;
    Ok(sum)
}

/// A long loop of spawns, whose children are as large as fits.
fn looped(mut s: Strand<'_>) -> u64 {
    let (sum, ()) = s.speculate(0, |p, _| {
        for n in 0..if cfg!(miri) { 1_000 } else { 100_000 } {
            let large = [n; 6];
            p.spawn_add(move |_, _| Ok(large[5]));
        }
    });
    sum
}

/// `n` branches that wait for each other.
fn meet(mut s: Strand<'_>, n: usize, all_here: &std::sync::Barrier) {
    if n == 1 {
        all_here.wait();
    } else {
        s.join(|_| all_here.wait(), |s| meet(s, n - 1, all_here));
    }
}

const SIDE: usize = 20;

/// A square whose tasks each depend on the one to the left and the one above.
fn square(ran: &AtomicUsize) -> filch::TaskGraph<'_> {
    let graph = filch::TaskGraph::builder();
    let mut tasks: Vec<filch::GraphTask<'_, '_>> = Vec::new();
    for i in 0..SIDE * SIDE {
        let task = graph.task(|_| _ = ran.fetch_add(1, Ordering::Relaxed));
        if i % SIDE > 0 {
            task.after(&[tasks[i - 1]]);
        }
        if i >= SIDE {
            task.after(&[tasks[i - SIDE]]);
        }
        tasks.push(task);
    }
    drop(tasks);
    graph.build().expect("a square has no cycles")
}

fn main() {
    for workers in [1, 3] {
        let pool = common::eager_pool(workers);
        // All threads have started, which allocates, once all have met.
        let all_here = std::sync::Barrier::new(workers);
        pool.run(|s| meet(s, workers, &all_here));
        // Once before counting, so that what starts lazily (thread-locals of the system, the clock) has started.
        let run = || pool.run(|s| explicit(s, 18)) + pool.run(|_| implicit(18));
        let expected = run();
        let (allocated, tasks) = (ALLOCATIONS.load(Ordering::SeqCst), common::tasks(&pool));
        while common::tasks(&pool) < tasks + if workers > 1 { 100 } else { 0 } {
            assert_eq!(run(), expected);
        }
        assert_eq!(run(), expected);
        let allocated = ALLOCATIONS.load(Ordering::SeqCst) - allocated;
        // Before its first visit, which may come late, a thief allocates memory for a part of a loop, and keeps it. A
        // worker's shelf grows with the frames that it leaves at a time. Both happen a few times per worker, however
        // many forks move.
        let most = if workers == 1 { 0 } else { 4 * workers };
        assert!(allocated <= most, "{allocated} with {workers} workers");
    }
    println!("test forks_allocate_nothing_taken_or_not ... ok");
    for workers in [1, 3] {
        let pool = common::eager_pool(workers);
        let tasks = pool.run(spawned);
        let allocated = ALLOCATIONS.load(Ordering::SeqCst);
        let runs = 100;
        (0..runs).for_each(|_| assert_eq!(pool.run(spawned), tasks));
        let allocated = ALLOCATIONS.load(Ordering::SeqCst) - allocated;
        // A worker's pool of tasks grows when it holds more than ever before, and threads start.
        let most = if workers == 1 { 0 } else { runs * tasks / 100 };
        assert!(allocated <= most, "{allocated} for {} tasks with {workers} workers", runs * tasks);
    }
    println!("test spawns_of_small_closures_allocate_nothing ... ok");
    let pool = common::eager_pool(1);
    let run = || (pool.run(|s| speculated(s.into(), 6)), pool.run(looped));
    let expected = run();
    let allocated = ALLOCATIONS.load(Ordering::SeqCst);
    (0..10).for_each(|_| assert_eq!(run(), expected));
    assert_eq!(ALLOCATIONS.load(Ordering::SeqCst), allocated);
    println!("test speculations_of_small_children_allocate_nothing ... ok");
    let ran = AtomicUsize::new(0);
    let mut graph = square(&ran);
    pool.run(|s| graph.run_in(s));
    let allocated = ALLOCATIONS.load(Ordering::SeqCst);
    (0..10).for_each(|_| pool.run(|s| graph.run_in(s)));
    assert_eq!(ALLOCATIONS.load(Ordering::SeqCst), allocated);
    assert_eq!(ran.load(Ordering::Relaxed), 11 * SIDE * SIDE);
    println!("test runs_of_task_graphs_allocate_nothing ... ok");
}
