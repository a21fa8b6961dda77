//! A tree of boxes around triangles.

use super::build::{Item, build};
use super::intersect::scale_to_one;
use super::{batch, traverse};
use crate::bounds::Bounds;
use crate::mesh::Mesh;
use crate::predicates::orientation;
use crate::rays::{Hit, Ray};
use filch_algorithms::{pack_indices, reduce, tabulate};

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
    /// The box around all triangles, in this space. The boxes of nodes are relative to its corner `low`.
    pub(super) bounds: Bounds<3>,
}

/// The boxes of both children, and the children. It fills a cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Node {
    /// For each axis, those of both children.
    pub(super) low: [[f32; 2]; 3],
    pub(super) high: [[f32; 2]; 3],
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

impl Bvh {
    /// Builds the tree, from the top down, by the surface area heuristic in bins (Wald 2007).
    ///
    /// Work: O(n log n), unless sizes of triangles are very different. Span: O(n). Memory: 140 bytes a triangle, and
    /// 36 more meanwhile.
    ///
    /// Degenerate triangles are left out.
    #[must_use]
    pub fn new(mesh: &Mesh) -> Self {
        let around = |corners: [[f64; 3]; 3]| corners.into_iter().map(Bounds::of).fold(Bounds::EMPTY, Bounds::union);
        let corners_of = |corners: &[u32; 3]| corners.map(|corner| mesh.vertices()[corner as usize]);
        let bounds = reduce(mesh.triangles(), || Bounds::EMPTY, |triangle| around(corners_of(triangle)), Bounds::union);
        // Halves, whose difference does not overflow.
        let extent = (0..3).map(|axis| bounds.high[axis] / 2.0 - bounds.low[axis] / 2.0).fold(0.0, f64::max);
        let scale = scale_to_one(extent);
        let scaled = |point: [f64; 3]| point.map(|x| x * scale);
        let frame = Frame { scale, bounds: Bounds { low: scaled(bounds.low), high: scaled(bounds.high) } };
        let corners = |triangle: usize| mesh.corners(triangle as u32).map(scaled);

        let kept = pack_indices(mesh.triangles().len(), |triangle| !is_degenerate(corners(triangle)));
        let mut items = tabulate(kept.len(), |index| {
            let Bounds { low, high } = around(corners(kept[index]));
            let relative = |x: [f64; 3]| [0, 1, 2].map(|axis| (x[axis] - frame.bounds.low[axis]) as f32);
            // Rounded outwards.
            Item {
                low: relative(low).map(f32::next_down),
                high: relative(high).map(f32::next_up),
                triangle: kept[index] as u32,
            }
        });
        let mut nodes = tabulate(items.len().saturating_sub(1), |_| Node::default());
        let root = (!items.is_empty()).then(|| filch::scope(|s, _| build(s, &mut items, 0, &mut nodes, 0).0));
        Bvh {
            frame,
            nodes,
            root,
            corners: tabulate(items.len(), |place| corners(items[place].triangle as usize)),
            ids: tabulate(items.len(), |place| items[place].triangle),
        }
    }

    /// The first triangle that a ray hits, from either side. Of several at the same distance, the one with the smallest
    /// index.
    ///
    /// Edges belong to triangles: no ray slips through between two triangles that share an edge. Degenerate triangles
    /// are never hit, nor are triangles whose plane contains the ray (as far as that can be told after rounding).
    ///
    /// Work: O(log n) expected, O(n) in the worst case.
    #[must_use]
    pub fn cast(&self, ray: &Ray) -> Option<Hit> {
        traverse::cast(self, ray)
    }

    /// The first triangle that each ray hits: [`cast`](Self::cast) for all of them.
    ///
    /// Work: a sort by keys, and O(log n) expected for each ray. Rays that are near to each other are cast one after
    /// the other, whatever their order, so that they find what they need in caches. Span: that of the sort, and of the
    /// longest way of a ray through the tree. Memory: 48 bytes a ray, and the result.
    ///
    /// # Panics
    ///
    /// If there are 2^32 rays or more.
    #[must_use]
    pub fn cast_all(&self, rays: &[Ray]) -> Vec<Option<Hit>> {
        batch::cast_all(self, rays)
    }
}

/// Whether all corners lie on a line, exactly: their projections along all axes do.
pub(super) fn is_degenerate(corners: [[f64; 3]; 3]) -> bool {
    [[0, 1], [1, 2], [2, 0]].into_iter().all(|axes| {
        let [a, b, c] = corners.map(|corner| axes.map(|axis| corner[axis]));
        orientation(a, b, c) == 0.0
    })
}
