//! Delta-stepping, step by step.
//!
//! The distances are atomic cells, which workers lower by compare-exchange; a cell only ever gets lower. All accesses
//! are relaxed. A worker that lowers the distance of a vertex adds it to the bucket of the new distance, and the end of
//! the step orders this before the step that processes it. If other workers lower it further, they add it again. So
//! when a vertex is processed last, its distance is final; entries whose distance belongs to an earlier bucket by now
//! have been processed there and are skipped.

use super::bins::{Bins, Shelf};
use super::result::{NegativeWeight, ShortestPaths, UNREACHED};
use crate::choose::tuning::{AHEAD, BUDGET, CHUNK, MOST_BINS, SAMPLES, SMALL, STEPS_PER_ARC};
use crate::csr::WeightedCsr;
use crate::graph::Graph;
use crate::prefetch::prefetch;
use crate::vertex::Vertex;
use crate::watch::{Watch, look_at};
use filch_algorithms::tabulate;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What a step has done.
#[derive(Clone, Copy, Default)]
struct Done {
    /// The number of arcs that were relaxed.
    relaxed: usize,
    /// The number of vertices that were reached for the first time.
    reached: usize,
}

impl AddAssign for Done {
    fn add_assign(&mut self, other: Done) {
        self.relaxed += other.relaxed;
        self.reached += other.reached;
    }
}

struct Search<'a, V: Vertex> {
    graph: &'a WeightedCsr<V>,
    /// The bits of the distances. Numbers that are not negative are ordered as their bits are.
    distances: Vec<AtomicU64>,
    /// The reciprocal of the width of a bucket.
    per_delta: f64,
    is_shared: bool,
    is_negative: AtomicBool,
}

pub(super) fn run<V: Vertex>(
    graph: &WeightedCsr<V>,
    root: V,
    delta: Option<f64>,
    watch: &dyn Watch,
) -> Result<ShortestPaths, NegativeWeight> {
    let largest = sample(graph);
    let degree = (graph.num_arcs() as f64 / graph.num_vertices() as f64).max(1.0);
    let usual = if largest > 0.0 { largest / (STEPS_PER_ARC as f64 * degree) } else { 1.0 };
    // Also if the quotient or the reciprocal of a tiny number is not finite.
    let delta = delta.unwrap_or(usual).max(f64::from(f32::MIN_POSITIVE));
    let num_bins = ((largest / delta) as usize).saturating_add(2).min(MOST_BINS);
    let search = Search {
        graph,
        distances: tabulate(graph.num_vertices(), |_| AtomicU64::new(UNREACHED.to_bits())),
        per_delta: delta.recip(),
        is_shared: filch::num_workers() > 1,
        is_negative: AtomicBool::new(false),
    };
    let mut shelf = Shelf::new(num_bins);
    search.distances[root.index()].store(0.0_f64.to_bits(), Ordering::Relaxed);
    let mut first = shelf.borrow();
    first.push(root, 0, 0);
    shelf.put_back(first);

    let (mut steps, mut bucket, mut lists) = (0, 0, Vec::new());
    let (mut done, mut reported) = (Done { relaxed: 0, reached: 1 }, 0);
    let mut own = Vec::new();
    while let Some(next) = shelf.next(bucket) {
        bucket = next;
        if let Some(mut bins) = shelf.only(CHUNK) {
            // As many vertices are one piece, so there is nothing to share. On a path, this is the whole search.
            while let Some(next) = bins.next(bucket).filter(|_| bins.len() <= CHUNK && done.reached < reported + SMALL)
            {
                filch::end_if_cancelled();
                bucket = next;
                own.clear();
                own = bins.take(bucket, own);
                steps += 1;
                done += search.relax(&own, bucket, &mut bins);
            }
            shelf.put_back(bins);
        } else {
            shelf.take(bucket, &mut lists);
            steps += 1;
            done += search.step(&lists, bucket, &shelf);
        }
        if done.reached - reported >= SMALL {
            watch.advance(done.reached - reported);
            reported = done.reached;
        }
        if search.is_negative.load(Ordering::Relaxed) {
            return Err(NegativeWeight::first(graph).expect("one was met"));
        }
    }
    watch.advance(graph.num_vertices() - reported);
    let distances = search.distances.into_iter().map(|bits| f64::from_bits(bits.into_inner())).collect();
    Ok(ShortestPaths { distances, delta, steps, relaxed: done.relaxed })
}

