//! Trees of a known size, drawn as they are walked.
//!
//! Of a real UTS tree the size of a subtree is known only once it has been walked, which for 10^9 nodes and many runs
//! takes too long. Here the size of a node's subtree is given, and the sizes of its children are drawn from that, as
//! they are distributed if the size of the whole is given. So a worker's walk through a subtree takes no step of the
//! simulation until somebody asks for a part of it.

use filch_policy::{SPREAD, scatter};

/// How a tree is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// As the geometric trees of UTS: a geometric number of children with mean 4, at any depth. A quarter of them are
    /// leaves or nearly so; the sizes of the others are as exponentially distributed numbers (the limit of a branching
    /// process with this distribution, Athreya and Ney 1972, section I.10, has an atom at zero and is exponential
    /// otherwise).
    Geometric,
    /// As the binomial trees of UTS near the critical point: eight children, of which one has nearly everything, and
    /// the sizes of the others exceed s with a probability of about s^(−1/2) (the same, section I.13). The root has
    /// 2,000 children like these others. The depth is about the square root of the size.
    Binomial,
}

/// A node, with the number of nodes of its subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) id: u64,
    pub(super) size: u64,
}

/// The mean number of children in a geometric tree.
const MEAN: f64 = 4.0;

/// The most children of a node, as in UTS.
const MOST: usize = 100;

/// The children of a node in a binomial tree, and of its root.
const EIGHT: usize = 8;
const ROOTS: usize = 2_000;

impl Shape {
    /// The root of the tree with this seed and size.
    pub(super) fn root(self, seed: u64, size: u64) -> Node {
        // The root of a binomial tree is told by an odd number, all others are even.
        Node { id: scatter(seed.wrapping_mul(SPREAD)) | 1, size }
    }

    /// The children of a node: none if its size is 1.
    pub(super) fn children(self, node: Node) -> Vec<Node> {
        let mut draw = Draw(node.id);
        let rest = node.size - 1;
        if rest == 0 {
            return Vec::new();
        }
        let most = usize::try_from(rest).unwrap_or(usize::MAX);
        let mut sizes = match self {
            Shape::Geometric => {
                let goes_on = MEAN / (1.0 + MEAN);
                // One at least, since there are more nodes.
                let count = 1 + (draw.fraction().ln() / goes_on.ln()) as usize;
                let mut weights: Vec<f64> = (0..count.min(MOST).min(most))
                    .map(|_| if draw.fraction() < 1.0 / MEAN { 0.0 } else { -draw.fraction().ln() })
                    .collect();
                let sum: f64 = weights.iter().sum();
                if sum == 0.0 {
                    weights[0] = 1.0;
                }
                // Each has a node, and what is left is divided.
                let left = rest - weights.len() as u64;
                let sum = sum.max(f64::MIN_POSITIVE);
                weights.iter().map(|weight| 1 + (left as f64 * (weight / sum).min(1.0)) as u64).collect::<Vec<_>>()
            }
            Shape::Binomial => {
                let count = if node.id & 1 == 1 { ROOTS } else { EIGHT }.min(most);
                let mut left = rest - count as u64;
                let mut draws = |_| {
                    let more = (draw.fraction().powi(-2) as u64 - 1).min(left / 2);
                    left -= more;
                    1 + more
                };
                (0..count).map(&mut draws).collect()
            }
        };
        // What rounding and the heavy child leave.
        let given: u64 = sizes.iter().sum();
        let heavy = (0..sizes.len()).max_by_key(|&child| sizes[child]).unwrap_or(0);
        match self {
            Shape::Geometric => sizes[heavy] = sizes[heavy] + rest - given.min(rest),
            Shape::Binomial => {
                let child = (draw.next() % sizes.len() as u64) as usize;
                sizes[child] += rest - given;
            }
        }
        sizes.iter().map(|&size| Node { id: draw.next() & !1, size }).collect()
    }
}

/// Random numbers that a node determines.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(SPREAD);
        scatter(self.0)
    }

    /// Above 0 and up to 1.
    fn fraction(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_children_of_a_node_have_all_of_its_nodes_but_itself() {
        for shape in [Shape::Geometric, Shape::Binomial] {
            let mut nodes = vec![shape.root(1, 100_000)];
            let mut count = 0;
            while let Some(node) = nodes.pop() {
                let children = shape.children(node);
                assert_eq!(children.iter().map(|child| child.size).sum::<u64>(), node.size - 1, "{shape:?} {node:?}");
                assert!(children.iter().all(|child| child.size > 0), "{shape:?}");
                nodes.extend(children);
                count += 1;
            }
            assert_eq!(count, 100_000);
        }
    }
}
