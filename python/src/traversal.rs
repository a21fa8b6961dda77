//! Breadth-first and depth-first orders, as scipy has them.

use crate::borrowed::{Indices, with_graph};
use crate::results::{Array, array, memory_error};
use crate::running::Workers;
use filch_algorithms::memory::with_room;
use filch_graph::Graph;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The predecessor of a vertex that has none, as in scipy.
pub(crate) const NONE: i32 = -9999;

/// What has no predecessor, as the bits of it. It is later than all places.
const LATE: u32 = NONE as u32;

/// How many serial steps there are between two looks whether the run is cancelled.
pub(crate) const STEPS_PER_LOOK: usize = 1 << 10;

/// The levels that are shared among workers: those of fewer vertices are over before another worker has begun.
const WIDE: usize = 1 << 10;

/// The number of vertices of a level that a worker takes at a time, at most.
const PIECE: usize = 1 << 10;

/// The number of arcs for each vertex up to which a breadth-first search does without a bit for each vertex.
const SPARSE: usize = 8;

/// How many vertices ahead memory is fetched.
const AHEAD: usize = 8;

/// The vertices in the order of a queue, and the predecessor of each vertex. `both`: arcs are followed in both
/// directions, those that leave a vertex first.
#[pyfunction]
#[pyo3(signature = (indptr, indices, root, both, workers))]
pub(crate) fn breadth_first<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    root: u32,
    both: bool,
    workers: Workers,
) -> PyResult<(Array<'py, i32>, Array<'py, i32>)> {
    with_graph!(indptr, indices, false, |graph| {
        let (order, predecessors) = graph.solved(py, workers, 1, || match both {
            false => in_breadth::<_, false>(&graph, root),
            true => in_breadth::<_, true>(&graph.both_ways()?, root),
        })?;
        Ok((array(py, order), array(py, predecessors)))
    })
}

/// The vertices in the order in which a depth-first search comes to them, and the predecessor of each vertex. `both`:
/// arcs are followed in both directions, those that leave a vertex first.
#[pyfunction]
#[pyo3(signature = (indptr, indices, root, both, workers))]
pub(crate) fn depth_first<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    root: u32,
    both: bool,
    workers: Workers,
) -> PyResult<(Array<'py, i32>, Array<'py, i32>)> {
    with_graph!(indptr, indices, false, |graph| {
        let (order, predecessors) = graph.solved(py, workers, 1, || match both {
            false => in_depth(
                &graph,
                root,
                |u| graph.row_from(u).1,
                |u, row, place| row.get(place).map(|cell| graph.target(cell, u)),
            ),
            true => {
                let graph = graph.both_ways()?;
                in_depth(
                    &graph,
                    root,
                    |u| (graph.row(u), graph.in_row(u)),
                    |_, (row, rest), place| row.get(place).or_else(|| rest.get(place - row.len())).copied(),
                )
            }
        })?;
        Ok((array(py, order), array(py, predecessors)))
    })
}

/// A set of vertices, in a bit for each. One worker inserts at a time, or several [together](Self::insert_together).
struct Reached(Vec<AtomicU64>);

impl Reached {
    fn new(n: usize) -> Self {
        Reached(filch_algorithms::tabulate(n.div_ceil(64), |_| AtomicU64::new(0)))
    }

    #[inline(always)]
    fn has(&self, v: u32) -> bool {
        self.0[v as usize / 64].load(Ordering::Relaxed) >> (v % 64) & 1 == 1
    }

    /// Inserts a vertex, by the only worker. Returns whether it was not there.
    #[inline(always)]
    fn insert(&self, v: u32) -> bool {
        let (cell, bit) = (&self.0[v as usize / 64], 1 << (v % 64));
        let word = cell.load(Ordering::Relaxed);
        let is_new = word & bit == 0;
        if is_new {
            cell.store(word | bit, Ordering::Relaxed);
        }
        is_new
    }

    fn insert_together(&self, v: u32) {
        self.0[v as usize / 64].fetch_or(1 << (v % 64), Ordering::Relaxed);
    }
}

