//! A worker begins a node that touches memory, which determines how long the node's work takes.

use super::Simulation;
use crate::course::Cursor;
use crate::decisions::Decisions;
use crate::memory::{Memory, Misses};

impl<D: Decisions> Simulation<'_, D> {
    /// The same with a cache of this many bytes on each socket, if the program touches memory. Without caches, each
    /// node takes as long as its work. Follows [`on`](Self::on).
    #[must_use]
    pub fn with_caches(mut self, bytes: u64) -> Self {
        let memory_bytes = self.program.memory_bytes();
        if memory_bytes > 0 {
            self.memory = Some(Memory::new(self.sockets.count(), memory_bytes, bytes));
            self.workers.iter_mut().for_each(|worker| worker.course.stops_to_touch = true);
        }
        self
    }

    /// The same with a cache of this many bytes for each worker besides, whose misses are counted; 0 for none. Follows
    /// [`with_caches`](Self::with_caches).
    #[must_use]
    pub fn with_private_caches(mut self, bytes: u64) -> Self {
        let workers = if bytes > 0 { self.workers.len() } else { 0 };
        self.memory.iter_mut().for_each(|memory| memory.add_private(workers, bytes));
        self
    }

    pub(super) fn touch(&mut self, me: usize) {
        let Cursor::Begin(node) = self.workers[me].course.cursor else { unreachable!("it is about to begin a node") };
        let socket = self.sockets.of(me);
        let memory = self.memory.as_mut().expect("without memory nothing stops here");
        let touches = self.program.touches(node);
        let misses = touches.iter().map(|&touch| memory.touch(me, socket, touch)).fold(Misses::default(), Misses::and);
        self.counts.misses_near += misses.near;
        self.counts.misses_far += misses.far;
        self.counts.misses_private += misses.private;
        self.note_share(me, node);
        let misses_ns = misses.cost_ns(&self.costs);
        self.workers[me].course.cursor = Cursor::Touched(node, misses_ns);
    }
}
