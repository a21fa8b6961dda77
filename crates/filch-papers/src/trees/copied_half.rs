//! The traversal in `stub_tree.rs` with steals as the C program has them (Cong, Kodali, Krishnamoorthy, Lea, Saraswat
//! and Wen 2008, section 3.1): *no synchronization is invoked*, so a thief may read entries that are not there any
//! more.
//!
//! **Steals.** A thief copies the older half of a stack, and the victim keeps it. So both visit these vertices, and the
//! later one finds that their neighbors have been visited. If the thief moved the bottom of the stack instead, what the
//! victim has meanwhile put below the new bottom would be lost. An entry that the thief reads has been claimed,
//! whether the victim still has it or not, so visiting it is harmless.
//!
//! **Who writes.** The entries and `top` are written by the thread of the stack, `copied` by any. It is a hint, so that
//! the next thief does not copy the same entries. All are relaxed. A thief fences before it visits what it has copied:
//! with claims by a fence, the claim of a vertex must come before the loads of its neighbors' parents.
//!
//! **End.** A thread is idle if its stack is empty, and fills only its own. So if all are idle, all vertices that have
//! been found have been visited by the thread that has found them.

use super::claim::Claim;
use super::grower::Grower;
use super::result::{Counts, TreeError};
use super::rows::Rows;
use super::stub_tree::walk;
use super::team::on_threads;
use filch_graph::{AtomicVertex, Vertex};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

/// The entries of the first segment of a stack. Each of the others has twice as many as the one before it.
const FIRST: usize = 1 << 10;

/// With these, a stack has room for more vertices than there are addresses.
const SEGMENTS: usize = (usize::BITS - FIRST.ilog2()) as usize;

/// A stack that one thread changes and all read.
struct Stack<V: Vertex> {
    segments: [OnceLock<Box<[V::Atomic]>>; SEGMENTS],
    top: AtomicUsize,
    /// Thieves have copied what is below.
    copied: AtomicUsize,
}

impl<V: Vertex> Stack<V> {
    fn new() -> Self {
        let segments = [const { OnceLock::new() }; SEGMENTS];
        Stack { segments, top: AtomicUsize::new(0), copied: AtomicUsize::new(0) }
    }

    /// The segment of an entry, its length, and the place of the entry there.
    fn place(index: usize) -> (usize, usize, usize) {
        let from_first = index + FIRST;
        let len = 1 << from_first.ilog2();
        ((len / FIRST).ilog2() as usize, len, from_first - len)
    }

    fn push(&self, v: V) {
        let top = self.top.load(Ordering::Relaxed);
        let (segment, len, place) = Self::place(top);
        let blank = || (0..len).map(|_| V::Atomic::new(V::NONE)).collect();
        self.segments[segment].get_or_init(blank)[place].store(v);
        self.top.store(top + 1, Ordering::Relaxed);
    }

    fn pop(&self) -> Option<V> {
        let top = self.top.load(Ordering::Relaxed).checked_sub(1)?;
        self.top.store(top, Ordering::Relaxed);
        if self.copied.load(Ordering::Relaxed) > top {
            self.copied.store(top, Ordering::Relaxed);
        }
        self.read(top)
    }

    /// What is, was or will be in this entry; `None` if nothing is known of it here.
    fn read(&self, index: usize) -> Option<V> {
        let (segment, _, place) = Self::place(index);
        let v = self.segments[segment].get()?[place].load();
        (v != V::NONE).then_some(v)
    }

    /// The entries to be copied: the older half of those that have not been, as far as is known.
    fn older_half(&self) -> std::ops::Range<usize> {
        let (from, top) = (self.copied.load(Ordering::Relaxed), self.top.load(Ordering::Relaxed));
        from..from + top.saturating_sub(from) / 2
    }

