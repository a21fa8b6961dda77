//! Second step: the arcs of each bucket into rows, within the cache.

use super::buckets::{self, Buckets};
use super::error::{BuildError, with_room};
use super::rules::Rules;
use super::source::Source;
use crate::csr::Rows;
use crate::vertex::Vertex;
use crate::watch::{Pass, STEPS_PER_LOOK, Watch, look_at};
use crate::weight::Weight;
use std::mem::{self, MaybeUninit};

/// The work on one bucket.
struct Work<'a, V, W> {
    bucket: usize,
    arcs: &'a [(V, V, W)],
    /// Room for one target per arc.
    targets: &'a mut [MaybeUninit<V>],
    /// Room for one weight per arc.
    weights: &'a mut [MaybeUninit<W>],
    /// For each vertex of the bucket, the end of its row in `targets`.
    ends: &'a mut [MaybeUninit<usize>],
    /// The number of targets that are left when duplicates have been removed.
    kept: usize,
}

/// The rows of `n` vertices with the edges of `source`. Each row is in ascending order, equal targets from the
/// lightest.
pub(crate) fn rows_of<V: Vertex, W: Weight>(
    n: usize,
    source: &impl Source<V, W>,
    rules: Rules,
    watch: &dyn Watch,
) -> Result<Rows<V, W>, BuildError> {
    if n > V::MAX_COUNT {
        return Err(BuildError::TooManyVertices { num_vertices: n, max: V::MAX_COUNT });
    }
    // Allocate the offsets first: this fails if `n` is too large for the computations below.
    let offsets = offsets_of(n)?;
    let buckets = buckets::fill(n, source, rules, watch)?;
    order(offsets, n, buckets, rules.remove_duplicates, watch)
}

/// A vector with the first offset of `n` rows, and room for the others.
pub(super) fn offsets_of(n: usize) -> Result<Vec<usize>, BuildError> {
    let too_many = BuildError::OutOfMemory { num_items: n, item_bytes: size_of::<usize>() };
    let mut offsets = with_room(n.checked_add(1).ok_or(too_many)?)?;
    offsets.push(0);
    Ok(offsets)
}

/// Sorts the arcs of `n` vertices by source, then by target.
fn order<V: Vertex, W: Weight>(
    mut offsets: Vec<usize>,
    n: usize,
    buckets: Buckets<V, W>,
    remove_duplicates: bool,
    watch: &dyn Watch,
) -> Result<Rows<V, W>, BuildError> {
    let Buckets { shift, arcs, lens } = buckets;
    let (mut targets, mut weights) = (with_room(arcs.len())?, with_room(arcs.len())?);

    let (mut arcs_left, mut room) = (&arcs[..], &mut targets.spare_capacity_mut()[..arcs.len()]);
    let mut weights_room = &mut weights.spare_capacity_mut()[..arcs.len()];
    let ends = offsets.spare_capacity_mut()[..n].chunks_mut(1 << shift);
    let mut works: Vec<Work<'_, V, W>> = Vec::with_capacity(lens.len());
    for (bucket, (&len, ends)) in lens.iter().zip(ends).enumerate() {
        let (arcs, targets, weights);
        (arcs, arcs_left) = arcs_left.split_at(len);
        (targets, room) = mem::take(&mut room).split_at_mut(len);
        (weights, weights_room) = mem::take(&mut weights_room).split_at_mut(len);
        works.push(Work { bucket, arcs, targets, weights, ends, kept: 0 });
    }
    watch.begin(Pass::new("ordering", "arcs", arcs.len()));
    filch::for_each(&mut works, |_, work| {
        order_bucket(work, shift, remove_duplicates);
        watch.advance(work.arcs.len());
    });

    // Where the rows of a bucket begin follows from the sizes of the buckets before it.
    let kept: Vec<usize> = works.iter().map(|work| work.kept).collect();
    drop(works);
    // SAFETY: `offsets_of` has pushed the first element. The other `n` are the `ends` of the buckets, all of which
    // `order_bucket` has written; otherwise it has panicked, and the loop has propagated the panic.
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
        // SAFETY: no bucket has removed a duplicate, so `order_bucket` has written all targets of each bucket, and the
        // buckets cover the first `num_arcs` elements of the spare capacity.
        unsafe { targets.set_len(total) };
        // SAFETY: as for the targets, with each of which `order_bucket` has written a weight.
        unsafe { weights.set_len(total) };
        return Ok(Rows { offsets, targets, weights });
    }
    let (targets, weights) = (squeeze(targets, &lens, &kept, total)?, squeeze(weights, &lens, &kept, total)?);
    Ok(Rows { offsets, targets, weights })
}

/// Sorts one bucket. Writes all of `ends` and the first `kept` elements of `targets` and `weights`.
fn order_bucket<V: Vertex, W: Weight>(work: &mut Work<'_, V, W>, shift: u32, remove_duplicates: bool) {
    let first = work.bucket << shift;
    // Where the next target of each vertex goes. When all targets are written, the end of its row.
    let mut cursors = vec![0; work.ends.len()];
    for (step, (source, ..)) in work.arcs.iter().enumerate() {
        look_at(step);
        cursors[source.index() - first] += 1;
    }
    let mut before = 0;
    for cursor in &mut cursors {
        let count = mem::replace(cursor, before);
        before += count;
    }
    let mut ordered = vec![(V::NONE, W::ONE); work.arcs.len()];
    for (step, &(source, target, weight)) in work.arcs.iter().enumerate() {
        look_at(step);
        let cursor = &mut cursors[source.index() - first];
        ordered[*cursor] = (target, weight);
        *cursor += 1;
    }

    let mut start = 0;
    let mut kept = 0;
    for (&cursor, end) in cursors.iter().zip(&mut *work.ends) {
        let row = &mut ordered[start..cursor];
        if kept / STEPS_PER_LOOK != (kept + row.len()) / STEPS_PER_LOOK {
            filch::end_if_cancelled();
        }
        start = cursor;
        row.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.order(&b.1)));
        let mut last = V::NONE;
        for &(target, weight) in &*row {
            // `NONE` differs from all vertices, so the first target of a row is never taken for a duplicate.
            if !(remove_duplicates && target == last) {
                work.targets[kept].write(target);
                work.weights[kept].write(weight);
                kept += 1;
                last = target;
            }
        }
        end.write(kept);
    }
    work.kept = kept;
}

/// Moves together the first `kept` items of each bucket of length `lens`, `total` in all.
fn squeeze<T: Copy + Send + Sync>(
    mut items: Vec<T>,
    lens: &[usize],
    kept: &[usize],
    total: usize,
) -> Result<Vec<T>, BuildError> {
    let mut squeezed = with_room(total)?;
    let (mut left, mut room) = (items.spare_capacity_mut(), &mut squeezed.spare_capacity_mut()[..total]);
    let mut works = Vec::with_capacity(lens.len());
    for (&len, &kept) in lens.iter().zip(kept) {
        let (from, to);
        (from, left) = mem::take(&mut left).split_at_mut(len);
        (to, room) = mem::take(&mut room).split_at_mut(kept);
        works.push((&from[..kept], to));
    }
    filch::for_each(&mut works, |_, (from, to)| to.copy_from_slice(from));
    drop(works);
    // SAFETY: `total` is the sum of `kept`. The loop has copied as many items of each bucket, all of which
    // `order_bucket` has written, to consecutive places.
    unsafe { squeezed.set_len(total) };
    Ok(squeezed)
}
