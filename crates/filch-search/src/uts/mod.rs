//! UTS, the unbalanced tree search: trees of which nobody knows beforehand where they are large (Olivier, Huan, Liu,
//! Prins, Dinan, Sadayappan and Tseng 2006).
//!
//! A node is the value of a hash, SHA-1. The value says how many children the node has, and the hash of the value and
//! the number of a child is that child. So any node can be computed from its parent alone, and the size of a subtree is
//! known only once it has been searched. The search counts the nodes and the leaves, and finds the greatest depth.
//!
//! ```
//! use filch_search::uts::Tree;
//!
//! // The root has 2,000 children, and one node of ten below it has eight.
//! let size = Tree::binomial(2000, 8, 0.1, 42).size();
//! let parents = size.nodes - 1 - size.leaves;
//! assert_eq!(size.nodes - 1, 2000 + 8 * parents);
//! ```
//!
//! # How nodes are counted
//!
//! A [`Search`] shows its solutions, which are the leaves here, and no other nodes. Below each node there is one leaf
//! that is reached by the first child, that one's first child, and so on; that leaf counts the node. So a leaf at the
//! end of k first children counts k + 1 nodes, the sum over the leaves is the number of nodes, and no step is made for
//! it.

mod named;
mod path;

pub use named::{NAMED, Named, find};
pub use path::{Path, Place};

use filch::{Node, Search};
use std::f64::consts::PI;
use std::ops::Range;

/// A tree: its kind, and the number from which its root is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tree {
    /// How many children its nodes have.
    pub kind: Kind,
    /// The number of the root.
    pub seed: u32,
}

/// How many children the nodes of a tree have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// The number of children has the geometric distribution, with a mean that depends on the depth.
    Geometric(Geometric),
    /// The root has `roots` children. Any other node has as many as `below` says.
    Binomial {
        /// The number of children of the root.
        roots: u32,
        /// The nodes below the root.
        below: Binomial,
    },
    /// Geometric above a depth, and binomial from there on.
    Hybrid {
        /// The upper part.
        above: Geometric,
        /// The lower part.
        below: Binomial,
        /// Where the lower part begins, as a part of the depth in `above`.
        shift: f64,
    },
}

/// The number of children by the geometric distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometric {
    /// The mean number of children of the root.
    pub children: f64,
    /// The depth that the shape refers to: where it is a limit, no node below it has children.
    pub depth: u32,
    /// How the mean depends on the depth.
    pub shape: Shape,
}

/// How the mean number of children in a geometric tree depends on the depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// It decreases linearly, to zero at the limit.
    Linear,
    /// It is a power of the depth, and one at the depth that is given. There is no limit.
    Exponential,
    /// It goes up and down in waves of the length that is given, five of them.
    Cyclic,
    /// It is the same at all depths up to the limit.
    Fixed,
}

/// Some number of children, or none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binomial {
    /// The number.
    pub children: u32,
    /// The probability of having children.
    pub probability: f64,
}

/// How large a tree is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Size {
    /// The number of nodes, with the root.
    pub nodes: u64,
    /// The number of nodes without children.
    pub leaves: u64,
    /// The number of steps from the root to the deepest node.
    pub depth: u64,
}

/// The most children of a node, but for the root of a binomial tree (the published program has this limit, too).
const MOST_CHILDREN: u32 = 100;

/// A geometric tree of the cyclic shape ends after this many waves.
const WAVES: u32 = 5;

impl Tree {
    /// A geometric tree.
    pub fn geometric(children: f64, depth: u32, shape: Shape, seed: u32) -> Self {
        Tree { kind: Kind::Geometric(Geometric { children, depth, shape }), seed }
    }

    /// A binomial tree: `roots` children of the root, and `children` of any other node with this probability. If
    /// `children` times `probability` is one or more, the tree is likely to be infinite.
    pub fn binomial(roots: u32, children: u32, probability: f64, seed: u32) -> Self {
        Tree { kind: Kind::Binomial { roots, below: Binomial { children, probability } }, seed }
    }

    /// The workspace at the root.
    pub fn root(&self) -> Path {
        Path::from(self.place())
    }

    /// The root alone, for a walk without a workspace.
    pub fn place(&self) -> Place {
        Place::root(self.seed)
    }

    /// Counts the nodes and leaves, and finds the greatest depth.
    ///
    /// Work: a hash for each node. Memory: 24 bytes for each node of the path from the root, on each worker.
    pub fn size(&self) -> Size {
        filch::search(self, self.root()).fold(Size::default, Size::with, Size::and)
    }

    /// The number of children of a node at this depth.
    #[inline]
    pub fn children(&self, place: &Place, depth: usize) -> u32 {
        let random = place.random();
        let children = match self.kind {
            Kind::Binomial { roots, .. } if depth == 0 => return roots,
            Kind::Binomial { below, .. } => below.children(random),
            Kind::Geometric(geometric) => geometric.children(depth, random),
            Kind::Hybrid { above, below, shift } if depth as f64 >= shift * f64::from(above.depth) => {
                below.children(random)
            }
            Kind::Hybrid { above, .. } => above.children(depth, random),
        };
        children.min(MOST_CHILDREN)
    }
}

