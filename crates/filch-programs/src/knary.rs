//! Cilk's synthetic tree (Frigo, Leiserson and Randall 1998, section 6).
//!
//! Every node does a unit of work and then has k children. The first r of them run one after another, the others in
//! parallel. The parallelism follows from k and r alone and is known exactly: see [`Knary::work`] and [`Knary::span`].
//! So the tree shows how close a scheduler comes to T_1/P + T_∞ (figure 8 there).
//!
//! Children that run in parallel are forked by dividing their range in halves.

use std::hint::black_box;
use std::ops::Range;

use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Answer, Domain, Kernel, Mismatch, Program, Sizes};

use crate::units::{unit, units_by_formula};

/// Its entry in the list of programs.
///
/// The size `paper` is that of the paper that introduced the program: knary(10, 4, 1) is one of the two trees that it
/// measures (Blumofe et al. 1995, "Cilk: An Efficient Multithreaded Runtime System"). The other one, knary(10, 5, 2),
/// has an average parallelism of 83. This one has 342, and 683 at the default height, which is enough for any available
/// machine.
pub const PROGRAM: Program = Program::new(
    ("knary", "a tree of units of work: one child in four runs before the others"),
    Sizes { small: 5, default: 11, paper: 10 },
    Domain { counts: "the height of the tree", min: 1, max: 16, rule: None },
    |n| Box::new(Walk::over(Knary { height: n as u32, degree: 4, serial: 1 })),
);

/// The largest height. The nodes of a higher tree cannot be numbered if the tree branches at all.
const MAX_HEIGHT: u32 = u64::BITS;

/// A tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knary {
    /// The number of nodes on a path from the root to a leaf.
    pub height: u32,
    /// The number of children of a node that is not a leaf.
    pub degree: u64,
    /// How many of them run one after another, before the others.
    pub serial: u64,
}

/// An impossible tree.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum KnaryError {
    /// The height is zero, or the nodes could not be numbered.
    #[error("a knary tree has a height from 1 to {MAX_HEIGHT}, not {0}")]
    Height(u32),
    /// The nodes have no children.
    #[error("a node of a knary tree has at least one child, not 0")]
    Childless,
    /// More children are to run one after another than there are.
    #[error("of {degree} children of a node, {serial} cannot run one after another")]
    Serial {
        /// The number of children.
        degree: u64,
        /// The number of those that are to run one after another.
        serial: u64,
    },
    /// The number of nodes exceeds 64 bits.
    #[error("a knary tree of height {height} and degree {degree} has 2^64 nodes or more")]
    Nodes {
        /// The height.
        height: u32,
        /// The number of children of a node.
        degree: u64,
    },
}

impl Knary {
    /// An instance that runs the tree, if it is possible.
    pub fn instance(self) -> Result<Box<dyn filch_kernels::Instance>, KnaryError> {
        let Self { height, degree, serial } = self;
        if !(1..=MAX_HEIGHT).contains(&height) {
            return Err(KnaryError::Height(height));
        }
        if degree == 0 {
            return Err(KnaryError::Childless);
        }
        if serial > degree {
            return Err(KnaryError::Serial { degree, serial });
        }
        if self.nodes().is_none() {
            return Err(KnaryError::Nodes { height, degree });
        }
        Ok(Box::new(Walk::over(self)))
    }

    /// The number of nodes, 1 + k + ... + k^(n − 1), unless it exceeds 64 bits.
    fn nodes(self) -> Option<u64> {
        (0..self.height).try_fold(0, |below: u64, _| below.checked_mul(self.degree)?.checked_add(1))
    }

    /// T_1, in nodes; `u64::MAX` if there are more.
    pub fn work(self) -> u64 {
        self.nodes().unwrap_or(u64::MAX)
    }

    /// T_∞, in nodes: after the node itself come the subtrees that run one after another, and then the others, which
    /// take the time of one. `u64::MAX` if there are more.
    pub fn span(self) -> u64 {
        let in_parallel = u64::from(self.serial < self.degree);
        let turns = self.serial.saturating_add(in_parallel);
        (0..self.height).fold(0, |below: u64, _| below.saturating_mul(turns).saturating_add(1))
    }

    /// The numbers of the children of a node. The root is number 0, and numbers increase from level to level.
    fn children(self, node: u64) -> Range<u64> {
        let first = self.degree * node + 1;
        first..first + self.degree
    }
}

fn halves(nodes: Range<u64>) -> (Range<u64>, Range<u64>) {
    let middle = nodes.start.midpoint(nodes.end);
    (nodes.start..middle, middle..nodes.end)
}

