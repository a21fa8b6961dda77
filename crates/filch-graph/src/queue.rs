//! A list of vertices that several workers append to.

use crate::memory::with_room;
use crate::vertex::{AtomicVertex, Vertex};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The room of a list that has any, in vertices.
const MIN_ROOM: usize = 1 << 12;

/// The factor by which room grows.
const GROWTH: usize = 4;

/// Vertices in the order in which batches are appended. Workers append during a loop; the list is read after it.
pub(crate) struct Queue<V: Vertex> {
    /// Allocated cells. The first `len` of them contain vertices.
    cells: Vec<V::Atomic>,
    usual: usize,
    len: AtomicUsize,
}

impl<V: Vertex> Queue<V> {
    /// An empty queue, usually for at most `usual` vertices.
    pub(crate) fn new(usual: usize) -> Self {
        Queue { cells: Vec::new(), usual, len: AtomicUsize::new(0) }
    }

    /// Calls `body` with the vertices as a vector, to which it may append. For one worker alone.
    pub(crate) fn alone<T>(&mut self, body: impl FnOnce(&mut Alone<'_, V>) -> T) -> T {
        self.cells.truncate(*self.len.get_mut());
        let result = body(&mut Alone { cells: &mut self.cells, usual: self.usual });
        *self.len.get_mut() = self.cells.len();
        result
    }

    /// Removes all vertices.
    pub(crate) fn clear(&mut self) {
        *self.len.get_mut() = 0;
    }

    /// Makes room for `count` more vertices.
    pub(crate) fn make_room(&mut self, count: usize) {
        let room = *self.len.get_mut() + count;
        if self.cells.len() < room {
            if self.cells.capacity() < room {
                let more = room - self.cells.len();
                Alone::<V> { cells: &mut self.cells, usual: self.usual }.grow(more);
            }
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

/// A queue to which one worker alone appends.
pub(crate) struct Alone<'q, V: Vertex> {
    cells: &'q mut Vec<V::Atomic>,
    usual: usize,
}

impl<V: Vertex> Alone<'_, V> {
    /// Not by [`Vec::reserve`], because long lists belong on large pages. Growing by a factor keeps the total work of
    /// all calls linear.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) {
        let needed = self.cells.len() + count;
        let roomy = (self.cells.capacity() * GROWTH).clamp(MIN_ROOM, self.usual.max(MIN_ROOM));
        if let Ok(mut larger) = with_room(needed.max(roomy)) {
            larger.append(self.cells);
            *self.cells = larger;
        } else {
            self.cells.reserve(count);
        }
    }

    /// Appends a vertex.
    #[inline(always)]
    pub(crate) fn push(&mut self, v: V) {
        if self.cells.len() == self.cells.capacity() {
            self.grow(1);
        }
        self.cells.push(V::Atomic::new(v));
    }

    #[inline(always)]
    pub(crate) fn at(&self, index: usize) -> V {
        self.cells[index].load()
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
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
