//! Problems for the tests: queens, and trees of pseudo-random shape.

use filch::{Bits, Node, Search};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Queens on a board of at most 16 rows.
pub(crate) struct Queens {
    pub(crate) n: u32,
}

/// The files, and the diagonals as they meet the next row, that are attacked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Board {
    pub(crate) queens: Vec<u32>,
    files: u64,
    rising: u64,
    falling: u64,
}

impl Search for Queens {
    type Workspace = Board;
    type Choices = Bits;

    fn choices(&self, board: &mut Board) -> Node<Bits> {
        let row = board.queens.len() as u32;
        if row == self.n {
            return Node::Solution;
        }
        let attacked = board.files | board.rising >> row | board.falling >> (16 - row);
        Node::Choices(Bits(!attacked & ((1 << self.n) - 1)))
    }

    fn apply(&self, board: &mut Board, file: u32) {
        let row = board.queens.len() as u32;
        board.queens.push(file);
        board.flip(row, file);
    }

    fn undo(&self, board: &mut Board, file: u32) {
        assert_eq!(board.queens.pop(), Some(file), "the latest choice is taken back");
        let row = board.queens.len() as u32;
        board.flip(row, file);
    }
}

impl Board {
    fn flip(&mut self, row: u32, file: u32) {
        self.files ^= 1 << file;
        // A diagonal is named by the file at which it meets row 0, or 16 more.
        self.rising ^= 1 << (file + row);
        self.falling ^= 1 << (file + 16 - row);
    }
}

/// The solutions by the size of the board (OEIS A000170).
pub(crate) const QUEENS: [u64; 11] = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724];

/// A tree of pseudo-random shape, which follows from `seed` and the path. Most of its leaves are solutions.
pub(crate) struct Tree {
    pub(crate) seed: u64,
    pub(crate) depth: usize,
    /// Nodes visited.
    pub(crate) visits: AtomicUsize,
}

impl Tree {
    pub(crate) fn new(seed: u64) -> Self {
        Tree { seed, depth: if cfg!(miri) { 3 } else { 9 }, visits: AtomicUsize::new(0) }
    }

    fn draw(&self, path: &[u8]) -> u64 {
        let mix = |state: u64, step: &u8| (state ^ u64::from(*step) ^ 0x9E37).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let state = path.iter().fold(mix(self.seed + 1, &7), |state, step| mix(state ^ state >> 29, step));
        state ^ state >> 31
    }

    /// The paths to all solutions, in serial order, by plain recursion.
    pub(crate) fn oracle(&self) -> Vec<Vec<u8>> {
        fn walk(tree: &Tree, path: &mut Vec<u8>, out: &mut Vec<Vec<u8>>) {
            match tree.node(path) {
                Node::Solution => out.push(path.clone()),
                Node::Choices(choices) => {
                    for choice in choices {
                        path.push(choice);
                        walk(tree, path, out);
                        path.pop();
                    }
                }
            }
        }
        let mut out = Vec::new();
        walk(self, &mut Vec::new(), &mut out);
        out
    }

    fn node(&self, path: &[u8]) -> Node<std::ops::Range<u8>> {
        let draw = self.draw(path);
        if path.len() == self.depth || path.len() > 2 && draw.is_multiple_of(7) {
            return if (draw >> 20).is_multiple_of(3) { Node::Choices(0..0) } else { Node::Solution };
        }
        Node::Choices(0..(draw >> 8) as u8 % 5)
    }
}

impl Search for Tree {
    type Workspace = Vec<u8>;
    type Choices = std::ops::Range<u8>;

    fn choices(&self, path: &mut Vec<u8>) -> Node<std::ops::Range<u8>> {
        self.visits.fetch_add(1, Ordering::Relaxed);
        self.node(path)
    }

    fn apply(&self, path: &mut Vec<u8>, choice: u8) {
        path.push(choice);
    }

    fn undo(&self, path: &mut Vec<u8>, choice: u8) {
        assert_eq!(path.pop(), Some(choice), "the latest choice is taken back");
    }
}
