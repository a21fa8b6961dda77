//! A random program: a tree whose every node says what to do, and which is known before anything runs.
//!
//! Nodes are numbered in program order, so the parts of a node are the numbers from its own up to its end; that makes
//! "is a part of" one comparison. How a tree is grown from a seed is in [`grow`](super::grow), what it means in
//! [`oracle`](super::oracle), how it runs in [`execute`](super::execute).

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// How many mutexes the programs of a case share.
pub const LOCKS: usize = 4;

/// A tree.
#[derive(Debug)]
pub struct Program {
    /// The nodes in program order, the root first.
    pub nodes: Vec<Node>,
    /// Added to the numbers of nodes where programs run beside each other, so that no two share a number.
    pub base: u64,
}

/// A node.
#[derive(Debug, Hash)]
pub struct Node {
    /// What it does.
    pub kind: Kind,
    /// The number behind its last part.
    pub end: usize,
}

/// What a node does. Children are given by their numbers.
#[derive(Debug, Hash)]
pub enum Kind {
    /// Something without parts.
    Leaf(Leaf),
    /// Both in parallel.
    Join {
        /// In which words the fork is written.
        form: Form,
        /// The first branch.
        a: usize,
        /// The second branch.
        b: usize,
        /// What panics beside the branches themselves.
        charge: Option<Charge>,
    },
    /// One after another, through one strand.
    Sequence(Vec<usize>),
    /// All in parallel, as the iterations of a loop. At most one of them panics: else it is open which one is known of.
    Loop {
        /// In which words the loop is written.
        form: LoopForm,
        /// The iterations.
        items: Vec<usize>,
    },
    /// In a run nested on this pool.
    Run {
        /// The pool.
        pool: usize,
        /// What runs there.
        part: usize,
    },
    /// Panics from inside end here.
    Catch(usize),
    /// With this mutex held, across all joins inside.
    Locked {
        /// The mutex.
        lock: usize,
        /// What runs meanwhile. No part of it wants this mutex or one with a lower number.
        part: usize,
    },
}

/// The words for a fork.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub enum Form {
    /// `Strand::join`
    Strand,
    /// `Strand::join_context`
    StrandContext,
    /// `filch::join`
    Free,
    /// `filch::join_context`
    FreeContext,
}

/// The words for a loop.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub enum LoopForm {
    /// `Strand::map_reduce`
    StrandReduce,
    /// `Strand::for_each`
    StrandEach,
    /// `filch::map_reduce`
    FreeReduce,
    /// `filch::for_each`
    FreeEach,
    /// `filch::traverse`: the first visit adds the second to this phase and the third to the next one, and so on, as in a heap.
    Traverse,
}

/// A value of a join that panics when it is dropped.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub enum Charge {
    /// A capture of the first branch.
    CaptureA,
    /// A capture of the second branch.
    CaptureB,
    /// The first branch's result.
    ResultA,
    /// The second branch's result.
    ResultB,
}

/// What a leaf does before it gives its value.
#[derive(Debug, Hash)]
pub enum Leaf {
    /// Nothing.
    Value(u64),
    /// Turns of a spin loop.
    Spin(u64, u32),
    /// Lets other threads run.
    Yield(u64),
    /// A loop of so many cheap iterations, which come to the value by [`cheap`].
    Sum(u64, u64),
    /// Blocks for some microseconds.
    Sleep(u64, u32),
    /// Locks this mutex and unlocks it.
    Lock(u64, usize),
    /// Blocks until that node, the second branch of the join whose first branch this is, has begun.
    Await(u64, usize),
    /// Panics with this value; if `explosive`, the payload panics when somebody drops it.
    Panic {
        /// The payload's value.
        value: u64,
        /// Whether the payload panics in its turn.
        explosive: bool,
    },
}

impl Program {
    /// The numbers of a node's parts, among all programs of the case.
    pub fn range(&self, node: usize) -> Range<u64> {
        self.base + node as u64..self.base + self.nodes[node].end as u64
    }

    /// The value that the payload of a join's charge carries.
    pub fn charge_value(join: usize) -> u64 {
        (join as u64) << 32 | 0xC4A6
    }

    /// A number that is another for another program, but for accidents.
    pub fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.nodes.hash(&mut hasher);
        hasher.finish()
    }
}

/// Puts two results together. Not commutative, so that branches which changed places show.
pub fn combine(a: u64, b: u64) -> u64 {
    a.wrapping_mul(31).wrapping_add(b.rotate_left(7)) ^ 0x55
}

/// What one iteration of a [`Leaf::Sum`] comes to; all are added up.
pub fn cheap(value: u64, index: u64) -> u64 {
    (value ^ index).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
