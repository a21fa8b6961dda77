//! A runtime that counts what eager creation would create.

use std::cell::Cell;

use super::items::Items;
use super::token::{Runtime, Token};

/// The largest number of blocks of a loop.
const MOST_BLOCKS: usize = 2048;

/// Runs everything in order, and counts the threads that a runtime creates which makes one at every fork.
///
/// A loop counts as the divide-and-conquer loop of Cilk Plus: on P workers it has min(8 P, 2048) blocks, and each block
/// but one is a thread (Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018, section 5).
#[derive(Debug)]
pub enum Counting {}

/// The threads so far.
#[derive(Debug)]
pub struct Threads {
    created: Cell<u64>,
    workers: usize,
}

impl Counting {
    /// The number of threads that `program` creates on this many workers.
    pub fn count(workers: usize, program: impl FnOnce(Token<'_, '_, Self>)) -> u64 {
        let threads = Threads { created: Cell::new(0), workers };
        program(Token(&threads));
        threads.created.get()
    }
}

impl Threads {
    fn add(&self, number: usize) {
        self.created.set(self.created.get() + number as u64);
    }

    fn add_loop(&self, length: usize) {
        let blocks = length.min(self.workers.saturating_mul(8)).min(MOST_BLOCKS);
        self.add(blocks.saturating_sub(1));
    }
}

impl Runtime for Counting {
    type Handle<'a, 'b: 'a> = &'a Threads;

    fn join<A, B, RA, RB>(threads: &mut &Threads, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Token<Self>) -> RA + Send,
        B: FnOnce(Token<Self>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        threads.add(1);
        (a(Token(*threads)), b(Token(*threads)))
    }

    fn for_each<I, F>(threads: &mut &Threads, items: I, body: F)
    where
        I: Items,
        F: Fn(Token<Self>, I::Item) + Send + Sync,
    {
        threads.add_loop(items.length());
        items.in_order().for_each(|item| body(Token(*threads), item));
    }

    fn map_reduce<I, T, N, M, C>(threads: &mut &Threads, items: I, identity: N, map: M, combine: C) -> T
    where
        I: Items,
        T: Send,
        N: Fn() -> T + Send + Sync,
        M: Fn(Token<Self>, I::Item) -> T + Send + Sync,
        C: Fn(T, T) -> T + Send + Sync,
    {
        threads.add_loop(items.length());
        items.in_order().fold(identity(), |so_far, item| combine(so_far, map(Token(*threads), item)))
    }

    fn reborrow<'x, 'b: 'x>(threads: &'x mut &Threads) -> &'x Threads {
        threads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fork_and_every_block_of_a_loop_but_one_is_a_thread() {
        let count = |workers| {
            Counting::count(workers, |mut t| {
                t.join(|mut t| _ = t.join(|_| (), |_| ()), |_| ());
                t.for_each(0..100_usize, |_, _| ());
                assert_eq!(t.sum(0..3_usize, |_, number| number), 3);
                t.for_each(0..0_usize, |_, _| ());
            })
        };
        assert_eq!([count(1), count(2), count(1000)], [2 + 7 + 2, 2 + 15 + 2, 2 + 99 + 2]);
    }
}
