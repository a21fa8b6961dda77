//! Forks allocate nothing, taken or not.
//!
//! A program of its own, without the test harness, whose main thread would allocate beside the test.
#![allow(missing_docs)]

mod common;

use filch::Strand;
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

/// `n` branches that wait for each other.
fn meet(mut s: Strand<'_>, n: usize, all_here: &std::sync::Barrier) {
    if n == 1 {
        all_here.wait();
    } else {
        s.join(|_| all_here.wait(), |s| meet(s, n - 1, all_here));
    }
}

fn main() {
    for workers in [1, 3] {
        let pool = common::eager_pool(workers);
        // All threads have started, which allocates, once all have met.
        let all_here = std::sync::Barrier::new(workers);
        pool.run(|s| meet(s, workers, &all_here));
        // Once before counting: whatever starts lazily (thread-locals of the system, the clock) has started.
        let run = || pool.run(|s| explicit(s, 18)) + pool.run(|_| implicit(18));
        let expected = run();
        let (allocated, taken) = (ALLOCATIONS.load(Ordering::SeqCst), pool.counters().forks_taken);
        while pool.counters().forks_taken < taken + if workers > 1 { 100 } else { 0 } {
            assert_eq!(run(), expected);
        }
        assert_eq!(run(), expected);
        assert_eq!(ALLOCATIONS.load(Ordering::SeqCst) - allocated, 0, "with {workers} workers");
    }
    println!("test forks_allocate_nothing_taken_or_not ... ok");
}
