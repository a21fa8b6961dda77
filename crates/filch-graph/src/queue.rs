//! Lists of vertices that workers fill together.

use crate::vertex::{AtomicVertex, Vertex};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Vertices in the order in which batches arrive. Filled by many during a loop, read after it.
pub(crate) struct Queue<V: Vertex> {
    /// Room, of which the first `len` are vertices.
    cells: Vec<V::Atomic>,
    len: AtomicUsize,
}

impl<V: Vertex> Queue<V> {
    /// One without room.
    pub(crate) fn new() -> Self {
        Queue { cells: Vec::new(), len: AtomicUsize::new(0) }
    }

    /// Empties it.
    pub(crate) fn clear(&mut self) {
        *self.len.get_mut() = 0;
    }

    /// Makes room for so many more.
    pub(crate) fn make_room(&mut self, count: usize) {
        let room = *self.len.get_mut() + count;
        if self.cells.len() < room {
            // By half as many again, so that the sum of all growing is linear.
            let room = room.max(self.cells.len() / 2 * 3);
            self.cells.resize_with(room, || V::Atomic::new(V::NONE));
        }
    }

    /// What is in it from this index on.
    pub(crate) fn since(&self, start: usize) -> &[V::Atomic] {
        &self.cells[start..self.len()]
    }

    pub(crate) fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    /// Room for `count` more, which are the caller's to write.
    ///
    /// # Panics
    ///
    /// If there is none.
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

/// Vertices on their way to a queue: a worker's own, so that it seldom meets others there.
pub(crate) struct Batch<'q, V: Vertex, const SIZE: usize = 128> {
    queue: &'q Queue<V>,
    is_shared: bool,
    vertices: [V; SIZE],
    len: usize,
}

impl<'q, V: Vertex, const SIZE: usize> Batch<'q, V, SIZE> {
    /// `is_shared`: others may push to the queue at the time.
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

    /// Moves all to the queue.
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
