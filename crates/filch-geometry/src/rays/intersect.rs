//! Where a ray meets a triangle (Woop, Benthin and Wald 2013).
//!
//! Space is sheared along the axis on which the ray goes furthest, so that the ray becomes that axis, and the corners
//! are projected along it. The ray meets the triangle if the origin of this plane is in the projected one. That is
//! decided by the signs of three products, one for each edge. They are exact, and the same for both triangles at an
//! edge, so no ray slips through between two triangles. A ray through an edge or corner meets all triangles there.

use super::ray::Ray;
use crate::scale::{scale_to_one, times_ratio};

/// A product that is smaller than this part of what is subtracted in it is computed again. The error of others is a
/// 2^-30th of them, at most.
const CANCELLED: f64 = 1.0 / (1 << 22) as f64;

/// A ray whose direction has been scaled by a power of two, so that its largest coordinate is in [1, 2).
#[derive(Clone, Copy, Debug)]
pub(super) struct Straight {
    pub(super) origin: [f64; 3],
    pub(super) direction: [f64; 3],
    /// The axis of the largest coordinate, and the other two.
    axes: [usize; 3],
    /// What space and the direction have been multiplied with.
    scales: [f64; 2],
}

impl Straight {
    /// A ray in a space that is scaled by `scale`, a power of two.
    pub(super) fn new(ray: &Ray, scale: f64) -> Self {
        let size = ray.direction().map(f64::abs);
        let mut axis = usize::from(size[1] > size[0]);
        if size[2] > size[axis] {
            axis = 2;
        }
        let scale_direction = scale_to_one(size[axis]);
        Straight {
            origin: ray.origin().map(|x| x * scale),
            direction: ray.direction().map(|x| x * scale_direction),
            axes: [axis, (axis + 1) % 3, (axis + 2) % 3],
            scales: [scale, scale_direction],
        }
    }

    /// A distance, in lengths of the direction as it was.
    pub(super) fn in_directions(&self, distance: f64) -> f64 {
        times_ratio(distance, self.scales[1], self.scales[0])
    }

    /// How far it is to a triangle.
    #[inline(always)]
    pub(super) fn distance_to(&self, corners: &[[f64; 3]; 3]) -> Option<f64> {
        let [along, x, y] = self.axes;
        let from_origin = corners.map(|corner| [0, 1, 2].map(|axis| corner[axis] - self.origin[axis]));
        let [a, b, c] = from_origin.map(|corner| {
            [x, y].map(|axis| corner[axis] * self.direction[along] - corner[along] * self.direction[axis])
        });
        let (at_a, at_b, at_c) = (cross(b, c), cross(c, a), cross(a, b));
        let is_any = |is: fn(f64) -> bool| is(at_a) || is(at_b) || is(at_c);
        if is_any(|weight| weight < 0.0) && is_any(|weight| weight > 0.0) {
            return None;
        }
        // All have the same sign, so this is zero only if the triangle is projected to a line.
        let total = at_a + at_b + at_c;
        if total == 0.0 {
            return None;
        }
        let [a, b, c] = from_origin.map(|corner| corner[along]);
        let distance = (at_a * a + at_b * b + at_c * c) / (total * self.direction[along]);
        (distance >= 0.0).then_some(distance)
    }
}

/// The cross product, with an exact sign and a small relative error.
#[inline(always)]
fn cross(p: [f64; 2], q: [f64; 2]) -> f64 {
    let (a, b) = (p[0] * q[1], p[1] * q[0]);
    let product = a - b;
    if product.abs() > CANCELLED * (a.abs() + b.abs()) { product } else { cancelled(p, q) }
}

/// Its error is 1.5 units in the last place, at most (Jeannerod, Louvet and Muller 2013).
#[cold]
fn cancelled(p: [f64; 2], q: [f64; 2]) -> f64 {
    let b = p[1] * q[0];
    let error = p[1].mul_add(-q[0], b);
    p[0].mul_add(q[1], -b) + error
}
