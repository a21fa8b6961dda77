//! A search allocates nothing for a node.
//!
//! A program of its own, without the test harness, whose main thread would allocate beside the test.
#![allow(missing_docs)]

mod common;

use filch::{Bits, Node, Steps};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, counting bytes.
struct Counting;

static BYTES: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all is forwarded to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size(), Ordering::Relaxed);
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

/// The bytes that a search on one worker allocates whose tree has this depth, and the nodes that it visits.
fn bytes(pool: &filch::Pool, depth: u32) -> (usize, u64) {
    let tree = Steps::new(
        |level: &mut u32| if *level == depth { Node::Solution } else { Node::Choices(Bits(0b111)) },
        |level: &mut u32, _| *level += 1,
        |level: &mut u32, _| *level -= 1,
    );
    let before = BYTES.load(Ordering::SeqCst);
    let leaves = pool.run(|mut s| s.search(&tree, 0).count());
    (BYTES.load(Ordering::SeqCst) - before, leaves + leaves / 2)
}

fn main() {
    let pool = common::eager_pool(1);
    // Once before counting, so that what starts lazily has started.
    bytes(&pool, 2);
    let (small, _) = bytes(&pool, 2);
    let (large, nodes) = bytes(&pool, if cfg!(miri) { 4 } else { 13 });
    assert!(cfg!(miri) || nodes > 1_000_000);
    assert_eq!(large, small, "bytes for {nodes} nodes");
    println!("test a_search_allocates_nothing_for_a_node ... ok");
}
