//! The size of an unbalanced tree, UTS (Olivier, Huan, Liu, Prins, Dinan, Sadayappan and Tseng 2006).
//!
//! `uts` has the geometric trees of T1, whose depth is limited, and `uts-binomial` the binomial ones of T3, which are
//! thin and deep. A node is the SHA-1 of its parent and a number, so a node costs a hash of some 100 ns.
//!
//! The serial form is a recursion over nodes by value. The Filch form is a [`Search`](filch::Search), whose workspace
//! has the path from the root. The form on other runtimes, which have no search, is a tree of joins over the children
//! of each node; `uts-joins` and `uts-binomial-joins` have it for Filch, too.

use std::hint::black_box;
use std::ops::Range;

use filch::Strand;
use filch_cluster::{Cluster, ClusterError};
use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Answer, Domain, Forms, Kernel, Mismatch, Program, Sizes, WithForms};
use filch_search::uts::{Kind, NAMED, Place, Shape, Size, Tree};
use sha1::{Digest, Sha1};

/// Geometric trees, with 4 children in the mean at each depth above the limit n. With the limit 10 it is T1. Of those
/// up to 14, which are larger, no sizes are published.
pub const PROGRAM: Program = Program {
    is_for_ranks: true,
    ..Program::new(
        ("uts", "the size of a geometric tree of depth n: UTS, T1 with n = 10"),
        Sizes { small: 4, default: 10, paper: 10 },
        Domain { counts: "the depth", min: 1, max: 10, rule: None },
        |n| Box::new(WithForms::<_, OnePath>::new(Joins::new(geometric(n)))),
    )
};

/// The same by joins.
pub const JOINS: Program = Program {
    name: "uts-joins",
    about: "uts with a join for the children of a node",
    build: |n| Box::new(Joins::new(geometric(n))),
    is_for_ranks: false,
    ..PROGRAM
};

/// Binomial trees: n children of the root, and below it 8 children with a probability of 0.124875. With n = 2000 it is
/// T3. Its depth of 1,572 nodes, each with three joins on the stack, is more than the stacks of the threads of other
/// libraries hold, which have 2 MiB.
pub const BINOMIAL: Program = Program {
    libraries: &[],
    is_for_ranks: true,
    ..Program::new(
        ("uts-binomial", "the size of a binomial tree: UTS, T3 with n = 2000"),
        Sizes { small: 10, default: 2000, paper: 2000 },
        Domain { counts: "the number of children of the root", min: 1, max: 2000, rule: None },
        |n| Box::new(WithForms::<_, OnePath>::new(Joins::new(binomial(n)))),
    )
};

/// The same by joins.
pub const BINOMIAL_JOINS: Program = Program {
    name: "uts-binomial-joins",
    about: "uts-binomial with a join for the children",
    build: |n| Box::new(Joins::new(binomial(n))),
    is_for_ranks: false,
    ..BINOMIAL
};

fn geometric(depth: u64) -> Tree {
    Tree::geometric(4.0, depth as u32, Shape::Fixed, 19)
}

fn binomial(roots: u64) -> Tree {
    Tree::binomial(roots as u32, 8, 0.124_875, 42)
}

/// The recursion: the size of the tree below a node.
#[inline(never)]
fn below(tree: &Tree, place: &Place, depth: usize) -> Size {
    let children = tree.children(place, depth);
    let mut size = Size { nodes: 1, leaves: u64::from(children == 0), depth: depth as u64 };
    for child in 0..children {
        size = size.and(below(tree, &place.child(child), depth + 1));
    }
    size
}

/// The program with joins: the size of the trees below these children of a node. Divides them in halves.
#[inline(never)]
fn joined<R: Runtime>(mut t: Token<R>, tree: &Tree, place: &Place, depth: usize, children: Range<u32>) -> Size {
    if children.len() > 1 {
        let middle = children.start.midpoint(children.end);
        let (former, latter) = t.join(
            |t| joined(t, tree, place, depth, children.start..middle),
            |t| joined(t, tree, place, depth, middle..children.end),
        );
        return former.and(latter);
    }
    let (place, depth) = (place.child(children.start), depth + 1);
    let children = tree.children(&place, depth);
    let size = Size { nodes: 1, leaves: u64::from(children == 0), depth: depth as u64 };
    if children == 0 { size } else { size.and(joined(t, tree, &place, depth, 0..children)) }
}