/// Calls `visit` with the arcs of a vertex, if `BOTH` in both directions.
#[inline(always)]
fn for_each_arc<G: Graph<Vertex = u32>, const BOTH: bool>(graph: &G, u: u32, mut visit: impl FnMut(u32)) {
    graph.neighbors(u).for_each(&mut visit);
    if BOTH {
        graph.in_neighbors(u).for_each(visit);
    }
}

/// Fetches the memory of the rows of vertices that come next in a queue.
#[inline(always)]
fn fetch<G: Graph<Vertex = u32>>(graph: &G, queue: &[u32], index: usize) {
    if let Some(&later) = queue.get(index + 2 * AHEAD) {
        graph.prefetch(later);
        graph.prefetch_neighbors(queue[index + AHEAD]);
    }
}

/// What one worker reads and writes on a level of a breadth-first search.
struct Level<'a, G> {
    graph: &'a G,
    queue: &'a mut [u32],
    above: &'a [AtomicU32],
    reached: &'a Reached,
    /// Whether places in the queue are written, and not predecessors.
    has_places: bool,
}

impl<G: Graph<Vertex = u32>> Level<'_, G> {
    /// Goes over the vertices at `start..end` of the queue. Returns how many are in it then. If `SPARSE`, no bits
    /// are used.
    fn run<const BOTH: bool, const SPARSE: bool>(self, start: usize, end: usize) -> usize {
        let Level { graph, queue, above, reached, has_places } = self;
        let mut len = end;
        for index in start..end {
            if index % STEPS_PER_LOOK == 0 {
                filch::end_if_cancelled();
            }
            fetch(graph, queue, index);
            let u = queue[index];
            let from = if has_places { index as u32 } else { u };
            for_each_arc::<_, BOTH>(graph, u, |v| {
                let cell = &above[v as usize];
                if if SPARSE { cell.load(Ordering::Relaxed) == LATE } else { reached.insert(v) } {
                    cell.store(from, Ordering::Relaxed);
                    queue[len] = v;
                    len += 1;
                }
            });
        }
        len
    }
}

/// A search in which every vertex has the place that it has in that of a serial queue, however many workers there are.
///
/// With several workers, the place of its predecessor in the queue is written for each vertex. On a level that is
/// shared, the lowest one remains. Each worker notes what it has lowered. When the level is over, those notes are true
/// that still have the lowest place, and together they are the next level, in the order of the queue. All cells are
/// relaxed, because the end of each loop orders them.
fn in_breadth<G: Graph<Vertex = u32>, const BOTH: bool>(graph: &G, root: u32) -> PyResult<(Vec<u32>, Vec<i32>)> {
    let n = graph.num_vertices();
    let (mut above, mut queue) = (with_room(n).map_err(memory_error)?, with_room(n).map_err(memory_error)?);
    above.resize_with(n, || AtomicU32::new(LATE));
    queue.resize(n, root);
    // It is nobody's successor.
    above[root as usize].store(0, Ordering::Relaxed);
    // The vertices that have been in the queue before a level that is shared. They say the same as `above`, in a nearer
    // cache, which pays if most arcs lead to what has been reached.
    let reached = Reached::new(n);
    reached.insert(root);
    let is_sparse = graph.num_arcs() <= SPARSE * n;
    let is_shared = filch::num_workers() > 1;
    let (mut start, mut end) = (0, 1);
    // When all are found, the arcs that are left lead nowhere else.
    while start < end && end < n {
        if !is_shared || end - start < WIDE {
            let level = Level { graph, queue: &mut queue, above: &above, reached: &reached, has_places: is_shared };
            let len =
                if is_sparse { level.run::<BOTH, true>(start, end) } else { level.run::<BOTH, false>(start, end) };
            (start, end) = (end, len);
            continue;
        }
        let (past, mut rest) = queue.split_at_mut(end);
        let level = &past[start..];
        let piece = level.len().div_ceil(filch::num_workers() * 8).clamp(1, PIECE);
        let mut notes: Vec<Vec<(u32, u32)>> = vec![Vec::new(); level.len().div_ceil(piece)];
        filch::for_each((0_usize.., filch::chunks(level, piece), &mut notes), |_, (number, vertices, notes)| {
            let first: usize = start + number * piece;
            for (index, &u) in vertices.iter().enumerate() {
                fetch(graph, vertices, index);
                let place = (first + index) as u32;
                for_each_arc::<_, BOTH>(graph, u, |v| {
                    let cell = &above[v as usize];
                    if (is_sparse || !reached.has(v))
                        && cell.load(Ordering::Relaxed) > place
                        && cell.fetch_min(place, Ordering::Relaxed) > place
                    {
                        notes.push((place, v));
                    }
                });
            }
        });
        filch::for_each(&mut notes, |_, notes| {
            notes.retain(|&(place, v)| above[v as usize].load(Ordering::Relaxed) == place);
        });
        let mut parts: Vec<&mut [u32]> =
            notes.iter().map(|notes| rest.split_off_mut(..notes.len()).expect("there is room for all")).collect();
        filch::for_each((&mut parts, &notes), |_, (part, notes)| {
            for (to, &(_, v)) in part.iter_mut().zip(notes) {
                *to = v;
                if !is_sparse {
                    reached.insert_together(v);
                }
            }
        });
        (start, end) = (end, end + notes.iter().map(Vec::len).sum::<usize>());
    }
    queue.truncate(end);
    above[root as usize].store(LATE, Ordering::Relaxed);
    if is_shared {
        filch::for_each(&mut above, |_, cell| {
            let place = *cell.get_mut();
            if place != LATE {
                *cell.get_mut() = queue[place as usize];
            }
        });
    }
    Ok((queue, above.into_iter().map(|cell| cell.into_inner() as i32).collect()))
}

