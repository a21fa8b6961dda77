//! From a mesh to a tree.

use super::divide::{Item, build};
use super::tree::{Bvh, Frame, Node};
use crate::bounds::Bounds;
use crate::mesh::Mesh;
use crate::predicates::orientation;
use crate::scale::scale_to_one;
use filch_algorithms::{pack_indices, reduce, tabulate};

impl Bvh {
    /// Builds the tree, from the top down, by the surface area heuristic in bins (Wald 2007).
    ///
    /// Work: O(n log n), unless sizes of triangles are very different. Span: O(n). Memory: 204 bytes a triangle, and
    /// 64 more meanwhile.
    ///
    /// Degenerate triangles are left out.
    #[must_use]
    pub fn new(mesh: &Mesh) -> Self {
        let around = |corners: [[f64; 3]; 3]| corners.into_iter().map(Bounds::of).fold(Bounds::EMPTY, Bounds::union);
        let corners_of = |corners: &[u32; 3]| corners.map(|corner| mesh.vertices()[corner as usize]);
        let bounds = reduce(mesh.triangles(), || Bounds::EMPTY, |triangle| around(corners_of(triangle)), Bounds::union);
        // Halves, whose difference does not overflow.
        let extent = (0..3).map(|axis| bounds.high[axis] / 2.0 - bounds.low[axis] / 2.0).fold(0.0, f64::max);
        // A single place is degenerate at any scale.
        let scale = if extent > 0.0 { scale_to_one(extent) } else { 1.0 };
        let scaled = |point: [f64; 3]| point.map(|x| x * scale);
        let frame = Frame { scale, bounds: Bounds { low: scaled(bounds.low), high: scaled(bounds.high) } };
        let corners = |triangle: u32| mesh.corners(triangle).map(scaled);

        let kept = pack_indices(mesh.triangles().len(), |triangle| !is_degenerate(corners(triangle as u32)));
        let mut items = tabulate(kept.len(), |index| {
            let Bounds { low, high } = around(corners(kept[index] as u32));
            Item { low, high, triangle: kept[index] as u32 }
        });
        let mut nodes = tabulate(items.len().saturating_sub(1), |_| Node::default());
        let root =
            (!items.is_empty()).then(|| filch::scope(|s, _| build(s, &mut items, &mut nodes, [0, 0], 0, &corners).0));
        Bvh {
            frame,
            nodes,
            root,
            corners: tabulate(items.len(), |place| corners(items[place].triangle)),
            ids: tabulate(items.len(), |place| items[place].triangle),
        }
    }
}

/// Whether all corners lie on a line, exactly: their projections along all axes do.
pub(super) fn is_degenerate(corners: [[f64; 3]; 3]) -> bool {
    [[0, 1], [1, 2], [2, 0]].into_iter().all(|axes| {
        let [a, b, c] = corners.map(|corner| axes.map(|axis| corner[axis]));
        orientation(a, b, c) == 0.0
    })
}
