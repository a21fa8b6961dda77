//! A ray on its way through a tree, the nearer of two boxes first.
//!
//! A box must be met whenever a triangle in it is, so that the result is that of testing all triangles. But distances
//! to boxes and to triangles are rounded differently. So all boxes are enlarged by more than all the errors, which are
//! in proportion to the largest coordinates, as the ray's origin sees them.

use super::intersect::Straight;
use super::tree::{Bvh, Child, MOST_DEEP, Node};
use super::{Hit, Ray};
use crate::bounds::Bounds;
use std::array;

/// What boxes are enlarged by, in roundings of the largest coordinate: up to eight for where the corners of a triangle
/// are seen, twelve for its distance, and six for where the ray enters a box.
const ROUNDINGS: f64 = 32.0;

/// Inverses of smaller coordinates would make products with distances overflow, or NaN. A ray that goes so little
/// along an axis stays in the same place on it.
const STILL: f64 = 1e-20;

/// A ray, against boxes that are enlarged by a margin.
struct Slabs {
    /// Its origin, for lower and for upper sides of boxes, which are enlarged thereby.
    origin: [[f64; 3]; 2],
    inverse: [f64; 3],
    margin: f64,
}

impl Slabs {
    #[inline(always)]
    fn new(ray: &Straight, Bounds { low, high }: Bounds<3>) -> Slabs {
        let seen = |axis: usize| {
            let x = ray.origin[axis];
            x.abs().max((x - low[axis]).abs()).max((x - high[axis]).abs())
        };
        let margin = ROUNDINGS * f64::EPSILON * (0..3).map(seen).fold(0.0, f64::max);
        Slabs {
            origin: [margin, -margin].map(|margin| ray.origin.map(|x| x + margin)),
            inverse: ray.direction.map(|x| 1.0 / if x.abs() < STILL { STILL.copysign(x) } else { x }),
            margin,
        }
    }

    /// How far away boxes are met, if they have a triangle at this distance.
    fn limit(&self, distance: f64) -> f64 {
        distance + self.margin
    }

    /// Where the ray enters both boxes of a node; infinite if it does not, or only behind `limit`.
    #[inline(always)]
    fn entries(&self, node: &Node, limit: f64) -> [f64; 2] {
        array::from_fn(|child| {
            let (mut entry, mut exit) = (0.0, limit);
            for axis in 0..3 {
                let low = (node.low[axis][child] - self.origin[0][axis]) * self.inverse[axis];
                let high = (node.high[axis][child] - self.origin[1][axis]) * self.inverse[axis];
                let (near, far) = if low < high { (low, high) } else { (high, low) };
                entry = if near > entry { near } else { entry };
                exit = if far < exit { far } else { exit };
            }
            if entry <= exit { entry } else { f64::INFINITY }
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
    /// Products overflow for an origin that is 2^330 times as far away as the mesh is large, and underflow at triangles
    /// that are 2^-450 times as large as the mesh: then a hit may be missed.
    ///
    /// Work: O(log n) expected, O(n) in the worst case.
    #[must_use]
    pub fn cast(&self, ray: &Ray) -> Option<Hit> {
        self.cast_by(ray, |straight, place| straight.distance_to(&self.corners[place]))
    }

    /// Casts a ray by its distance to the triangle in each place.
    #[inline(always)]
    pub(super) fn cast_by(
        &self,
        ray: &Ray,
        mut distance_to: impl FnMut(&Straight, usize) -> Option<f64>,
    ) -> Option<Hit> {
        let root = self.root?;
        let straight = Straight::new(ray, self.frame.scale);
        let slabs = Slabs::new(&straight, self.frame.bounds);
        let mut nearest: Option<Nearest> = None;
        let mut limit = f64::MAX;
        let mut stack = [(Child::default(), 0.0); MOST_DEEP];
        let mut depth = 0;
        let mut child = root;
        loop {
            if child.count == 0 {
                let node = &self.nodes[child.first as usize];
                let entries = slabs.entries(node, limit);
                let near = usize::from(entries[1] < entries[0]);
                if entries[near] < f64::INFINITY {
                    if entries[1 - near] < f64::INFINITY {
                        stack[depth] = (node.children[1 - near], entries[1 - near]);
                        depth += 1;
                    }
                    child = node.children[near];
                    continue;
                }
            } else {
                for place in child.first as usize..(child.first + child.count) as usize {
                    let Some(distance) = distance_to(&straight, place) else { continue };
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
