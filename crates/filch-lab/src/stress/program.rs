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
        /// The place of the one that ends the loop, if it is of a form that can be ended.
        stop: Option<usize>,
        /// The place of the one that cannot be combined with what comes before it: there the combiner panics, and
        /// nothing else.
        broken: Option<usize>,
    },
    /// The items of an iterator, spawned one after the other.
    Items {
        /// In which words the loop is written.
        form: ItemForm,
        /// The items.
        items: Vec<usize>,
        /// The place of the one that ends the loop.
        stop: Option<usize>,
        /// The place of the one for which the iterator panics when it is asked for it.
        broken: Option<usize>,
    },
    /// A scope around a part. At most one of body and tasks panics, as with loops.
    Scope {
        /// The pool that it is opened on, where its tasks run.
        pool: usize,
        /// In which words it is opened.
        form: ScopeForm,
        /// The body.
        body: usize,
    },
    /// Leaves a task to a scope.
    Spawn {
        /// The scope, which is one around this node.
        scope: usize,
        /// The task.
        task: usize,
        /// Whether a thread spawns it that is no worker.
        from_elsewhere: bool,
    },
    /// With reducers into which all parts put something.
    Reduce(usize),
    /// In a run nested on this pool.
    Run {
        /// The pool.
        pool: usize,
        /// What runs there.
        part: usize,
    },
    /// In a run nested on this pool, but through the strand from outside of it, in a wrapper that asserts `Send` and
    /// keeps to its thread. Without a strand in hand, as [`Run`](Self::Run).
    Carry {
        /// The pool.
        pool: usize,
        /// What runs there. Outside of runs that are nested in it, all its forks go through that strand.
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
    /// `Strand::try_for_each`
    Try,
    /// `filch::find_any`
    Find,
    /// `Strand::for_each_until`
    Until,
    /// `filch::traverse`: the first visit adds the second to this phase and the third to the next one, and so on, as in
    /// a heap.
    Traverse,
}

impl LoopForm {
    /// Whether iterations can end it.
    pub fn stops(self) -> bool {
        matches!(self, LoopForm::Try | LoopForm::Find | LoopForm::Until)
    }

    /// Whether it combines what the iterations come to.
    pub fn combines(self) -> bool {
        matches!(self, LoopForm::StrandReduce | LoopForm::FreeReduce)
    }
}

/// The words for a spawn loop.
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

/// The words for a scope.
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
    /// Puts something into the innermost reducers.
    Put {
        /// The value.
        value: u64,
        /// The node that has the reducers.
        reduction: usize,
        /// The innermost task or visit of a traversal that this is part of, or else that node: what is put within the
        /// same one is reduced in the serial order.
        within: usize,
    },
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

    /// The value that the payload of a node's own panic carries, one that is no leaf.
    pub fn charge_value(node: usize) -> u64 {
        (node as u64) << 32 | 0xC4A6
    }

    /// The numbers of a node and its parts.
    pub fn extent(&self, node: usize) -> Range<usize> {
        node..self.nodes[node].end
    }

    /// The tasks that are left to a scope.
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

    /// The pool on which a scope's tasks run.
    pub fn pool_of(&self, scope: usize) -> usize {
        match self.nodes[scope].kind {
            Kind::Scope { pool, .. } => pool,
            ref other => unreachable!("{other:?} is no scope"),
        }
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

/// What a loop comes to that its item with this value has ended: which of the others have run is open.
pub fn stopped(value: u64) -> u64 {
    combine(value, 0x570B)
}

/// What a scope comes to; its tasks have values of their own.
pub fn scoped(body: u64) -> u64 {
    combine(body, 0x5C0B)
}

/// What one iteration of a [`Leaf::Sum`] comes to; all are added up.
pub fn cheap(value: u64, index: u64) -> u64 {
    (value ^ index).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Two by two, to be multiplied: no commutative operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matrix([u64; 4]);

impl Matrix {
    /// Changes nothing.
    pub const IDENTITY: Matrix = Matrix([1, 0, 0, 1]);

    /// One that depends on a value.
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
