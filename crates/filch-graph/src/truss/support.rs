//! The number of triangles of each edge.

use super::rows::EdgeRows;
use crate::choose::tuning::{CHUNK, SHARED};
use crate::sets::Bitmap;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};
use filch::PerWorker;
use filch_algorithms::tabulate;
use std::sync::atomic::{AtomicU32, Ordering};

/// The support of each edge: a bitmap shows the neighbors of its end of higher degree, and those of the other end are
/// looked up there. A support of 2^32 - 1 or more, which takes as many vertices, counts as 2^32 - 2.
pub(super) fn supports<V: Vertex, E: Vertex>(rows: &EdgeRows<V, E>, edges: usize, watch: &dyn Watch) -> Vec<AtomicU32> {
    let n = rows.num_vertices();
    let supports = tabulate(edges, |_| AtomicU32::new(0));
    let degree = |v: usize| (rows.row(v).0.len(), v);
    let count = |(v, number): (&V, &E), marks: &Bitmap| {
        let common = rows.row(v.index()).0.iter().map(|w| usize::from(marks.get(w.index()))).sum::<usize>();
        supports[number.index()].store(common.min(u32::MAX as usize - 1) as u32, Ordering::Relaxed);
    };
    // Each piece of work leaves all bits 0. Loops over long rows lend the bitmap to other workers, which only read it.
    let bitmaps = PerWorker::new(|| Bitmap::new(n));
    watch.begin(Pass::new("counting", "vertices", n));
    filch::for_each(0..n.div_ceil(CHUNK), |mut strand, chunk| {
        let vertices = chunk * CHUNK..n.min((chunk + 1) * CHUNK);
        watch.advance(vertices.len());
        bitmaps.with(|marks| {
            for u in vertices {
                let (targets, numbers) = rows.row(u);
                targets.iter().for_each(|v| _ = marks.set(v.index(), false));
                let is_lower = |v: &V| degree(v.index()) < degree(u);
                if targets.len() < SHARED {
                    targets.iter().zip(numbers).filter(|(v, _)| is_lower(v)).for_each(|edge| count(edge, marks));
                } else {
                    strand.for_each((targets, numbers), |_, edge| {
                        if is_lower(edge.0) {
                            count(edge, marks);
                        }
                    });
                }
                targets.iter().for_each(|v| marks.put_word(v.index() / 64, 0));
            }
        });
    });
    supports
}
