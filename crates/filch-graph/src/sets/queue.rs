//! A list of vertices that several workers append to.

use crate::choose::tuning::PIECE;
use crate::vertex::{AtomicVertex, Vertex};
use filch_algorithms::memory::with_room;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Vertices in the order in which batches are appended. Workers append during a loop; the list is read after it. Or one
/// worker alone writes to its room, and removes what it needs no more.
pub(crate) struct Queue<V: Vertex> {
    /// Allocated cells. The first `len` of them contain vertices.
    cells: Vec<V::Atomic>,
    usual: usize,
    len: AtomicUsize,
    /// The number of vertices that have been removed from the beginning.
    removed: usize,
}

impl<V: Vertex> Queue<V> {
    /// An empty queue, usually for at most `usual` vertices.
    pub(crate) fn new(usual: usize) -> Self {
        Queue { cells: Vec::new(), usual, len: AtomicUsize::new(0), removed: 0 }
    }

    /// Removes all vertices.
    pub(crate) fn clear(&mut self) {
        *self.len.get_mut() = 0;
        self.removed = 0;
    }

    /// Makes room for `count` more vertices.
    pub(crate) fn make_room(&mut self, count: usize) {
        let room = *self.len.get_mut() + count;
        if self.cells.len() < room {
            if self.cells.capacity() < room {
                self.grow(room);
            }
            self.cells.resize_with(room, || V::Atomic::new(V::NONE));
        }
    }

    /// Not by [`Vec::reserve`], because long lists belong on large pages. It seldom grows twice: there is room for what
    /// is usual from the first time on, and [`advance`](Self::advance) asks for half more.
    fn grow(&mut self, room: usize) {
        if let Ok(mut larger) = with_room(room.max(self.usual)) {
            larger.append(&mut self.cells);
            self.cells = larger;
        } else {
            self.cells.reserve_exact(room - self.cells.len());
        }
    }

    /// Makes room for `count` more vertices behind the first `len`, which one worker alone has written to
    /// [`room`](Self::room) and of which it needs the first `done` no more. Returns how many of these have been
    /// removed: all, if they are most. So the list of a deep search stays in the first-level cache, in memory that has
    /// been touched. The work of all calls is linear in what is written, and in the largest `count`.
    #[cold]
    #[inline(never)]
    pub(crate) fn advance(&mut self, len: usize, done: usize, count: usize) -> usize {
        let removed = if done > len / 2 { done } else { 0 };
        if removed > 0 {
            for index in removed..len {
                self.cells[index - removed].store(self.cells[index].load());
            }
        }
        let left = len - removed;
        *self.len.get_mut() = left;
        self.removed += removed;
        if self.cells.len() - left < count {
            self.make_room(count.max(PIECE).max(left / 2));
        }
        removed
    }

    /// All cells that there are, of which the first `len` contain vertices.
    pub(crate) fn room(&self) -> &[V::Atomic] {
        &self.cells
    }

    /// Notes that the first `len` cells of the room contain vertices.
    pub(crate) fn set_len(&mut self, len: usize) {
        assert!(len <= self.cells.len());
        *self.len.get_mut() = len;
    }

    /// The vertices from index `start` on.
    pub(crate) fn since(&self, start: usize) -> &[V::Atomic] {
        &self.cells[start..self.len()]
    }

    pub(crate) fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    /// The number of vertices that have been removed from the beginning since the queue was empty.
    pub(crate) fn removed(&self) -> usize {
        self.removed
    }

    /// Reserves `count` cells at the end. The caller writes them.
    ///
    /// # Panics
    ///
    /// Panics if there is not enough room.
    fn reserve(&self, count: usize, is_shared: bool) -> &[V::Atomic] {
        let start = if is_shared {
            self.len.fetch_add(count, Ordering::Relaxed)
        } else {
            let start = self.len();
            self.len.store(start + count, Ordering::Relaxed);
            start
        };
        &self.cells[start..start + count]
    }
}

/// A worker's buffer of vertices for a queue. Appending whole batches keeps contention on the queue low.
pub(crate) struct Batch<'q, V: Vertex, const SIZE: usize = 128> {
    queue: &'q Queue<V>,
    is_shared: bool,
    vertices: [V; SIZE],
    len: usize,
}

impl<'q, V: Vertex, const SIZE: usize> Batch<'q, V, SIZE> {
    /// `is_shared`: other workers may append to the queue at the same time.
    #[inline(always)]
    pub(crate) fn new(queue: &'q Queue<V>, is_shared: bool) -> Self {
        Batch { queue, is_shared, vertices: [V::NONE; SIZE], len: 0 }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, v: V) {
        if self.len == SIZE {
            self.flush();
        }
        self.vertices[self.len] = v;
        self.len += 1;
    }

    /// Moves all vertices to the queue.
    pub(crate) fn flush(&mut self) {
        if self.len > 0 {
            let cells = self.queue.reserve(self.len, self.is_shared);
            for (cell, &v) in cells.iter().zip(&self.vertices) {
                cell.store(v);
            }
            self.len = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_worker_that_advances_keeps_what_is_not_done_and_needs_no_more_room() {
        let mut queue = Queue::<u32>::new(1 << 20);
        let (mut len, mut done) = (0, 0);
        for v in 0..100_000 {
            if queue.room().len() == len {
                let removed = queue.advance(len, done, 1);
                (len, done) = (len - removed, done - removed);
            }
            AtomicVertex::store(&queue.room()[len], v);
            len += 1;
            // At most ten vertices wait.
            done = done.max(len.saturating_sub(10));
            assert_eq!(AtomicVertex::load(&queue.room()[done]) as usize, queue.removed() + done);
        }
        queue.set_len(len);
        assert_eq!(queue.removed() + queue.len(), 100_000);
        assert_eq!(
            queue.since(done).iter().map(AtomicVertex::load).collect::<Vec<_>>(),
            Vec::from_iter(99_990..100_000)
        );
        assert!(queue.room().len() <= 2 * PIECE, "{}", queue.room().len());
    }

    #[test]
    fn there_is_room_for_a_row_of_any_length() {
        let mut queue = Queue::<u32>::new(10);
        for (len, done, count) in [(0, 0, 1), (1, 1, 10_000), (9_000, 3_000, 9_000), (12_000, 11_000, 1)] {
            let removed = queue.advance(len, done, count);
            assert!(removed <= done && queue.room().len() >= len - removed + count);
        }
    }
}
