//! Rays against meshes of triangles.

mod batch;
mod build;
mod divide;
mod intersect;
mod ray;
#[cfg(test)]
mod tests;
mod traverse;
mod tree;

pub use ray::{Ray, RayError};
pub use tree::Bvh;

use crate::mesh::Mesh;

/// Where a ray hits a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The index of the triangle.
    pub triangle: u32,
    /// How far away it is, in lengths of the ray's direction.
    pub distance: f64,
}

/// The first triangle that each ray hits: [`Bvh::cast_all`] of a tree of these triangles.
///
/// Work, span and memory: those of [`Bvh::new`] and of [`Bvh::cast_all`].
///
/// ```
/// use filch_geometry::{Mesh, Ray, cast_rays};
///
/// let mesh = Mesh::new(vec![[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]], vec![[0, 1, 2]]).unwrap();
/// let rays = [0.1, 0.9].map(|x| Ray::new([x, 0.2, 0.0], [0.0, 0.0, 1.0]).unwrap());
/// let hits = cast_rays(&mesh, &rays);
/// assert!(hits[0].is_some() && hits[1].is_none());
/// ```
#[must_use]
pub fn cast_rays(mesh: &Mesh, rays: &[Ray]) -> Vec<Option<Hit>> {
    Bvh::new(mesh).cast_all(rays)
}
