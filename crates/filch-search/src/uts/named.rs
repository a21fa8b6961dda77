//! The trees that are published, with their sizes.

use super::{Binomial, Geometric, Kind, Shape, Tree};

/// A published tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Named {
    /// Its name, such as "T1".
    pub name: &'static str,
    /// The tree.
    pub tree: Tree,
    /// The published number of nodes.
    pub nodes: u64,
    /// The published number of leaves, if there is one.
    pub leaves: Option<u64>,
    /// The published depth.
    pub depth: Option<u64>,
}

/// The published tree with this name. The case of the letters does not matter.
///
/// ```
/// let tree = filch_search::uts::find("t3").unwrap();
/// assert_eq!((tree.nodes, tree.depth), (4_112_897, Some(1572)));
/// ```
pub fn find(name: &str) -> Option<&'static Named> {
    NAMED.iter().find(|named| named.name.eq_ignore_ascii_case(name))
}

/// The trees of the file `sample_trees` that comes with the published program, from the smallest to the largest. The
/// first five have some four million nodes.
pub const NAMED: &[Named] = &[
    known("T3", binomial(8, 0.124_875, 42), 4_112_897, 3_599_034, 1572),
    known("T2", geometric(6, 16, Shape::Cyclic, 502), 4_117_769, 2_342_762, 81),
    known("T1", geometric(4, 10, Shape::Fixed, 19), 4_130_071, 3_305_118, 10),
    known("T4", HYBRID, 4_132_453, 3_108_986, 134),
    known("T5", geometric(4, 20, Shape::Linear, 34), 4_147_582, 2_181_318, 20),
    known("T2L", geometric(7, 23, Shape::Cyclic, 220), 96_793_510, 53_791_152, 67),
    known("T1L", geometric(4, 13, Shape::Fixed, 29), 102_181_082, 81_746_377, 13),
    known("T3L", binomial(5, 0.200_014, 7), 111_345_631, 89_076_904, 17_844),
    known("T1XL", geometric(4, 15, Shape::Fixed, 29), 1_635_119_272, 1_308_100_063, 15),
    Named { leaves: None, depth: None, ..known("T3XXL", binomial(2, 0.499_995, 316), 2_793_220_501, 0, 0) },
    Named { leaves: None, ..known("T1XXL", geometric(4, 15, Shape::Fixed, 19), 4_230_646_601, 0, 15) },
    known("T2XXL", binomial(2, 0.499_999_995, 0), 10_612_052_303, 5_306_027_151, 216_370),
];

const HYBRID: Tree = Tree {
    kind: Kind::Hybrid {
        above: Geometric { children: 6.0, depth: 16, shape: Shape::Linear },
        below: Binomial { children: 4, probability: 0.234_375 },
        shift: 0.5,
    },
    seed: 1,
};

/// All published binomial trees have 2,000 children at the root.
const fn binomial(children: u32, probability: f64, seed: u32) -> Tree {
    Tree { kind: Kind::Binomial { roots: 2000, below: Binomial { children, probability } }, seed }
}

const fn geometric(children: u32, depth: u32, shape: Shape, seed: u32) -> Tree {
    Tree { kind: Kind::Geometric(Geometric { children: children as f64, depth, shape }), seed }
}

const fn known(name: &'static str, tree: Tree, nodes: u64, leaves: u64, depth: u64) -> Named {
    Named { name, tree, nodes, leaves: Some(leaves), depth: Some(depth) }
}