/// The program: the sum of the units of a node and all nodes below it, where `height` is the height of this subtree.
#[inline(never)]
pub fn knary<R: Runtime>(mut t: Token<R>, tree: &Knary, height: u32, node: u64) -> u64 {
    let mut sum = unit(node);
    if height == 1 {
        return sum;
    }
    let Range { start, end } = tree.children(node);
    let parallel = start + tree.serial..end;
    for child in start..parallel.start {
        sum = sum.wrapping_add(knary(t.reborrow(), tree, height - 1, child));
    }
    if !parallel.is_empty() {
        sum = sum.wrapping_add(siblings(t, tree, height - 1, parallel));
    }
    sum
}

/// The sum of the units of these nodes, of which there is at least one, and of all nodes below them.
#[inline(never)]
pub fn siblings<R: Runtime>(mut t: Token<R>, tree: &Knary, height: u32, nodes: Range<u64>) -> u64 {
    if nodes.end - nodes.start == 1 {
        return knary(t, tree, height, nodes.start);
    }
    let (left, right) = halves(nodes);
    let (a, b) = t.join(|t| siblings(t, tree, height, left), |t| siblings(t, tree, height, right));
    a.wrapping_add(b)
}

struct Walk {
    tree: Knary,
    answer: Answer<u64>,
}

impl Walk {
    fn over(tree: Knary) -> Self {
        Self { tree, answer: Answer::new() }
    }
}

impl Kernel for Walk {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        let tree = black_box(self.tree);
        self.answer.record(knary(t, &tree, tree.height, 0));
    }

    /// The nodes have the numbers from 0 on, each once.
    fn verify(&mut self) -> Result<(), Mismatch> {
        self.answer.check(&units_by_formula(self.tree.work()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::runtime::Serial;

    /// All trees of at most five levels and at most four children.
    fn trees() -> impl Iterator<Item = Knary> {
        (1..=5).flat_map(|height| {
            (1..=4).flat_map(move |degree| (0..=degree).map(move |serial| Knary { height, degree, serial }))
        })
    }

    /// Walks a tree in time: returns the number of nodes, and when the last one ends if each takes one unit of time.
    fn walk(tree: Knary, height: u32, begin: u64) -> (u64, u64) {
        let (mut nodes, mut now) = (1, begin + 1);
        if height == 1 {
            return (nodes, now);
        }
        let mut last = now;
        for child in 0..tree.degree {
            let (below, end) = walk(tree, height - 1, now);
            nodes += below;
            last = last.max(end);
            if child < tree.serial {
                now = end;
            }
        }
        (nodes, last)
    }

    #[test]
    fn work_and_span_are_what_a_walk_through_the_tree_counts() {
        for tree in trees() {
            assert_eq!((tree.work(), tree.span()), walk(tree, tree.height, 0), "{tree:?}");
        }
    }

    #[test]
    fn work_is_the_geometric_series() {
        for height in 1..=16 {
            for degree in 2..=5_u64 {
                let tree = Knary { height, degree, serial: 1 };
                assert_eq!(tree.work(), (degree.pow(height) - 1) / (degree - 1));
            }
        }
    }

    #[test]
    fn the_trees_of_the_paper_and_of_the_default_size_have_the_parallelism_that_is_claimed() {
        let parallelism = |height, degree, serial| {
            let tree = Knary { height, degree, serial };
            (tree.work() as f64 / tree.span() as f64).round()
        };
        assert_eq!([parallelism(10, 5, 2), parallelism(10, 4, 1), parallelism(11, 4, 1)], [83.0, 342.0, 683.0]);
    }

    #[test]
    fn every_shape_of_tree_runs_each_of_its_nodes_once() {
        for tree in trees() {
            let mut instance = tree.instance().unwrap();
            instance.serial();
            assert_eq!(instance.verify(), Ok(()), "{tree:?}");
        }
    }

    #[test]
    fn the_checker_rejects_a_subtree_left_out() {
        let tree = Knary { height: 4, degree: 3, serial: 1 };
        let mut instance = Walk::over(tree);
        let all = knary(Serial::token(), &tree, 4, 0);
        instance.answer.record(all.wrapping_sub(knary(Serial::token(), &tree, 2, 5)));
        assert!(instance.verify().is_err());
        instance.answer.record(all);
        assert_eq!(instance.verify(), Ok(()));
    }

    #[test]
    fn a_tree_that_there_is_not_is_refused_with_the_reason() {
        let message = |height, degree, serial| Knary { height, degree, serial }.instance().err().unwrap().to_string();
        assert_eq!(message(0, 4, 1), "a knary tree has a height from 1 to 64, not 0");
        assert_eq!(message(65, 1, 1), "a knary tree has a height from 1 to 64, not 65");
        assert_eq!(message(5, 0, 0), "a node of a knary tree has at least one child, not 0");
        assert_eq!(message(5, 3, 4), "of 3 children of a node, 4 cannot run one after another");
        assert_eq!(message(33, 4, 1), "a knary tree of height 33 and degree 4 has 2^64 nodes or more");
        assert!(Knary { height: 32, degree: 4, serial: 1 }.nodes().is_some());
    }
}
