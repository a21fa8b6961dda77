//! The shelf: frames that a worker has given away before one has asked, the oldest first.
//!
//! How many of them are open to other workers is what tells the balancers of heartbeat scheduling apart (Acar,
//! Charguéraud, Guatto, Rainey and Sieczkowski 2018, section 5.1):
//!
//! ```text
//!                      oldest                     newest
//!   Concurrent         [ f1    f2    f3    f4 ]           a concurrent deque
//!   Mixed              [ f1 ]  f2    f3    f4             a concurrent cell, and a private deque
//!   Private              f1    f2    f3    f4             a private deque: the owner hands over the oldest when asked
//! ```
//!
//! A worker that is not busy can neither hand over nor fill the cell again. So it publishes what it has, and retracts
//! that when it is busy again.

use super::{SharedPool, TaskPool};
use crate::protocol::marks::Marks;
use crate::sync::{AtomicUsize, Mutex, MutexGuard, Ordering, lock};
use filch_policy::Balancer;
use std::collections::VecDeque;
use std::ptr::NonNull;
use std::sync::Arc;

/// Frames that their owner has left, the oldest first. One lock guards all of it, and no user code runs under that
/// lock. The lengths and the mark are changed under the lock and may be read without it. The rule is that of the
/// mailbox: the worker that removes a frame runs it. An owner that comes back for its frame removes it, or else waits
/// until it is done.
pub(crate) struct Shelf<F> {
    balancer: Balancer,
    /// How many frames are open to others.
    len: AtomicUsize,
    /// How many frames there are.
    kept: AtomicUsize,
    /// Where a shelf with frames, open or not, is marked, and as which. The mark is changed under the lock, too.
    mark: Option<(Arc<Marks>, usize)>,
    frames: Mutex<Frames<F>>,
}

struct Frames<F> {
    frames: VecDeque<Shelved<F>>,
    /// How many of the oldest are open to others.
    open: usize,
    is_public: bool,
}

/// A frame that the worker that removes it may run, on any thread.
struct Shelved<F>(NonNull<F>);

// SAFETY: a frame that lies here belongs to the worker that removes it (`TaskPool`), and may be run on any thread.
unsafe impl<F> Send for Shelved<F> {}

impl<F> Shelf<F> {
    pub(crate) fn new(balancer: Balancer) -> Self {
        let frames = Mutex::new(Frames { frames: VecDeque::new(), open: 0, is_public: false });
        Shelf { balancer, len: AtomicUsize::new(0), kept: AtomicUsize::new(0), mark: None, frames }
    }

    /// The same for a shelf that is marked here, as this one, while it has frames.
    pub(crate) fn marked(self, marks: &Arc<Marks>, shelf: usize) -> Self {
        Shelf { mark: Some((Arc::clone(marks), shelf)), ..self }
    }

    /// Opens as many frames as may be open, and shows how many there are. Called under the lock.
    fn open_more(&self, frames: &mut Frames<F>) {
        frames.open = self.balancer.open_of(frames.frames.len(), frames.is_public);
        self.show(frames);
    }

    /// Shows how many frames there are. Called under the lock.
    fn show(&self, frames: &Frames<F>) {
        let had = self.show_lengths(frames.open, frames.frames.len());
        self.mark(had, frames.frames.len());
    }

    /// Returns how many frames there were.
    fn show_lengths(&self, open: usize, kept: usize) -> usize {
        let had = self.kept();
        self.len.store(open, Ordering::Relaxed);
        self.kept.store(kept, Ordering::Relaxed);
        had
    }

    /// Marks the shelf if it has frames and had none, or the opposite.
    fn mark(&self, had: usize, has: usize) {
        match &self.mark {
            Some((marks, shelf)) if had == 0 && has > 0 => marks.insert(*shelf),
            Some((marks, shelf)) if had > 0 && has == 0 => _ = marks.remove(*shelf),
            _ => {}
        }
    }

    /// Returns whether more frames are open than before.
    fn set_public(&self, is_public: bool) -> bool {
        if !self.balancer.is_ever_closed() {
            return false;
        }
        let mut frames = lock(&self.frames);
        let before = frames.open;
        frames.is_public = is_public;
        self.open_more(&mut frames);
        frames.open > before
    }

    /// Removes the oldest of the first `limit` frames that `is_wanted`, or of the open ones without a limit.
    fn remove(&self, limit: Option<usize>, is_wanted: &dyn Fn(NonNull<F>) -> bool) -> Option<NonNull<F>> {
        let mut frames: MutexGuard<'_, Frames<F>> = lock(&self.frames);
        let limit = limit.unwrap_or(frames.open);
        let place = frames.frames.iter().take(limit).position(|frame| is_wanted(frame.0))?;
        if mutant!("shelf_unlocked") {
            drop(frames);
            frames = lock(&self.frames);
        }
        let frame = frames.frames.remove(place)?;
        if place < frames.open {
            frames.open -= 1;
        }
        let (open, kept) = (frames.open, frames.frames.len());
        let mut held = Some(frames);
        if mutant!("shelf_late_len") {
            held = None;
        }
        let had = self.show_lengths(open, kept);
        if mutant!("shelf_late_mark") {
            held = None;
        }
        self.mark(had, kept);
        drop(held);
        Some(frame.0)
    }
}

