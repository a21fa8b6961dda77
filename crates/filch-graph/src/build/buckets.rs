//! First step: arcs into buckets. Each bucket has the arcs of a range of source vertices.
//!
//! The edges are read twice, in blocks. The first pass counts the arcs of each block for each bucket. From these counts
//! follows where in each bucket the arcs of a block go. The second pass writes them there: each block writes to some
//! hundred places, in ascending order at each.

use super::error::{BuildError, with_room};
use super::rules::Rules;
use super::source::Source;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};
use crate::weight::Weight;
use std::mem::{self, MaybeUninit};

/// The intended number of arcs in a bucket, if they are spread evenly. With the cursors of their vertices they fit in a
/// private cache of 1 MiB.
const BUCKET_ARCS: usize = 1 << 16;

/// The largest number of buckets. More of them would miss in the translation lookaside buffer, which covers about 1500
/// pages.
const MAX_BUCKETS: usize = 1 << 10;

/// Arcs, grouped by the numbers of their sources divided by a power of two.
pub(super) struct Buckets<V, W> {
    /// Bucket b has the arcs of the sources in `b << shift..(b + 1) << shift`.
    pub(super) shift: u32,
    pub(super) arcs: Vec<(V, V, W)>,
    /// The number of arcs in each bucket, in the order of `arcs`.
    pub(super) lens: Vec<usize>,
}

/// The places of a bucket that a block has yet to write.
type Room<'a, V, W> = std::slice::IterMut<'a, MaybeUninit<(V, V, W)>>;

/// Calls `body` with the arcs that an edge becomes.
#[inline(always)]
fn arcs_of<V: Vertex>(rules: Rules, u: V, v: V, mut body: impl FnMut(V, V)) {
    if u != v || !rules.remove_self_loops {
        body(u, v);
    }
    if u != v && rules.symmetrize {
        body(v, u);
    }
}

pub(super) fn fill<V: Vertex, W: Weight>(
    n: usize,
    source: &impl Source<V, W>,
    rules: Rules,
    watch: &dyn Watch,
) -> Result<Buckets<V, W>, BuildError> {
    let most_arcs = source.num_edges().saturating_mul(1 + usize::from(rules.symmetrize));
    let wanted = (most_arcs / BUCKET_ARCS).clamp(1, MAX_BUCKETS);
    let shift = n.div_ceil(wanted).max(1).next_power_of_two().trailing_zeros();
    let num_buckets = n.div_ceil(1 << shift);

    let pass = |name| Pass::new(name, "edges", source.num_edges());

    watch.begin(pass("counting"));
    let mut counts = Vec::new();
    counts.resize_with(source.num_blocks(), || Ok(Vec::new()));
    filch::for_each((0_usize.., &mut counts), |_, (block, counts)| {
        *counts = count(n, shift, num_buckets, source, block, rules);
        watch.advance(source.len_of(block));
    });
    // If several blocks have errors, report the one with the first edge.
    let counts = counts.into_iter().collect::<Result<Vec<_>, _>>()?;
    let lens: Vec<usize> = (0..num_buckets).map(|bucket| counts.iter().map(|counts| counts[bucket]).sum()).collect();
    let num_arcs = lens.iter().sum();

    let mut arcs = with_room(num_arcs)?;
    let mut places: Vec<Vec<_>> = counts.iter().map(|_| Vec::with_capacity(num_buckets)).collect();
    let mut room = &mut arcs.spare_capacity_mut()[..num_arcs];
    for bucket in 0..num_buckets {
        for (counts, places) in counts.iter().zip(&mut places) {
            let place;
            (place, room) = mem::take(&mut room).split_at_mut(counts[bucket]);
            places.push(place.iter_mut());
        }
    }
    watch.begin(pass("sorting"));
    filch::for_each((0_usize.., &mut places), |_, (block, places)| {
        put(source, block, rules, shift, places);
        source.release(block);
        watch.advance(source.len_of(block));
    });
    drop(places);
    // SAFETY: `places` partition the first `num_arcs` elements of the spare capacity. `put` has written each place to
    // its end; otherwise it has panicked, and the loop has propagated the panic.
    unsafe { arcs.set_len(num_arcs) };
    Ok(Buckets { shift, arcs, lens })
}

/// Counts the arcs of a block for each bucket. Returns an error for the first edge of the block with a vertex out of
/// range.
///
/// # Panics
///
/// Panics if a weight is infinite or not a number.
fn count<V: Vertex, W: Weight>(
    n: usize,
    shift: u32,
    num_buckets: usize,
    source: &impl Source<V, W>,
    block: usize,
    rules: Rules,
) -> Result<Vec<usize>, BuildError> {
    let mut counts = vec![0; num_buckets];
    let mut edge = source.edges_before(block);
    let mut fault = None;
    source.for_each(block, |u, v, weight| {
        assert!(weight.is_finite(), "a weight must be finite, found {weight:?}");
        let highest = u.index().max(v.index());
        if highest < n {
            arcs_of(rules, u, v, |u, _| counts[u.index() >> shift] += 1);
        } else if fault.is_none() {
            let vertex = if u.index() < n { v } else { u };
            fault = Some(BuildError::VertexOutOfRange { edge, vertex: vertex.index(), num_vertices: n });
        }
        edge += 1;
    });
    fault.map_or(Ok(counts), Err)
}

/// Writes each arc of a block to the place of its bucket, and fills all places.
///
/// # Panics
///
/// Panics if `source` yields other vertices than when they were counted.
fn put<V: Vertex, W: Weight>(
    source: &impl Source<V, W>,
    block: usize,
    rules: Rules,
    shift: u32,
    places: &mut [Room<'_, V, W>],
) {
    source.for_each(block, |u, v, weight| {
        arcs_of(rules, u, v, |u, v| {
            let place = places[u.index() >> shift].next();
            place.expect("a vertex keeps its number").write((u, v, weight));
        });
    });
    assert!(places.iter().all(|place| place.len() == 0), "a vertex keeps its number");
}
