//! Trees whose nodes differ by their size only. The extents of all sizes are computed once.

use super::{Extent, Node, Program, Shape};
use std::collections::HashMap;

/// The numbers of Fibonacci, with d = 2, and more skewed trees, with a larger d: a node of size n ≥ d forks one of size
/// n − 1 and one of size n − d, and a smaller one is a leaf.
#[derive(Clone, Debug)]
pub struct Skew {
    size: u64,
    step: u64,
    node_ns: u64,
    leaf_ns: u64,
    extents: Vec<Extent>,
}

/// The largest size of a [`Skew`]: the number of leaves of a larger one could exceed 64 bits for d = 2.
pub const MAX_SKEW: u64 = 90;

impl Skew {
    /// The tree of this `size`, from 0 to [`MAX_SKEW`], where d is `step`, from 2 up. Nodes that fork take `node_ns`.
    pub fn new(size: u64, step: u64, node_ns: u64, leaf_ns: u64) -> Self {
        let mut extents: Vec<Extent> = Vec::new();
        for size in 0..=size {
            let extent = match size.checked_sub(step) {
                None => Extent { work_ns: leaf_ns, forks: 0, leaves: 1 },
                Some(second) => extents[size as usize - 1].and(extents[second as usize]).after(node_ns, 1),
            };
            extents.push(extent);
        }
        Skew { size, step, node_ns, leaf_ns, extents }
    }
}

impl Program for Skew {
    fn name(&self) -> String {
        let Skew { size, step, node_ns, leaf_ns, .. } = self;
        match step {
            2 => format!("fib:{size},leaf={leaf_ns}ns,node={node_ns}ns"),
            _ => format!("skew:{size},step={step},leaf={leaf_ns}ns,node={node_ns}ns"),
        }
    }

    fn root(&self) -> Node {
        Node { size: self.size, ..Node::default() }
    }

    fn open(&self, node: Node) -> Shape {
        let of = |size| Node { size, ..node };
        match node.size.checked_sub(self.step) {
            None => Shape::Leaf { work_ns: self.leaf_ns },
            Some(second) => Shape::Fork { work_ns: self.node_ns, first: of(node.size - 1), second: of(second) },
        }
    }

    fn repeats(&self) -> bool {
        true
    }

    fn extent(&self, node: Node) -> Option<Extent> {
        Some(self.extents[node.size as usize])
    }
}

/// Cilk's synthetic tree (Frigo, Leiserson and Randall 1998, section 6): each node is a unit of work, and then has k
/// children, of which the first r run one after another and the others in parallel. These are forked by dividing their
/// range in halves, as `filch paper knary` does.
#[derive(Clone, Debug)]
pub struct Knary {
    height: u64,
    degree: u64,
    serial: u64,
    unit_ns: u64,
    /// By the parts of a node. See `open`.
    extents: HashMap<Node, Extent>,
}

/// The part of a node that is the node as a whole. A part j from 1 up is the rest of it from its serial child number j
/// on, counted from 1.
const WHOLE: u64 = 0;

/// From this part on, a part p means p − `SIBLINGS` trees in parallel.
const SIBLINGS: u64 = 1 << 32;

impl Knary {
    /// The tree with `height` nodes on each path, in which nodes have `degree` children, `serial` of them one after
    /// another. The number of nodes must fit into 64 bits, and `height` and `degree` must be at least 1.
    pub fn new(height: u64, degree: u64, serial: u64, unit_ns: u64) -> Self {
        let mut tree = Knary { height, degree, serial, unit_ns, extents: HashMap::new() };
        // From the leaves up, so that the recursion is shallow.
        (1..=height).for_each(|size| _ = tree.add(Node { size, ..Node::default() }));
        tree
    }

    fn add(&mut self, node: Node) -> Extent {
        if let Some(&extent) = self.extents.get(&node) {
            return extent;
        }
        let extent = match self.open(node) {
            Shape::Leaf { work_ns } => Extent { work_ns, forks: 0, leaves: 1 },
            Shape::Tail { work_ns, next } => self.add(next).after(work_ns, 0),
            Shape::Fork { work_ns, first, second } => self.add(first).and(self.add(second)).after(work_ns, 1),
            Shape::Then { work_ns, first, then } => self.add(first).and(self.add(then)).after(work_ns, 0),
        };
        self.extents.insert(node, extent);
        extent
    }

