//! The memory of the simulated machine: a cache on each socket, which its workers share, memory on each socket, and a
//! cache of each worker, if there are any.
//!
//! Memory is divided into blocks. A block is placed on the socket whose worker touches it first. The cache of a socket
//! holds the blocks that its workers have touched last. Besides its work, a node costs a given time for each line that
//! is not in its socket's cache, and more if the line comes from another socket's memory. A write to a block removes it
//! from the caches of others. What a worker does not find in its own cache is counted, and costs nothing.

use crate::costs::Costs;
use crate::program::{BLOCK, Touch};

/// Of a block.
const LINES: u64 = BLOCK / 64;

/// No block, or no socket.
const NONE: u32 = u32::MAX;

/// What some touches have found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Misses {
    /// Lines from the memory of the own socket, and from that of others.
    pub(crate) near: u64,
    pub(crate) far: u64,
    /// Lines that the worker's own cache did not have.
    pub(crate) private: u64,
}

impl Misses {
    pub(crate) fn and(self, other: Misses) -> Misses {
        Misses { near: self.near + other.near, far: self.far + other.far, private: self.private + other.private }
    }

    pub(crate) fn cost_ns(self, costs: &Costs) -> u64 {
        self.near * costs.line_ns + self.far * costs.far_line_ns
    }
}

/// The caches, and where memory is.
pub(crate) struct Memory {
    caches: Vec<Cache>,
    /// Those of workers.
    private: Vec<Cache>,
    /// The socket of each block.
    homes: Vec<u32>,
}

impl Memory {
    /// Memory for addresses below `bytes`, and caches of `cache_bytes` each.
    pub(crate) fn new(sockets: usize, bytes: u64, cache_bytes: u64) -> Self {
        let blocks = bytes.div_ceil(BLOCK) as usize;
        let room = (cache_bytes / BLOCK) as usize;
        let caches = (0..sockets).map(|_| Cache::new(blocks, room)).collect();
        Memory { caches, private: Vec::new(), homes: vec![NONE; blocks] }
    }

    /// Adds a cache of this many bytes for each worker.
    pub(crate) fn add_private(&mut self, workers: usize, cache_bytes: u64) {
        let (blocks, room) = (self.homes.len(), (cache_bytes / BLOCK) as usize);
        self.private = (0..workers).map(|_| Cache::new(blocks, room)).collect();
    }

    /// A worker of this socket touches something.
    pub(crate) fn touch(&mut self, worker: usize, socket: usize, touch: Touch) -> Misses {
        let mut misses = Misses::default();
        let blocks = touch.begin / BLOCK..touch.end.div_ceil(BLOCK);
        for block in blocks.map(|block| block as usize) {
            if self.homes[block] == NONE {
                self.homes[block] = socket as u32;
            }
            if !self.caches[socket].touch(block) {
                let is_near = self.homes[block] == socket as u32;
                *if is_near { &mut misses.near } else { &mut misses.far } += LINES;
            }
            if let Some(cache) = self.private.get_mut(worker) {
                misses.private += if cache.touch(block) { 0 } else { LINES };
            }
            if touch.writes {
                let others = |caches: &mut [Cache], own| {
                    let others = caches.iter_mut().enumerate().filter(|(other, _)| *other != own);
                    others.for_each(|(_, cache)| cache.remove(block));
                };
                others(&mut self.caches, socket);
                others(&mut self.private, worker);
            }
        }
        misses
    }
}

/// The blocks that were touched last, as a ring from the latest to the earliest. The place after the last block is
/// where the ring begins.
struct Cache {
    earlier: Vec<u32>,
    later: Vec<u32>,
    room: usize,
    len: usize,
}

impl Cache {
    fn new(blocks: usize, room: usize) -> Self {
        let mut links = vec![NONE; blocks + 1];
        links[blocks] = blocks as u32;
        Cache { earlier: links.clone(), later: links, room, len: 0 }
    }

