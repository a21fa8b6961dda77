//! The first time: how many arcs each vertex has, and which blocks follow from that.

use super::source::Source;
use crate::blocks::{Blocks, borders};
use crate::error::GraphError;
use crate::wire::{Wire, bytes_of, numbers_of};
use filch_algorithms::tabulate;
use filch_cluster::{Cluster, Failure};
use filch_graph::{Rules, Vertex};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many numbers a worker goes through at a time.
const CHUNK: usize = 1 << 14;

/// Where the rows of this rank begin, before duplicates are removed, and at the end how many arcs there are: of the
/// arcs that leave its vertices, and of those that lead to them, if the graph is directed.
pub(super) struct Starts {
    pub(super) out: Vec<usize>,
    pub(super) into: Option<Vec<usize>>,
}

/// Goes through all edges. Returns blocks of about the same number of arcs.
pub(super) fn count<V: Vertex + Wire>(
    cluster: &Cluster,
    num_vertices: usize,
    source: &mut impl Source<V>,
    rules: Rules,
) -> Result<(Blocks, Starts), GraphError> {
    let (rank, ranks) = (cluster.rank(), cluster.size());
    let even = Blocks::even(num_vertices, ranks);
    let (each, counted) = (even.of(0).len().max(1), even.of(rank));
    let zeros = |len: usize| cluster.pool().run(|_| tabulate(len, |_| AtomicUsize::new(0)));
    let out = zeros(counted.len());
    let into = (!rules.symmetrize).then(|| zeros(counted.len()));
    // A number that is no vertex.
    let mut stray = None;
    for is_out in [true, false].into_iter().take(1 + usize::from(into.is_some())) {
        let counts = if is_out { &out } else { into.as_ref().unwrap_or(&out) };
        source.rewind();
        rounds(
            cluster,
            source,
            |u: V, v: V, to: &mut [Vec<u8>]| {
                if rules.remove_self_loops && u == v {
                    return;
                }
                let mut end = |v: V| v.put(&mut to[(v.index() / each).min(ranks - 1)]);
                end(if is_out { u } else { v });
                if rules.symmetrize && u != v {
                    end(v);
                }
            },
            |bytes| {
                let bad = cluster.pool().run(|_| {
                    let count_all = |bytes: &[u8]| {
                        let mut bad = None;
                        for v in numbers_of::<V>(bytes) {
                            match v.index().checked_sub(counted.start).and_then(|place| counts.get(place)) {
                                Some(count) => _ = count.fetch_add(1, Ordering::Relaxed),
                                None => bad = Some(v.index() as u64),
                            }
                        }
                        bad
                    };
                    let chunks = filch::chunks(bytes, CHUNK * V::BYTES);
                    filch::map_reduce(chunks, || None, |_, bytes| count_all(bytes), |a: Option<u64>, b| a.or(b))
                });
                stray = stray.or(bad);
            },
        )?;
    }
    if let Some(vertex) = cluster.all_reduce(&stray, |a, b| a.or(b))? {
        return Err(GraphError::NoVertex { vertex: vertex as usize, num_vertices });
    }
    let counts = |of: Vec<AtomicUsize>| of.into_iter().map(|count| count.into_inner() as u64).collect::<Vec<_>>();
    let (out, into) = (counts(out), into.map(counts));
    let blocks = agree(cluster, &even, &out, into.as_deref())?;
    let starts = Starts {
        out: starts(cluster, &even, &blocks, &out)?,
        into: into.map(|into| starts(cluster, &even, &blocks, &into)).transpose()?,
    };
    Ok((blocks, starts))
}

/// Goes through all edges of all ranks. `deal` appends what each rank is to have of an edge, and `take` gets what the
/// ranks have for this one.
pub(super) fn rounds<V: Vertex>(
    cluster: &Cluster,
    source: &mut impl Source<V>,
    deal: impl Fn(V, V, &mut [Vec<u8>]) + Send + Sync,
    mut take: impl FnMut(&[u8]),
) -> Result<(), GraphError> {
    let ranks = cluster.size();
    loop {
        let pieces = source.next(cluster.pool()).map_err(|text| cluster.failed(Failure::Panicked(text)))?;
        let has_more = pieces.is_some();
        let pieces = pieces.unwrap_or_default();
        let mut dealt = pieces.iter().map(|_| vec![Vec::new(); ranks]).collect::<Vec<_>>();
        cluster.pool().run(|_| {
            filch::for_each((&pieces[..], &mut dealt[..]), |_, (edges, to)| {
                edges.iter().for_each(|&(u, v)| deal(u, v, to));
            });
        });
        drop(pieces);
        // The last byte says whether the sender has more.
        let outgoing = (0..ranks).map(|to| {
            let mut bytes = Vec::with_capacity(dealt.iter().map(|piece| piece[to].len()).sum::<usize>() + 1);
            dealt.iter_mut().for_each(|piece| bytes.extend(std::mem::take(&mut piece[to])));
            bytes.push(u8::from(has_more));
            bytes
        });
        let incoming = cluster.exchange(outgoing.collect())?;
        let mut any_more = false;
        for bytes in incoming {
            if let Some((&has_more, bytes)) = bytes.split_last() {
                any_more |= has_more != 0;
                take(bytes);
            }
        }
        if !any_more {
            return Ok(());
        }
    }
}

/// Blocks of about the same weight. A vertex weighs as much as its arcs, and two more: that is what it takes of memory.
fn agree(cluster: &Cluster, even: &Blocks, out: &[u64], into: Option<&[u64]>) -> Result<Blocks, GraphError> {
    const OF_VERTEX: u64 = 2;
    let (rank, ranks) = (cluster.rank(), cluster.size());
    let weight = |place: usize| OF_VERTEX + out[place] + into.map_or(0, |into| into[place]);
    let weights = || (0..out.len()).map(weight);
    let sums = cluster.all_gather(&weights().sum::<u64>())?;
    let (before, total) = (sums[..rank].iter().sum(), sums.iter().sum());
    let found = cluster.all_gather(&borders(ranks, even.of(rank).start, weights(), before, total))?;
    let mut starts = vec![0; ranks + 1];
    starts[ranks] = even.num_vertices();
    found.into_iter().flatten().for_each(|(border, vertex)| starts[border as usize] = vertex as usize);
    Ok(Blocks::at(starts))
}

/// Where the rows of this rank begin: the counts move from the even blocks to the agreed ones.
fn starts(cluster: &Cluster, even: &Blocks, blocks: &Blocks, counts: &[u64]) -> Result<Vec<usize>, GraphError> {
    let counted = even.of(cluster.rank());
    let common = |to: usize| {
        let block = blocks.of(to);
        let (start, end) = (block.start.max(counted.start), block.end.min(counted.end));
        if start < end { &counts[start - counted.start..end - counted.start] } else { &[] }
    };
    let outgoing = (0..cluster.size()).map(|to| bytes_of(common(to).iter().copied()));
    let incoming = cluster.exchange(outgoing.collect())?;
    let mut starts = Vec::with_capacity(blocks.of(cluster.rank()).len() + 1);
    let mut sum = 0;
    starts.push(0);
    for count in incoming.iter().flat_map(|bytes| numbers_of::<u64>(bytes)) {
        sum += count as usize;
        starts.push(sum);
    }
    Ok(starts)
}
