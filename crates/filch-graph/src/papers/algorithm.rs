//! The algorithms of the papers.

use crate::cli_enum::cli_enum;

/// An algorithm for spanning trees, as Yasugi, Hiraishi, Umatani and Yuasa (2012) or Cong, Kodali, Krishnamoorthy, Lea,
/// Saraswat and Wen (2008) describe it.
///
/// ```
/// use filch_graph::papers::Algorithm;
///
/// assert_eq!("long-term".parse(), Ok(Algorithm::LongTerm));
/// assert_eq!(Algorithm::StubTree.to_string(), "stub-tree");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// `stack`: a serial traversal with a stack of vertices (Yasugi et al., figure 3).
    Stack,
    /// `staged`: a serial recursion of bounded depth, in stages (figure 4). A vertex that is deeper than the bound
    /// waits for the next stage.
    Staged,
    /// `short-term`: the same in parallel; each call is a fork and returns a list of its own, as in Cilk (figure 7).
    ShortTerm,
    /// `long-term`: the same in parallel, with one list for all calls of a worker. A part that moves to another worker
    /// gets another list (figure 9). What can move is the rest of a row. Work is divided on demand, as in Tascell: a
    /// vertex costs what it costs in `staged`.
    LongTerm,
    /// `long-term-halves`: the same, except that what can move is the upper half of what is left of a row, as in
    /// Tascell (figure 8).
    LongTermHalves,
    /// `unbounded`: a parallel recursion without a bound (section 6.1). It ends with an error before a stack overflows.
    Unbounded,
    /// `depth-limited`: a parallel recursion down to a depth, and below it a serial traversal with a stack (section
    /// 7.3).
    DepthLimited,
    /// `stub-tree`: threads with stacks of their own, which begin with the vertices of a random walk. A thread without
    /// vertices takes half of the stack of another one (Bader and Cong 2005; Cong et al., section 3.1).
    StubTree,
    /// `spmd-bfs`: a breadth-first search by threads that share each level equally, with barriers (Cong et al., section
    /// 3.1).
    SpmdBfs,
    /// `cilk-bfs`: a breadth-first search that divides each level in halves, and these again (Cong et al., section
    /// 3.2).
    CilkBfs,
    /// `stashed-dfs`: a traversal with a shared worklist in batches (Cong et al., section 3.3). It is the plain form of
    /// [`PseudoDfs`](crate::forest::Algorithm::PseudoDfs), which looks ahead.
    StashedDfs,
    /// `stashed-bfs`: the same in phases (Cong et al., sections 2.3 and 3.3).
    StashedBfs,
}

/// The bound on the depth in the paper: enough for 2^30 calls, if their tree is balanced (Yasugi et al., section 5).
pub const C_LIMIT: usize = 30;

/// The largest bound that is accepted. A level takes up to 16 KiB of stack in a debug build (`short-term` on
/// `uniform(13,32)`), so this is half of the 8 MiB that a thread usually has.
pub const MAX_DEPTH: usize = 256;

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
            Algorithm::Staged | Algorithm::ShortTerm | Algorithm::LongTerm | Algorithm::LongTermHalves => C_LIMIT,
            Algorithm::DepthLimited => LIMIT_OF_FIGURE_13,
            _ => 0,
        }
    }

    /// Whether its recursion has a bound.
    pub fn is_bounded(self) -> bool {
        self.usual_depth() > 0
    }
}

cli_enum!(
    Algorithm, "algorithm of the papers", ParseAlgorithmError:
    Stack = "stack", Staged = "staged", ShortTerm = "short-term", LongTerm = "long-term",
    LongTermHalves = "long-term-halves", Unbounded = "unbounded", DepthLimited = "depth-limited",
    StubTree = "stub-tree", SpmdBfs = "spmd-bfs", CilkBfs = "cilk-bfs", StashedDfs = "stashed-dfs",
    StashedBfs = "stashed-bfs",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_is_parsed_as_it_is_displayed_and_listed_in_errors() {
        let error = "magic".parse::<Algorithm>().expect_err("there is no such algorithm").to_string();
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
            assert!(error.contains(algorithm.name()), "{error}");
        }
    }
}
