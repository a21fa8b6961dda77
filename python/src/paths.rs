//! Shortest paths and minimum spanning forests.

use crate::borrowed::{Indices, with_graph};
use crate::results::{Array, array, memory_error, reserved, value_error};
use crate::running::{Workers, run};
use crate::traversal::NONE;
use crate::weighted::{Weighted, Weights};
use filch_graph::WeightedGraph;
use filch_graph::msf::msf;
use filch_graph::sssp::{Sssp, SsspError};
use pyo3::prelude::*;

/// What is asked for.
#[derive(Clone, Copy, FromPyObject)]
pub(crate) struct Wanted {
    /// Whether arcs are followed in both directions.
    both: bool,
    /// Whether only the nearest of the sources counts.
    nearest: bool,
    predecessors: bool,
    /// The longest distance.
    limit: f64,
}

/// For each source, or for the nearest of them, the distance and the predecessor of each vertex; and for the nearest
/// one, which it is. What is not asked for is empty.
struct Found {
    distances: Vec<f64>,
    predecessors: Vec<i32>,
    sources: Vec<i32>,
}

/// See [`Found`]. Arcs without `data` weigh 1.
#[pyfunction]
#[pyo3(signature = (indptr, indices, data, sources, wanted, workers))]
pub(crate) fn shortest_paths<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    data: Option<Array<'py, f64>>,
    sources: Vec<u32>,
    wanted: Wanted,
    workers: Workers,
) -> PyResult<(Array<'py, f64>, Array<'py, i32>, Array<'py, i32>)> {
    with_graph!(indptr, indices, false, |graph| {
        let weighted = Weighted::new(&graph, Weights::of(data.as_ref())?)?;
        let size = graph.size().saturating_mul(sources.len());
        let found = run(py, workers, size, || match wanted.both {
            false => search(&weighted, &sources, wanted),
            true => search(&weighted.symmetrized()?, &sources, wanted),
        });
        // The arrays may be the cause of what has gone wrong.
        weighted.checked()?;
        let Found { distances, predecessors, sources } = found??;
        Ok((array(py, distances), array(py, predecessors), array(py, sources)))
    })
}

fn search<G>(graph: &G, sources: &[u32], wanted: Wanted) -> PyResult<Found>
where
    G: WeightedGraph<Vertex = u32, Weight = f64>,
{
    let n = graph.num_vertices();
    let search = Sssp::new().predecessors(wanted.predecessors);
    let search = if wanted.limit.is_finite() { search.limit(wanted.limit) } else { search };
    if let ([_], _) | (_, true) = (sources, wanted.nearest) {
        let found = search.run_from(graph, sources).map_err(value_error)?;
        let predecessors = shown(&found.predecessors);
        let origins = if wanted.nearest && wanted.predecessors { origins(&found.predecessors) } else { Vec::new() };
        return Ok(Found { distances: found.distances, predecessors, sources: origins });
    }
    let room = n.checked_mul(sources.len()).ok_or_else(|| memory_error("the matrix is too large"))?;
    let room_before = if wanted.predecessors { room } else { 0 };
    reserved::<f64>(room)?;
    reserved::<i32>(room_before)?;
    // Zeros, which the system gives when they are touched: writing them here would take seconds without a look.
    let (mut distances, mut predecessors) = (vec![0.0; room], vec![0; room_before]);
    let mut rows: Vec<&mut [i32]> = predecessors.chunks_mut(n.max(1)).collect();
    rows.resize_with(sources.len(), Default::default);
    let row = |source: u32, distances: &mut [f64], predecessors: &mut [i32]| -> Result<(), SsspError<f64>> {
        let found = search.run(graph, source)?;
        distances.copy_from_slice(&found.distances);
        predecessors.copy_from_slice(&shown(&found.predecessors));
        Ok(())
    };
    filch::try_for_each(
        (sources, filch::chunks_mut(&mut distances, n.max(1)), &mut rows),
        |_, (source, to, before)| row(*source, to, before),
    )
    .map_err(value_error)?;
    Ok(Found { distances, predecessors, sources: Vec::new() })
}

/// Predecessors as scipy has them, where a source has none.
fn shown(predecessors: &[u32]) -> Vec<i32> {
    filch_algorithms::tabulate(predecessors.len(), |v| {
        let before = predecessors[v];
        if before == u32::MAX || before as usize == v { NONE } else { before as i32 }
    })
}

/// The source from which each vertex is reached, which is its own predecessor.
fn origins(predecessors: &[u32]) -> Vec<i32> {
    let mut origins = vec![NONE; predecessors.len()];
    let mut path = Vec::new();
    for v in 0..predecessors.len() {
        let mut u = v;
        // Never longer than all vertices, also if predecessors went in a circle.
        while origins[u] == NONE && predecessors[u] != u32::MAX && path.len() < predecessors.len() {
            path.push(u);
            if predecessors[u] as usize == u {
                origins[u] = u as i32;
                break;
            }
            u = predecessors[u] as usize;
        }
        let origin = origins[u];
        path.drain(..).for_each(|u| origins[u] = origin);
    }
    origins
}

/// The arcs of a minimum spanning forest: the rows, the columns and the weights.
#[pyfunction]
#[pyo3(signature = (indptr, indices, data, workers))]
pub(crate) fn minimum_forest<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    data: Array<'py, f64>,
    workers: Workers,
) -> PyResult<(Array<'py, i32>, Array<'py, i32>, Array<'py, f64>)> {
    with_graph!(indptr, indices, false, |graph| {
        let mut weighted = Weighted::new(&graph, Weights::of(Some(&data))?)?;
        let found = run(py, workers, graph.size(), || {
            // In scipy each arc is an edge of its own, but of two of the same weight one is enough.
            weighted.notice_symmetry();
            let edges = msf(&weighted).edges;
            let of = |get: fn(&(u32, u32, f64)) -> u32| filch_algorithms::tabulate(edges.len(), |at| get(&edges[at]));
            (of(|edge| edge.0), of(|edge| edge.1), filch_algorithms::tabulate(edges.len(), |at| edges[at].2))
        });
        weighted.checked()?;
        let (rows, columns, weights) = found?;
        Ok((array(py, rows), array(py, columns), array(py, weights)))
    })
}
