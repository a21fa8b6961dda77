//! A file of a few bytes takes at most 64 MiB, whatever it declares.
//!
//! The only test of its process, because the allocator counts for all of it.
#![allow(missing_docs)]

mod common;

use common::files::Directory;
use filch_graph::Graph;
use filch_graph_io::read::{Kept, Loaded, ReadError, ReadOptions, read_kept};
use std::alloc::{GlobalAlloc, Layout, System};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, counting.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// `realloc` is that of the trait, which allocates, copies and frees, so that both blocks are counted.
// SAFETY: all is forwarded to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
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

/// What docs/graphs.md promises for a file of a few bytes.
const MOST_BYTES: usize = 64 << 20;

/// The most vertices that are accepted without as many edges.
const MOST_VERTICES: u64 = 1 << 21;

fn read(path: &Path) -> Result<Loaded<Kept>, ReadError> {
    read_kept(path, &ReadOptions { directed: true, ..ReadOptions::default() }, &mut |_| ControlFlow::Continue(()), &())
}

/// A file of each format whose vertices are declared or named, of `n` vertices.
fn files(n: u64) -> [(&'static str, String); 7] {
    let last = n - 1;
    [
        ("list.el", format!("0 {last}\n")),
        ("list.wel", format!("0 {last} 5\n")),
        ("plain.mtx", format!("%%MatrixMarket matrix coordinate pattern general\n{n} {n} 1\n1 {n}\n")),
        ("real.mtx", format!("%%MatrixMarket matrix coordinate real general\n{n} {n} 1\n1 {n} 0.5\n")),
        ("symmetric.mtx", format!("%%MatrixMarket matrix coordinate integer symmetric\n{n} {n} 1\n{n} 1 7\n")),
        ("paths.gr", format!("p sp {n} 1\na 1 {n} 5\n")),
        ("empty.gr", format!("p sp {n} 0\n")),
    ]
}

#[test]
fn a_file_of_a_few_bytes_takes_at_most_64_mebibytes_whatever_it_declares() {
    let folder = Directory::new();
    for (name, text) in files(MOST_VERTICES) {
        let path = folder.file(name, text.as_bytes());
        let before = LIVE.load(Ordering::SeqCst);
        PEAK.store(before, Ordering::SeqCst);
        let loaded = read(&path).expect("few vertices");
        let taken = PEAK.load(Ordering::SeqCst) - before;
        assert!(taken <= MOST_BYTES + 3 * text.len(), "{name}: {taken} bytes for a file of {}", text.len());
        let num_vertices = match &loaded.graph {
            Kept::Plain(graph) => graph.num_vertices(),
            Kept::Weighted(graph) => graph.num_vertices(),
        };
        assert_eq!(num_vertices as u64, MOST_VERTICES, "{name}");
        println!("{name}: at most {taken} bytes");
    }
    for (name, text) in files(MOST_VERTICES + 1) {
        let path = folder.file(name, text.as_bytes());
        let error = read(&path).expect_err("more vertices than are accepted").to_string();
        // A list has no header that declares a number, so its message names the highest vertex.
        let named = if name.ends_with("el") { MOST_VERTICES } else { MOST_VERTICES + 1 };
        assert!(error.contains(&named.to_string()), "{name}: {error}");
    }
}
