//! A spanning tree, what was counted, and errors.

use filch::TraversalCounts;
use std::io;

/// Spanning trees of a graph, one for each component, and what was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tree<V = u32> {
    /// The parent of each vertex, which is one of its neighbors. The parent of a root is the root itself. The choice is
    /// nondeterministic.
    pub parents: Vec<V>,
    /// Statistics.
    pub counts: Counts,
}

/// Statistics about spanning trees. Numbers that do not apply to the algorithm are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Stages after the traversal from a root, each with the vertices that had overflowed before (Yasugi, Hiraishi,
    /// Umatani and Yuasa 2012, table 2). In a breadth-first search, the levels after the root.
    pub stages: usize,
    /// Vertices that were deeper than the bound and waited for the next stage. With claims by a fence, a vertex may
    /// count twice.
    pub overflowed: usize,
    /// Allocations of arrays for them (table 3).
    pub allocations: usize,
    /// Places in these arrays that stayed empty. Divided by `overflowed`, this is the space overhead of table 3.
    pub unused: usize,
    /// Lists that were begun because a part of a stage moved to another worker, in the long-term form.
    pub moved: usize,
    /// Traversals with a stack below the depth limit.
    pub serial_parts: usize,
    /// Vertices visited by the largest of these. No other worker can help with them.
    pub largest_serial: usize,
    /// Vertices of the stub tree.
    pub stub: usize,
    /// Times that a thread took half of the stack of another one.
    pub steals: usize,
    /// Vertices that were copied then, and visited again.
    pub copied: usize,
    /// Times that all threads met at a barrier.
    pub barriers: usize,
    /// Statistics of a traversal with a shared worklist.
    pub traversal: TraversalCounts,
}

impl Counts {
    /// Notes a list of overflowed vertices in arrays, which have so many places in all.
    pub(super) fn add_overflow(&mut self, (vertices, arrays): (usize, usize), places: usize) {
        self.overflowed += vertices;
        self.allocations += arrays;
        self.unused += places - vertices;
    }

    /// The ratio of the unused part of the arrays to the used part.
    pub fn space_overhead(&self) -> f64 {
        self.unused as f64 / self.overflowed.max(1) as f64
    }
}

/// Why there is no spanning tree.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// The graph is directed.
    #[error("a spanning tree needs an undirected graph, but this one is directed; symmetrize it first")]
    Directed,
    /// The requested root is not a vertex.
    #[error("the root is vertex {root}, but the graph has only {num_vertices} vertices, numbered from 0")]
    NoSuchRoot {
        /// The requested root.
        root: u64,
        /// The number of vertices.
        num_vertices: usize,
    },
    /// The bound on the depth of recursion is too large for the stack of a thread.
    #[error("a recursion {depth} levels deep may overflow the stack of a thread: expected a bound of at most {most}")]
    TooDeep {
        /// The requested bound.
        depth: usize,
        /// The largest bound.
        most: usize,
    },
    /// Linked rows cannot have so many arcs.
    #[error("the graph has {num_arcs} arcs, but linked lists have at most {max}; use arrays")]
    TooManyArcs {
        /// The number of arcs.
        num_arcs: usize,
        /// The largest number of them.
        max: usize,
    },
    /// Several workers cannot claim vertices without synchronization.
    #[error(
        "claims without synchronization are for one worker, but there are {workers}: use exchange or fence, or one \
         worker"
    )]
    Unsynchronized {
        /// The number of workers.
        workers: usize,
    },
    /// The recursion without a bound has reached the end of a stack.
    #[error(
        "the recursion without a bound has used the stack of its thread at depth {depth}: bound the depth (long-term), \
         or give the threads a larger stack"
    )]
    StackExhausted {
        /// The number of calls that were open on the deepest path.
        depth: usize,
    },
    /// The size of the stack is unknown, so the recursion without a bound could crash.
    #[error(
        "the recursion without a bound is refused, because this system does not report the size of a stack: bound the \
         depth (long-term)"
    )]
    UnknownStack,
    /// The threads of an algorithm that starts its own could not be started.
    #[error("of {wanted} threads, only {started} could be started")]
    Threads {
        /// The number of threads that were needed.
        wanted: usize,
        /// The number of threads that were started.
        started: usize,
        /// What the system says.
        source: io::Error,
    },
}
