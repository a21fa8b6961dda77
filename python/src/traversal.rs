//! Breadth-first and depth-first orders, as scipy has them.

use crate::borrowed::{Indices, with_graph};
use crate::results::{Array, array, memory_error, reserved};
use crate::running::Workers;
use filch_graph::Graph;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// The predecessor of a vertex that has none, as in scipy.
pub(crate) const NONE: i32 = -9999;

/// How many serial steps there are between two looks whether the run is cancelled.
const STEPS_PER_LOOK: usize = 1 << 10;

/// The levels that are shared among workers: those of fewer vertices are over before another worker has begun.
const WIDE: usize = 1 << 10;

/// The number of vertices of a level that a worker takes at a time, at most.
const PIECE: usize = 1 << 10;

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
            false => in_depth(graph.num_vertices(), root, |u, place| graph.arc(u, place)),
            true => {
                let graph = graph.both_ways()?;
                in_depth(graph.num_vertices(), root, |u, place| {
                    let (row, rest) = (graph.row(u), graph.in_row(u));
                    row.get(place).or_else(|| rest.get(place - row.len())).copied()
                })
            }
        })?;
        Ok((array(py, order), array(py, predecessors)))
    })
}

/// A set of vertices, in a bit for each.
struct Reached(Vec<u64>);

impl Reached {
    fn new(n: usize) -> Self {
        Reached(vec![0; n.div_ceil(64)])
    }

    #[inline(always)]
    fn has(&self, v: u32) -> bool {
        self.0[v as usize / 64] >> (v % 64) & 1 == 1
    }

    /// Inserts a vertex. Returns whether it was not there.
    #[inline(always)]
    fn insert(&mut self, v: u32) -> bool {
        let (word, bit) = (&mut self.0[v as usize / 64], 1 << (v % 64));
        let is_new = *word & bit == 0;
        if is_new {
            *word |= bit;
        }
        is_new
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

/// A search in which every vertex has the place that it has in that of a serial queue, however many workers there are.
///
/// The place of the predecessor in the queue is written for each vertex; the lowest one remains. On a level that is
/// shared, each worker notes what it has lowered. When the level is over, those notes are true that still have the
/// lowest place, and together they are the next level, in the order of the queue.
fn in_breadth<G: Graph<Vertex = u32>, const BOTH: bool>(graph: &G, root: u32) -> PyResult<(Vec<u32>, Vec<i32>)> {
    /// Not reached. Later than all places.
    const LATE: u32 = u32::MAX;
    let n = graph.num_vertices();
    // The places, the queue, the predecessors, and a bit for each vertex.
    reserved::<u8>(n.saturating_mul(3 * size_of::<u32>()) + n.div_ceil(8))?;
    let places = filch_algorithms::tabulate(n, |_| AtomicU32::new(LATE));
    let mut queue = Vec::with_capacity(n);
    queue.push(root);
    places[root as usize].store(0, Ordering::Relaxed);
    // The vertices that have been in the queue before a level that is shared. It is in a nearer cache than the places.
    let mut reached = Reached::new(n);
    reached.insert(root);
    let is_shared = filch::num_workers() > 1;
    let fetch = |queue: &[u32], index: usize| {
        if let Some(&later) = queue.get(index + 2 * AHEAD) {
            graph.prefetch(later);
        }
        if let Some(&later) = queue.get(index + AHEAD) {
            graph.prefetch_neighbors(later);
        }
    };
    let mut start = 0;
    // When all are found, the arcs that are left lead nowhere else.
    while start < queue.len() && queue.len() < n {
        let end = queue.len();
        if !is_shared || end - start < WIDE {
            for index in start..end {
                if index % STEPS_PER_LOOK == 0 {
                    filch::end_if_cancelled();
                }
                fetch(&queue, index);
                for_each_arc::<_, BOTH>(graph, queue[index], |v| {
                    if reached.insert(v) {
                        places[v as usize].store(index as u32, Ordering::Relaxed);
                        queue.push(v);
                    }
                });
            }
            start = end;
            continue;
        }
        let level = &queue[start..end];
        let piece = level.len().div_ceil(filch::num_workers() * 8).clamp(1, PIECE);
        let mut notes: Vec<Vec<(u32, u32)>> = vec![Vec::new(); level.len().div_ceil(piece)];
        filch::for_each((0_usize.., filch::chunks(level, piece), &mut notes), |_, (number, vertices, notes)| {
            let first: usize = start + number * piece;
            for (index, &u) in vertices.iter().enumerate() {
                fetch(vertices, index);
                let place = (first + index) as u32;
                for_each_arc::<_, BOTH>(graph, u, |v| {
                    let cell = &places[v as usize];
                    if !reached.has(v)
                        && cell.load(Ordering::Relaxed) > place
                        && cell.fetch_min(place, Ordering::Relaxed) > place
                    {
                        notes.push((place, v));
                    }
                });
            }
        });
        filch::for_each(&mut notes, |_, notes| {
            notes.retain(|&(place, v)| places[v as usize].load(Ordering::Relaxed) == place);
        });
        queue.extend(notes.iter().flatten().map(|&(_, v)| v));
        queue[end..].iter().for_each(|&v| _ = reached.insert(v));
        start = end;
    }
    let predecessors = filch_algorithms::tabulate(n, |v| {
        let place = places[v].load(Ordering::Relaxed);
        if place == LATE || v == root as usize { NONE } else { queue[place as usize] as i32 }
    });
    Ok((queue, predecessors))
}

/// A depth-first search, by one worker. `arc` is the target of an arc of a vertex, by its place among these.
fn in_depth(n: usize, root: u32, arc: impl Fn(u32, usize) -> Option<u32>) -> PyResult<(Vec<u32>, Vec<i32>)> {
    // The predecessors, the order, and a bit for each vertex.
    reserved::<u8>(n.saturating_mul(2 * size_of::<u32>()) + n.div_ceil(8))?;
    let mut predecessors = vec![NONE; n];
    let (mut order, mut reached) = (Vec::with_capacity(n), Reached::new(n));
    reached.insert(root);
    order.push(root);
    // The vertices on the path to `u`, each with the place of the arc that comes next.
    let mut path = Vec::new();
    let (mut u, mut next, mut step) = (root, 0, 0_usize);
    // When all are found, the arcs that are left lead nowhere else.
    while order.len() < n {
        step += 1;
        if step.is_multiple_of(STEPS_PER_LOOK) {
            filch::end_if_cancelled();
        }
        match arc(u, next) {
            Some(v) => {
                next += 1;
                if reached.insert(v) {
                    predecessors[v as usize] = u as i32;
                    order.push(v);
                    path.try_reserve(1).map_err(memory_error)?;
                    path.push((u, next));
                    (u, next) = (v, 0);
                }
            }
            None => match path.pop() {
                Some(above) => (u, next) = above,
                None => break,
            },
        }
    }
    Ok((order, predecessors))
}
