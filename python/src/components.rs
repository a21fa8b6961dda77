//! Weakly connected components.

use crate::borrowed::{Indices, with_graph};
use crate::results::{Array, array};
use crate::running::Workers;
use filch_graph::components::Components;
use pyo3::prelude::*;

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
    // As if it were symmetric in either case, without its arcs by their targets.
    with_graph!(indptr, indices, true, |graph| {
        let (count, labels) = graph
            .solved(py, workers, 1, || Ok(numbered(Components::new().weak(!symmetric).run(&graph).into_labels())))?;
        Ok((count, array(py, labels)))
    })
}

/// The number of different labels, and the labels by numbers from 0, in the order of the vertices. The label of a
/// vertex is the first one with that label.
pub(crate) fn numbered(mut labels: Vec<u32>) -> (usize, Vec<u32>) {
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
