//! How large components are.

use crate::filled::filled;
use crate::vertex::Vertex;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size<V = u32> {
    /// Its smallest vertex, which is its label.
    pub representative: V,
    /// How many vertices it has.
    pub vertices: usize,
}

/// Labels that are counted together, so that a giant component is not one counter that all workers are at.
const CHUNK: usize = 4096;

/// The largest first, and of equal ones that with the smaller representative.
pub(super) fn sizes<V: Vertex>(labels: &[V]) -> Vec<Size<V>> {
    let counts = filled(labels.len(), |_| AtomicUsize::new(0));
    filch::for_each(filch::chunks(labels, CHUNK), |_, chunk| {
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
    // Stable, and they come in the order of their representatives.
    sizes.sort_by_key(|size| Reverse(size.vertices));
    sizes
}
