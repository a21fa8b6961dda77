//! A list of vertices that several workers append to.

use crate::vertex::{AtomicVertex, Vertex};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Vertices in the order in which batches are appended. Workers append during a loop; the list is read after it.
pub(crate) struct Queue<V: Vertex> {
    /// Allocated cells. The first `len` of them contain vertices.
    cells: Vec<V::Atomic>,
    len: AtomicUsize,
}

impl<V: Vertex> Queue<V> {
    /// An empty queue without room.
    pub(crate) fn new() -> Self {
        Queue { cells: Vec::new(), len: AtomicUsize::new(0) }
    }

    /// Removes all vertices.
    pub(crate) fn clear(&mut self) {
        *self.len.get_mut() = 0;
    }

    /// Makes room for `count` more vertices.
    pub(crate) fn make_room(&mut self, count: usize) {
        let room = *self.len.get_mut() + count;
        if self.cells.len() < room {
            // Growing by at least half keeps the total work of all calls linear.
            let room = room.max(self.cells.len() / 2 * 3);
            self.cells.resize_with(room, || V::Atomic::new(V::NONE));
        }
    }

    /// The vertices from index `start` on.
    pub(crate) fn since(&self, start: usize) -> &[V::Atomic] {
        &self.cells[start..self.len()]
    }

    pub(crate) fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
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