struct Joins {
    tree: Tree,
    answer: Answer<Size>,
}

impl Joins {
    fn new(tree: Tree) -> Self {
        Joins { tree, answer: Answer::new() }
    }
}

impl Kernel for Joins {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        let tree = black_box(&self.tree);
        let root = tree.place();
        let children = tree.children(&root, 0);
        let size = Size { nodes: 1, leaves: u64::from(children == 0), depth: 0 };
        let size = if children == 0 { size } else { size.and(joined(t, tree, &root, 0, 0..children)) };
        self.answer.record(size);
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.answer.check(&expected(&self.tree))
    }
}

/// The forms without joins.
struct OnePath;

impl Forms<Joins> for OnePath {
    fn serial(kernel: &mut Joins) {
        let tree = black_box(&kernel.tree);
        kernel.answer.record(below(tree, &tree.place(), 0));
    }

    fn filch(kernel: &mut Joins, mut s: Strand<'_>) {
        let tree = black_box(&kernel.tree);
        kernel.answer.record(s.search(tree, tree.root()).fold(Size::default, Size::with, Size::and));
    }

    fn on_ranks(kernel: &mut Joins, cluster: &Cluster) -> Result<(), ClusterError> {
        let tree = black_box(&kernel.tree);
        let size = cluster.search(tree, tree.root()).fold(Size::default, Size::with, Size::and)?;
        kernel.answer.record(size);
        Ok(())
    }
}

/// The checker: the published size if there is one, and otherwise the size by another walk.
fn expected(tree: &Tree) -> Size {
    let published = NAMED.iter().find(|named| named.tree == *tree);
    if let Some((nodes, leaves, depth)) = published.and_then(|named| Some((named.nodes, named.leaves?, named.depth?))) {
        return Size { nodes, leaves, depth };
    }
    // From depth to depth, with the distribution functions instead of their inverses.
    let hash = |bytes: &[u8], number: u32| -> Vec<u8> {
        Sha1::new_with_prefix(bytes).chain_update(number.to_be_bytes()).finalize().to_vec()
    };
    let mut size = Size::default();
    let mut level = vec![hash(&[0; 16], tree.seed)];
    for depth in 0.. {
        size.depth = depth;
        let mut next = Vec::new();
        for state in &level {
            let last = u32::from_be_bytes([state[16], state[17], state[18], state[19]]) << 1 >> 1;
            let random = f64::from(last) / f64::from(1_u32 << 31);
            let children = match tree.kind {
                Kind::Binomial { roots, .. } if depth == 0 => roots,
                Kind::Binomial { below, .. } if random < below.probability => below.children,
                Kind::Geometric(geometric) if depth < u64::from(geometric.depth) => {
                    let goes_on = geometric.children / (1.0 + geometric.children);
                    (1..).take_while(|&children| goes_on.powi(children) >= 1.0 - random).count() as u32
                }
                _ => 0,
            };
            size.nodes += 1;
            size.leaves += u64::from(children == 0);
            next.extend((0..children).map(|child| hash(state, child)));
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_finds_the_size_of_small_trees() {
        for (program, sizes) in [(&PROGRAM, 1..=6), (&BINOMIAL, 1..=40)] {
            for n in sizes {
                let mut instance = (program.build)(n);
                instance.serial();
                assert_eq!(instance.verify(), Ok(()), "{} {n}, in order", program.name);
                filch::run(|s| instance.filch(s));
                assert_eq!(instance.verify(), Ok(()), "{} {n}, by a search", program.name);
                instance.rayon();
                assert_eq!(instance.verify(), Ok(()), "{} {n}, by joins", program.name);
            }
        }
    }

    #[test]
    fn the_checker_rejects_a_lost_node() {
        let mut joins = Joins::new(geometric(10));
        joins.answer.record(Size { nodes: 4_130_070, leaves: 3_305_118, depth: 10 });
        assert!(Kernel::verify(&mut joins).is_err());
    }
}
