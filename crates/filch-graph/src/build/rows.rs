//! Second step: each bucket's arcs into rows, within the cache.

use super::buckets::Buckets;
use super::error::BuildError;
use super::room::with_room;
use crate::csr::Rows;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};
use std::mem::{self, MaybeUninit};

/// What becomes of a bucket.
struct Work<'a, V> {
    bucket: usize,
    arcs: &'a [(V, V)],
    /// Room for as many targets as there are arcs.
    targets: &'a mut [MaybeUninit<V>],
    /// For each of its vertices, where its row ends in `targets`.
    ends: &'a mut [MaybeUninit<usize>],
    /// How many targets there are at last.
    kept: usize,
}

/// The offsets of `n` rows, with the first one in its place.
pub(super) fn offsets_of(n: usize) -> Result<Vec<usize>, BuildError> {
    let too_many = BuildError::OutOfMemory { num_items: n, item_bytes: size_of::<usize>() };
    let mut offsets = with_room(n.checked_add(1).ok_or(too_many)?)?;
    offsets.push(0);
    Ok(offsets)
}

/// Orders the arcs of `n` vertices by their sources, then by their targets.
pub(super) fn order<V: Vertex>(
    mut offsets: Vec<usize>,
    n: usize,
    buckets: Buckets<V>,
    remove_duplicates: bool,
    watch: &dyn Watch,
) -> Result<Rows<V>, BuildError> {
    let Buckets { shift, arcs, lens } = buckets;
    let mut targets = with_room(arcs.len())?;

    let (mut arcs_left, mut room) = (&arcs[..], &mut targets.spare_capacity_mut()[..arcs.len()]);
    let ends = offsets.spare_capacity_mut()[..n].chunks_mut(1 << shift);
    let mut works: Vec<Work<'_, V>> = Vec::with_capacity(lens.len());
    for (bucket, (&len, ends)) in lens.iter().zip(ends).enumerate() {
        let (arcs, targets);
        (arcs, arcs_left) = arcs_left.split_at(len);
        (targets, room) = mem::take(&mut room).split_at_mut(len);
        works.push(Work { bucket, arcs, targets, ends, kept: 0 });
    }
    watch.begin(Pass::new("ordering", "arcs", arcs.len()));
    filch::for_each(&mut works, |_, work| {
        order_bucket(work, shift, remove_duplicates);
        watch.advance(work.arcs.len());
    });

    // Where a bucket's rows begin is known when those before it are.
    let kept: Vec<usize> = works.iter().map(|work| work.kept).collect();
    drop(works);
    // SAFETY: the first one was pushed; the others are the `ends` of the buckets, all of which have been written.
    unsafe { offsets.set_len(n + 1) };
    let mut before = 0;
    let mut starts = Vec::with_capacity(kept.len());
    for kept in &kept {
        starts.push(before);
        before += kept;
    }
    filch::for_each((&starts, filch::chunks_mut(&mut offsets[1..], 1 << shift)), |_, (start, ends)| {
        ends.iter_mut().for_each(|end| *end += start);
    });

    let (total, num_arcs) = (before, arcs.len());
    drop(arcs);
    if total == num_arcs {
        // SAFETY: nothing was left out in any bucket, so all targets have been written.
        unsafe { targets.set_len(total) };
        return Ok(Rows { offsets, targets });
    }
    Ok(Rows { targets: squeeze(targets, &lens, &kept, total)?, offsets })
}

/// Orders one bucket; writes all of `ends`, and the first `kept` of `targets`.
fn order_bucket<V: Vertex>(work: &mut Work<'_, V>, shift: u32, remove_duplicates: bool) {
    let first = work.bucket << shift;
    // Where the next target of each vertex goes; in the end, where its row ends.
    let mut cursors = vec![0; work.ends.len()];
    for (source, _) in work.arcs {
        cursors[source.index() - first] += 1;
    }
    let mut before = 0;
    for cursor in &mut cursors {
        let count = mem::replace(cursor, before);
        before += count;
    }
    let mut ordered = vec![V::NONE; work.arcs.len()];
    for &(source, target) in work.arcs {
        let cursor = &mut cursors[source.index() - first];
        ordered[*cursor] = target;
        *cursor += 1;
    }

    let mut start = 0;
    let mut kept = 0;
    for (&cursor, end) in cursors.iter().zip(&mut *work.ends) {
        let row = &mut ordered[start..cursor];
        start = cursor;
        row.sort_unstable();
        let mut last = V::NONE;
        for &target in &*row {
            // No vertex is NONE.
            if !(remove_duplicates && target == last) {
                work.targets[kept].write(target);
                kept += 1;
                last = target;
            }
        }
        end.write(kept);
    }
    work.kept = kept;
}

/// The `kept` first ones of each bucket's `lens` targets, `total` in all.
fn squeeze<V: Vertex>(mut targets: Vec<V>, lens: &[usize], kept: &[usize], total: usize) -> Result<Vec<V>, BuildError> {
    let mut squeezed = with_room(total)?;
    let (mut left, mut room) = (targets.spare_capacity_mut(), &mut squeezed.spare_capacity_mut()[..total]);
    let mut works = Vec::with_capacity(lens.len());
    for (&len, &kept) in lens.iter().zip(kept) {
        let (from, to);
        (from, left) = mem::take(&mut left).split_at_mut(len);
        (to, room) = mem::take(&mut room).split_at_mut(kept);
        works.push((&from[..kept], to));
    }
    filch::for_each(&mut works, |_, (from, to)| to.copy_from_slice(from));
    drop(works);
    // SAFETY: `total` is the sum of `kept`, and as many of each bucket's targets, all written, have been copied.
    unsafe { squeezed.set_len(total) };
    Ok(squeezed)
}
