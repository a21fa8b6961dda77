//! Betweenness and closeness.

use crate::analysis::solve;
use crate::borrowed::{Indices, with_graph};
use crate::results::{Array, array, value_error};
use crate::running::Workers;
use filch_graph::betweenness::Betweenness;
use filch_graph::closeness::{Closeness, Distances};
use pyo3::prelude::*;

/// The betweenness of each vertex. `options`: whether it is normalized, and the number of sources and the seed of a
/// sample, 0 sources for all.
#[pyfunction]
#[pyo3(signature = (indptr, indices, symmetric, options, workers))]
pub(crate) fn betweenness<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    symmetric: bool,
    options: (bool, usize, u64),
    workers: Workers,
) -> PyResult<Array<'py, f64>> {
    let (is_normalized, sources, seed) = options;
    let wanted = Betweenness::new().normalized(is_normalized);
    let wanted = if sources > 0 { wanted.sample(sources, seed) } else { wanted };
    let rounds = if sources > 0 { sources } else { usize::MAX };
    let found: PyResult<_> = solve!(py, indptr, indices, symmetric, workers, Borrowed::both_ways, rounds, |graph| {
        wanted.run(graph).map_err(value_error)?
    });
    Ok(array(py, found?.scores))
}

/// The distances to each of these vertices, or to all, summed up.
fn distances(
    py: Python<'_>,
    (indptr, indices): (Indices<'_>, Indices<'_>),
    symmetric: bool,
    vertices: Option<Vec<u32>>,
    workers: Workers,
) -> PyResult<Distances<u32>> {
    let rounds = vertices.as_ref().map_or(usize::MAX, Vec::len);
    solve!(py, indptr, indices, symmetric, workers, Borrowed::both_ways, rounds, |graph| {
        match &vertices {
            Some(vertices) => Closeness::new().run_from(graph, vertices),
            None => Closeness::new().run(graph),
        }
    })
}

/// The closeness of each of these vertices, or of all; if `scaled`, multiplied by the share of all others from which
/// paths lead to it.
#[pyfunction]
#[pyo3(signature = (indptr, indices, symmetric, vertices, scaled, workers))]
pub(crate) fn closeness<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    symmetric: bool,
    vertices: Option<Vec<u32>>,
    scaled: bool,
    workers: Workers,
) -> PyResult<Array<'py, f64>> {
    let found = distances(py, (indptr, indices), symmetric, vertices, workers)?;
    Ok(array(py, if scaled { found.closeness() } else { found.closeness_within_reach() }))
}

/// The sum of the reciprocals of the distances to each of these vertices, or to all.
#[pyfunction]
#[pyo3(signature = (indptr, indices, symmetric, vertices, workers))]
pub(crate) fn harmonic<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    symmetric: bool,
    vertices: Option<Vec<u32>>,
    workers: Workers,
) -> PyResult<Array<'py, f64>> {
    Ok(array(py, distances(py, (indptr, indices), symmetric, vertices, workers)?.harmonic()))
}
