//! A random program: a tree whose nodes say what to do, and which is known before anything runs.
//!
//! Nodes are numbered in program order, so a node and its parts are a range of numbers, and one comparison tells
//! whether a node is part of another.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// The number of mutexes that the programs of a case share.
pub const LOCKS: usize = 4;

/// A tree.
#[derive(Debug)]
pub struct Program {
    /// The nodes in program order, the root first.
    pub nodes: Vec<Node>,
    /// Added to the numbers of nodes if several programs run at the same time, so that no two share a number.
    pub base: u64,
}

/// A node.
#[derive(Debug, Hash)]
pub struct Node {
    /// What it does.
    pub kind: Kind,
    /// The number after that of its last part.
    pub end: usize,
}

/// What a node does. Children are given by their numbers.
#[derive(Debug, Hash)]
pub enum Kind {
    /// A node without parts.
    Leaf(Leaf),
    /// Two branches in parallel.
    Join {
        /// The function that forks.
        form: Form,
        /// The first branch.
        a: usize,
        /// The second branch.
        b: usize,
        /// What panics, besides the branches themselves.
        charge: Option<Charge>,
    },
    /// Parts one after another, through one strand.
    Sequence(Vec<usize>),
    /// The iterations of a loop, in parallel. At most one of them panics; otherwise it would be nondeterministic which
    /// panic is reported.
    Loop {
        /// The function that runs the loop.
        form: LoopForm,
        /// The iterations.
        items: Vec<usize>,
        /// The index of the iteration that ends the loop, for a form that can be ended.
        stop: Option<usize>,
        /// The index of the iteration at which the combiner panics: it cannot be combined with those before it.
        broken: Option<usize>,
    },
    /// The items of an iterator, spawned one after another.
    Items {
        /// The function that runs the loop.
        form: ItemForm,
        /// The items.
        items: Vec<usize>,
        /// The index of the item that ends the loop.
        stop: Option<usize>,
        /// The index of the item at which the iterator panics.
        broken: Option<usize>,
    },
    /// A scope around a part. At most one of the body and the tasks panics, as with loops.
    Scope {
        /// The pool on which it is opened, and where its tasks run.
        pool: usize,
        /// The function that opens it.
        form: ScopeForm,
        /// The body.
        body: usize,
    },
    /// Spawns a task in a scope.
    Spawn {
        /// The scope, which contains this node.
        scope: usize,
        /// The task.
        task: usize,
        /// Whether a thread that is not a worker spawns it.
        from_elsewhere: bool,
    },
    /// A part with reducers into which its parts put values.
    Reduce(usize),
    /// A part in a run nested on a pool.
    Run {
        /// The pool.
        pool: usize,
        /// What runs there.
        part: usize,
    },
    /// A part in a run nested on a pool, which forks through the strand from outside of that run. The strand is in a
    /// wrapper that asserts `Send` and stays on its thread. Without a strand, as [`Run`](Self::Run).
    Carry {
        /// The pool.
        pool: usize,
        /// What runs there. Its forks go through that strand, except inside of nested runs.
        part: usize,
    },
    /// Catches panics of a part.
    Catch(usize),
    /// A part that runs while a mutex is held, also across joins.
    Locked {
        /// The mutex.
        lock: usize,
        /// What runs while the mutex is held. No part of it locks this mutex or one with a lower number.
        part: usize,
    },
}

/// The function that forks.
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

/// The function that runs a loop.
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
    /// `Strand::try_for_each`
    Try,
    /// `filch::find_any`
    Find,
    /// `Strand::for_each_until`
    Until,
    /// `filch::traverse`. The visit of item i adds item 2i + 1 to this phase and item 2i + 2 to the next one, as in a
    /// heap.
    Traverse,
    /// `Strand::search` or `filch::search`, a fold over a tree whose leaves are the iterations
    Search,
    /// The same tree, and `find_any`
    SearchAny,
    /// `Strand::speculate`. The iterations are children, one in three of which searches. One that ends the loop aborts
    /// the others.
    Speculate,
}

impl LoopForm {
    /// Whether iterations can end it.
    pub fn stops(self) -> bool {
        matches!(self, LoopForm::Try | LoopForm::Find | LoopForm::Until | LoopForm::SearchAny | LoopForm::Speculate)
    }

    /// Whether values that different iterations put into reducers come in no order.
    pub fn is_unordered(self) -> bool {
        matches!(self, LoopForm::Traverse | LoopForm::Speculate)
    }

    /// Whether it combines the values of the iterations.
    pub fn combines(self) -> bool {
        matches!(self, LoopForm::StrandReduce | LoopForm::FreeReduce | LoopForm::Search)
    }
}

/// The function that runs a spawn loop.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub enum ItemForm {
    /// `Strand::for_each_item`
    Strand,
    /// `filch::for_each_item`
    Free,
    /// `Strand::try_for_each_item`
    Try,
    /// `Strand::for_each_item_until`
    Until,
}

