//! Loom checks the sources of the ladder with frames that thieves split (`constructs/loops/frame.rs`).
//!
//! What is left of a loop is plain memory here, so loom reports each access that the ladder does not order as a race.

use super::loom_tests::check;
use super::{Claimed, Frame, FrameRef, LadderBox, Occupied, Top, Verdict};
use crate::sync::cell::Plain;
use crate::sync::{AtomicUsize, Ordering};
use loom::sync::Arc;
use loom::thread;
use std::ptr::NonNull;

/// The iterations that are left of a loop, or those of a part of it.
#[repr(align(8))]
struct Range {
    left: Plain<(usize, usize)>,
    /// What the owner tells thieves. Written under L.
    block: Plain<usize>,
}

impl Range {
    fn new() -> Self {
        Range { left: Plain::new((0, 0)), block: Plain::new(0) }
    }

    fn left(&self) -> (usize, usize) {
        self.left.get()
    }

    fn set(&self, left: (usize, usize)) {
        self.left.set(left);
    }

    fn set_block(&self, block: usize) {
        self.block.set(block);
    }
}

impl Frame for Range {
    type Owner = ();
}

const INDICES: usize = 5;

struct Shared {
    ladder: LadderBox<Range>,
    /// The outer loop, and a loop inside its first iteration.
    loops: [Range; 2],
    parts: [Range; 3],
    begun_parts: AtomicUsize,
    runs: [AtomicUsize; INDICES],
}

fn shared() -> Arc<Shared> {
    Arc::new(Shared {
        ladder: LadderBox::new(2, ()).expect("there is memory"),
        loops: std::array::from_fn(|_| Range::new()),
        parts: std::array::from_fn(|_| Range::new()),
        begun_parts: AtomicUsize::new(0),
        runs: std::array::from_fn(|_| AtomicUsize::new(0)),
    })
}

impl Shared {
    fn run_index(&self, index: usize) {
        self.runs[index].fetch_add(1, Ordering::Relaxed);
    }

    /// Runs the owner's loop as `constructs/loops/shared.rs` does, in blocks of one iteration. `first` runs in the
    /// first one.
    fn run_loop<'l>(
        &'l self,
        mut top: Top<'l, Range>,
        frame: &Range,
        range: (usize, usize),
        first: impl Fn(Top<'_, Range>),
    ) {
        let (mut next, mut end) = range;
        while next < end {
            if next + 1 == end {
                if next == range.0 {
                    first(top);
                }
                self.run_index(next);
                break;
            }
            frame.set((next + 1, end));
            let mut pushed = unsafe { top.push(NonNull::from(frame)) };
            if next == range.0 {
                first(pushed.above());
            }
            self.run_index(next);
            next += 1;
            top = pushed.pop().unwrap_or_else(|returned| {
                if mutant!("block_before_lock") {
                    frame.set_block(1);
                }
                let settle = |_: Option<FrameRef<'_, Range>>| {
                    frame.set_block(1);
                    false
                };
                if mutant!("claim_without_settling") { self.top() } else { returned.attend(settle).0 }
            });
            end = frame.left().1;
        }
    }

    /// The owner's thread calls this.
    fn top(&self) -> Top<'_, Range> {
        unsafe { Occupied::at(self.ladder.first()) }.top()
    }

    fn run_outer(&self, len: usize, first: impl Fn(Top<'_, Range>)) {
        self.run_loop(self.top(), &self.loops[0], (0, len), first);
    }

    /// Takes the upper half of what is left, as `split` in `constructs/loops/frame.rs` does, and runs it.
    fn steal(&self) {
        let split = |frame: FrameRef<'_, Range>| {
            let (lo, hi) = frame.left();
            assert!(lo < hi, "a frame on the ladder has something left");
            assert!(frame.block.get() <= 1);
            let middle = lo + (hi - lo) / 2;
            frame.set((lo, middle));
            let part = &self.parts[self.begun_parts.fetch_add(1, Ordering::Relaxed)];
            part.set((middle, hi));
            Verdict::Claims(if middle == lo { Claimed::All(part) } else { Claimed::Part(part) })
        };
        if let Ok(part) = self.ladder.take(|| true, split) {
            let (lo, hi) = part.left();
            (lo..hi).for_each(|index| self.run_index(index));
        }
    }

    fn assert_each_ran_once(&self, indices: usize) {
        for (index, runs) in self.runs[..indices].iter().enumerate() {
            assert_eq!(runs.load(Ordering::Relaxed), 1, "index {index} runs exactly once");
        }
        assert!(self.top().is_settled(), "the ladder is as the loop found it");
    }
}

/// Starts a thief beside the owner.
fn beside(shared: &Arc<Shared>, f: impl Fn(&Shared) + Send + 'static) -> thread::JoinHandle<()> {
    let shared = Arc::clone(shared);
    thread::spawn(move || f(&shared))
}

#[test]
fn every_index_runs_once_whoever_splits_what_is_left() {
    check(3, || {
        let shared = shared();
        let thief = beside(&shared, |shared| {
            shared.steal();
            shared.steal();
        });
        shared.run_outer(4, |_| ());
        thief.join().unwrap();
        shared.assert_each_ran_once(4);
    });
}

#[test]
fn two_thieves_split_one_loop() {
    check(2, || {
        let shared = shared();
        let thieves = [(); 2].map(|()| beside(&shared, Shared::steal));
        shared.run_outer(4, |_| ());
        for thief in thieves {
            thief.join().unwrap();
        }
        shared.assert_each_ran_once(4);
    });
}

/// A split leaves E above the frame. A return to a higher rung then attends to another raise, and lowers E.
#[test]
fn a_split_is_noticed_though_an_inner_return_lowers_the_bound() {
    check(2, || {
        let shared = shared();
        let thief = beside(&shared, |shared| {
            shared.steal();
            shared.ladder.raise();
            shared.steal();
        });
        shared.run_outer(3, |inner| {
            shared.run_loop(inner, &shared.loops[1], (3, 5), |_| ());
        });
        thief.join().unwrap();
        // The last step of the thief may have raised E again.
        shared.assert_each_ran_once(5);
    });
}