    /// Copies the older half of another stack. Returns how many vertices that are.
    fn copy_half(&self, victim: &Self) -> usize {
        let half = victim.older_half();
        victim.copied.store(half.end, Ordering::Relaxed);
        let count = half.filter_map(|index| victim.read(index)).map(|v| self.push(v)).count();
        fence(Ordering::SeqCst);
        count
    }
}

/// Grows the tree of `root`, which has been claimed, on `threads` threads.
pub(super) fn grow<R: Rows, C: Claim>(
    grower: &Grower<'_, R, C>,
    root: R::Vertex,
    threads: usize,
    counts: &mut Counts,
) -> Result<(), TreeError> {
    let stub = walk(grower, root, threads * threads);
    counts.stub += stub.len();
    let stacks: Vec<Stack<R::Vertex>> = (0..threads).map(|_| Stack::new()).collect();
    stub.iter().enumerate().for_each(|(place, &v)| stacks[place % threads].push(v));
    let (idle, steals, copied) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    on_threads(threads, |rank| {
        let own = &stacks[rank];
        loop {
            while let Some(v) = own.pop() {
                grower.visit(v, |w| own.push(w));
            }
            let Some(count) = steal(rank, &stacks, &idle) else { return };
            steals.fetch_add(1, Ordering::Relaxed);
            copied.fetch_add(count, Ordering::Relaxed);
        }
    })?;
    counts.steals += steals.into_inner();
    counts.copied += copied.into_inner();
    Ok(())
}

/// Fills the stack of an idle thread. Returns how many vertices it has copied, or `None` if all threads are idle.
fn steal<V: Vertex>(rank: usize, stacks: &[Stack<V>], idle: &AtomicUsize) -> Option<usize> {
    let threads = stacks.len();
    idle.fetch_add(1, Ordering::SeqCst);
    loop {
        for victim in (1..threads).map(|distance| &stacks[(rank + distance) % threads]) {
            if !victim.older_half().is_empty() {
                idle.fetch_sub(1, Ordering::SeqCst);
                let count = stacks[rank].copy_half(victim);
                if count > 0 {
                    return Some(count);
                }
                idle.fetch_add(1, Ordering::SeqCst);
            }
        }
        if idle.load(Ordering::SeqCst) == threads {
            return None;
        }
        std::thread::yield_now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thief_copies_the_older_half_and_the_victim_keeps_it() {
        let n = 5 * FIRST as u32;
        let (victim, thief) = (Stack::new(), Stack::new());
        (0..n).for_each(|v| victim.push(v));
        let popped = |stack: &Stack<u32>| std::iter::from_fn(|| stack.pop()).collect::<Vec<u32>>();
        assert_eq!(thief.copy_half(&victim), n as usize / 2);
        assert!(popped(&thief).into_iter().rev().eq(0..n / 2));
        assert_eq!(thief.copy_half(&victim), n as usize / 4, "of those that have not been copied");
        assert!(popped(&thief).into_iter().rev().eq(n / 2..n / 2 + n / 4));
        assert!(popped(&victim).into_iter().rev().eq(0..n), "in all segments");
        assert_eq!(thief.copy_half(&victim), 0);
        // The hint has gone down with the top.
        (0..4).for_each(|v| victim.push(v));
        assert_eq!(thief.copy_half(&victim), 2);
        assert_eq!(popped(&thief), [1, 0]);
    }

    #[test]
    fn a_thief_that_reads_an_old_top_copies_what_has_been_there_or_nothing() {
        let (victim, thief) = (Stack::<u32>::new(), Stack::new());
        victim.top.store(8 * FIRST, Ordering::Relaxed);
        assert_eq!(thief.copy_half(&victim), 0, "there are no such entries yet");
        victim.top.store(0, Ordering::Relaxed);
        (0..4).for_each(|v| victim.push(v));
        assert_eq!((0..4).filter_map(|_| victim.pop()).count(), 4);
        victim.top.store(4, Ordering::Relaxed);
        assert_eq!(thief.copy_half(&victim), 2, "they have been popped meanwhile");
    }
}
