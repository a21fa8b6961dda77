//! How triangles are divided: where the surface area heuristic expects that rays meet the fewest boxes and triangles
//! (Goldsmith and Salmon 1987), of planes between bins of equal width (Wald 2007).

use super::tree::{Child, DEEP, Node};
use std::array;
use std::collections::HashMap;

/// The box of a triangle, and its index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
    pub(super) triangle: u32,
}

/// The most bins of an axis. More hardly make better trees (Wald 2007, section 3.4).
const BINS: usize = 16;

/// The most triangles of a leaf.
const MOST: usize = 8;

/// What visiting a node takes, in intersections of a triangle: a node's boxes are one cache line, a triangle is on two.
const NODE_COST: f64 = 0.5;

/// The items of a block: so many that its bins are a small part of its work.
const BLOCK: usize = 32 * 3 * BINS;

#[derive(Clone, Copy, Debug)]
pub(super) struct Box3 {
    low: [f64; 3],
    high: [f64; 3],
}

impl Box3 {
    const EMPTY: Self = Box3 { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    #[inline(always)]
    fn union(self, other: Self) -> Self {
        // Not `f64::min`, since no coordinate is NaN.
        let smaller = |a: f64, b: f64| if b < a { b } else { a };
        let larger = |a: f64, b: f64| if b > a { b } else { a };
        Box3 {
            low: array::from_fn(|axis| smaller(self.low[axis], other.low[axis])),
            high: array::from_fn(|axis| larger(self.high[axis], other.high[axis])),
        }
    }

    /// Half of its surface, to which the number of rays that meet it is in proportion.
    fn area(self) -> f64 {
        let [x, y, z] = array::from_fn(|axis| self.high[axis] - self.low[axis]);
        x * y + y * z + z * x
    }
}

impl Item {
    fn bounds(&self) -> Box3 {
        Box3 { low: self.low, high: self.high }
    }

    /// Twice its centre.
    #[inline(always)]
    fn centre(&self) -> [f64; 3] {
        array::from_fn(|axis| self.low[axis] + self.high[axis])
    }
}

/// How some items are divided.
enum Division {
    Leaf,
    /// Where the right ones begin.
    At(usize),
    /// Their centres are the same, or there are very many levels above.
    Alike,
}

/// Builds the tree of some items, of which there is at least one, and orders them by leaves. `firsts` are the indices
/// of the first item and of the first node. There is room for one node less than items: for the node itself, then for
/// the nodes of the left child, and then for those of the right child.
pub(super) fn build(
    mut s: filch::Strand<'_>,
    mut items: &mut [Item],
    nodes: &mut [Node],
    firsts: [u32; 2],
    mut depth: usize,
    corners: &(impl Fn(u32) -> [[f64; 3]; 3] + Sync),
) -> (Child, Box3) {
    let mut division = divide(items, depth);
    if matches!(division, Division::Alike) {
        if depth <= DEEP {
            items = once_each(items, corners);
        }
        depth = depth.max(DEEP);
        division = if items.len() <= MOST { Division::Leaf } else { Division::At(items.len() / 2) };
    }
    let Division::At(middle) = division else {
        let bounds = items.iter().map(Item::bounds).fold(Box3::EMPTY, Box3::union);
        return (Child { first: firsts[0], count: items.len() as u32 }, bounds);
    };
    let (left, right) = items.split_at_mut(middle);
    let Some((node, below)) = nodes.split_first_mut() else { unreachable!("there is room for the node") };
    let (left_nodes, right_nodes) = below.split_at_mut(middle - 1);
    let [item, place] = firsts;
    let rights = [item + middle as u32, place + middle as u32];
    let ((left, left_box), (right, right_box)) = s.join(
        |s| build(s, left, left_nodes, [item, place + 1], depth + 1, corners),
        |s| build(s, right, right_nodes, rights, depth + 1, corners),
    );
    *node = Node {
        low: array::from_fn(|axis| [left_box.low[axis], right_box.low[axis]]),
        high: array::from_fn(|axis| [left_box.high[axis], right_box.high[axis]]),
        children: [left, right],
    };
    (Child { first: place, count: 0 }, left_box.union(right_box))
}

/// Moves items to both sides, unless they are to be a leaf or are alike.
fn divide(items: &mut [Item], depth: usize) -> Division {
    if items.len() == 1 {
        return Division::Leaf;
    }
    if depth >= DEEP {
        return Division::Alike;
    }
    let grid = Grid::new(items);
    let Some(plane) = Bins::new(items, grid).best(grid.bins) else { return Division::Alike };
    if items.len() <= MOST && plane.cost >= items.len() as f64 {
        return Division::Leaf;
    }
    let (mut left, mut right) = (0, items.len());
    while left < right {
        if grid.bin(items[left].centre(), plane.axis) < plane.bin {
            left += 1;
        } else {
            right -= 1;
            items.swap(left, right);
        }
    }
    Division::At(left)
}

/// Of items with the same corners, the one with the smallest index. No box could tell them apart, so a ray would be
/// tested against all of them.
fn once_each<'a>(items: &'a mut [Item], corners: &impl Fn(u32) -> [[f64; 3]; 3]) -> &'a mut [Item] {
    let mut places = HashMap::new();
    for index in 0..items.len() {
        let item = items[index];
        let next = places.len();
        let place = *places.entry(corners(item.triangle).map(|corner| corner.map(f64::to_bits))).or_insert(next);
        if place == next {
            items[place] = item;
        } else {
            items[place].triangle = items[place].triangle.min(item.triangle);
        }
    }
    &mut items[..places.len()]
}

