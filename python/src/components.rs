//! Weakly connected components.

use crate::borrowed::{Indices, with_graph};
use crate::results::{Array, array};
use crate::running::Workers;
use filch_graph::{Graph, components};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of weakly connected components, and the number of that of each vertex, in the order of the first vertices
/// of the components. `symmetric`: each arc is there in both directions, which saves reading most of them.
#[pyfunction]
#[pyo3(signature = (indptr, indices, symmetric, workers))]
pub(crate) fn weak_components<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    symmetric: bool,
    workers: Workers,
) -> PyResult<(usize, Array<'py, i32>)> {
    // As if it were symmetric in either case: components are only ever joined by an arc that there is.
    with_graph!(indptr, indices, true, |graph| {
        let (count, labels) = graph.solved(py, workers, 1, || {
            let labels = components::components(&graph).into_labels();
            Ok(numbered(if symmetric { labels } else { joined(&graph, labels) }))
        })?;
        Ok((count, array(py, labels)))
    })
}

/// Joins the components of vertices between which there is an arc in one direction. The label of a vertex is the first
/// one of its component.
///
/// Labels of labels form trees, which change by a compare-exchange of a root, and only to a smaller vertex. Cells are
/// relaxed; the end of the loop orders them.
fn joined<G: Graph<Vertex = u32>>(graph: &G, labels: Vec<u32>) -> Vec<u32> {
    let above = filch_algorithms::tabulate(labels.len(), |v| AtomicU32::new(v as u32));
    let root = |mut v: u32| loop {
        let next = above[v as usize].load(Ordering::Relaxed);
        if next == v {
            return v;
        }
        v = next;
    };
    let join = |a: u32, b: u32| {
        loop {
            let (a, b) = (root(a), root(b));
            let (low, high) = (a.min(b), a.max(b));
            let cell = &above[high as usize];
            if low == high || cell.compare_exchange(high, low, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                return;
            }
        }
    };
    let has_joined = filch::map_reduce(
        0..labels.len(),
        || false,
        |_, v| {
            let (label, mut has_joined) = (labels[v], false);
            for u in graph.neighbors(v as u32) {
                if labels[u as usize] != label {
                    join(labels[u as usize], label);
                    has_joined = true;
                }
            }
            has_joined
        },
        |a, b| a | b,
    );
    if has_joined { filch_algorithms::tabulate(labels.len(), |v| root(labels[v])) } else { labels }
}

/// The number of different labels, and the labels by numbers from 0, in the order of the vertices. The label of a
/// vertex is the first one with that label.
fn numbered(mut labels: Vec<u32>) -> (usize, Vec<u32>) {
    // The first vertex has been given its number before the others ask for it.
    let mut count = 0;
    for v in 0..labels.len() {
        let first = labels[v] as usize;
        if first == v {
            labels[v] = count;
            count += 1;
        } else {
            labels[v] = labels[first];
        }
    }
    (count as usize, labels)
}