impl Binomial {
    fn children(&self, random: f64) -> u32 {
        if random < self.probability { self.children } else { 0 }
    }
}

impl Geometric {
    /// The mean number of children of nodes at this depth.
    fn mean(&self, depth: usize) -> f64 {
        let (mean, limit, at) = (self.children, f64::from(self.depth), depth as f64);
        match self.shape {
            _ if depth == 0 => mean,
            Shape::Linear => mean * (1.0 - at / limit),
            Shape::Exponential => mean * at.powf(-mean.ln() / limit.ln()),
            Shape::Cyclic if at > f64::from(WAVES) * limit => 0.0,
            Shape::Cyclic => mean.powf((2.0 * PI * at / limit).sin()),
            Shape::Fixed if at < limit => mean,
            Shape::Fixed => 0.0,
        }
    }

    /// The distribution function of the number of children is 1 − q^(n + 1), where q = 1 − 1/(1 + mean); this is its
    /// inverse.
    fn children(&self, depth: usize, random: f64) -> u32 {
        let stops = 1.0 / (1.0 + self.mean(depth));
        // With a mean of zero, the divisor is −∞ and the quotient zero.
        ((1.0 - random).ln() / (1.0 - stops).ln()) as u32
    }
}

impl Size {
    /// The size with the leaf at which this path ends, and the nodes that this leaf counts.
    #[must_use]
    pub fn with(self, leaf: &Path) -> Self {
        let (nodes, depth) = (u64::from(leaf.end().firsts), leaf.depth() as u64);
        self.and(Size { nodes, leaves: 1, depth })
    }

    /// The size of two parts.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Size { nodes: self.nodes + other.nodes, leaves: self.leaves + other.leaves, depth: self.depth.max(other.depth) }
    }
}

/// The solutions are the leaves, and the choices the numbers of the children.
impl Search for Tree {
    type Workspace = Path;
    type Choices = Range<u32>;

    #[inline]
    fn choices(&self, path: &mut Path) -> Node<Range<u32>> {
        match self.children(path.end(), path.depth()) {
            0 => Node::Solution,
            children => Node::Choices(0..children),
        }
    }

    #[inline]
    fn apply(&self, path: &mut Path, child: u32) {
        path.push(child);
    }

    #[inline]
    fn undo(&self, path: &mut Path, _: u32) {
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By recursion, and one for each node.
    fn counted(tree: &Tree, path: &mut Path) -> Size {
        let mut size = Size { nodes: 1, leaves: 0, depth: path.depth() as u64 };
        match tree.choices(path) {
            Node::Solution => size.leaves = 1,
            Node::Choices(children) => {
                for child in children {
                    path.push(child);
                    size = size.and(counted(tree, path));
                    path.pop();
                }
            }
        }
        size
    }

    fn small_trees() -> impl Iterator<Item = Tree> {
        let shapes = [Shape::Linear, Shape::Exponential, Shape::Cyclic, Shape::Fixed];
        let geometric = move |seed| shapes.map(|shape| Tree::geometric(2.5, 4, shape, seed)).into_iter();
        let below = Binomial { children: 4, probability: 0.2 };
        let above = Geometric { children: 3.0, depth: 6, shape: Shape::Linear };
        let others = move |seed| {
            [Tree::binomial(30, 4, 0.2, seed), Tree { kind: Kind::Hybrid { above, below, shift: 0.5 }, seed }]
        };
        (0..20).flat_map(move |seed| geometric(seed).chain(others(seed)))
    }

    #[test]
    fn the_leaves_count_each_node_once() {
        for tree in small_trees() {
            let mut path = tree.root();
            assert_eq!(tree.size(), counted(&tree, &mut path), "{tree:?}");
            assert_eq!(path, tree.root(), "each step is taken back");
        }
    }

    #[test]
    fn steps_are_taken_back() {
        for tree in small_trees().take(6) {
            let leaves = filch::search(&tree, tree.root()).checked().count();
            assert_eq!(leaves, tree.size().leaves);
        }
    }

    /// The mean of the distribution is the mean that the shape says.
    #[test]
    fn the_mean_number_of_children_is_as_asked_for() {
        let many = 100_000;
        for (depth, expected) in [(0, 4.0), (5, 2.0), (10, 0.0)] {
            let linear = Geometric { children: 4.0, depth: 10, shape: Shape::Linear };
            let sum: u32 = (0..many).map(|i| linear.children(depth, f64::from(i) / f64::from(many))).sum();
            assert!((f64::from(sum) / f64::from(many) - expected).abs() < 0.01, "{sum} at depth {depth}");
        }
    }
}
