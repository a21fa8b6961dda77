//! The second time: each arc goes to the rank that owns its vertex, and there to its row.

use super::count::{Starts, rounds};
use super::source::Source;
use crate::blocks::Blocks;
use crate::error::GraphError;
use crate::graph::Block;
use crate::wire::{Wire, pairs_of};
use filch_algorithms::tabulate;
use filch_cluster::Cluster;
use filch_graph::{AtomicVertex, Rules, Vertex};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many arcs a worker places at a time, and about how many it sorts.
const CHUNK: usize = 1 << 14;

/// Goes through all edges. Returns the arcs that leave the vertices of this rank, and those that lead to them, if the
/// graph is directed.
pub(super) fn place<V: Vertex + Wire>(
    cluster: &Cluster,
    blocks: &Blocks,
    starts: Starts,
    source: &mut impl Source<V>,
    rules: Rules,
) -> Result<(Block<V>, Option<Block<V>>), GraphError> {
    let Starts { out, into } = starts;
    let send = |u: V, v: V, to: &mut [Vec<u8>]| {
        let owner = blocks.owner(u.index());
        V::new(u.index() - blocks.of(owner).start).put(&mut to[owner]);
        v.put(&mut to[owner]);
    };
    let is_left_out = |u: V, v: V| rules.remove_self_loops && u == v;
    let out = filled(cluster, out, source, rules, |u, v, to| {
        if !is_left_out(u, v) {
            send(u, v, to);
            if rules.symmetrize && u != v {
                send(v, u, to);
            }
        }
    })?;
    let Some(into) = into else { return Ok((out, None)) };
    source.rewind();
    let into = filled(cluster, into, source, rules, |u, v, to| {
        if !is_left_out(u, v) {
            send(v, u, to);
        }
    })?;
    Ok((out, Some(into)))
}

/// The rows whose arcs `deal` sends to their owners. `starts` says where each begins.
fn filled<V: Vertex + Wire>(
    cluster: &Cluster,
    mut starts: Vec<usize>,
    source: &mut impl Source<V>,
    rules: Rules,
    deal: impl Fn(V, V, &mut [Vec<u8>]) + Send + Sync,
) -> Result<Block<V>, GraphError> {
    let num_arcs = starts.pop().unwrap_or(0);
    // The next free place of each row. In the end, where the next row begins.
    let ends = starts.into_iter().map(AtomicUsize::new).collect::<Vec<_>>();
    let targets = cluster.pool().run(|_| tabulate(num_arcs, |_| V::Atomic::new(V::NONE)));
    rounds(cluster, source, deal, |bytes| {
        cluster.pool().run(|_| {
            filch::for_each(filch::chunks(bytes, 2 * CHUNK * V::BYTES), |_, bytes| {
                for (place, target) in pairs_of::<V>(bytes) {
                    targets[ends[place.index()].fetch_add(1, Ordering::Relaxed)].store(target);
                }
            });
        });
    })?;
    let mut targets = V::Atomic::into_vertices(targets);
    let offsets = [0].into_iter().chain(ends.into_iter().map(AtomicUsize::into_inner)).collect::<Vec<_>>();
    cluster.pool().run(|_| sort(&offsets, &mut targets));
    let mut block = Block { offsets, targets };
    if rules.remove_duplicates {
        remove_duplicates(&mut block);
    }
    Ok(block)
}

/// Sorts rows: those between these offsets, whose arcs these are.
fn sort<V: Vertex>(offsets: &[usize], targets: &mut [V]) {
    let rows = offsets.len() - 1;
    if rows <= 1 {
        targets.sort_unstable();
    } else if targets.len() <= CHUNK {
        for row in offsets.windows(2) {
            targets[row[0] - offsets[0]..row[1] - offsets[0]].sort_unstable();
        }
    } else {
        let middle = rows / 2;
        let (low, high) = targets.split_at_mut(offsets[middle] - offsets[0]);
        filch::join(|| sort(&offsets[..=middle], low), || sort(&offsets[middle..], high));
    }
}

/// Leaves one of several equal arcs. Serial: it reads and writes memory in order.
fn remove_duplicates<V: Vertex>(block: &mut Block<V>) {
    let Block { offsets, targets } = block;
    let (mut kept, mut start) = (0, 0);
    for end in offsets.iter_mut().skip(1) {
        let mut last = None;
        for arc in start..*end {
            let target = targets[arc];
            if last != Some(target) {
                targets[kept] = target;
                kept += 1;
                last = Some(target);
            }
        }
        start = std::mem::replace(end, kept);
    }
    targets.truncate(kept);
    targets.shrink_to_fit();
}
