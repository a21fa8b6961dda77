//! Delta-stepping, step by step.
//!
//! The distances are atomic cells, which workers lower by compare-exchange; a cell only ever gets lower. All accesses
//! are relaxed. A worker that lowers the distance of a vertex adds it to the bucket of the new distance, and the end of
//! the step orders this before the step that processes it. If other workers lower it further, they add it again. So
//! when a vertex is processed last, its distance is final; entries whose distance belongs to an earlier bucket by now
//! have been processed there and are skipped.
//!
//! Sharing a step takes some microseconds, so one worker processes a bucket of few vertices, and goes on with what it
//! finds until a bucket is wide. On meshes and paths, this is the whole search.

use super::bins::{Bins, Shelf};
use super::error::SsspError;
use super::result::{DistanceOf, Found, ShortestPaths};
use crate::choose::sample_weights;
use crate::choose::tuning::{AHEAD, BUDGET, CHUNK, MOST_BINS, SMALL, STEPS_PER_ARC, WIDE_BUCKET};
use crate::graph::WeightedGraph;
use crate::prefetch::prefetch;
use crate::vertex::Vertex;
use crate::watch::{Watch, look_at};
use crate::weight::{Distance, Weight};
use filch_algorithms::tabulate;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What is asked of a search.
#[derive(Clone, Copy)]
pub(super) struct Options<'a, V, D> {
    pub(super) delta: Option<f64>,
    pub(super) limit: Option<D>,
    pub(super) targets: &'a [V],
}

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

struct Search<'a, G: WeightedGraph> {
    graph: &'a G,
    /// The bits of the distances, whose order is that of the distances.
    distances: Vec<AtomicU64>,
    /// The reciprocal of the width of a bucket.
    per_delta: f64,
    /// The bits of the largest distance that is wanted.
    limit: u64,
    /// Whether a negative weight was met.
    is_negative: AtomicBool,
    /// Whether a path was too long for the type of distances.
    is_beyond: AtomicBool,
}

/// The targets whose distances are not known.
struct Targets<'a, V> {
    left: &'a [V],
    /// Whether there were any.
    any: bool,
}