/// The bins of the centres of some items.
#[derive(Clone, Copy, Debug)]
struct Grid {
    /// The bins of an axis: not more than items.
    bins: usize,
    low: [f64; 3],
    /// Bins in a unit of length; 0 if all centres are the same.
    density: [f64; 3],
}

impl Grid {
    fn new(items: &[Item]) -> Self {
        let of = |items: &[Item]| {
            let centres = items.iter().map(Item::centre).map(|centre| Box3 { low: centre, high: centre });
            centres.fold(Box3::EMPTY, Box3::union)
        };
        let Box3 { low, high } = in_blocks(items, Box3::EMPTY, of, Box3::union);
        let bins = items.len().min(BINS);
        let density = array::from_fn(|axis| {
            let density = bins as f64 / (high[axis] - low[axis]);
            if density.is_finite() { density } else { 0.0 }
        });
        Grid { bins, low, density }
    }

    #[inline(always)]
    fn bin(&self, centre: [f64; 3], axis: usize) -> usize {
        (((centre[axis] - self.low[axis]) * self.density[axis]) as usize).min(self.bins - 1)
    }
}

/// What is in each bin of each axis.
#[derive(Clone, Copy, Debug)]
struct Bins([[Bin; BINS]; 3]);

#[derive(Clone, Copy, Debug)]
struct Bin {
    bounds: Box3,
    count: u32,
}

/// A plane between bins.
#[derive(Clone, Copy, Debug)]
struct Plane {
    axis: usize,
    /// The first bin behind it.
    bin: usize,
    /// In intersections of a triangle.
    cost: f64,
}

impl Bin {
    const EMPTY: Self = Bin { bounds: Box3::EMPTY, count: 0 };

    #[inline(always)]
    fn union(self, other: Self) -> Self {
        Bin { bounds: self.bounds.union(other.bounds), count: self.count + other.count }
    }

    fn cost(self) -> f64 {
        self.bounds.area() * self.count as f64
    }
}

impl Bins {
    const EMPTY: Self = Bins([[Bin::EMPTY; BINS]; 3]);

    fn new(items: &[Item], grid: Grid) -> Self {
        let of = |items: &[Item]| {
            let mut bins = Bins::EMPTY;
            for item in items {
                for axis in 0..3 {
                    let bin = &mut bins.0[axis][grid.bin(item.centre(), axis)];
                    *bin = bin.union(Bin { bounds: item.bounds(), count: 1 });
                }
            }
            bins
        };
        in_blocks(items, Bins::EMPTY, of, |a, b| {
            Bins(array::from_fn(|axis| array::from_fn(|bin| a.0[axis][bin].union(b.0[axis][bin]))))
        })
    }

    /// The plane with the least cost between the first `count` bins, of those with items on both sides.
    fn best(&self, count: usize) -> Option<Plane> {
        let mut best: Option<Plane> = None;
        for (axis, bins) in self.0.iter().enumerate() {
            let mut behind = [Bin::EMPTY; BINS];
            let mut all = Bin::EMPTY;
            for bin in (0..count).rev() {
                all = all.union(bins[bin]);
                behind[bin] = all;
            }
            let mut before = Bin::EMPTY;
            for bin in 1..count {
                before = before.union(bins[bin - 1]);
                if before.count == 0 || behind[bin].count == 0 {
                    continue;
                }
                let cost = NODE_COST + (before.cost() + behind[bin].cost()) / all.bounds.area();
                if best.is_none_or(|best| cost < best.cost) {
                    best = Some(Plane { axis, bin, cost });
                }
            }
        }
        best
    }
}

/// Combines the results of all blocks of items. How they are divided makes no difference to boxes and counts.
fn in_blocks<T: Copy + Send + Sync>(
    items: &[Item],
    empty: T,
    of: impl Fn(&[Item]) -> T + Send + Sync,
    combine: impl Fn(T, T) -> T + Send + Sync,
) -> T {
    if items.len() <= BLOCK {
        return of(items);
    }
    filch::map_reduce(filch::chunks(items, BLOCK), || empty, |_, block| of(block), combine)
}
