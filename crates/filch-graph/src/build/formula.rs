//! Rows that are computed vertex by vertex, without a list of edges.

use super::error::{BuildError, with_room};
use super::rows;
use crate::csr::Rows;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch, look_at};
use std::mem;

/// The number of rows that a worker computes at a time.
const BLOCK_ROWS: usize = 1 << 12;

/// The rows of `n` vertices. `degree` returns the degree of a vertex, and `row` appends as many targets to an empty
/// vector.
pub(crate) fn rows_by_formula<V: Vertex>(
    n: usize,
    degree: impl Fn(usize) -> usize + Send + Sync,
    row: impl Fn(usize, &mut Vec<V>) + Send + Sync,
    watch: &dyn Watch,
) -> Result<Rows<V>, BuildError> {
    if n > V::MAX_COUNT {
        return Err(BuildError::TooManyVertices { num_vertices: n, max: V::MAX_COUNT });
    }
    let mut offsets = rows::offsets_of(n)?;
    // At first an offset counts from the start of its block, later from the start of all targets.
    let mut sizes: Vec<usize> = vec![0; n.div_ceil(BLOCK_ROWS)];
    watch.begin(Pass::new("counting", "vertices", n));
    let ends = &mut offsets.spare_capacity_mut()[..n];
    filch::for_each((0_usize.., filch::chunks_mut(ends, BLOCK_ROWS), &mut sizes), |_, (block, ends, size)| {
        for (v, end) in (block * BLOCK_ROWS..).zip(&mut *ends) {
            look_at(v);
            *size += degree(v);
            end.write(*size);
        }
        watch.advance(ends.len());
    });
    // SAFETY: `offsets_of` has pushed the first element and reserved room for `n` more. The loop has written these,
    // because its chunks cover all of them; otherwise it has panicked.
    unsafe { offsets.set_len(n + 1) };
    let mut total = 0;
    let mut starts = Vec::with_capacity(sizes.len());
    for &size in &sizes {
        starts.push(total);
        total += size;
    }
    let mut targets = with_room(total)?;
    let mut room = &mut targets.spare_capacity_mut()[..total];
    let mut blocks = Vec::with_capacity(sizes.len());
    for &size in &sizes {
        let block;
        (block, room) = mem::take(&mut room).split_at_mut(size);
        blocks.push(block);
    }
    watch.begin(Pass::new("writing", "vertices", n));
    filch::for_each(
        (0_usize.., &starts, filch::chunks_mut(&mut offsets[1..], BLOCK_ROWS), &mut blocks),
        |_, (block, start, ends, room)| {
            let mut places = room.iter_mut();
            let mut computed = Vec::new();
            for (v, end) in (block * BLOCK_ROWS..).zip(&mut *ends) {
                look_at(v);
                *end += start;
                computed.clear();
                row(v, &mut computed);
                for &target in &computed {
                    places.next().expect("a row is as long as its degree").write(target);
                }
            }
            assert!(places.len() == 0, "a row is as long as its degree");
            watch.advance(ends.len());
        },
    );
    drop(blocks);
    // SAFETY: `blocks` partition the first `total` elements of the spare capacity. The loop has written each block to
    // its end, as its assertion checks; otherwise it has panicked.
    unsafe { targets.set_len(total) };
    Ok(Rows { offsets, targets, weights: vec![(); total] })
}
