//! Betweenness and closeness.

use crate::analysis::solve;
use crate::borrowed::{Indices, with_graph};
use crate::results::{Array, array, value_error};
use crate::running::Workers;
use filch_graph::betweenness::Betweenness;
use filch_graph::closeness::Closeness;
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

/// For each of these vertices, or for all, how many others it is reached from, the sum of their distances, and that of
/// the reciprocals of these.
#[pyfunction]
#[pyo3(signature = (indptr, indices, symmetric, vertices, workers))]
pub(crate) fn distance_sums<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    symmetric: bool,
    vertices: Option<Vec<u32>>,
    workers: Workers,
) -> PyResult<(Array<'py, i64>, Array<'py, i64>, Array<'py, f64>)> {
    let rounds = vertices.as_ref().map_or(usize::MAX, Vec::len);
    let found: PyResult<_> = solve!(py, indptr, indices, symmetric, workers, Borrowed::both_ways, rounds, |graph| {
        match &vertices {
            Some(vertices) => Closeness::new().run_from(graph, vertices),
            None => Closeness::new().run(graph),
        }
    });
    let sums = found?.sums;
    let reached: Vec<u64> = sums.iter().map(|sums| sums.vertices as u64).collect();
    let totals: Vec<u64> = sums.iter().map(|sums| sums.total).collect();
    let harmonic: Vec<f64> = sums.iter().map(|sums| sums.harmonic).collect();
    Ok((array(py, reached), array(py, totals), array(py, harmonic)))
}