pub(super) fn run<G: WeightedGraph>(
    graph: &G,
    sources: &[G::Vertex],
    options: Options<'_, G::Vertex, DistanceOf<G>>,
    watch: &dyn Watch,
) -> Found<G> {
    let Options { delta, limit, targets } = options;
    let (zero, unreached) = (DistanceOf::<G>::ZERO.bits(), DistanceOf::<G>::UNREACHED.bits());
    let largest = sample_weights(graph).into_iter().map(Weight::rounded).fold(0.0, f64::max);
    let n = graph.num_vertices();
    let degree = (graph.num_arcs() as f64 / n as f64).max(1.0);
    let usual = if largest > 0.0 { largest / (STEPS_PER_ARC as f64 * degree) } else { 1.0 };
    // Also if the quotient or the reciprocal of a tiny number is not finite.
    let delta = delta.unwrap_or(usual).clamp(f64::from(f32::MIN_POSITIVE), f64::MAX);
    let num_bins = ((largest / delta) as usize).saturating_add(2).min(MOST_BINS);
    let search = Search {
        graph,
        distances: tabulate(n, |_| AtomicU64::new(unreached)),
        per_delta: delta.recip(),
        limit: limit.map_or(unreached, DistanceOf::<G>::bits),
        is_negative: AtomicBool::new(false),
        is_beyond: AtomicBool::new(false),
    };
    let mut shelf = Shelf::new(num_bins);
    let mut first = shelf.borrow();
    let mut done = Done::default();
    for source in sources {
        if search.distances[source.index()].swap(zero, Ordering::Relaxed) == unreached {
            first.push(*source, 0, 0);
            done.reached += 1;
        }
    }
    shelf.put_back(first);

    let mut targets = Targets { left: targets, any: !targets.is_empty() };
    let (mut steps, mut bucket, mut reported, mut lists) = (0, 0, 0, Vec::new());
    let is_alone = filch::num_workers() == 1;
    while let Some(next) = shelf.next(bucket) {
        bucket = next;
        if search.are_final(&mut targets, Some(bucket)) {
            break;
        }
        shelf.take(bucket, &mut lists);
        steps += 1;
        let count: usize = lists.iter().map(Vec::len).sum();
        if is_alone || count < WIDE_BUCKET {
            let mut bins = shelf.borrow();
            for list in &lists {
                done += search.relax::<false>(list, bucket, &mut bins);
            }
            done += search.fuse::<false>(usize::MAX, bucket, &mut bins);
            shelf.put_back(bins);
        } else {
            done += search.step(&lists, bucket, &shelf);
        }
        if done.reached - reported >= SMALL {
            watch.advance(done.reached - reported);
            reported = done.reached;
        }
        if search.is_negative.load(Ordering::Relaxed) {
            return Err(SsspError::negative(graph));
        }
    }
    watch.advance(n - reported);
    let are_known = search.are_final(&mut targets, None);
    let is_beyond = search.is_beyond.load(Ordering::Relaxed) && limit.is_none() && !are_known;
    let farthest = if are_known { search.farthest(options.targets) } else { u64::MAX };
    let distance = |bits: AtomicU64| Some(bits.into_inner()).filter(|&bits| bits <= farthest);
    let distances = search.distances.into_iter().map(distance);
    let distances: Vec<_> = distances.map(|bits| DistanceOf::<G>::of_bits(bits.unwrap_or(unreached))).collect();
    match is_beyond.then(|| SsspError::overflow(graph, &distances)).flatten() {
        Some(error) => Err(error),
        None => Ok(ShortestPaths { distances, predecessors: Vec::new(), delta, steps, relaxed: done.relaxed }),
    }
}