/// The largest of the weights of some arcs, or 0 if there are none above.
fn sample<V: Vertex>(graph: &WeightedCsr<V>) -> f64 {
    let weights = &graph.out_rows().weights;
    let step = weights.len().div_ceil(SAMPLES).max(1);
    weights.iter().step_by(step).fold(0.0, |largest, &weight| f64::from(weight).max(largest))
}

impl<V: Vertex> Search<'_, V> {
    /// Processes the vertices of a bucket.
    fn step(&self, lists: &[Vec<V>], bucket: u64, shelf: &Shelf<V>) -> Done {
        let pieces: Vec<&[V]> = lists.iter().flat_map(|list| list.chunks(CHUNK)).collect();
        let piece = |vertices: &[V]| {
            let mut bins = shelf.borrow();
            let mut done = self.relax(vertices, bucket, &mut bins);
            let mut own = Vec::new();
            while (1..=BUDGET).contains(&bins.len_of(bucket)) {
                own.clear();
                own = bins.take(bucket, own);
                done += self.relax(&own, bucket, &mut bins);
            }
            shelf.put_back(bins);
            done
        };
        let sum = |mut a: Done, b: Done| {
            a += b;
            a
        };
        match &pieces[..] {
            [alone] => piece(alone),
            _ => filch::map_reduce(&pieces, Done::default, |_, vertices| piece(vertices), sum),
        }
    }

    fn bucket_of(&self, distance: f64) -> u64 {
        (distance * self.per_delta) as u64
    }

    /// Relaxes the arcs that leave these vertices, except those that belong to an earlier bucket.
    fn relax(&self, vertices: &[V], bucket: u64, bins: &mut Bins<V>) -> Done {
        let mut done = Done::default();
        for (index, &u) in vertices.iter().enumerate() {
            look_at(index);
            if let Some(&later) = vertices.get(index + 2 * AHEAD) {
                self.graph.prefetch(later);
                prefetch(&self.distances, later.index());
            }
            if let Some(&later) = vertices.get(index + AHEAD) {
                self.graph.prefetch_neighbors(later);
                prefetch(&self.graph.out_rows().weights, self.graph.out_rows().offsets[later.index()]);
            }
            let distance = f64::from_bits(self.distances[u.index()].load(Ordering::Relaxed));
            if self.bucket_of(distance) < bucket {
                continue;
            }
            let (row, weights) = (self.graph.row(u), self.graph.weights(u));
            done.relaxed += row.len();
            for (place, (&v, &weight)) in row.iter().zip(weights).enumerate() {
                if let Some(later) = row.get(place + AHEAD) {
                    prefetch(&self.distances, later.index());
                }
                if weight < 0.0 {
                    self.is_negative.store(true, Ordering::Relaxed);
                    return done;
                }
                let longer = distance + f64::from(weight);
                if let Some(old) = self.lower(v, longer) {
                    done.reached += usize::from(old == UNREACHED.to_bits());
                    bins.push(v, self.bucket_of(longer), bucket);
                }
            }
        }
        done
    }

    /// Lowers the distance of a vertex. Returns the bits of the previous one, or `None` if it was not higher.
    #[inline(always)]
    fn lower(&self, v: V, distance: f64) -> Option<u64> {
        let (cell, new) = (&self.distances[v.index()], distance.to_bits());
        let mut old = cell.load(Ordering::Relaxed);
        if new >= old {
            return None;
        }
        if !self.is_shared {
            cell.store(new, Ordering::Relaxed);
            return Some(old);
        }
        while let Err(found) = cell.compare_exchange_weak(old, new, Ordering::Relaxed, Ordering::Relaxed) {
            if new >= found {
                return None;
            }
            old = found;
        }
        Some(old)
    }
}