/// Fetches the memory of the rows to which a search will return. `path` has the vertices above the current one.
#[inline(always)]
pub(crate) fn fetch_above<G: Graph<Vertex = u32>, T>(graph: &G, path: &[T], vertex: impl Fn(&T) -> u32) {
    if let Some(place) = path.len().checked_sub(2 * AHEAD) {
        graph.prefetch(vertex(&path[place]));
        graph.prefetch_neighbors(vertex(&path[place + AHEAD]));
    }
}

/// A depth-first search, by one worker. `row` is the row of a vertex, and `arc` the target of an arc in it.
fn in_depth<G: Graph<Vertex = u32>, R: Copy>(
    graph: &G,
    root: u32,
    row: impl Fn(u32) -> R,
    arc: impl Fn(u32, R, usize) -> Option<u32>,
) -> PyResult<(Vec<u32>, Vec<i32>)> {
    let n = graph.num_vertices();
    let (mut predecessors, mut order) = (with_room(n).map_err(memory_error)?, with_room(n).map_err(memory_error)?);
    predecessors.resize(n, NONE);
    let reached = Reached::new(n);
    reached.insert(root);
    order.push(root);
    // The vertices on the path to `u`, each with the place of the arc that comes next.
    let mut path = with_room::<(u32, u32)>(n).map_err(memory_error)?;
    let (mut u, mut arcs, mut next, mut step) = (root, row(root), 0, 0_usize);
    // When all are found, the arcs that are left lead nowhere else.
    while order.len() < n {
        step += 1;
        if step.is_multiple_of(STEPS_PER_LOOK) {
            filch::end_if_cancelled();
        }
        match arc(u, arcs, next) {
            Some(v) => {
                next += 1;
                if reached.insert(v) {
                    predecessors[v as usize] = u as i32;
                    order.push(v);
                    // An arc that is followed again leads to what has been found.
                    path.push((u, next.try_into().unwrap_or(u32::MAX)));
                    (u, arcs, next) = (v, row(v), 0);
                }
            }
            None => match path.pop() {
                Some((above, place)) => {
                    fetch_above(graph, &path, |above| above.0);
                    (u, arcs, next) = (above, row(above), place as usize);
                }
                None => break,
            },
        }
    }
    Ok((order, predecessors))
}
