//! The shelf: where a worker leaves frames for any other worker, before one has asked.

use super::TaskPool;
use crate::sync::{AtomicUsize, Mutex, Ordering, lock};
use std::collections::VecDeque;
use std::ptr::NonNull;

/// Frames that their owner has left, the oldest first. One lock guards all of it, and no user code runs under that
/// lock. The length is written under the lock and may be read without it. The rule is that of the mailbox: the worker
/// that removes a frame runs it. An owner that comes back for its frame removes it, or else waits until it is done.
pub(crate) struct Shelf<F> {
    len: AtomicUsize,
    frames: Mutex<VecDeque<Shelved<F>>>,
}

/// A frame that the worker that removes it may run, on any thread.
struct Shelved<F>(NonNull<F>);

// SAFETY: a frame that lies here belongs to the worker that removes it (`TaskPool`), and may be run on any thread.
unsafe impl<F> Send for Shelved<F> {}

impl<F> Shelf<F> {
    pub(crate) fn new() -> Self {
        Shelf { len: AtomicUsize::new(0), frames: Mutex::new(VecDeque::new()) }
    }

    /// How many frames there are, read without the lock.
    pub(crate) fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    /// Whether there is no frame, read without the lock.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there is a frame that `is_wanted`. That is called under the lock; frames live while they are here.
    pub(crate) fn has(&self, is_wanted: impl Fn(NonNull<F>) -> bool) -> bool {
        lock(&self.frames).iter().any(|frame| is_wanted(frame.0))
    }

    /// Removes the oldest frame that `is_wanted`. That is called under the lock; frames live while they are here.
    pub(crate) fn get_if(&self, is_wanted: impl Fn(NonNull<F>) -> bool) -> Option<NonNull<F>> {
        if self.is_empty() {
            return None;
        }
        let mut frames = lock(&self.frames);
        let place = frames.iter().position(|frame| is_wanted(frame.0))?;
        if mutant!("shelf_unlocked") {
            drop(frames);
            frames = lock(&self.frames);
        }
        let frame = frames.remove(place)?;
        let len = frames.len();
        if mutant!("shelf_late_len") {
            drop(frames);
        }
        self.len.store(len, Ordering::Relaxed);
        Some(frame.0)
    }
}

impl<F> TaskPool<F> for Shelf<F> {
    fn put(&self, frame: NonNull<F>) {
        let mut frames = lock(&self.frames);
        frames.push_back(Shelved(frame));
        self.len.store(frames.len(), Ordering::Relaxed);
    }

    fn get(&self) -> Option<NonNull<F>> {
        self.get_if(|_| true)
    }

    fn reclaim(&self, frame: NonNull<F>) -> bool {
        // The caller has put the frame here itself, so a length of 0 has been written since: the frame is gone.
        self.get_if(|other| other == frame).is_some()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_got_or_reclaimed_and_never_both() {
        let (frames, shelf) = ([1_u64, 2, 3], Shelf::new());
        let [one, two, three] = [0, 1, 2].map(|i| NonNull::from(&frames[i]));
        [one, two, three].into_iter().for_each(|frame| shelf.put(frame));
        assert!(shelf.reclaim(two) && !shelf.reclaim(two));
        assert_eq!(shelf.get(), Some(one), "the oldest comes first");
        // SAFETY: the array lives longer than the shelf.
        assert_eq!(shelf.get_if(|frame| unsafe { *frame.as_ref() } > 3), None);
        assert!(shelf.has(|frame| frame == three) && !shelf.is_empty());
        assert_eq!((shelf.get(), shelf.get(), shelf.is_empty()), (Some(three), None, true));
    }
}
