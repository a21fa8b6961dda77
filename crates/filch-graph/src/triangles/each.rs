//! The number of triangles of each vertex.

use super::TrianglesError;
use super::count::Count;
use super::lower::{Lower, Order, lower};
use crate::choose::tuning::{CHUNK, SHARED};
use crate::graph::Graph;
use crate::sets::Bitmap;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};
use filch::PerWorker;
use filch_algorithms::tabulate;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of triangles that each vertex is in: each triangle is found once, from its last vertex, as for the
/// number of all triangles, and counts for its three vertices.
pub(crate) fn triangles_of_each<G: Graph>(graph: &G, watch: &dyn Watch) -> Result<Vec<u64>, TrianglesError> {
    if !graph.is_symmetric() {
        return Err(TrianglesError::Directed);
    }
    let Lower { rows, old, .. } = lower(graph, Order::Auto, watch)?;
    let n = rows.num_vertices();
    let count = Count { rows: &rows };
    let found = tabulate(n, |_| AtomicU64::new(0));
    let is_shared = filch::num_workers() > 1;
    let add = |place: usize, triangles: u64| {
        if is_shared {
            found[place].fetch_add(triangles, Ordering::Relaxed);
        } else {
            found[place].store(found[place].load(Ordering::Relaxed) + triangles, Ordering::Relaxed);
        }
    };
    // The triangles of an edge to an earlier vertex, given the marks of all earlier neighbors of its later end.
    let of_edge = |v: G::Vertex, marks: &Bitmap| {
        let mut triangles = 0;
        for w in count.row(v.index()).iter().filter(|w| marks.get(w.index())) {
            add(w.index(), 1);
            triangles += 1;
        }
        if triangles > 0 {
            add(v.index(), triangles);
        }
        triangles
    };
    // Each piece of work leaves all bits 0. Loops over long rows lend the bitmap to other workers, which only read it.
    let bitmaps = PerWorker::new(|| Bitmap::new(n));
    watch.begin(Pass::new("counting", "vertices", n));
    filch::for_each(0..n.div_ceil(CHUNK), |mut strand, chunk| {
        let places = chunk * CHUNK..n.min((chunk + 1) * CHUNK);
        watch.advance(places.len());
        bitmaps.with(|marks| {
            for u in places {
                let row = count.row(u);
                if row.len() < 2 {
                    continue;
                }
                row.iter().for_each(|v| _ = marks.set(v.index(), false));
                let triangles = if row.len() < SHARED {
                    row.iter().map(|&v| of_edge(v, marks)).sum()
                } else {
                    strand.map_reduce(row, || 0, |_, &v| of_edge(v, marks), |a, b| a + b)
                };
                row.iter().for_each(|v| marks.put_word(v.index() / 64, 0));
                add(u, triangles);
            }
        });
    });
    let found = tabulate(n, |place| found[place].load(Ordering::Relaxed));
    let Some(old) = old else { return Ok(found) };
    let mut of_each = vec![0; n];
    old.iter().zip(found).for_each(|(v, triangles)| of_each[v.index()] = triangles);
    Ok(of_each)
}
