//! Random trees of joins whose work and span are known, to compare steals with the span. They resemble *knary* (Frigo,
//! Leiserson and Randall 1998, section 6).
//!
//! Every node is one unit of work, so the work T1 is the number of nodes and the span T∞ is that of the longest path.
//! The trees are for counting and not for timing, so they have no form for other libraries and are not in the list of
//! programs.

use fastrand::Rng;
use filch::Strand;

use crate::units::{unit, units_by_formula};

/// A tree of joins. Nodes are numbered from 0, the root, and each node precedes its children.
#[derive(Debug)]
pub struct RandomTree {
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    left: Option<u32>,
    right: Option<u32>,
}

impl RandomTree {
    /// A tree of this many nodes. If more than `branch` nodes are left, one side gets a random number of them, at most
    /// `branch`, and the other side gets the rest; otherwise they are divided at random. So the span is about 2·nodes /
    /// branch, but at least that of a tree divided at random, about 3·ln(nodes). Which side is left is random too.
    ///
    /// The same arguments give the same tree.
    ///
    /// # Panics
    ///
    /// If there is no node, or no node in a branch, or if there are 2^32 nodes or more.
    pub fn grow(seed: u64, nodes: u32, branch: u32) -> Self {
        assert!(nodes > 0 && branch > 0, "expected at least one node, and one in a branch");
        let mut random = Rng::with_seed(seed);
        let mut grown = Vec::with_capacity(nodes as usize);
        // Where each subtree hangs, and its number of nodes. Without recursion, since a tree may be as deep as it is
        // large.
        let mut to_grow = vec![(None, nodes)];
        while let Some((hangs_from, size)) = to_grow.pop() {
            let number = grown.len() as u32;
            grown.push(Node { left: None, right: None });
            match hangs_from {
                None => {}
                Some((parent, true)) => grown[parent as usize].left = Some(number),
                Some((parent, false)) => grown[parent as usize].right = Some(number),
            }
            let below = size - 1;
            let some = if below > branch { random.u32(1..=branch) } else { random.u32(..=below) };
            let to_the_left = random.bool();
            for (is_left, size) in [(to_the_left, some), (!to_the_left, below - some)] {
                if size > 0 {
                    to_grow.push((Some((number, is_left)), size));
                }
            }
        }
        Self { nodes: grown }
    }

    /// T1: the number of nodes.
    pub fn work(&self) -> u64 {
        self.nodes.len() as u64
    }

    /// T∞: the number of nodes on the longest path from the root.
    pub fn span(&self) -> u64 {
        // Children follow their parent, so in reverse order every child is done before its parent.
        let mut spans = vec![0; self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate().rev() {
            let of = |child: Option<u32>| child.map_or(0, |child| spans[child as usize]);
            spans[number] = 1 + of(node.left).max(of(node.right));
        }
        spans[0]
    }

    /// The Filch form: does the unit of every node and adds them up.
    pub fn filch(&self, s: Strand<'_>) -> u64 {
        self.filch_below(s, 0)
    }

    #[inline(never)]
    fn filch_below(&self, mut s: Strand<'_>, number: u32) -> u64 {
        let Node { left, right } = self.nodes[number as usize];
        let own = unit(number.into());
        let (a, b) = s.join(
            |s| left.map_or(0, |child| self.filch_below(s, child)),
            |s| right.map_or(0, |child| self.filch_below(s, child)),
        );
        own.wrapping_add(a).wrapping_add(b)
    }

    /// The checker: every node once.
    pub fn sum_by_formula(&self) -> u64 {
        units_by_formula(self.work())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch::{Pool, Scheduler};

    const SHAPES: [(u32, u32); 7] = [(1, 1), (2, 1), (100, 1), (1000, 1), (1000, 10), (1000, 100), (1000, 1000)];

    #[test]
    fn a_tree_has_as_many_nodes_as_asked_for_and_each_but_the_root_is_a_child_once() {
        for (nodes, branch) in SHAPES {
            let tree = RandomTree::grow(7, nodes, branch);
            assert_eq!(tree.work(), nodes.into());
            let mut children: Vec<u32> = tree.nodes.iter().flat_map(|node| [node.left, node.right]).flatten().collect();
            children.sort_unstable();
            assert_eq!(children, (1..nodes).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_span_is_that_of_a_walk_over_all_paths() {
        fn longest(tree: &RandomTree, number: u32) -> u64 {
            let Node { left, right } = tree.nodes[number as usize];
            let of = |child: Option<u32>| child.map_or(0, |child| longest(tree, child));
            1 + of(left).max(of(right))
        }
        for (nodes, branch) in SHAPES {
            let tree = RandomTree::grow(8, nodes, branch);
            assert_eq!(tree.span(), longest(&tree, 0));
        }
    }

    #[test]
    fn smaller_branches_make_a_longer_span() {
        let spans = [10_000, 100, 10, 1].map(|branch| RandomTree::grow(9, 10_000, branch).span());
        assert!(spans.is_sorted_by(|a, b| 2 * a < *b), "{spans:?}");
    }

    #[test]
    fn the_same_seed_gives_the_same_tree_and_another_one_does_not() {
        let tree = |seed| format!("{:?}", RandomTree::grow(seed, 100, 10));
        assert_eq!(tree(1), tree(1));
        assert_ne!(tree(1), tree(2));
    }

    #[test]
    fn every_node_is_done_once_on_any_number_of_workers() {
        for (workers, scheduler) in [(1, "serial"), (2, "default"), (3, "default,period=0ns,wait=any"), (4, "chaos")] {
            let scheduler: Scheduler = scheduler.parse().unwrap();
            let pool = Pool::builder().workers(workers).scheduler(scheduler).build().unwrap();
            for (nodes, branch) in SHAPES {
                let tree = RandomTree::grow(10, nodes, branch);
                assert_eq!(pool.run(|s| tree.filch(s)), tree.sum_by_formula(), "{nodes} {branch} on {workers}");
            }
        }
    }
}
