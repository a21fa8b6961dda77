//! Counting with a bitmap of the earlier neighbors of a vertex.

use crate::choose::tuning::{AHEAD, CHUNK, SHARED};
use crate::csr::Rows;
use crate::prefetch::prefetch;
use crate::sets::Bitmap;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};
use filch::{PerWorker, Strand};

pub(super) struct Count<'r, V> {
    pub(super) rows: &'r Rows<V>,
}

/// The number of triangles, given the earlier neighbors of each vertex.
pub(super) fn count<V: Vertex>(rows: &Rows<V>, watch: &dyn Watch) -> u64 {
    let n = rows.num_vertices();
    let count = Count { rows };
    // Each piece of work leaves all bits 0. Loops over long rows lend the bitmap to other workers, which only read it.
    // There is one more bit than vertices, for the padding of rows.
    let bitmaps = PerWorker::new(|| Bitmap::new(n + 1));
    watch.begin(Pass::new("counting", "vertices", n));
    filch::map_reduce(
        0..n.div_ceil(CHUNK),
        || 0,
        |mut strand, chunk| {
            let vertices = chunk * CHUNK..n.min((chunk + 1) * CHUNK);
            let len = vertices.len();
            let found = bitmaps.with(|marks| vertices.map(|u| count.from(&mut strand, count.row(u), marks)).sum());
            watch.advance(len);
            found
        },
        |a, b| a + b,
    )
}

impl<V: Vertex> Count<'_, V> {
    /// The earlier neighbors of a vertex, without the padding.
    #[inline(always)]
    pub(super) fn row(&self, u: usize) -> &[V] {
        let row = &self.rows.targets[self.rows.offsets[u]..self.rows.offsets[u + 1]];
        let padding = row.iter().rev().take_while(|v| v.index() == self.rows.num_vertices()).count();
        &row[..row.len() - padding]
    }

    /// The number of triangles whose last vertex has the earlier neighbors `row`. No bit of `marks` is set before and
    /// after.
    #[inline(always)]
    fn from(&self, strand: &mut Strand<'_>, row: &[V], marks: &Bitmap) -> u64 {
        if row.len() < 2 {
            return 0;
        }
        // Before the marks are made. With as many vertices as here, what follows takes a while.
        if row.len() >= AHEAD {
            filch::end_if_cancelled();
        }
        for v in row {
            marks.set(v.index(), false);
        }
        let found = if row.len() < SHARED {
            for &v in row.iter().take(AHEAD) {
                self.prefetch(v);
            }
            let common = |(at, &v): (usize, &V)| {
                if let Some(&later) = row.get(at + 2 * AHEAD) {
                    prefetch(&self.rows.offsets, later.index());
                }
                if let Some(&later) = row.get(at + AHEAD) {
                    self.prefetch(later);
                }
                self.common(v, marks)
            };
            row.iter().enumerate().map(common).sum()
        } else {
            strand.map_reduce(row, || 0, |_, &v| self.common(v, marks), |a, b| a + b)
        };
        for v in row {
            marks.put_word(v.index() / 64, 0);
        }
        found
    }

    #[inline(always)]
    fn prefetch(&self, v: V) {
        prefetch(&self.rows.targets, self.rows.offsets[v.index()]);
    }

    /// The number of earlier neighbors of `v` that are marked. Whether one is marked is unpredictable, so the loop
    /// contains no branch on it.
    #[inline(always)]
    fn common(&self, v: V, marks: &Bitmap) -> u64 {
        let row = &self.rows.targets[self.rows.offsets[v.index()]..self.rows.offsets[v.index() + 1]];
        row.iter().map(|w| u64::from(marks.get(w.index()))).sum()
    }
}
