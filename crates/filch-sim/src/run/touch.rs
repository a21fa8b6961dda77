//! A worker begins a leaf that touches memory: from then on it is known how long the leaf takes.

use super::Simulation;
use crate::course::Cursor;
use crate::decisions::Decisions;
use crate::memory::{Memory, Misses};

impl<D: Decisions> Simulation<'_, D> {
    /// The same with a cache of so many bytes on each socket, if the program's leaves touch memory. Without, they take
    /// as long as their work. Follows [`on`](Self::on).
    #[must_use]
    pub fn with_caches(mut self, bytes: u64) -> Self {
        let arrays = self.program.data_bytes() * crate::program::ARRAYS;
        if arrays > 0 {
            self.memory = Some(Memory::new(self.sockets.count(), arrays, bytes));
            self.workers.iter_mut().for_each(|worker| worker.course.stops_to_touch = true);
        }
        self
    }

    pub(super) fn touch(&mut self, me: usize) {
        let Cursor::Begin(leaf) = self.workers[me].course.cursor else { unreachable!("it is about to begin a leaf") };
        let socket = self.sockets.of(me);
        let memory = self.memory.as_mut().expect("without memory nothing stops here");
        let Misses { near, far } = self
            .program
            .touches(leaf)
            .into_iter()
            .map(|touch| memory.touch(socket, touch))
            .fold(Misses::default(), |sum, it| Misses { near: sum.near + it.near, far: sum.far + it.far });
        self.counts.misses_near += near;
        self.counts.misses_far += far;
        let misses_ns = Misses { near, far }.cost_ns(&self.costs);
        self.workers[me].course.cursor = Cursor::Touched(leaf, misses_ns);
    }
}
