//! Breadth-first and depth-first orders, as scipy has them.

use crate::borrowed::{Indices, with_graph};
use crate::results::{Array, array, memory_error};
use crate::running::{Look, SHORT, STEPS_PER_LOOK, Workers, run_serially};
use filch_algorithms::memory::with_room;
use filch_graph::Graph;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The predecessor of a vertex that has none, as in scipy.
pub(crate) const NONE: i32 = -9999;

/// The fewest vertices of a level that is shared among workers: those of fewer are over before another one has begun.
const WIDE: usize = 1 << 14;

/// The largest part of all vertices of which each worker may copy the set for a level of one vertex.
const COPIED: usize = 1 << 8;

/// The number of vertices of a level that a worker takes at a time, at most.
const PIECE: usize = 1 << 10;

/// The number of arcs for each vertex up to which a serial level does without the set of what has been found.
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
        let workers = if graph.size() < SHORT { workers.alone() } else { workers };
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
        let (order, predecessors) = if both {
            let graph = graph.solved(py, workers, 1, || graph.both_ways())?;
            let arc = |_, (row, rest): (&[u32], &[u32]), place| {
                row.get(place).or_else(|| rest.get(place - row.len())).copied()
            };
            run_serially(py, |look| in_depth(&graph, root, |u| (graph.row(u), graph.in_row(u)), arc, look))?
        } else {
            let arc = |u, row: &[_], place| row.get(place).map(|cell| graph.target(cell, u));
            graph.solved_serially(py, |look| in_depth(&graph, root, |u| graph.row_from(u).1, arc, look))?
        };
        Ok((array(py, order), array(py, predecessors)))
    })
}

/// A set of vertices, in a bit for each.
#[derive(Clone)]
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

/// Fetches the memory of the rows of vertices that come next in a queue.
#[inline(always)]
fn fetch<G: Graph<Vertex = u32>>(graph: &G, queue: &[u32], index: usize) {
    if let Some(&later) = queue.get(index + 2 * AHEAD) {
        graph.prefetch(later);
        graph.prefetch_neighbors(queue[index + AHEAD]);
    }
}

/// The number of a piece of a level, and the arcs that one worker has kept of it.
type Kept = (usize, Vec<(u32, u32)>);

/// A breadth-first search.
struct Search<'a, G> {
    graph: &'a G,
    predecessors: Vec<i32>,
    queue: Vec<u32>,
    /// The first vertices in the queue, so many.
    reached: Reached,
    noted: usize,
}

impl<G: Graph<Vertex = u32>> Search<'_, G> {
    /// Goes over the vertices at `start..end` of the queue, by one worker.
    ///
    /// If most arcs lead to what has been found, it pays to ask the set, which is in a nearer cache.
    fn alone<const BOTH: bool>(&mut self, start: usize, end: usize) {
        if self.graph.num_arcs() > SPARSE * self.graph.num_vertices() {
            self.note();
            self.step::<BOTH>(start, end, |_, reached, v| reached.insert(v));
            self.noted = self.queue.len();
        } else {
            self.step::<BOTH>(start, end, |predecessors, _, v| predecessors[v as usize] == NONE);
        }
    }

    /// Inserts all vertices in the queue into the set.
    fn note(&mut self) {
        self.queue[self.noted..].iter().for_each(|v| _ = self.reached.insert(*v));
        self.noted = self.queue.len();
    }

    /// `is_new` says, by the predecessors or the set, whether a vertex has been found just now.
    #[inline(always)]
    fn step<const BOTH: bool>(&mut self, start: usize, end: usize, is_new: impl Fn(&[i32], &mut Reached, u32) -> bool) {
        let Search { graph, predecessors, queue, reached, .. } = self;
        for index in start..end {
            if index % STEPS_PER_LOOK == 0 {
                filch::end_if_cancelled();
            }
            // When all are found, the arcs that are left lead nowhere else.
            if queue.len() == predecessors.len() {
                return;
            }
            fetch(*graph, queue, index);
            let u = queue[index];
            for_each_arc::<_, BOTH>(*graph, u, |v| {
                if is_new(predecessors, reached, v) {
                    predecessors[v as usize] = u as i32;
                    queue.push(v);
                }
            });
        }
    }

    /// The same, by all workers.
    ///
    /// Each takes one piece of the level after another, and keeps the arcs to vertices to which no piece of its own had
    /// an arc. The first of all arcs to a vertex is among them, because workers take pieces in the order of the queue.
    /// One worker goes over what is left, in that order.
    fn together<const BOTH: bool>(&mut self, start: usize, end: usize) {
        self.note();
        let Search { graph, predecessors, queue, reached, noted } = self;
        let level = &queue[start..end];
        let size = level.len().div_ceil(filch::num_workers() * 8).clamp(1, PIECE);
        let next = AtomicUsize::new(0);
        let mut kept: Vec<Vec<Kept>> = vec![Vec::new(); filch::num_workers()];
        filch::for_each(&mut kept, |_, kept| {
            let mut reached = reached.clone();
            loop {
                filch::end_if_cancelled();
                let piece = next.fetch_add(1, Ordering::Relaxed);
                let Some(vertices) = level.chunks(size).nth(piece) else { break };
                let mut arcs = Vec::new();
                for (index, &u) in vertices.iter().enumerate() {
                    fetch(*graph, vertices, index);
                    for_each_arc::<_, BOTH>(*graph, u, |v| {
                        if reached.insert(v) {
                            arcs.push((u, v));
                        }
                    });
                }
                kept.push((piece, arcs));
            }
        });
        let mut pieces: Vec<_> = kept.into_iter().flatten().collect();
        pieces.sort_unstable_by_key(|(piece, _)| *piece);
        for (u, v) in pieces.into_iter().flat_map(|(_, arcs)| arcs) {
            if reached.insert(v) {
                predecessors[v as usize] = u as i32;
                queue.push(v);
            }
        }
        *noted = queue.len();
    }
}

