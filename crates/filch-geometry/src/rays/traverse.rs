//! A ray on its way through a tree, the nearer of two boxes first.
//!
//! A box must be met whenever a triangle in it is, so that the result is that of testing all triangles. But distances
//! to boxes and to triangles are rounded differently. So all boxes are enlarged by more than all the errors, which are
//! in proportion to the largest coordinates: in single precision, to the size of the tree, since the ray is cut off
//! where it enters; in double precision, to the distance of the ray's origin.

use super::intersect::Straight;
use super::tree::{Bvh, Child, MOST_DEEP, Node};
use super::{Hit, Ray};
use crate::bounds::Bounds;
use std::array;

/// What boxes are enlarged by, in roundings of the largest coordinate: three for a corner and the origin, one for a
/// factor, and two for a distance.
const ROUNDINGS: f64 = 8.0;

/// The same for computations in double precision, where a triangle adds its own errors: up to eight for where its
/// corners are seen, twelve for its distance, and four for the entry of the ray.
const ROUNDINGS_AT_TRIANGLE: f64 = 32.0;

/// Inverses of smaller coordinates would make products with distances overflow, or NaN. A ray that goes so little
/// along an axis stays in the same place on it.
const STILL: f32 = 1e-20;

/// A ray, relative to the tree's corner, from where it enters the tree.
struct Slabs {
    /// Its origin, for lower and for upper sides of boxes, which are enlarged thereby.
    origin: [[f32; 3]; 2],
    inverse: [f32; 3],
    /// How far the straight ray goes until it enters.
    start: f64,
    /// What boxes are enlarged by.
    margin: f64,
}

impl Slabs {
    /// `None` if the ray does not enter.
    #[inline(always)]
    fn new(ray: &Straight, Bounds { low, high }: Bounds<3>) -> Option<Slabs> {
        let largest = |of: &dyn Fn(usize) -> f64| (0..3).map(of).fold(0.0, f64::max);
        let size = largest(&|axis| high[axis] - low[axis]);
        let furthest = largest(&|axis| (ray.origin[axis] - low[axis]).abs().max((ray.origin[axis] - high[axis]).abs()));
        let margin = ROUNDINGS * f64::from(f32::EPSILON) * size + ROUNDINGS_AT_TRIANGLE * f64::EPSILON * furthest;
        let (mut start, mut end) = (0.0_f64, f64::INFINITY);
        for axis in 0..3 {
            let inverse = 1.0 / not_still(ray.direction[axis]);
            let to_low = (low[axis] - margin - ray.origin[axis]) * inverse;
            let to_high = (high[axis] + margin - ray.origin[axis]) * inverse;
            start = start.max(to_low.min(to_high));
            end = end.min(to_low.max(to_high));
        }
        let at = |axis: usize| ray.origin[axis] + start * ray.direction[axis] - low[axis];
        (start <= end).then(|| Slabs {
            origin: [margin, -margin].map(|margin| array::from_fn(|axis| (at(axis) + margin) as f32)),
            inverse: ray.direction.map(|x| (1.0 / not_still(x)) as f32),
            start,
            margin,
        })
    }

    /// How far from where the ray enters boxes are met, if they have a triangle at this distance.
    fn limit(&self, distance: f64) -> f32 {
        (distance - self.start + self.margin) as f32
    }

    /// Where the ray enters both boxes of a node; infinite if it does not, or only behind `limit`.
    #[inline(always)]
    fn entries(&self, node: &Node, limit: f32) -> [f32; 2] {
        array::from_fn(|child| {
            let (mut entry, mut exit) = (0.0_f32, limit);
            for axis in 0..3 {
                let low = (node.low[axis][child] - self.origin[0][axis]) * self.inverse[axis];
                let high = (node.high[axis][child] - self.origin[1][axis]) * self.inverse[axis];
                let (near, far) = if low < high { (low, high) } else { (high, low) };
                entry = if near > entry { near } else { entry };
                exit = if far < exit { far } else { exit };
            }
            if entry <= exit { entry } else { f32::INFINITY }
        })
    }
}

/// The first hit, and how far it is along the straight ray.
#[derive(Clone, Copy)]
struct Nearest {
    distance: f64,
    triangle: u32,
}

impl Bvh {
    /// The first triangle that a ray hits, from either side. Of several at the same distance, the one with the smallest
    /// index.
    ///
    /// Edges belong to triangles: no ray slips through between two triangles that share an edge. Degenerate triangles
    /// are never hit, nor are triangles whose plane contains the ray (as far as that can be told after rounding).
    ///
    /// Work: O(log n) expected, O(n) in the worst case.
    #[must_use]
    pub fn cast(&self, ray: &Ray) -> Option<Hit> {
        let root = self.root?;
        let straight = Straight::new(ray, self.frame.scale);
        let slabs = Slabs::new(&straight, self.frame.bounds)?;
        let mut nearest: Option<Nearest> = None;
        let mut limit = f32::MAX;
        let mut stack = [(Child::default(), 0.0); MOST_DEEP];
        let mut depth = 0;
        let mut child = root;
        loop {
            if child.count == 0 {
                let node = &self.nodes[child.first as usize];
                let entries = slabs.entries(node, limit);
                let near = usize::from(entries[1] < entries[0]);
                if entries[near] < f32::INFINITY {
                    if entries[1 - near] < f32::INFINITY {
                        stack[depth] = (node.children[1 - near], entries[1 - near]);
                        depth += 1;
                    }
                    child = node.children[near];
                    continue;
                }
            } else {
                for place in child.first as usize..(child.first + child.count) as usize {
                    let Some(distance) = straight.distance_to(&self.corners[place]) else { continue };
                    let triangle = self.ids[place];
                    let is_nearer = |nearest: Nearest| (distance, triangle) < (nearest.distance, nearest.triangle);
                    if nearest.is_none_or(is_nearer) {
                        nearest = Some(Nearest { distance, triangle });
                        limit = slabs.limit(distance);
                    }
                }
            }
            child = loop {
                if depth == 0 {
                    return nearest.map(|Nearest { distance, triangle }| Hit {
                        triangle,
                        distance: straight.in_directions(distance),
                    });
                }
                depth -= 1;
                let (next, entry) = stack[depth];
                if entry <= limit {
                    break next;
                }
            };
        }
    }
}

/// A coordinate that is not nearly zero.
fn not_still(x: f64) -> f64 {
    if x.abs() < f64::from(STILL) { f64::from(STILL).copysign(x) } else { x }
}
