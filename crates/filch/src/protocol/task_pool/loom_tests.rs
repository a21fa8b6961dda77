//! Loom checks the shelf. `cargo xtask loom` runs these tests, and the mutants that they must reject.

use super::{Parcel, SharedPool, Shelf, TaskPool};
use crate::protocol::marks::Marks;
use crate::sync::cell::Plain;
use crate::sync::{AtomicUsize, Ordering};
use filch_policy::Balancer;
use loom::sync::Arc;
use loom::thread;
use std::ptr::NonNull;

/// A frame whose body lets loom detect data races, and that must be run once.
#[repr(align(8))]
struct Frame {
    body: Plain<u32>,
    runs: AtomicUsize,
}

impl Parcel for Arc<Frame> {
    type Frame = Frame;

    fn frame(&self) -> NonNull<Frame> {
        NonNull::from(&**self)
    }
}

/// The frames of an owner, and the shelf on which it leaves them.
struct Left {
    shelf: Shelf<Arc<Frame>>,
    frames: [Arc<Frame>; 2],
}

impl Left {
    fn run(&self, frame: &Frame) {
        let body = frame.body.update(|body| {
            *body += 1;
            *body
        });
        assert_eq!(body, 8, "the thread that runs a frame sees all of it, and the frame runs once");
        frame.runs.fetch_add(1, Ordering::Relaxed);
    }

    /// Leaves all frames, then comes back for them, the youngest first.
    fn owner(&self) {
        for frame in &self.frames {
            frame.body.set(7);
            self.shelf.put(Arc::clone(frame));
        }
        for frame in self.frames.iter().rev() {
            if self.shelf.reclaim(frame.frame()) {
                self.run(frame);
            }
        }
    }
}

/// Runs thieves beside the owner. What the owner cannot take back, a thief must have run.
fn check_shelf(thieves: usize, looks: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(move || {
        let frames = [(); 2].map(|()| Arc::new(Frame { body: Plain::new(0), runs: AtomicUsize::new(0) }));
        let left = Arc::new(Left { shelf: Shelf::new(Balancer::Concurrent), frames });
        let thieves: Vec<_> = (0..thieves)
            .map(|_| {
                let left = Arc::clone(&left);
                thread::spawn(move || {
                    for _ in 0..looks {
                        if let Some(frame) = left.shelf.get(&|_| true) {
                            left.run(&frame);
                        }
                    }
                })
            })
            .collect();
        left.owner();
        thieves.into_iter().for_each(|thief| thief.join().unwrap());
        for frame in &left.frames {
            assert_eq!(frame.runs.load(Ordering::Relaxed), 1, "the worker that removes a frame runs it");
        }
        assert!(left.shelf.len() == 0);
    });
}

#[test]
fn a_frame_on_the_shelf_is_got_or_reclaimed() {
    check_shelf(1, 2);
    check_shelf(2, 1);
}

/// A thief removes what may be the last frame, while the owner leaves another one. A shelf with frames that is not
/// marked is one that nobody looks at.
#[test]
fn a_shelf_is_marked_while_it_has_frames() {
    loom::model(|| {
        let marks = std::sync::Arc::new(Marks::none(1));
        let frames = [(); 2].map(|()| Arc::new(Frame { body: Plain::new(7), runs: AtomicUsize::new(0) }));
        let left = Arc::new(Left { shelf: Shelf::new(Balancer::Concurrent).marked(&marks, 0), frames });
        let thief = thread::spawn({
            let left = Arc::clone(&left);
            move || left.shelf.get(&|_| true).is_some()
        });
        left.frames.iter().for_each(|frame| left.shelf.put(Arc::clone(frame)));
        let got = usize::from(thief.join().unwrap());
        assert_eq!((left.shelf.kept(), marks.first(0..1)), (2 - got, Some(0)));
        while left.shelf.get(&|_| true).is_some() {}
        assert_eq!(marks.first(0..1), None);
    });
}
