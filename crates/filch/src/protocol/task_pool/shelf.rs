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

use super::{Parcel, SharedPool, TaskPool};
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
pub(crate) struct Shelf<P> {
    balancer: Balancer,
    /// How many frames are open to others.
    len: AtomicUsize,
    /// How many frames there are.
    kept: AtomicUsize,
    /// Where a shelf with frames, open or not, is marked, and as which. The mark is changed under the lock, too.
    mark: Option<(Arc<Marks>, usize)>,
    frames: Mutex<Frames<P>>,
}

struct Frames<P> {
    frames: VecDeque<P>,
    /// How many of the oldest are open to others.
    open: usize,
    is_public: bool,
}

impl<P: Parcel> Shelf<P> {
    pub(crate) fn new(balancer: Balancer) -> Self {
        let frames = Mutex::new(Frames { frames: VecDeque::new(), open: 0, is_public: false });
        Shelf { balancer, len: AtomicUsize::new(0), kept: AtomicUsize::new(0), mark: None, frames }
    }

    /// The same for a shelf that is marked here, as this one, while it has frames.
    pub(crate) fn marked(self, marks: &Arc<Marks>, shelf: usize) -> Self {
        Shelf { mark: Some((Arc::clone(marks), shelf)), ..self }
    }

    /// Opens as many frames as may be open, and shows how many there are. Called under the lock.
    fn open_more(&self, frames: &mut Frames<P>) {
        frames.open = self.balancer.open_of(frames.frames.len(), frames.is_public);
        self.show(frames);
    }

    /// Shows how many frames there are. Called under the lock.
    fn show(&self, frames: &Frames<P>) {
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
    fn remove(&self, limit: Option<usize>, is_wanted: &dyn Fn(&P) -> bool) -> Option<P> {
        let mut frames: MutexGuard<'_, Frames<P>> = lock(&self.frames);
        let limit = limit.unwrap_or(frames.open);
        let place = frames.frames.iter().take(limit).position(is_wanted)?;
        if mutant!("shelf_unlocked") {
            drop(frames);
            frames = lock(&self.frames);
        }
        let parcel = frames.frames.remove(place)?;
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
        Some(parcel)
    }
}

impl<P: Parcel> TaskPool<P::Frame> for Shelf<P> {
    fn reclaim(&self, frame: NonNull<P::Frame>) -> bool {
        // A length of 0 means that the frame is gone, or is about to come if another thread has claimed it for this
        // pool. Then the caller waits for it.
        self.kept() > 0 && self.remove(Some(usize::MAX), &|other| other.frame() == frame).is_some()
    }
}

impl<P: Parcel> SharedPool<P> for Shelf<P> {
    fn put(&self, parcel: P) {
        let mut frames = lock(&self.frames);
        let was_empty = frames.frames.is_empty();
        frames.frames.push_back(parcel);
        if self.balancer.opens_at_put(was_empty, frames.is_public) {
            self.open_more(&mut frames);
        } else {
            self.show(&frames);
        }
    }

    fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    fn kept(&self) -> usize {
        self.kept.load(Ordering::Relaxed)
    }

    fn has(&self, is_wanted: &dyn Fn(&P) -> bool) -> bool {
        lock(&self.frames).frames.iter().any(is_wanted)
    }

    fn get(&self, is_wanted: &dyn Fn(&P) -> bool) -> Option<P> {
        if self.is_empty() { None } else { self.remove(None, is_wanted) }
    }

    fn hand_over(&self, is_wanted: &dyn Fn(&P) -> bool) -> Option<P> {
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

    fn all<P>(_: &P) -> bool {
        true
    }

    #[test]
    fn a_frame_is_got_or_reclaimed_and_never_both() {
        let (frames, shelf) = ([1_u64, 2, 3], Shelf::new(Balancer::Concurrent));
        let [one, two, three] = frames.each_ref();
        [one, two, three].into_iter().for_each(|frame| shelf.put(frame));
        assert!(shelf.reclaim(two.into()) && !shelf.reclaim(two.into()));
        assert_eq!(shelf.get(&all), Some(one), "the oldest comes first");
        assert_eq!(shelf.get(&|frame| **frame > 3), None);
        assert!(shelf.has(&|frame| *frame == three) && !shelf.is_empty());
        let get = || shelf.get(&all);
        assert_eq!((get(), get(), shelf.is_empty()), (Some(three), None, true));
    }

    #[test]
    fn a_private_deque_gives_when_its_owner_hands_over_or_publishes() {
        let (frames, shelf) = ([1_u64, 2, 3], Shelf::new(Balancer::Private));
        let [one, two, three] = frames.each_ref();
        [one, two, three].into_iter().for_each(|frame| shelf.put(frame));
        assert_eq!((shelf.get(&all), shelf.len(), shelf.kept()), (None, 0, 3));
        assert_eq!(shelf.hand_over(&all), Some(one), "the oldest");
        assert!(shelf.publish() && !shelf.publish());
        assert_eq!(shelf.get(&all), Some(two));
        shelf.retract();
        assert_eq!((shelf.get(&all), shelf.kept()), (None, 1));
        assert!(shelf.reclaim(three.into()) && !shelf.reclaim(two.into()));
    }

    #[test]
    fn the_cell_of_a_mixed_deque_has_the_oldest_frame_and_is_filled_by_its_owner() {
        let (frames, shelf) = ([1_u64, 2, 3], Shelf::new(Balancer::Mixed));
        let [one, two, three] = frames.each_ref();
        [one, two].into_iter().for_each(|frame| shelf.put(frame));
        assert_eq!((shelf.len(), shelf.get(&all), shelf.get(&all)), (1, Some(one), None), "one at a time");
        shelf.put(three);
        assert_eq!((shelf.get(&all), shelf.kept()), (None, 2), "not before the owner polls");
        assert!(shelf.poll());
        assert_eq!((shelf.get(&all), shelf.get(&all)), (Some(two), None));
        assert!(shelf.reclaim(three.into()) && shelf.kept() == 0);
        shelf.put(one);
        assert_eq!(shelf.get(&all), Some(one), "an empty deque has nothing older");
    }
}
