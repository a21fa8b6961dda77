//! A ray on its way through a tree, the nearer of two boxes first.
//!
//! A box must be met whenever a triangle in it is, so that the result is that of testing all triangles. But distances
//! to boxes and to triangles are rounded differently. So all boxes are enlarged by more than all the errors, which are
//! in proportion to the largest coordinates: in single precision, to the size of the tree, since the ray is cut off
//! where it enters; in double precision, to the distance of the ray's origin.

use super::build::MOST_DEEP;
use super::intersect::Straight;
use super::tree::{Bvh, Child, Node};
use super::{Hit, Ray};
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
}

impl Slabs {
    /// Where the ray enters both boxes of a node; infinite if it does not, or only behind `end`.
    #[inline(always)]
    fn entries(&self, node: &Node, end: f32) -> [f32; 2] {
        array::from_fn(|child| {
            let (mut entry, mut exit) = (0.0_f32, end);
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

pub(super) fn cast(bvh: &Bvh, ray: &Ray) -> Option<Hit> {
    let root = bvh.root?;
    let straight = Straight::new(ray, bvh.frame.scale);
    let (low, high) = (bvh.frame.bounds.low, bvh.frame.bounds.high);
    let size = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
    let furthest = (0..3)
        .map(|axis| (straight.origin[axis] - low[axis]).abs().max((straight.origin[axis] - high[axis]).abs()))
        .fold(0.0, f64::max);
    let margin = ROUNDINGS * f64::from(f32::EPSILON) * size + ROUNDINGS_AT_TRIANGLE * f64::EPSILON * furthest;

    // Where the ray enters the box around all.
    let mut start = 0.0_f64;
    let mut end = f64::INFINITY;
    for axis in 0..3 {
        let inverse = 1.0 / not_still(straight.direction[axis]);
        let low = (low[axis] - margin - straight.origin[axis]) * inverse;
        let high = (high[axis] + margin - straight.origin[axis]) * inverse;
        start = start.max(low.min(high));
        end = end.min(low.max(high));
    }
    if start > end {
        return None;
    }
    let at = |axis: usize| straight.origin[axis] + start * straight.direction[axis] - low[axis];
    let slabs = Slabs {
        origin: [margin, -margin].map(|margin| array::from_fn(|axis| (at(axis) + margin) as f32)),
        inverse: straight.direction.map(|x| (1.0 / not_still(x)) as f32),
    };
    let end = |distance: f64| (distance - start + margin) as f32;

    let mut nearest: Option<Nearest> = None;
    let mut limit = f32::MAX;
    let mut stack = [(Child::default(), 0.0); MOST_DEEP];
    let mut depth = 0;
    let mut child = root;
    loop {
        if child.count == 0 {
            let node = &bvh.nodes[child.first as usize];
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
                let Some(distance) = straight.distance_to(&bvh.corners[place]) else { continue };
                let triangle = bvh.ids[place];
                let is_nearer = |nearest: Nearest| (distance, triangle) < (nearest.distance, nearest.triangle);
                if nearest.is_none_or(is_nearer) {
                    nearest = Some(Nearest { distance, triangle });
                    limit = end(distance);
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

/// A coordinate that is not nearly zero.
fn not_still(x: f64) -> f64 {
    if x.abs() < f64::from(STILL) { f64::from(STILL).copysign(x) } else { x }
}
