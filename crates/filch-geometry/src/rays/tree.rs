//! A tree of boxes around triangles.

use crate::bounds::Bounds;

/// A tree of bounding boxes around the triangles of a mesh, which finds the first triangle that a ray hits.
///
/// ```
/// use filch_geometry::{Bvh, Mesh, Ray};
///
/// let square = vec![[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [1.0, 1.0, 5.0], [0.0, 1.0, 5.0]];
/// let bvh = Bvh::new(&Mesh::new(square, vec![[0, 1, 2], [0, 2, 3]]).unwrap());
/// let hit = bvh.cast(&Ray::new([0.25, 0.75, 0.0], [0.0, 0.0, 2.0]).unwrap()).unwrap();
/// assert_eq!((hit.triangle, hit.distance), (1, 2.5));
/// assert_eq!(bvh.cast(&Ray::new([0.25, 0.75, 6.0], [0.0, 0.0, 2.0]).unwrap()), None);
/// ```
#[derive(Clone, Debug)]
pub struct Bvh {
    pub(super) frame: Frame,
    pub(super) nodes: Vec<Node>,
    /// `None` if there are no triangles.
    pub(super) root: Option<Child>,
    /// The corners of the triangles in the leaves, one leaf after the other, in the space of the frame.
    pub(super) corners: Vec<[[f64; 3]; 3]>,
    /// The indices of these triangles in the mesh.
    pub(super) ids: Vec<u32>,
}

/// A space in which the triangles have a size of about 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// What coordinates are multiplied with: a power of two.
    pub(super) scale: f64,
    /// The box around all triangles, in this space.
    pub(super) bounds: Bounds<3>,
}

/// The boxes of both children, and the children.
///
/// In double precision, so that one triangle far away does not make the boxes of all others too large. It has two cache
/// lines next to each other, which many processors fetch together.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(128))]
pub(super) struct Node {
    /// For each axis, those of both children.
    pub(super) low: [[f64; 2]; 3],
    pub(super) high: [[f64; 2]; 3],
    pub(super) children: [Child; 2],
}

/// A node, or a leaf.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Child {
    /// The index of the node, or of the first triangle of the leaf.
    pub(super) first: u32,
    /// The triangles of the leaf; 0 if it is a node.
    pub(super) count: u32,
}

/// Below this depth, triangles are halved, which takes at most 32 levels more: so the depth is bounded.
pub(super) const DEEP: usize = 64;

/// The most nodes from the root to a leaf.
pub(super) const MOST_DEEP: usize = DEEP + u32::BITS as usize;
