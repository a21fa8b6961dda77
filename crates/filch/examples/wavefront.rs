//! The longest common subsequence of two texts, by a task graph of blocks: each depends on the one to its left and the
//! one above it, so a diagonal front of blocks runs in parallel.
//!
//! ```text
//! cargo run --release -p filch --example wavefront -- [LETTERS] [BLOCK]
//! ```

use filch::{GraphTask, TaskGraph};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// A text of four letters.
fn text(len: usize, seed: u64) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    std::iter::repeat_with(|| random.u8(0..4)).take(len).collect()
}

/// Computes the part `rows` × `columns` of the table. Before it, `above` has the row over the part, and `left` the
/// column beside it; afterwards, its last row and its last column. `corner` is the entry before both, and is replaced
/// by the one for the part to the right.
fn part(a: &[u8], b: &[u8], above: &[AtomicU32], left: &[AtomicU32], corner: &AtomicU32) {
    let next_corner = above[b.len() - 1].load(Ordering::Relaxed);
    let mut row: Vec<u32> = above.iter().map(|entry| entry.load(Ordering::Relaxed)).collect();
    let mut before = corner.load(Ordering::Relaxed);
    for (&letter, left) in a.iter().zip(left) {
        let (mut diagonal, mut last) = (before, left.load(Ordering::Relaxed));
        before = last;
        for (entry, &other) in row.iter_mut().zip(b) {
            let over = *entry;
            last = if letter == other { diagonal + 1 } else { over.max(last) };
            (*entry, diagonal) = (last, over);
        }
        left.store(last, Ordering::Relaxed);
    }
    row.into_iter().zip(above).for_each(|(entry, place)| place.store(entry, Ordering::Relaxed));
    corner.store(next_corner, Ordering::Relaxed);
}

fn zeros(len: usize) -> Vec<AtomicU32> {
    std::iter::repeat_with(|| AtomicU32::new(0)).take(len).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<usize>());
    let len = arguments.next().unwrap_or(Ok(4_000))?.max(1);
    let block = arguments.next().unwrap_or(Ok(200))?.max(1);
    let (a, b) = (text(len, 1), text(len, 2));

    let begin = Instant::now();
    let (row, column, corner) = (zeros(len), zeros(len), AtomicU32::new(0));
    part(&a, &b, &row, &column, &corner);
    let serial = row[len - 1].load(Ordering::Relaxed);
    println!("serial: {serial} of {len} letters, {:.1?}", begin.elapsed());

    let (row, column, corners) = (zeros(len), zeros(len), zeros(len.div_ceil(block)));
    let graph = TaskGraph::builder();
    let mut over: Vec<GraphTask<'_, '_>> = Vec::new();
    for ((a, left), corner) in a.chunks(block).zip(column.chunks(block)).zip(&corners) {
        let mut tasks: Vec<GraphTask<'_, '_>> = Vec::new();
        for (i, (b, above)) in b.chunks(block).zip(row.chunks(block)).enumerate() {
            let task = graph.task(move |_| part(a, b, above, left, corner));
            let left_and_above = tasks.last().into_iter().chain(over.get(i)).copied().collect::<Vec<_>>();
            tasks.push(task.after(&left_and_above));
        }
        over = tasks;
    }
    let mut graph = graph.build()?;
    let tasks = graph.len();
    let begin = Instant::now();
    graph.run();
    let found = row[len - 1].load(Ordering::Relaxed);
    println!("{tasks} tasks: {found} letters, {:.1?} with {} workers", begin.elapsed(), filch::num_workers());
    assert_eq!(found, serial);
    Ok(())
}