    fn ring(&self) -> usize {
        self.earlier.len() - 1
    }

    /// Returns whether the block was there, and makes it the latest one.
    fn touch(&mut self, block: usize) -> bool {
        let was_there = self.earlier[block] != NONE;
        self.remove(block);
        if self.room > 0 {
            if self.len == self.room {
                self.remove(self.later[self.ring()] as usize);
            }
            let ring = self.ring();
            let latest = self.earlier[ring];
            (self.earlier[block], self.later[block]) = (latest, ring as u32);
            (self.later[latest as usize], self.earlier[ring]) = (block as u32, block as u32);
            self.len += 1;
        }
        was_there
    }

    fn remove(&mut self, block: usize) {
        let (earlier, later) = (self.earlier[block], self.later[block]);
        if earlier != NONE {
            (self.later[earlier as usize], self.earlier[later as usize]) = (later, earlier);
            (self.earlier[block], self.later[block]) = (NONE, NONE);
            self.len -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_policy::Random;

    #[test]
    fn a_cache_holds_what_was_touched_last() {
        let (blocks, mut random) = (40, Random::new(1));
        for room in [0, 1, 2, 7, 100] {
            let mut cache = Cache::new(blocks, room);
            // The latest is the last one.
            let mut list: Vec<usize> = Vec::new();
            for _ in 0..2_000 {
                let block = random.below(blocks);
                if random.below(8) == 0 {
                    cache.remove(block);
                    list.retain(|&other| other != block);
                    continue;
                }
                assert_eq!(cache.touch(block), list.contains(&block), "{room}");
                list.retain(|&other| other != block);
                list.push(block);
                list.drain(..list.len().saturating_sub(room));
            }
        }
    }

    #[test]
    fn memory_is_where_it_was_touched_first_and_a_writer_has_it_alone() {
        let mut memory = Memory::new(2, 8 * BLOCK, 4 * BLOCK);
        let (near, far) =
            (|lines| Misses { near: lines, ..Misses::default() }, |lines| Misses { far: lines, ..Misses::default() });
        assert_eq!(memory.touch(0, 0, Touch::write(0, 2 * BLOCK)), near(2 * LINES));
        assert_eq!(memory.touch(0, 0, Touch::read(100, BLOCK)), near(0));
        assert_eq!(memory.touch(1, 1, Touch::read(0, BLOCK)), far(LINES));
        assert_eq!((memory.touch(0, 0, Touch::read(0, 1)), memory.touch(1, 1, Touch::read(0, 1))), (near(0), near(0)));
        assert_eq!(memory.touch(1, 1, Touch::write(0, 1)), near(0));
        assert_eq!(memory.touch(0, 0, Touch::read(0, 1)), near(LINES), "the other one has written it");
        assert_eq!(memory.touch(0, 0, Touch::read(2 * BLOCK, 6 * BLOCK)), near(4 * LINES));
        assert_eq!(memory.touch(0, 0, Touch::read(0, 1)), near(LINES), "four blocks have room");
    }

    #[test]
    fn a_worker_does_not_find_in_its_own_cache_what_another_one_of_its_socket_has_written() {
        let mut memory = Memory::new(1, 8 * BLOCK, 8 * BLOCK);
        memory.add_private(2, 2 * BLOCK);
        let mut private = |worker, touch| memory.touch(worker, 0, touch).private;
        assert_eq!((private(0, Touch::read(0, 2 * BLOCK)), private(0, Touch::read(0, BLOCK))), (2 * LINES, 0));
        assert_eq!((private(1, Touch::write(0, 1)), private(0, Touch::read(0, 2 * BLOCK))), (LINES, LINES));
        assert_eq!(private(0, Touch::read(0, 3 * BLOCK)), LINES, "what it has touched longest ago goes first");
        assert_eq!(private(0, Touch::read(0, BLOCK)), LINES, "two blocks have room");
    }
}
