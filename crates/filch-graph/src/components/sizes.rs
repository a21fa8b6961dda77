//! The sizes of components.

use crate::choose::tuning::PIECE;
use crate::parallel_vec::filled;
use crate::vertex::Vertex;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size<V = u32> {
    /// The smallest vertex of the component, which is its label.
    pub representative: V,
    /// The number of vertices of the component.
    pub vertices: usize,
}

/// All components, in descending order of size. Components of equal size are ordered by their representatives.
pub(super) fn sizes<V: Vertex>(labels: &[V]) -> Vec<Size<V>> {
    let counts = filled(labels.len(), |_| AtomicUsize::new(0));
    // Labels are counted together, to avoid contention on the counter of a giant component.
    filch::for_each(filch::chunks(labels, PIECE), |_, chunk| {
        let common = chunk[chunk.len() / 2];
        let mut of_common = 0;
        for &label in chunk {
            if label == common {
                of_common += 1;
            } else {
                counts[label.index()].fetch_add(1, Ordering::Relaxed);
            }
        }
        counts[common.index()].fetch_add(of_common, Ordering::Relaxed);
    });
    let vertices = counts.into_iter().map(AtomicUsize::into_inner);
    let sizes = vertices.enumerate().filter(|&(_, vertices)| vertices > 0);
    let mut sizes: Vec<_> = sizes.map(|(label, vertices)| Size { representative: V::new(label), vertices }).collect();
    // The sort is stable, and the components are in the order of their representatives.
    sizes.sort_by_key(|size| Reverse(size.vertices));
    sizes
}
