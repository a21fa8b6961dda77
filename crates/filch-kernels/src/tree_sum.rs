//! The sum over a perfect binary tree of boxed nodes: two loads, one addition and a fork per node.
//!
//! Every node forks, leaves too, as in the benchmarks of chili and Spice that made this program a yardstick.
//!
//! If the tree exceeds the caches, the time depends on the order of the nodes in memory, which is the order of their
//! allocation ([`Layout`]). `tree-sum` allocates them in the order in which the serial elision visits them.
//! `tree-sum-chili` allocates them as the benchmark of chili does: it suits a runtime that runs the second branch of a
//! join first, as chili does by itself, and then meets descending addresses. Here every runtime visits the first branch
//! first, chili too (`runtime/chili.rs`), so that none gains by its order.

use std::hint::black_box;

use crate::answer::{Answer, Mismatch};
use crate::kernel::Kernel;
use crate::program::{Domain, Forks, Library, Program, Rule, Sizes};
use crate::runtime::{Runtime, Token};

/// Its entry in the list of programs.
pub const PROGRAM: Program = Program {
    name: "tree-sum",
    about: "the sum over a perfect binary tree of n boxed nodes",
    sizes: Sizes { small: (1 << 10) - 1, default: (1 << 24) - 1, paper: (1 << 24) - 1 },
    domain: Domain {
        counts: "the number of nodes",
        min: 1,
        max: (1 << 26) - 1,
        rule: Some(Rule { words: "one less than a power of two", floor: |n| (1 << n.saturating_add(1).ilog2()) - 1 }),
    },
    grain: None,
    forks: Some(Forks { at: |nodes| nodes, sizes: [(1 << 10) - 1, (1 << 14) - 1] }),
    loops: &[],
    bytes: |n, _| n * 32, // an allocation has 8 bytes of its own
    data: None,
    libraries: Library::ALL,
    is_for_ranks: false,
    input: None,
    shape: None,
    build: |n| build(n, Layout::Preorder),
};

/// The same with the memory layout of chili's benchmark.
pub const CHILI: Program = Program {
    name: "tree-sum-chili",
    about: "tree-sum with the memory layout of chili's benchmark",
    data: None,
    libraries: Library::ALL,
    is_for_ranks: false,
    input: None,
    shape: None,
    build: |n| build(n, Layout::Postorder),
    ..PROGRAM
};

#[inline(never)]
fn build(n: u64, layout: Layout) -> Box<dyn crate::Instance> {
    Box::new(TreeSum::new(n, layout))
}

/// The order in which the nodes of a tree are allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A node, its left subtree, its right subtree: the order in which the serial elision visits them.
    Preorder,
    /// The left subtree, the right subtree, the node: the order in which a user writes `Box::new` around a literal.
    Postorder,
}

/// A node: its number in heap order, and its children.
#[derive(Debug)]
pub struct Node {
    value: u64,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

impl Node {
    /// The subtree below node `number` of a tree of `nodes` nodes; `None` if there is no such node.
    ///
    /// The nodes are numbered in heap order: the root has number 1, and the children of i are 2i and 2i + 1.
    pub fn tree(number: u64, nodes: u64, layout: Layout) -> Option<Box<Self>> {
        if number > nodes {
            return None;
        }
        let child = |number| Self::tree(number, nodes, layout);
        Some(match layout {
            Layout::Preorder => {
                let mut node = Box::new(Self { value: number, left: None, right: None });
                node.left = child(2 * number);
                node.right = child(2 * number + 1);
                node
            }
            Layout::Postorder => {
                Box::new(Self { value: number, left: child(2 * number), right: child(2 * number + 1) })
            }
        })
    }
}

/// The program.
#[inline(never)]
pub fn sum<R: Runtime>(mut t: Token<R>, node: &Node) -> u64 {
    let (left, right) = t.join(
        |t| node.left.as_deref().map_or(0, |node| sum(t, node)),
        |t| node.right.as_deref().map_or(0, |node| sum(t, node)),
    );
    node.value + left + right
}

/// The checker: the nodes hold 1 to n, which add up to n·(n + 1) / 2.
pub fn sum_by_formula(nodes: u64) -> u64 {
    nodes * (nodes + 1) / 2
}

struct TreeSum {
    nodes: u64,
    root: Box<Node>,
    answer: Answer<u64>,
}

impl TreeSum {
    fn new(nodes: u64, layout: Layout) -> Self {
        let root = Node::tree(1, nodes, layout).expect("a tree has a root");
        Self { nodes, root, answer: Answer::new() }
    }
}

impl Kernel for TreeSum {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        self.answer.record(sum(t, black_box(&*self.root)));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.answer.check(&sum_by_formula(self.nodes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::Serial;

    #[test]
    fn the_checker_rejects_a_tree_with_one_value_changed() {
        let mut instance = TreeSum::new(7, Layout::Preorder);
        instance.run(Serial::token());
        assert_eq!(instance.verify(), Ok(()));

        instance.root.left.as_mut().unwrap().value += 1;
        instance.run(Serial::token());
        let mismatch = instance.verify().unwrap_err();
        assert_eq!(mismatch.to_string(), "found 29, expected 28");
    }

    #[test]
    fn a_tree_holds_every_number_from_1_to_n_once() {
        fn numbers(node: &Node, into: &mut Vec<u64>) {
            into.push(node.value);
            for child in [&node.left, &node.right].into_iter().flatten() {
                numbers(child, into);
            }
        }
        for layout in [Layout::Preorder, Layout::Postorder] {
            let mut found = Vec::new();
            numbers(&Node::tree(1, 15, layout).unwrap(), &mut found);
            found.sort_unstable();
            assert_eq!(found, (1..=15).collect::<Vec<_>>(), "{layout:?}");
        }
    }
}
