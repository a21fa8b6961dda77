//! Loom checks the sources of the ladder.
//!
//! `cargo xtask loom` runs these tests, and those of the other protocols: first on the sources as they are, then with
//! one mistake at a time (`mutant.rs`), when at least one test must fail.

use super::{Claimed, FrameRef, LadderBox, Occupied, Pushed, Top, Verdict};
use crate::sync::cell::Plain;
use crate::sync::{AtomicUsize, Ordering};
use loom::sync::Arc;
use loom::thread;
use std::ptr::NonNull;

/// A frame whose body lets loom detect data races, and that must be run once.
#[repr(align(8))]
struct Frame {
    body: Plain<u32>,
    runs: AtomicUsize,
    claimed: AtomicUsize,
}

impl super::Frame for Frame {
    type Owner = ();
}

const BODY: u32 = 7;

impl Frame {
    fn new() -> Self {
        Frame { body: Plain::new(0), runs: AtomicUsize::new(0), claimed: AtomicUsize::new(0) }
    }

    fn run(&self) {
        assert_eq!(self.body.get(), BODY, "the thread that runs a frame sees all of it");
        self.runs.fetch_add(1, Ordering::Relaxed);
    }
}

type Ladder = LadderBox<Frame>;

struct Shared {
    ladder: Ladder,
    frames: [Frame; 3],
}

fn shared() -> Arc<Shared> {
    let ladder = Ladder::new(2, ()).expect("there is memory");
    Arc::new(Shared { ladder, frames: std::array::from_fn(|_| Frame::new()) })
}

impl Shared {
    /// The owner's thread calls this.
    fn top(&self) -> Top<'_, Frame> {
        unsafe { Occupied::at(self.ladder.first()) }.top()
    }

    fn push<'l>(&self, top: Top<'l, Frame>, i: usize) -> Pushed<'l, Frame> {
        let frame = &self.frames[i];
        frame.body.set(BODY);
        unsafe { top.push(NonNull::from(frame)) }
    }

    /// Pops the frame. Runs it if it is still there; otherwise checks that the thief's claim is visible.
    fn pop(&self, pushed: Pushed<'_, Frame>, i: usize) {
        if !pushed.pop().is_err_and(|returned| returned.attend(|_| false).1) {
            self.frames[i].run();
        } else {
            assert_eq!(self.frames[i].claimed.load(Ordering::Relaxed), 1, "the owner sees what the taker wrote");
        }
    }

    fn steal(&self, attempts: usize) {
        for _ in 0..attempts {
            let claim = |frame: FrameRef<'_, Frame>| {
                frame.claimed.store(1, Ordering::Relaxed);
                Verdict::Claims(Claimed::All(frame.as_ptr()))
            };
            if let Ok(frame) = self.ladder.take(|| true, claim) {
                unsafe { frame.as_ref() }.run();
            }
        }
    }

    fn assert_each_ran_once(&self, frames: usize) {
        for frame in &self.frames[..frames] {
            assert_eq!(frame.runs.load(Ordering::Relaxed), 1, "each frame runs exactly once");
        }
    }
}

pub(super) fn check(preemptions: usize, test: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(test);
}

#[test]
fn one_frame_runs_once_whoever_gets_it() {
    check(4, || {
        let shared = shared();
        let thief = thread::spawn({
            let shared = Arc::clone(&shared);
            move || shared.steal(2)
        });
        shared.pop(shared.push(shared.top(), 0), 0);
        thief.join().unwrap();
        shared.assert_each_ran_once(1);
    });
}

#[test]
fn nested_frames_go_oldest_first_and_run_once() {
    check(3, || {
        let shared = shared();
        let thief = thread::spawn({
            let shared = Arc::clone(&shared);
            move || shared.steal(2)
        });
        let mut first = shared.push(shared.top(), 0);
        shared.pop(shared.push(first.above(), 1), 1);
        shared.pop(first, 0);
        // The rung is used again, whether its frame has been taken or not.
        shared.pop(shared.push(shared.top(), 2), 2);
        thief.join().unwrap();
        shared.assert_each_ran_once(3);
    });
}

#[test]
fn two_thieves_do_not_take_the_same_frame() {
    check(3, || {
        let shared = shared();
        let thieves = [(); 2].map(|()| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.steal(1))
        });
        shared.pop(shared.push(shared.top(), 0), 0);
        for thief in thieves {
            thief.join().unwrap();
        }
        shared.assert_each_ran_once(1);
    });
}

#[test]
fn a_refused_claim_leaves_the_frame_with_its_owner() {
    check(4, || {
        let shared = shared();
        let thief = thread::spawn({
            let shared = Arc::clone(&shared);
            move || assert!(shared.ladder.take(|| true, |_| Verdict::<()>::Leaves).is_err())
        });
        shared.pop(shared.push(shared.top(), 0), 0);
        thief.join().unwrap();
        shared.assert_each_ran_once(1);
    });
}
