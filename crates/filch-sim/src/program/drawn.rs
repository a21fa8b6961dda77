//! Trees that are drawn from a seed while they run.

use super::work::{Work, hash};
use super::{Extent, Node, Program, Shape};

/// A tree with a given number of leaves, divided at random: of n leaves, any number from 1 to n − 1 goes to the first
/// branch.
#[derive(Clone, Debug)]
pub struct Random {
    leaves: u64,
    seed: u64,
    work: Work,
}

impl Random {
    /// The tree with this many leaves, at least 1, of this work.
    pub fn new(leaves: u64, seed: u64, work: Work) -> Self {
        Random { leaves, seed, work }
    }
}

impl Program for Random {
    fn name(&self) -> String {
        let Random { leaves, seed, work } = self;
        format!("random:{leaves},leaf={work},seed={seed}")
    }

    fn root(&self) -> Node {
        Node { id: hash(self.seed), size: self.leaves, part: 0 }
    }

    fn open(&self, node: Node) -> Shape {
        if node.size == 1 {
            return Shape::Leaf { work_ns: self.work.of(node.id) };
        }
        let first = 1 + node.id % (node.size - 1);
        Shape::Fork {
            work_ns: 0,
            first: Node { id: hash(node.id), size: first, part: 0 },
            second: Node { id: hash(!node.id), size: node.size - first, part: 0 },
        }
    }

    fn extent(&self, node: Node) -> Option<Extent> {
        extent_of(self.work, node.size)
    }

    fn least_ns(&self, node: Node) -> u64 {
        self.work.least_ns().saturating_mul(node.size)
    }
}

/// The size of a tree of binary forks with this many leaves, if all leaves are alike.
fn extent_of(work: Work, leaves: u64) -> Option<Extent> {
    work.constant_ns().map(|ns| Extent { work_ns: ns.saturating_mul(leaves), forks: leaves - 1, leaves })
}

/// An unbalanced tree in the manner of the UTS benchmark (Olivier et al. 2006), its binomial kind: the root has many
/// children, and every other node has m children with probability q and none otherwise. It is critical if q·m is near
/// 1; then the sizes of subtrees differ without limit. Children are forked by dividing their range in halves.
#[derive(Clone, Debug)]
pub struct Uts {
    roots: u64,
    children: u64,
    /// q in parts of a million.
    parts: u64,
    seed: u64,
    work: Work,
}

/// q is given in parts of this.
pub const PARTS: u64 = 1_000_000;

impl Uts {
    /// The tree whose root has `roots` children, and in which every other node has `children` children with probability
    /// `parts` / [`PARTS`]. Each node takes `work`.
    pub fn new(roots: u64, children: u64, parts: u64, seed: u64, work: Work) -> Self {
        Uts { roots, children, parts, seed, work }
    }

    /// How many nodes such a tree has in the mean.
    pub(crate) fn mean_nodes(roots: u64, children: u64, parts: u64) -> u64 {
        // Each node has `children` · `parts` / `PARTS` children in the mean, which is less than one.
        let nodes = u128::from(roots) * u128::from(PARTS) / u128::from(PARTS - children * parts);
        u64::try_from(nodes).unwrap_or(u64::MAX)
    }
}

impl Program for Uts {
    fn name(&self) -> String {
        let Uts { roots, children, parts, seed, work } = self;
        format!("uts:{roots},children={children},parts={parts},node={work},seed={seed}")
    }

    fn root(&self) -> Node {
        Node { id: hash(self.seed), size: self.roots, part: 0 }
    }

    /// A node with a `size` is that many siblings, from child number `part` on, of the node `id`. One without is a node
    /// itself.
    fn open(&self, node: Node) -> Shape {
        let Node { id, size, part } = node;
        match size {
            0 => {
                let has_children = hash(id ^ 1) % PARTS < self.parts;
                let work_ns = self.work.of(id);
                if has_children {
                    Shape::Tail { work_ns, next: Node { id, size: self.children, part: 0 } }
                } else {
                    Shape::Leaf { work_ns }
                }
            }
            1 => Shape::Tail { work_ns: 0, next: Node { id: hash(id.wrapping_add(part)), size: 0, part: 0 } },
            _ => Shape::Fork {
                work_ns: 0,
                first: Node { id, size: size / 2, part },
                second: Node { id, size: size - size / 2, part: part + size / 2 },
            },
        }
    }

    fn extent(&self, _node: Node) -> Option<Extent> {
        None
    }

    fn least_ns(&self, node: Node) -> u64 {
        self.work.least_ns().saturating_mul(node.size.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::super::totals::Totals;
    use super::*;

    #[test]
    fn a_tree_of_random_shape_has_its_leaves_whatever_the_seed() {
        for seed in 0..20 {
            let totals = Totals::of(&Random::new(1_000, seed, Work::Uniform(5, 10)), 1);
            assert_eq!((totals.leaves, totals.forks), (1_000, 999));
            assert!((5_000..=10_000).contains(&totals.work_ns) && totals.span_ns < totals.t1_ns() / 5, "{totals:?}");
        }
    }

    #[test]
    fn a_binomial_tree_is_about_as_large_as_its_mean_says() {
        let sizes: u64 =
            (0..50).map(|seed| Totals::of(&Uts::new(100, 4, 200_000, seed, Work::Constant(1)), 0).work_ns).sum();
        let (mean, expected) = (sizes as f64 / 50.0, 100.0 / (1.0 - 0.8));
        assert!((mean / expected - 1.0).abs() < 0.2, "{mean} nodes, expected {expected}");
    }
}
