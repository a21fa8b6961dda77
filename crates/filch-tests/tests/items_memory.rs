//! Spawn loops take memory for the work that moves, as much as there are workers, and none for their items.
//!
//! A program of its own, without the test harness, whose main thread would allocate beside the test.
#![allow(missing_docs)]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, counting.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all is forwarded to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        let live = LIVE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(live, Ordering::Relaxed);
        // SAFETY: forwarded.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: forwarded.
        unsafe { System.dealloc(memory, layout) };
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes that were allocated while `f` ran, beyond those before.
fn peak_bytes(f: impl FnOnce()) -> usize {
    let before = LIVE.load(Ordering::SeqCst);
    PEAK.store(before, Ordering::SeqCst);
    f();
    PEAK.load(Ordering::SeqCst) - before
}

fn many_cheap_items_take_less_than_a_mebibyte() {
    let count = if cfg!(debug_assertions) { 1_000_000 } else { 100_000_000_u64 };
    for workers in [1, 3] {
        for pool in [common::eager_pool(workers), filch::Pool::builder().workers(workers).build().expect("a pool")] {
            // What starts lazily has started.
            pool.run(|mut s| s.for_each_item(0..1000_u64, |_, i| _ = black_box(i)));
            let allocations = ALLOCATIONS.load(Ordering::SeqCst);
            let bytes = peak_bytes(|| pool.run(|mut s| s.for_each_item(0..count, |_, i| _ = black_box(i))));
            assert!(bytes <= 1 << 20, "{bytes} bytes for {count} items on {workers} workers");
            let allocations = ALLOCATIONS.load(Ordering::SeqCst) - allocations;
            if workers == 1 {
                assert_eq!(allocations, 0, "nothing moves");
            }
            println!("{workers} workers: at most {bytes} bytes, {allocations} allocations");
        }
    }
}

/// The right to iterate moves among the others again and again while the worker that began the loop is at its first
/// item.
fn parts_do_not_pile_up_while_the_beginner_is_busy() {
    if !common::takes() {
        return;
    }
    /// A worker keeps the last 1024 times of each of three operations, from the first one on.
    const SAMPLES_BYTES: usize = 3 * 4 * 1024;
    let pool = common::eager_pool(4);
    let enough = 1_000;
    let mut made_on = None;
    let moves = AtomicUsize::new(0);
    // The right to iterate has moved each time that another thread than before asks for an item.
    let items = std::iter::from_fn(|| {
        let here = Some(std::thread::current().id());
        moves.fetch_add(usize::from(made_on != here), Ordering::Relaxed);
        made_on = here;
        (moves.load(Ordering::Relaxed) < enough).then(|| moves.load(Ordering::Relaxed))
    });
    let bytes = peak_bytes(|| {
        pool.run(|mut s| {
            s.for_each_item(items, |_, moved| {
                if moved == 1 {
                    common::await_value(&moves, enough);
                } else {
                    // Lets another worker take the rest, which is rare otherwise if there are fewer processors.
                    std::thread::yield_now();
                }
            });
        });
    });
    let moves = moves.into_inner();
    println!("{moves} moves: at most {bytes} bytes");
    assert!(bytes < 16_384 + 4 * SAMPLES_BYTES, "{bytes} bytes after {moves} moves");
}

fn main() {
    many_cheap_items_take_less_than_a_mebibyte();
    parts_do_not_pile_up_while_the_beginner_is_busy();
    println!("test spawn_loops_take_memory_for_what_moves_only ... ok");
}
