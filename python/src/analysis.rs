//! What `filch.graph` has.

use crate::borrowed::{Borrowed, Cell, Indices, with_graph};
use crate::components::numbered;
use crate::results::{Array, array, value_error};
use crate::running::{Workers, run};
use crate::traversal::NONE;
use crate::weighted::{Weighted, Weights};
use filch_graph::Csr;
use filch_graph::clustering::clustering as clusters;
use filch_graph::communities::{Communities, Method};
use filch_graph::cores::cores;
use filch_graph::forest::forest;
use filch_graph::pagerank::PageRank;
use filch_graph::triangles::triangles;
use pyo3::prelude::*;

/// How long triangles and communities take, in passes over the graph: some ten or more.
const PASSES: usize = 16;

fn symmetrized<C: Cell>(graph: &Borrowed<'_, C>) -> PyResult<Csr> {
    graph.symmetrized(|_| ())
}

/// `$body` on the graph in two arrays if it is symmetric, and otherwise on what `$made` makes of it. It goes over the
/// graph `$rounds` times.
macro_rules! solve {
    (
        $py:expr, $indptr:expr, $indices:expr, $symmetric:expr, $workers:expr, $made:expr, $rounds:expr,
        |$graph:ident| $body:expr
    ) => {
        with_graph!($indptr, $indices, true, |borrowed| {
            borrowed.solved($py, $workers, $rounds, || {
                Ok(if $symmetric {
                    let $graph = &borrowed;
                    $body
                } else {
                    let $graph = &$made(&borrowed)?;
                    $body
                })
            })
        })
    };
}

pub(crate) use solve;

/// The scores of PageRank by a damping factor, a tolerance and a limit on iterations, which must be valid; the number
/// of iterations; and whether they have converged.
#[pyfunction]
#[pyo3(signature = (indptr, indices, symmetric, options, workers))]
pub(crate) fn pagerank<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    symmetric: bool,
    options: (f64, f64, usize),
    workers: Workers,
) -> PyResult<(Array<'py, f32>, usize, bool)> {
    let (damping, tolerance, max_iterations) = options;
    let wanted = PageRank::new().damping(damping).tolerance(tolerance).max_iterations(max_iterations);
    let found: PyResult<_> =
        solve!(py, indptr, indices, symmetric, workers, Borrowed::both_ways, max_iterations, |graph| wanted.run(graph));
    let found = found?;
    Ok((array(py, found.scores), found.iterations, found.has_converged))
}

/// The coreness of each vertex.
#[pyfunction]
#[pyo3(signature = (indptr, indices, symmetric, workers))]
pub(crate) fn core_numbers<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    symmetric: bool,
    workers: Workers,
) -> PyResult<Array<'py, i32>> {
    let found: PyResult<_> =
        solve!(py, indptr, indices, symmetric, workers, symmetrized, 1, |graph| cores(graph).map_err(value_error)?);
    Ok(array(py, found?.coreness))
}

/// The number of triangles.
#[pyfunction]
#[pyo3(signature = (indptr, indices, symmetric, workers))]
pub(crate) fn count_triangles(
    py: Python<'_>,
    indptr: Indices<'_>,
    indices: Indices<'_>,
    symmetric: bool,
    workers: Workers,
) -> PyResult<u64> {
    let found: PyResult<_> =
        solve!(py, indptr, indices, symmetric, workers, symmetrized, PASSES, |graph| triangles(graph)
            .map_err(value_error)?);
    Ok(found?.count)
}

/// The clustering coefficient and the number of triangles of each vertex, and the transitivity of the graph.
#[pyfunction]
#[pyo3(signature = (indptr, indices, symmetric, workers))]
pub(crate) fn clustering<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    symmetric: bool,
    workers: Workers,
) -> PyResult<(Array<'py, f64>, Array<'py, i64>, f64)> {
    let found: PyResult<_> =
        solve!(py, indptr, indices, symmetric, workers, symmetrized, PASSES, |graph| clusters(graph)
            .map_err(value_error)?);
    let found = found?;
    let transitivity = found.transitivity();
    Ok((array(py, found.coefficients()), array(py, found.triangles), transitivity))
}

/// The number of communities, that of each vertex, in the order of the first vertices of the communities, and the
/// modularity. Arcs without `data` weigh 1. `options`: whether it is the Louvain method, the resolution, the number of
/// iterations and the seed.
#[pyfunction]
#[pyo3(signature = (indptr, indices, data, symmetric, options, workers))]
pub(crate) fn communities<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    data: Option<Array<'py, f64>>,
    symmetric: bool,
    options: (bool, f64, usize, u64),
    workers: Workers,
) -> PyResult<(usize, Array<'py, i32>, f64)> {
    let (is_louvain, resolution, iterations, seed) = options;
    let method = if is_louvain { Method::Louvain } else { Method::Leiden };
    let wanted = Communities::new().method(method).resolution(resolution).iterations(iterations).seed(seed);
    with_graph!(indptr, indices, true, |graph| {
        let weighted = Weighted::new(&graph, Weights::of(data.as_ref())?)?;
        let size = graph.size().saturating_mul(PASSES);
        let found = run(py, workers, size, || {
            let found = if symmetric { wanted.run(&weighted) } else { wanted.run(&weighted.symmetrized()?) };
            let found = found.map_err(value_error)?;
            let (count, labels) = numbered(found.labels);
            PyResult::Ok((count, labels, found.modularity))
        });
        // The arrays may be the cause of what has gone wrong.
        weighted.checked()?;
        let (count, labels, modularity) = found??;
        Ok((count, array(py, labels), modularity))
    })
}

/// The predecessor of each vertex in a spanning forest.
#[pyfunction]
#[pyo3(signature = (indptr, indices, symmetric, workers))]
pub(crate) fn spanning_forest<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    symmetric: bool,
    workers: Workers,
) -> PyResult<Array<'py, i32>> {
    let found: PyResult<_> = solve!(py, indptr, indices, symmetric, workers, symmetrized, 1, |graph| {
        let parents = forest(graph).map_err(value_error)?.parents;
        filch_algorithms::tabulate(parents.len(), |v| if parents[v] as usize == v { NONE } else { parents[v] as i32 })
    });
    Ok(array(py, found?))
}
