//! Programs: trees of forks. They are recorded, or computed by a formula while they run, so that a tree of any size
//! takes no memory.
//!
//! A node is a few numbers. [`Program::open`] says what running it means: some work, then at most two more nodes, which
//! run one after another or in parallel. Where nodes are alike, [`Program::extent`] knows the size of the tree below
//! one, and the simulator skips the parts at which no worker looks.
//!
//! - [`by_size`]: trees whose nodes differ by their size only: `fib`, `skew`, `knary`
//! - [`drawn`]: trees that are drawn from a seed: `random`, `uts`
//! - [`loops`]: `loop`, and how long bodies take
//! - [`phases`]: programs one after another
//! - [`arrays`]: programs that touch memory: `heat`, `sor`, `gauss`, `mergesort`
//! - [`recorded`]: trees of real programs, and what they touched
//! - `regions`: where that was
//! - [`work`]: how long leaves take
//! - [`text`]: programs as text
//! - [`totals`]: work, span and number of leaves, by walking the tree
//! - [`tiers`]: the work above and below the boundary of CAB

pub mod arrays;
pub mod by_size;
pub mod drawn;
pub mod loops;
pub mod phases;
pub mod recorded;
mod regions;
pub mod text;
pub mod tiers;
pub mod totals;
pub mod work;

use std::ops::{Deref, Range};

/// A node of a tree. Its [`Program`] knows the meaning of the numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Node {
    /// Which node it is, if nodes of the same size differ.
    pub id: u64,
    /// How much is below it.
    pub size: u64,
    /// The part of the node, if it has several.
    pub part: u64,
}

/// What running a node means. The work comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// It is work, and nothing else.
    Leaf {
        /// How long it takes.
        work_ns: u64,
    },
    /// It is work, and then another node.
    Tail {
        /// How long it works before that.
        work_ns: u64,
        /// What it goes on as.
        next: Node,
    },
    /// It forks: both nodes may run at the same time.
    Fork {
        /// How long it works before that.
        work_ns: u64,
        /// Its worker begins this one.
        first: Node,
        /// Another worker may begin this one.
        second: Node,
    },
    /// It runs one node after the other.
    Then {
        /// How long it works before that.
        work_ns: u64,
        /// It runs this one.
        first: Node,
        /// The node that follows, which no other worker can get.
        then: Node,
    },
}

/// The size of the tree below a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// The sum of all work, without forks.
    pub work_ns: u64,
    /// How many forks there are.
    pub forks: u64,
    /// How many leaves there are.
    pub leaves: u64,
}

impl Extent {
    /// Both of these trees.
    #[must_use]
    pub fn and(self, other: Extent) -> Extent {
        Extent {
            work_ns: self.work_ns.saturating_add(other.work_ns),
            forks: self.forks.saturating_add(other.forks),
            leaves: self.leaves.saturating_add(other.leaves),
        }
    }

    /// This tree with more work and more forks above it.
    #[must_use]
    pub fn after(self, work_ns: u64, forks: u64) -> Extent {
        self.and(Extent { work_ns, forks, leaves: 0 })
    }

    /// The time on one worker if each fork costs this much.
    pub fn total_ns(self, fork_ns: u64) -> u64 {
        self.work_ns.saturating_add(self.forks.saturating_mul(fork_ns))
    }
}

/// The unit in which memory is placed and caches are filled, in bytes. A page: systems place memory page by page, and
/// leaves touch whole rows.
pub const BLOCK: u64 = 4096;

/// A range of addresses that a node touches. Addresses begin at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The first one.
    pub begin: u64,
    /// The one after the last.
    pub end: u64,
    /// Whether it is written.
    pub writes: bool,
}

impl Touch {
    /// Nothing, where there are not two.
    pub const NOTHING: Touch = Touch { begin: 0, end: 0, writes: false };

    /// This range is read.
    pub fn read(begin: u64, end: u64) -> Self {
        Touch { begin, end, writes: false }
    }

    /// This range is written.
    pub fn write(begin: u64, end: u64) -> Self {
        Touch { begin, end, writes: true }
    }

    /// Whether it is nothing.
    pub fn is_nothing(self) -> bool {
        self.begin == self.end
    }
}

/// A part of a range that a program divides again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// The part.
    pub part: Range<u64>,
    /// The range is from 0 to this.
    pub items: u64,
}

/// All that a node touches.
#[derive(Clone, Copy, Debug)]
pub enum Touches<'p> {
    /// By a formula.
    Drawn([Touch; 2]),
    /// As it was recorded.
    Recorded(&'p [Touch]),
}

impl Touches<'_> {
    /// Nothing.
    pub const NOTHING: Touches<'static> = Touches::Recorded(&[]);
}

impl Deref for Touches<'_> {
    type Target = [Touch];

    fn deref(&self) -> &[Touch] {
        match self {
            Touches::Drawn(touches) => touches,
            Touches::Recorded(touches) => touches,
        }
    }
}

/// The largest number of arrays of [`Program::data_bytes`], one after the other, in programs that are given by a
/// formula.
const ARRAYS: u64 = 2;

/// A program.
pub trait Program {
    /// The program in the notation of [`text`].
    fn name(&self) -> String;

    /// The node that is the whole program.
    fn root(&self) -> Node;

    /// What running `node` means. The same for equal nodes.
    fn open(&self, node: Node) -> Shape;

    /// The size of the tree below `node`, if it is known without walking the tree.
    fn extent(&self, node: Node) -> Option<Extent>;

    /// Whether few nodes are different, so that it pays to remember the size of the tree below each.
    fn repeats(&self) -> bool {
        false
    }

    /// S_d: the size of the array that the program divides. 0 if its nodes touch nothing.
    fn data_bytes(&self) -> u64 {
        0
    }

    /// The memory that the program touches: all addresses are below.
    fn memory_bytes(&self) -> u64 {
        ARRAYS * self.data_bytes()
    }

    /// The memory that the node itself touches when it begins. The extent of a tree that touches memory must be
    /// unknown.
    fn touches(&self, _node: Node) -> Touches<'_> {
        Touches::NOTHING
    }

    /// The part of a range that the tree below `node` works on, if the program divides that range again and again.
    fn share(&self, _node: Node) -> Option<Share> {
        None
    }

    /// A lower bound for the work below `node`, in nanoseconds.
    fn least_ns(&self, node: Node) -> u64 {
        self.extent(node).map_or(1, |extent| extent.work_ns)
    }
}

/// A program of any kind.
pub type Boxed = Box<dyn Program + Send + Sync>;