impl<G: WeightedGraph> Search<'_, G> {
    /// Whether there are targets, and the distances of all of them are final before this bucket is processed, or at the
    /// end.
    fn are_final(&self, targets: &mut Targets<'_, G::Vertex>, bucket: Option<u64>) -> bool {
        while let [target, left @ ..] = targets.left {
            let bits = self.distances[target.index()].load(Ordering::Relaxed);
            let waits = bucket.is_some_and(|bucket| self.bucket_of(bits) >= bucket);
            if waits || bits == DistanceOf::<G>::UNREACHED.bits() {
                return false;
            }
            targets.left = left;
        }
        targets.any
    }

    /// The bits of the distance of the farthest of these vertices.
    fn farthest(&self, targets: &[G::Vertex]) -> u64 {
        targets.iter().map(|v| self.distances[v.index()].load(Ordering::Relaxed)).max().unwrap_or(u64::MAX)
    }

    /// Processes the vertices of a bucket.
    fn step(&self, lists: &[Vec<G::Vertex>], bucket: u64, shelf: &Shelf<G::Vertex>) -> Done {
        let pieces: Vec<&[G::Vertex]> = lists.iter().flat_map(|list| list.chunks(CHUNK)).collect();
        let piece = |vertices: &[G::Vertex]| {
            let mut bins = shelf.borrow();
            let mut done = self.relax::<true>(vertices, bucket, &mut bins);
            done += self.fuse::<true>(BUDGET, bucket, &mut bins);
            shelf.put_back(bins);
            done
        };
        let sum = |mut a: Done, b: Done| {
            a += b;
            a
        };
        filch::map_reduce(&pieces, Done::default, |_, vertices| piece(vertices), sum)
    }

    /// Processes what has been added to the bucket meanwhile, while there are at most so many vertices in it.
    fn fuse<const SHARED: bool>(&self, most: usize, bucket: u64, bins: &mut Bins<G::Vertex>) -> Done {
        let (mut done, mut own) = (Done::default(), Vec::new());
        while (1..=most).contains(&bins.len_of(bucket)) && !self.is_negative.load(Ordering::Relaxed) {
            own.clear();
            own = bins.take(bucket, own);
            done += self.relax::<SHARED>(&own, bucket, bins);
        }
        done
    }

    /// The bucket of a distance with these bits.
    #[inline(always)]
    fn bucket_of(&self, bits: u64) -> u64 {
        (DistanceOf::<G>::of_bits(bits).rounded() * self.per_delta) as u64
    }

    /// Relaxes the arcs that leave these vertices, except those that belong to an earlier bucket. `SHARED`: other
    /// workers may do so at the same time.
    fn relax<const SHARED: bool>(&self, vertices: &[G::Vertex], bucket: u64, bins: &mut Bins<G::Vertex>) -> Done {
        let mut done = Done::default();
        for (index, &u) in vertices.iter().enumerate() {
            look_at(index);
            if let Some(&later) = vertices.get(index + 2 * AHEAD) {
                self.graph.prefetch(later);
                prefetch(&self.distances, later.index());
            }
            if let Some(&later) = vertices.get(index + AHEAD) {
                self.graph.prefetch_arcs(later);
            }
            let bits = self.distances[u.index()].load(Ordering::Relaxed);
            if self.bucket_of(bits) < bucket {
                continue;
            }
            let distance = Distance::of_bits(bits);
            let mut relax = |v: G::Vertex, weight: G::Weight| {
                if weight.is_negative() {
                    // Lowered distances would be lowered again, for ever on a cycle of such weights.
                    return true;
                }
                let longer = weight.after(distance).bits();
                done.relaxed += 1;
                if let Some(old) = self.lower::<SHARED>(v, longer) {
                    done.reached += usize::from(old == DistanceOf::<G>::UNREACHED.bits());
                    bins.push(v, self.bucket_of(longer), bucket);
                }
                false
            };
            let is_negative = match self.graph.arc_slices(u) {
                Some((row, weights)) => row.iter().zip(weights).enumerate().any(|(place, (&v, &weight))| {
                    if let Some(later) = row.get(place + AHEAD) {
                        prefetch(&self.distances, later.index());
                    }
                    relax(v, weight)
                }),
                None => {
                    let hint = |(v, _): (G::Vertex, _)| prefetch(&self.distances, v.index());
                    any_ahead(self.graph.arcs(u), (u, G::Weight::ONE), hint, |(v, weight)| relax(v, weight))
                }
            };
            if is_negative {
                self.is_negative.store(true, Ordering::Relaxed);
                return done;
            }
        }
        done
    }

    /// Lowers the distance of a vertex to that with these bits. Returns the bits of the previous one, or `None` if it
    /// was not higher, or if the new one is not wanted.
    #[inline(always)]
    fn lower<const SHARED: bool>(&self, v: G::Vertex, new: u64) -> Option<u64> {
        let cell = &self.distances[v.index()];
        let mut old = cell.load(Ordering::Relaxed);
        if new >= old {
            // Few lengths are as long. So this is not asked of every arc.
            if old == DistanceOf::<G>::UNREACHED.bits() {
                self.is_beyond.store(true, Ordering::Relaxed);
            }
            return None;
        }
        if new > self.limit {
            return None;
        }
        if !SHARED {
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

/// Whether `is_wanted` is true for an item; the others behind it are left. They are collected a few at a time, and
/// `hint` is called for each of these first. `blank` is any item.
#[inline(always)]
fn any_ahead<T: Copy>(
    items: impl Iterator<Item = T>,
    blank: T,
    hint: impl Fn(T),
    mut is_wanted: impl FnMut(T) -> bool,
) -> bool {
    let (mut batch, mut len) = ([blank; AHEAD], 0);
    for item in items {
        hint(item);
        batch[len] = item;
        len += 1;
        if len == AHEAD {
            if batch.into_iter().any(&mut is_wanted) {
                return true;
            }
            len = 0;
        }
    }
    batch[..len].iter().copied().any(is_wanted)
}
