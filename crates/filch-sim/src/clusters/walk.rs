//! Where a worker is in a part of a tree, depth first, without a step for each node.

use super::tree::{Node, Shape};
use filch_policy::backtracking::{Split, split};
use std::collections::VecDeque;
use std::ops::Range;

/// A worker's way from the root of its part to where it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Walk {
    /// The levels, the oldest first. The worker is at the last one.
    levels: VecDeque<Level>,
    /// How many nodes have not been visited.
    rest: u64,
    /// How many levels there are from the root of the whole tree to the oldest one here.
    above: usize,
}

/// The children of one node that have not been begun.
#[derive(Clone, Debug)]
struct Level {
    children: VecDeque<Node>,
}

impl Walk {
    /// A walk through the whole tree, whose root is still to be visited.
    pub(super) fn whole(root: Node) -> Self {
        Walk { levels: [Level { children: [root].into() }].into(), rest: root.size, above: 0 }
    }

    /// How many nodes have not been visited.
    pub(super) fn rest(&self) -> u64 {
        self.rest
    }

    /// The depth in the whole tree, on which the size of a copy depends.
    pub(super) fn depth(&self) -> usize {
        self.above + self.levels.len()
    }

    /// Visits so many nodes.
    pub(super) fn advance(&mut self, shape: Shape, nodes: u64) {
        let mut left = nodes.min(self.rest);
        self.rest -= left;
        while left > 0 {
            let Some(level) = self.levels.back_mut() else { return };
            match level.children.pop_front() {
                None => _ = self.levels.pop_back(),
                Some(child) if child.size <= left => left -= child.size,
                Some(child) => {
                    left -= 1;
                    self.levels.push_back(Level { children: shape.children(child).into() });
                }
            }
        }
        // Where nothing is left to try is no level any more.
        while self.levels.back().is_some_and(|level| level.children.is_empty()) {
            self.levels.pop_back();
        }
    }

    /// Splits off what the policy says: half of the oldest choices that have not been tried. The worker keeps the node
    /// that comes next.
    pub(super) fn split_off(&mut self) -> Option<Walk> {
        // The worker is about to begin the next child at the last level.
        let last = self.levels.len().checked_sub(1)?;
        let untried = self.levels.iter().enumerate();
        let untried = untried.map(|(level, it)| it.children.len() - usize::from(level == last));
        let Split { level, count } = split(untried)?;
        let children = &mut self.levels[level].children;
        let taken: Range<usize> = children.len() - count..children.len();
        let children: VecDeque<Node> = children.drain(taken).collect();
        let rest = children.iter().map(|child| child.size).sum();
        self.rest -= rest;
        // What has been tried of the oldest levels is not looked at again.
        let walk = Walk { levels: [Level { children }].into(), rest, above: self.above + level };
        while self.levels.len() > 1 && self.levels[0].children.is_empty() {
            self.levels.pop_front();
            self.above += 1;
        }
        Some(walk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_are_split_off_and_what_stays_have_all_nodes() {
        for shape in [Shape::Geometric, Shape::Binomial] {
            let mut walks = vec![Walk::whole(shape.root(7, 1_000_000))];
            let (mut visited, mut splits) = (0, 0);
            while let Some(mut walk) = walks.pop() {
                let before = walk.rest();
                walk.advance(shape, 997);
                visited += before - walk.rest();
                if let Some(other) = walk.split_off() {
                    assert!(other.rest() > 0);
                    walks.push(other);
                    splits += 1;
                }
                if walk.rest() > 0 {
                    walks.push(walk);
                }
            }
            assert_eq!(visited, 1_000_000, "{shape:?}");
            assert!(splits > 100, "{shape:?}: {splits} splits");
        }
    }
}
