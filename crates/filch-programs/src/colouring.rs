//! The chromatic number of a Mycielski graph, by branch and bound with a bound that all workers share. These graphs
//! have no triangles, and each takes one colour more than the one before (Mycielski 1955).

use filch::Bound;
use filch_kernels::{Domain, Program, Sizes};
use filch_search::{Colouring as Problem, Colours};

use crate::backtracking::{one_workspace, with_copies};
use crate::branch_and_bound::{Best, Valued};

/// Its entry in the list of programs: one workspace, by [`Strand::search`](filch::Strand::search).
pub const PROGRAM: Program = Program::new(
    ("colouring", "the least number of colours of a Mycielski graph, by search"),
    Sizes { small: 4, default: 5, paper: 5 },
    Domain { counts: "the order of the graph", min: 2, max: 6, rule: None },
    |n| one_workspace(Best::of(Mycielski::new(n))),
);

/// The same with a copy for each choice.
pub const COPIED: Program = Program {
    name: "colouring-copied",
    about: "the same as colouring, with a copy for each branch",
    build: |n| with_copies(Best::of(Mycielski::new(n))),
    ..PROGRAM
};

struct Mycielski {
    order: u64,
    vertices: usize,
    edges: Vec<(usize, usize)>,
}

impl Mycielski {
    /// The graph of order 2 is a cycle of 5. The next one has a copy of each vertex, which is joined to its neighbours,
    /// and a vertex that is joined to all copies.
    fn new(order: u64) -> Self {
        let (mut vertices, mut edges) = (2, vec![(0, 1)]);
        for _ in 1..order {
            let copied = edges.iter().flat_map(|&(a, b)| [(a, b + vertices), (a + vertices, b)]);
            let top = (0..vertices).map(|vertex| (vertex + vertices, 2 * vertices));
            let more: Vec<_> = copied.chain(top).collect();
            edges.extend(more);
            vertices = 2 * vertices + 1;
        }
        Self { order, vertices, edges }
    }
}

impl Valued for Mycielski {
    type Problem = Problem;

    const WORST: i64 = i64::MAX;

    fn problem(&self) -> Problem {
        Problem::new(self.vertices, &self.edges).expect("the graph has no loops and takes few colours")
    }

    fn start(problem: &Problem) -> Colours {
        problem.start()
    }

    fn bound(problem: &Problem) -> &Bound {
        problem.bound()
    }

    fn value(_: &Problem, colours: &Colours) -> i64 {
        colours.count()
    }

    /// By the theorem.
    fn expected(&self) -> i64 {
        self.order as i64 + 1
    }
}
