//! The space of P workers is at most P times that of one: S_P ≤ P·S_1, as for Cilk (Blumofe et al. 1995, section 6).
//! What is counted are bodies that have begun and not ended, whose frames are on the stacks; workspaces; and bytes on
//! the heap. A worker that waits runs only parts of what it waits for, which are deeper in the program, so no stack
//! holds more bodies than that of one worker. With `wait=any` it runs anything, and this test fails.
//!
//! A program of its own, without the test harness, whose main thread would allocate beside the test.
#![allow(missing_docs)]

mod common;

use filch::{Bits, Node, Pool, Scheduler, Steps, Strand};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How many there are, and the most that there have been at a time.
struct Count {
    now: AtomicUsize,
    peak: AtomicUsize,
}

impl Count {
    const fn new() -> Self {
        Count { now: AtomicUsize::new(0), peak: AtomicUsize::new(0) }
    }

    fn add(&self, more: usize) {
        let now = self.now.fetch_add(more, Ordering::Relaxed) + more;
        self.peak.fetch_max(now, Ordering::Relaxed);
    }

    fn remove(&self, less: usize) {
        self.now.fetch_sub(less, Ordering::Relaxed);
    }

    /// The most beyond what there was before, while `f` runs.
    fn peak(&self, f: impl FnOnce()) -> usize {
        let before = self.now.load(Ordering::SeqCst);
        self.peak.store(before, Ordering::SeqCst);
        f();
        self.peak.load(Ordering::SeqCst) - before
    }
}

/// The system's allocator, counting bytes.
struct Counting;

static BYTES: Count = Count::new();

// SAFETY: all is forwarded to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.add(layout.size());
        // SAFETY: forwarded.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        BYTES.remove(layout.size());
        // SAFETY: forwarded.
        unsafe { System.dealloc(memory, layout) };
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bodies on all stacks.
static BODIES: Count = Count::new();
/// The most bodies on one stack.
static TALLEST: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Bodies on this stack.
    static HERE: Cell<usize> = const { Cell::new(0) };
}

/// A body, from its begin to its end.
struct Body;

impl Body {
    fn begin() -> Self {
        BODIES.add(1);
        HERE.set(HERE.get() + 1);
        TALLEST.fetch_max(HERE.get(), Ordering::Relaxed);
        Body
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        BODIES.remove(1);
        HERE.set(HERE.get() - 1);
    }
}

/// A number that looks random.
fn mixed(seed: u64) -> u64 {
    let seed = (seed ^ seed >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    seed ^ seed >> 29
}

/// A tree of joins of so many nodes, with branches of any sizes. A leaf lets other threads run, so that more is shared.
fn tree(mut s: Strand<'_>, seed: u64, nodes: u64) {
    let _body = Body::begin();
    if nodes <= 1 {
        return std::thread::yield_now();
    }
    let first = mixed(seed) % nodes;
    s.join(|s| tree(s, mixed(seed + 1), first), |s| tree(s, mixed(seed + 2), nodes - 1 - first));
}

const LOOPS: usize = 3;

/// Loops in loops, of so many iterations each.
fn nest(mut s: Strand<'_>, depth: usize, iterations: usize) {
    s.for_each(0..iterations, |s, _| {
        let _body = Body::begin();
        if depth > 1 { nest(s, depth - 1, iterations) } else { std::thread::yield_now() }
    });
}

/// Workspaces of a search.
static WORKSPACES: Count = Count::new();

struct Workspace(u32);

impl Workspace {
    fn at(level: u32) -> Self {
        WORKSPACES.add(1);
        Workspace(level)
    }
}

impl Clone for Workspace {
    fn clone(&self) -> Self {
        Workspace::at(self.0)
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        WORKSPACES.remove(1);
    }
}

fn search(mut s: Strand<'_>, depth: u32) {
    let problem = Steps::new(
        |at: &mut Workspace| {
            if at.0 == depth {
                std::thread::yield_now();
                return Node::Solution;
            }
            Node::Choices(Bits(0b111))
        },
        |at: &mut Workspace, _| at.0 += 1,
        |at: &mut Workspace, _| at.0 -= 1,
    );
    s.search(&problem, Workspace::at(0)).count();
}

/// Those of the tests' scheduler, and of one that takes.
fn pools(workers: usize) -> impl Iterator<Item = Pool> {
    let taking = Scheduler::cilk5().with_period(Duration::ZERO);
    let taking = Pool::builder().workers(workers).scheduler(taking).build().ok();
    [common::eager_pool(workers)].into_iter().chain(taking)
}

/// Runs `program` on one worker and on several, again and again, and compares what each has at a time at most.
fn compare(name: &str, count: &Count, program: impl Fn(Strand<'_>) + Sync, most: impl Fn(usize, usize) -> usize) {
    let alone = common::eager_pool(1);
    // What starts lazily has started.
    alone.run(&program);
    let one = count.peak(|| alone.run(&program));
    for workers in [2, 3, 4] {
        for pool in pools(workers) {
            let mut peak = 0;
            for _ in 0..if cfg!(miri) { 1 } else { 20 } {
                peak = peak.max(count.peak(|| pool.run(&program)));
            }
            let most = most(workers, one);
            println!("{name} under {}: S_1 = {one}, S_{workers} = {peak} ≤ {most}", pool.scheduler());
            assert!(peak <= most, "{name} under {} on {workers} workers: {peak}, at most {most}", pool.scheduler());
        }
    }
}

fn main() {
    let (nodes, iterations, depth) = if cfg!(miri) { (50, 3, 2) } else { (2_000, 12, 7) };
    for (name, program) in [
        ("bodies of joins", &(|s: Strand<'_>| tree(s, 1, nodes)) as &(dyn Fn(Strand<'_>) + Sync)),
        ("bodies of loops", &|s: Strand<'_>| nest(s, LOOPS, iterations)),
    ] {
        TALLEST.store(0, Ordering::SeqCst);
        common::eager_pool(1).run(program);
        let tallest = TALLEST.load(Ordering::SeqCst);
        compare(name, &BODIES, program, |workers, one| workers * one);
        assert_eq!(TALLEST.load(Ordering::SeqCst), tallest, "{name} on one stack");
    }
    // The copy in which a part is made ready counts, too.
    let copies = |workers, one| workers * (depth as usize + one);
    compare("workspaces of a search", &WORKSPACES, |s| search(s, depth), copies);
    // A worker keeps the parts that it has taken, and the last times of its steals.
    for (name, iterations) in [("bytes of short loops", iterations / 3), ("bytes of long loops", 2 * iterations)] {
        compare(name, &BYTES, |s| nest(s, LOOPS, iterations), |workers, one| workers * (one + 16_384));
    }
    println!("test several_workers_take_no_more_than_so_many_times_the_space_of_one ... ok");
}
