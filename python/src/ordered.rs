//! Dijkstra's algorithm, by one worker, in the order of networkx.

use crate::borrowed::{Cell, Indices, with_graph};
use crate::results::{Array, array, memory_error};
use crate::running::{Look, run_serially};
use crate::traversal::NONE;
use crate::weighted::{Weighted, Weights};
use filch_algorithms::memory::with_room;
use filch_graph::{Graph, WeightedGraph};
use pyo3::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Vertices in the order in which the search comes to them, their distances, and the predecessor of each.
type Found = (Vec<u32>, Vec<f64>, Vec<i32>);

/// The vertices in the order in which networkx finds their distances from the nearest of `sources`, these distances,
/// and the predecessor of each of them. It ends with `target`, and follows no path that is longer than `limit`.
///
/// No weight may be negative.
#[pyfunction]
#[pyo3(signature = (indptr, indices, data, sources, target, limit))]
pub(crate) fn ordered_paths<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    data: Array<'py, f64>,
    sources: Vec<u32>,
    target: Option<u32>,
    limit: f64,
) -> PyResult<(Array<'py, i32>, Array<'py, f64>, Array<'py, i32>)> {
    with_graph!(indptr, indices, false, |graph| {
        let weighted = Weighted::new(&graph, Weights::of(Some(&data))?)?;
        let found = run_serially(py, |look| search(&weighted, &sources, target, limit, look));
        weighted.checked()?;
        let (order, distances, predecessors) = found?;
        Ok((array(py, order), array(py, distances), array(py, predecessors)))
    })
}

/// See [`ordered_paths`].
///
/// Vertices wait by their distance and, if it is the same, in the order in which that distance was first found. A
/// vertex whose distance has become shorter waits once more. So its predecessor is the first one that leads to it on a
/// shortest path.
///
/// Work: O((n + m) log m). Memory: 12 bytes for each vertex, 16 for each that is found, and 24 for each that waits.
fn search<C: Cell>(
    graph: &Weighted<'_, C>,
    sources: &[u32],
    target: Option<u32>,
    limit: f64,
    look: &mut Look,
) -> PyResult<Found> {
    let n = graph.num_vertices();
    let (mut nearest, mut above) = (with_room(n).map_err(memory_error)?, with_room(n).map_err(memory_error)?);
    nearest.resize(n, f64::INFINITY);
    above.resize(n, NONE);
    let (mut order, mut distances, mut predecessors) = (Vec::new(), Vec::new(), Vec::new());
    // Distances are not negative, so that their bits are in the same order.
    let mut waiting = BinaryHeap::new();
    let mut number = 0_u64;
    for &source in sources {
        nearest[source as usize] = 0.0;
        waiting.push(Reverse((0.0_f64.to_bits(), number, source)));
        number += 1;
    }
    while let Some(Reverse((distance, _, v))) = waiting.pop() {
        look.step()?;
        let distance = f64::from_bits(distance);
        // It has been found, and nothing is shorter.
        if nearest[v as usize] < distance || above[v as usize] == FOUND {
            continue;
        }
        order.push(v);
        distances.push(distance);
        predecessors.push(above[v as usize]);
        above[v as usize] = FOUND;
        if Some(v) == target {
            break;
        }
        for (u, weight) in graph.arcs(v) {
            let longer = distance + weight;
            if longer < nearest[u as usize] && longer <= limit {
                nearest[u as usize] = longer;
                above[u as usize] = v as i32;
                waiting.try_reserve(1).map_err(memory_error)?;
                waiting.push(Reverse((longer.to_bits(), number, u)));
                number += 1;
            }
        }
    }
    Ok((order, distances, predecessors))
}

/// In place of the predecessor of a vertex that has been found.
const FOUND: i32 = i32::MIN;
