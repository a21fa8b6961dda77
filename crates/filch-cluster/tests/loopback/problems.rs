//! The problems that are searched.

use filch::{Bits, Bound, Node, Search};
use serde::{Deserialize, Serialize};
use std::ops::Range;

pub(crate) struct Queens(pub u32);

#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Board {
    pub(crate) rows: u32,
    files: u64,
    rising: u64,
    falling: u64,
    /// The file of each row's queen.
    pub(crate) queens: Vec<u32>,
}

impl Board {
    fn flip(&mut self, file: u32) {
        self.files ^= 1 << file;
        self.rising ^= 1 << (self.rows + file);
        self.falling ^= 1 << (self.rows + 31 - file);
    }

    pub(crate) fn is_legal(&self) -> bool {
        let squares = || self.queens.iter().zip(0_u32..);
        let attacks = |(a, i): (&u32, u32), (b, j): (&u32, u32)| a == b || a.abs_diff(*b) == i.abs_diff(j);
        squares().all(|one| squares().all(|other| one.1 == other.1 || !attacks(one, other)))
    }
}

impl Search for Queens {
    type Workspace = Board;
    type Choices = Bits;

    fn choices(&self, board: &mut Board) -> Node<Bits> {
        if board.rows == self.0 {
            return Node::Solution;
        }
        let falling = (board.falling >> board.rows).reverse_bits() >> 32;
        Node::Choices(Bits(!(board.files | board.rising >> board.rows | falling) & ((1 << self.0) - 1)))
    }

    fn apply(&self, board: &mut Board, file: u32) {
        board.flip(file);
        board.rows += 1;
        board.queens.push(file);
    }

    fn undo(&self, board: &mut Board, file: u32) {
        board.queens.pop();
        board.rows -= 1;
        board.flip(file);
    }
}

/// A tree in which the number of children of a node is random, and depends on the path to it alone.
pub(crate) struct Tree {
    pub(crate) seed: u64,
    pub(crate) depth: usize,
    pub(crate) at_node: fn(&[u8]),
}

impl Tree {
    pub(crate) fn new(seed: u64, depth: usize) -> Self {
        Tree { seed, depth, at_node: |_| () }
    }

    fn children(&self, path: &[u8]) -> u8 {
        let hash = path
            .iter()
            .fold(self.seed, |hash, &step| filch_policy::scatter(hash.wrapping_mul(8) ^ (u64::from(step) + 1)));
        if path.len() >= self.depth { 0 } else { (hash % 6) as u8 + u8::from(path.len() < 3) }
    }

    /// How many leaves there are: counted by recursion.
    pub(crate) fn leaves(&self) -> u64 {
        fn count(tree: &Tree, path: &mut Vec<u8>) -> u64 {
            let children = tree.children(path);
            let below = |child| {
                path.push(child);
                let leaves = count(tree, path);
                path.pop();
                leaves
            };
            if children == 0 { 1 } else { (0..children).map(below).sum() }
        }
        count(self, &mut Vec::new())
    }
}

impl Search for Tree {
    type Workspace = Vec<u8>;
    type Choices = Range<u8>;

    fn choices(&self, path: &mut Vec<u8>) -> Node<Range<u8>> {
        (self.at_node)(path);
        match self.children(path) {
            0 => Node::Solution,
            children => Node::Choices(0..children),
        }
    }

    fn apply(&self, path: &mut Vec<u8>, choice: u8) {
        path.push(choice);
    }

    fn undo(&self, path: &mut Vec<u8>, _: u8) {
        path.pop();
    }
}

/// Which of some things to pack, so that the value is highest: branch and bound.
pub(crate) struct Knapsack<'b> {
    pub(crate) things: Vec<(i64, i64)>,
    pub(crate) room: i64,
    pub(crate) bound: &'b Bound,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Packed {
    pub(crate) decided: Vec<bool>,
    weight: i64,
    pub(crate) value: i64,
}

impl<'b> Knapsack<'b> {
    pub(crate) fn new(seed: u64, count: usize, bound: &'b Bound) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let things = (0..count).map(|_| (random.i64(10..50), random.i64(10..50))).collect::<Vec<_>>();
        let room = things.iter().map(|thing| thing.0).sum::<i64>() / 2;
        Knapsack { things, room, bound }
    }

    /// By a table of the best value for each weight.
    pub(crate) fn best(&self) -> i64 {
        let mut best = vec![0; self.room as usize + 1];
        for &(weight, value) in &self.things {
            for room in (weight as usize..best.len()).rev() {
                best[room] = best[room].max(best[room - weight as usize] + value);
            }
        }
        best[self.room as usize]
    }
}

impl Search for Knapsack<'_> {
    type Workspace = Packed;
    type Choices = Range<u8>;

    fn choices(&self, packed: &mut Packed) -> Node<Range<u8>> {
        let rest: i64 = self.things[packed.decided.len()..].iter().map(|thing| thing.1).sum();
        if packed.weight > self.room || !self.bound.admits(packed.value + rest) {
            Node::Choices(0..0)
        } else if packed.decided.len() == self.things.len() {
            Node::Solution
        } else {
            Node::Choices(0..2)
        }
    }

    fn apply(&self, packed: &mut Packed, leaves: u8) {
        let (weight, value) = self.things[packed.decided.len()];
        packed.decided.push(leaves == 0);
        if leaves == 0 {
            (packed.weight, packed.value) = (packed.weight + weight, packed.value + value);
        }
    }

    fn undo(&self, packed: &mut Packed, leaves: u8) {
        packed.decided.pop();
        let (weight, value) = self.things[packed.decided.len()];
        if leaves == 0 {
            (packed.weight, packed.value) = (packed.weight - weight, packed.value - value);
        }
    }
}