    /// So many trees of this size, in parallel.
    fn siblings(size: u64, count: u64) -> Node {
        let part = if count == 1 { WHOLE } else { SIBLINGS + count };
        Node { size, part, ..Node::default() }
    }

    /// The rest of a node of this size after this many of its serial children.
    fn after(&self, size: u64, serial: u64) -> Node {
        let (serial_left, parallel) = (self.serial - serial, self.degree - self.serial);
        match serial_left {
            0 => Self::siblings(size - 1, parallel),
            1 if parallel == 0 => Self::siblings(size - 1, 1),
            _ => Node { size, part: serial + 1, ..Node::default() },
        }
    }
}

impl Program for Knary {
    fn name(&self) -> String {
        let Knary { height, degree, serial, unit_ns, .. } = self;
        format!("knary:{height},{degree},{serial},unit={unit_ns}ns")
    }

    fn root(&self) -> Node {
        Self::siblings(self.height, 1)
    }

    fn open(&self, node: Node) -> Shape {
        let Node { size, part, .. } = node;
        if part > SIBLINGS {
            let (count, half) = (part - SIBLINGS, (part - SIBLINGS) / 2);
            let (first, second) = (Self::siblings(size, half), Self::siblings(size, count - half));
            Shape::Fork { work_ns: 0, first, second }
        } else if part != WHOLE {
            Shape::Then { work_ns: 0, first: Self::siblings(size - 1, 1), then: self.after(size, part) }
        } else if size == 1 {
            Shape::Leaf { work_ns: self.unit_ns }
        } else {
            Shape::Tail { work_ns: self.unit_ns, next: self.after(size, 0) }
        }
    }

    fn repeats(&self) -> bool {
        true
    }

    fn extent(&self, node: Node) -> Option<Extent> {
        Some(self.extents[&node])
    }
}

#[cfg(test)]
mod tests {
    use super::super::totals::Totals;
    use super::*;

    /// The sizes by the formulas of `filch-programs`: work and span in nodes.
    fn knary_by_formula(height: u64, degree: u64, serial: u64) -> (u64, u64) {
        let turns = serial + u64::from(serial < degree);
        (0..height).fold((0, 0), |(work, span), _| (work * degree + 1, span * turns + 1))
    }

    #[test]
    fn knary_has_the_work_and_the_span_of_the_paper() {
        for (height, degree, serial) in [(1, 3, 1), (5, 2, 0), (6, 4, 1), (5, 5, 2), (4, 3, 3), (7, 1, 0), (4, 1, 1)] {
            let tree = Knary::new(height, degree, serial, 10);
            let totals = Totals::of(&tree, 0);
            let (work, span) = knary_by_formula(height, degree, serial);
            assert_eq!((totals.work_ns, totals.span_ns), (10 * work, 10 * span), "{}", tree.name());
            assert_eq!(totals.leaves, degree.pow(height as u32 - 1), "{}", tree.name());
        }
    }

    #[test]
    fn fib_has_as_many_leaves_as_its_value_says() {
        let fibonacci = |n| (0..n).fold((0_u64, 1_u64), |(a, b), _| (b, a + b)).0;
        for n in 1..60 {
            let totals = Totals::of(&Skew::new(n, 2, 0, 1), 3);
            assert_eq!((totals.leaves, totals.forks), (fibonacci(n + 1), fibonacci(n + 1) - 1), "{n}");
            assert_eq!(totals.span_ns, 3 * (n - 1) + 1, "{n}: a fork at each level, and a leaf");
        }
    }

    #[test]
    fn a_larger_step_skews_the_tree() {
        let [even, skewed] = [2, 5].map(|step| Totals::of(&Skew::new(30, step, 0, 1), 0));
        assert!(skewed.leaves < even.leaves / 10 && skewed.leaves > 30);
    }
}