/// A search in which every vertex has the place that it has in that of a serial queue, however many workers there are.
fn in_breadth<G: Graph<Vertex = u32>, const BOTH: bool>(graph: &G, root: u32) -> PyResult<(Vec<u32>, Vec<i32>)> {
    let n = graph.num_vertices();
    let (mut predecessors, mut queue) = (with_room(n).map_err(memory_error)?, with_room(n).map_err(memory_error)?);
    predecessors.resize(n, NONE);
    // It is nobody's successor.
    predecessors[root as usize] = root as i32;
    queue.push(root);
    let mut search = Search { graph, predecessors, queue, reached: Reached::new(n), noted: 0 };
    let fewest = if filch::num_workers() > 1 { WIDE.max(n / COPIED) } else { usize::MAX };
    let mut start = 0;
    while start < search.queue.len() && search.queue.len() < n {
        let end = search.queue.len();
        if end - start < fewest {
            search.alone::<BOTH>(start, end);
        } else {
            search.together::<BOTH>(start, end);
        }
        start = end;
    }
    search.predecessors[root as usize] = NONE;
    Ok((search.queue, search.predecessors))
}

/// Fetches the memory of the rows to which a search will return. `path` has the vertices above the current one.
#[inline(always)]
pub(crate) fn fetch_above<G: Graph<Vertex = u32>, T>(graph: &G, path: &[T], vertex: impl Fn(&T) -> u32) {
    if let Some(place) = path.len().checked_sub(2 * AHEAD) {
        graph.prefetch(vertex(&path[place]));
        graph.prefetch_neighbors(vertex(&path[place + AHEAD]));
    }
}

/// A depth-first search. `row` is the row of a vertex, and `arc` the target of an arc in it.
fn in_depth<G: Graph<Vertex = u32>, R: Copy>(
    graph: &G,
    root: u32,
    row: impl Fn(u32) -> R,
    arc: impl Fn(u32, R, usize) -> Option<u32>,
    look: &mut Look,
) -> PyResult<(Vec<u32>, Vec<i32>)> {
    let n = graph.num_vertices();
    let (mut predecessors, mut order) = (with_room(n).map_err(memory_error)?, with_room(n).map_err(memory_error)?);
    predecessors.resize(n, NONE);
    let mut reached = Reached::new(n);
    reached.insert(root);
    order.push(root);
    // The vertices on the path to `u`, each with the place of the arc that comes next.
    let mut path = with_room::<(u32, u32)>(n).map_err(memory_error)?;
    let (mut u, mut arcs, mut next) = (root, row(root), 0);
    loop {
        look.step()?;
        let child = loop {
            let Some(v) = arc(u, arcs, next) else { break None };
            next += 1;
            if !reached.has(v) {
                break Some(v);
            }
        };
        if let Some(v) = child {
            reached.insert(v);
            predecessors[v as usize] = u as i32;
            order.push(v);
            // When all are found, the arcs that are left lead nowhere else.
            if order.len() == n {
                break;
            }
            // An arc that is followed again leads to what has been found.
            path.push((u, next.try_into().unwrap_or(u32::MAX)));
            (u, arcs, next) = (v, row(v), 0);
        } else if let Some((above, place)) = path.pop() {
            fetch_above(graph, &path, |above| above.0);
            (u, arcs, next) = (above, row(above), place as usize);
        } else {
            break;
        }
    }
    Ok((order, predecessors))
}