/// The function that opens a scope.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub enum ScopeForm {
    /// `Strand::scope`
    Strand,
    /// `Strand::scope_fifo`
    StrandFifo,
    /// `filch::scope`
    Free,
    /// `filch::scope_fifo`
    FreeFifo,
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

/// What a leaf does before it returns its value.
#[derive(Debug, Hash)]
pub enum Leaf {
    /// Nothing.
    Value(u64),
    /// Spins this many times.
    Spin(u64, u32),
    /// Yields to other threads.
    Yield(u64),
    /// Runs a loop of this many cheap iterations, which have the values given by [`cheap`].
    Sum(u64, u64),
    /// Sleeps for some microseconds.
    Sleep(u64, u32),
    /// Locks this mutex and unlocks it.
    Lock(u64, usize),
    /// Blocks until this node has started, which is the second branch of the join whose first branch is this leaf.
    Await(u64, usize),
    /// Puts a value into the innermost reducers.
    Put {
        /// The value.
        value: u64,
        /// The node that has the reducers.
        reduction: usize,
        /// The innermost task or visit of a traversal that contains the leaf, or else the node with the reducers.
        /// Values put within the same one are reduced in the serial order.
        within: usize,
    },
    /// Panics with this value. If `explosive`, the payload panics when it is dropped.
    Panic {
        /// The payload's value.
        value: u64,
        /// Whether the payload panics when it is dropped.
        explosive: bool,
    },
}

impl Program {
    /// The numbers of a node and its parts, which are unique among all programs of the case.
    pub fn range(&self, node: usize) -> Range<u64> {
        self.base + node as u64..self.base + self.nodes[node].end as u64
    }

    /// The value in the payload of a panic of a node that is not a leaf.
    pub fn charge_value(node: usize) -> u64 {
        (node as u64) << 32 | 0xC4A6
    }

    /// The numbers of a node and its parts.
    pub fn extent(&self, node: usize) -> Range<usize> {
        node..self.nodes[node].end
    }

    /// The tasks spawned in a scope.
    pub fn tasks_of(&self, scope: usize) -> Vec<usize> {
        let parts = self.nodes[self.extent(scope)].iter();
        let task = |node: &Node| match node.kind {
            Kind::Spawn { scope: its, task, .. } if its == scope => Some(task),
            _ => None,
        };
        parts.filter_map(task).collect()
    }

    /// The children of a node, in program order.
    pub fn parts(&self, node: usize) -> Vec<usize> {
        match &self.nodes[node].kind {
            Kind::Leaf(_) => vec![],
            Kind::Join { a, b, .. } => vec![*a, *b],
            Kind::Sequence(parts) | Kind::Loop { items: parts, .. } | Kind::Items { items: parts, .. } => parts.clone(),
            Kind::Run { part, .. }
            | Kind::Carry { part, .. }
            | Kind::Catch(part)
            | Kind::Locked { part, .. }
            | Kind::Scope { body: part, .. }
            | Kind::Spawn { task: part, .. }
            | Kind::Reduce(part) => vec![*part],
        }
    }

    /// The pool on which the tasks of a scope run.
    pub fn pool_of(&self, scope: usize) -> usize {
        match self.nodes[scope].kind {
            Kind::Scope { pool, .. } => pool,
            ref other => unreachable!("{other:?} is no scope"),
        }
    }

    /// A hash of the program.
    pub fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.nodes.hash(&mut hasher);
        hasher.finish()
    }
}

/// Combines two results. Not commutative, so that branches that are swapped are detected.
pub fn combine(a: u64, b: u64) -> u64 {
    a.wrapping_mul(31).wrapping_add(b.rotate_left(7)) ^ 0x55
}

/// The value of a loop that an item with this value has ended. It depends on no other item, since it is
/// nondeterministic which of them have run.
pub fn stopped(value: u64) -> u64 {
    combine(value, 0x570B)
}

/// The value of a scope. Its tasks have values of their own.
pub fn scoped(body: u64) -> u64 {
    combine(body, 0x5C0B)
}

/// The value of one iteration of a [`Leaf::Sum`]. The leaf adds them up.
pub fn cheap(value: u64, index: u64) -> u64 {
    (value ^ index).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// A matrix of two rows and two columns. Multiplication is not commutative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matrix([u64; 4]);

impl Matrix {
    /// The identity.
    pub const IDENTITY: Matrix = Matrix([1, 0, 0, 1]);

    /// A matrix that depends on a value.
    pub fn of(value: u64) -> Self {
        Matrix([value | 1, value >> 7, value.rotate_left(13), value ^ 0x55])
    }

    /// The product.
    pub fn times(self, right: Self) -> Self {
        let (Matrix([a, b, c, d]), Matrix([e, f, g, h])) = (self, right);
        let sum = |a: u64, b: u64, c: u64, d: u64| a.wrapping_mul(b).wrapping_add(c.wrapping_mul(d));
        Matrix([sum(a, e, b, g), sum(a, f, b, h), sum(c, e, d, g), sum(c, f, d, h)])
    }
}