impl<F> TaskPool<F> for Shelf<F> {
    fn put(&self, frame: NonNull<F>) {
        let mut frames = lock(&self.frames);
        let was_empty = frames.frames.is_empty();
        frames.frames.push_back(Shelved(frame));
        if self.balancer.opens_at_put(was_empty, frames.is_public) {
            self.open_more(&mut frames);
        } else {
            self.show(&frames);
        }
    }

    fn reclaim(&self, frame: NonNull<F>) -> bool {
        // A length of 0 means that the frame is gone, or is about to come if another thread has claimed it for this
        // pool. Then the caller waits for it.
        self.kept() > 0 && self.remove(Some(usize::MAX), &|other| other == frame).is_some()
    }
}

impl<F> SharedPool<F> for Shelf<F> {
    fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    fn kept(&self) -> usize {
        self.kept.load(Ordering::Relaxed)
    }

    fn has(&self, is_wanted: &dyn Fn(NonNull<F>) -> bool) -> bool {
        lock(&self.frames).frames.iter().any(|frame| is_wanted(frame.0))
    }

    fn get(&self, is_wanted: &dyn Fn(NonNull<F>) -> bool) -> Option<NonNull<F>> {
        if self.is_empty() { None } else { self.remove(None, is_wanted) }
    }

    fn hand_over(&self, is_wanted: &dyn Fn(NonNull<F>) -> bool) -> Option<NonNull<F>> {
        if self.kept() == 0 { None } else { self.remove(Some(usize::MAX), is_wanted) }
    }

    fn poll(&self) -> bool {
        let opens = self.balancer.fills(self.len(), self.kept());
        if opens {
            self.open_more(&mut lock(&self.frames));
        }
        opens
    }

    fn publish(&self) -> bool {
        self.set_public(true)
    }

    fn retract(&self) {
        self.set_public(false);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn all<F>(_: NonNull<F>) -> bool {
        true
    }

    #[test]
    fn a_frame_is_got_or_reclaimed_and_never_both() {
        let (frames, shelf) = ([1_u64, 2, 3], Shelf::new(Balancer::Concurrent));
        let [one, two, three] = [0, 1, 2].map(|i| NonNull::from(&frames[i]));
        [one, two, three].into_iter().for_each(|frame| shelf.put(frame));
        assert!(shelf.reclaim(two) && !shelf.reclaim(two));
        assert_eq!(shelf.get(&all), Some(one), "the oldest comes first");
        // SAFETY: the array lives longer than the shelf.
        assert_eq!(shelf.get(&|frame| unsafe { *frame.as_ref() } > 3), None);
        assert!(shelf.has(&|frame| frame == three) && !shelf.is_empty());
        let get = || shelf.get(&all);
        assert_eq!((get(), get(), shelf.is_empty()), (Some(three), None, true));
    }

    #[test]
    fn a_private_deque_gives_when_its_owner_hands_over_or_publishes() {
        let (frames, shelf) = ([1_u64, 2, 3], Shelf::new(Balancer::Private));
        let [one, two, three] = [0, 1, 2].map(|i| NonNull::from(&frames[i]));
        [one, two, three].into_iter().for_each(|frame| shelf.put(frame));
        assert_eq!((shelf.get(&all), shelf.len(), shelf.kept()), (None, 0, 3));
        assert_eq!(shelf.hand_over(&all), Some(one), "the oldest");
        assert!(shelf.publish() && !shelf.publish());
        assert_eq!(shelf.get(&all), Some(two));
        shelf.retract();
        assert_eq!((shelf.get(&all), shelf.kept()), (None, 1));
        assert!(shelf.reclaim(three) && !shelf.reclaim(two));
    }

    #[test]
    fn the_cell_of_a_mixed_deque_has_the_oldest_frame_and_is_filled_by_its_owner() {
        let (frames, shelf) = ([1_u64, 2, 3], Shelf::new(Balancer::Mixed));
        let [one, two, three] = [0, 1, 2].map(|i| NonNull::from(&frames[i]));
        [one, two].into_iter().for_each(|frame| shelf.put(frame));
        assert_eq!((shelf.len(), shelf.get(&all), shelf.get(&all)), (1, Some(one), None), "one at a time");
        shelf.put(three);
        assert_eq!((shelf.get(&all), shelf.kept()), (None, 2), "not before the owner polls");
        assert!(shelf.poll());
        assert_eq!((shelf.get(&all), shelf.get(&all)), (Some(two), None));
        assert!(shelf.reclaim(three) && shelf.kept() == 0);
        shelf.put(one);
        assert_eq!(shelf.get(&all), Some(one), "an empty deque has nothing older");
    }
}
