//! The algorithms of the papers.

use std::fmt;

use clap::ValueEnum;

use super::overflow::{LONG, SHORT};

/// An algorithm for spanning trees, as Yasugi, Hiraishi, Umatani and Yuasa (2012) or Cong, Kodali, Krishnamoorthy, Lea,
/// Saraswat and Wen (2008) describe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum Algorithm {
    /// A serial traversal with a stack of vertices (Yasugi et al., figure 3).
    Stack,
    /// A serial recursion of bounded depth, in stages (figure 4). A vertex that is deeper than the bound
    /// waits for the next stage.
    Staged,
    /// The same in parallel; each call is a fork and returns a list of its own, as in Cilk (figure 7).
    ShortTerm,
    /// The same in parallel, with one list for all calls of a worker. A part that moves to another worker
    /// gets another list. What can move is the rest of a row. Work is divided on demand, as in Tascell: a
    /// vertex costs what it costs in `staged`.
    LongTerm,
    /// The same, except that what can move is the upper half of what is left of a row, as in
    /// Tascell (figure 8).
    LongTermHalves,
    /// The same as Cilk has it, by `SYNCHED` (figure 9): what can move is a child that is spawned, and a procedure
    /// whose child has moved makes another list.
    Synched,
    /// A parallel recursion without a bound (section 6.1). It ends with an error before a stack overflows.
    Unbounded,
    /// A traversal without a bound in which a vertex that is found is a task, and its finder goes on with its row
    /// (section 7.1).
    HelpFirst,
    /// A parallel recursion down to a depth, and below it a serial traversal with a stack (section
    /// 7.3).
    DepthLimited,
    /// Threads with stacks of their own, which begin with the vertices of a random walk. A thread without
    /// vertices takes half of the stack of another one (Bader and Cong 2005; Cong et al., section 3.1).
    StubTree,
    /// The same, except that a thief copies half of a stack without synchronization, and its victim keeps that half
    /// (Cong et al., section 3.1).
    CopiedHalf,
    /// A breadth-first search by threads that share each level equally, with barriers (Cong et al., section
    /// 3.1).
    SpmdBfs,
    /// A breadth-first search that divides each level in halves, and these again (Cong et al., section
    /// 3.2).
    CilkBfs,
    /// A traversal with a shared worklist in batches (Cong et al., section 3.3). Unlike
    /// pseudo-dfs of `filch forest`, it does not look ahead.
    StashedDfs,
    /// The same in phases (Cong et al., sections 2.3 and 3.3).
    StashedBfs,
}

/// The bound on the depth in the paper: enough for 2^30 calls, if their tree is balanced (Yasugi et al., section 5).
pub const C_LIMIT: usize = 30;

/// The largest bound that is accepted. A level takes up to 16 KiB of stack in a debug build (`short-term` on
/// `uniform(13,32)`), so this is half of the 8 MiB that a thread usually has.
pub const MAX_DEPTH: usize = 256;

/// The largest number of vertices in an array of those that wait: 256 KiB, which each list may leave almost unused.
pub const MAX_ARRAY: usize = 1 << 16;

/// The depth limit of the example in Yasugi et al., section 7.3.
const LIMIT_OF_FIGURE_13: usize = 10;

impl Algorithm {
    /// Whether one thread does all the work.
    pub fn is_serial(self) -> bool {
        matches!(self, Algorithm::Stack | Algorithm::Staged)
    }

    /// The bound on the depth of its recursion in the papers, or 0 if it has none.
    pub fn usual_depth(self) -> usize {
        match self {
            Algorithm::Staged
            | Algorithm::ShortTerm
            | Algorithm::LongTerm
            | Algorithm::LongTermHalves
            | Algorithm::Synched => C_LIMIT,
            Algorithm::DepthLimited => LIMIT_OF_FIGURE_13,
            _ => 0,
        }
    }

    /// The number of vertices in each array of those that wait for the next stage, or 0 if it has no stages.
    pub fn usual_array(self) -> usize {
        match self {
            Algorithm::ShortTerm => SHORT,
            Algorithm::Staged
            | Algorithm::LongTerm
            | Algorithm::LongTermHalves
            | Algorithm::Synched
            | Algorithm::CilkBfs => LONG,
            _ => 0,
        }
    }

    /// Whether vertices wait for the next stage in a list of arrays.
    pub fn has_stages(self) -> bool {
        self.usual_array() > 0
    }

    /// Whether it is a traversal in batches.
    pub fn has_batches(self) -> bool {
        matches!(self, Algorithm::StashedDfs | Algorithm::StashedBfs)
    }

    /// Whether its recursion has a bound.
    pub fn is_bounded(self) -> bool {
        self.usual_depth() > 0
    }
}

/// By the name of a command line.
impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.to_possible_value().expect("none is skipped").get_name())
    }
}
