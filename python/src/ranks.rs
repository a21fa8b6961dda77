//! PageRank as networkx has it: in 64 bits, with weights, and nothing is lost.

use crate::borrowed::{Cell, Indices, cells, with_graph};
use crate::results::{Array, array, build_error};
use crate::running::Workers;
use crate::weighted::{Weighted, Weights};
use filch_algorithms::tabulate;
use filch_graph::{Csr, Graph, WeightedGraph};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// The scores at first, what each vertex has anyway, and how that of vertices without arcs is shared.
type Vectors<T> = (T, T, T);

/// The scores, or none if they have not converged. An arc weighs 1 without `data`. `options`: the damping factor, the
/// tolerance for each vertex, and the limit on iterations.
#[pyfunction]
#[pyo3(signature = (indptr, indices, data, symmetric, vectors, options, workers))]
#[expect(clippy::too_many_arguments, reason = "the interpreter is the first")]
pub(crate) fn ranks<'py>(
    py: Python<'py>,
    indptr: Indices<'py>,
    indices: Indices<'py>,
    data: Option<Array<'py, f64>>,
    symmetric: bool,
    vectors: Vectors<Array<'py, f64>>,
    options: (f64, f64, usize),
    workers: Workers,
) -> PyResult<Option<Array<'py, f64>>> {
    let vectors = (numbers(&vectors.0)?, numbers(&vectors.1)?, numbers(&vectors.2)?);
    with_graph!(indptr, indices, symmetric, |graph| {
        let weighted = Weighted::new(&graph, Weights::of(data.as_ref())?)?;
        let found = graph.solved(py, workers, options.2, || iterated(&weighted, vectors, options))?;
        weighted.checked()?;
        Ok(found.map(|scores| array(py, scores)))
    })
}

/// A copy of the numbers in an array.
fn numbers(array: &Array<'_, f64>) -> PyResult<Vec<f64>> {
    Ok(cells::<_, AtomicU64>(array)?.iter().map(|cell| f64::from_bits(cell.load(Ordering::Relaxed))).collect())
}

/// See [`ranks`].
///
/// Work: a pass over the arcs for each iteration, in parallel. Memory: 40 bytes for each vertex, and 24 for each arc
/// unless the graph is symmetric.
fn iterated<C: Cell>(
    graph: &Weighted<'_, C>,
    vectors: Vectors<Vec<f64>>,
    options: (f64, f64, usize),
) -> PyResult<Option<Vec<f64>>> {
    let total = tabulate(graph.num_vertices(), |v| graph.arcs(v as u32).map(|arc| arc.1).sum());
    if graph.is_symmetric() {
        return Ok(converged(graph, &total, vectors, options));
    }
    let rows = graph.copied()?;
    // Only the sources of the arcs that lead to a vertex are asked for.
    Ok(converged(&Csr::from_rows(rows.transposed(&()).map_err(build_error)?, None), &total, vectors, options))
}

/// `into` has the sources of the arcs that lead to each vertex, `total` the weight of those that leave it.
fn converged<G: WeightedGraph<Vertex = u32, Weight = f64>>(
    into: &G,
    total: &[f64],
    (mut scores, anyway, shared): Vectors<Vec<f64>>,
    (damping, tolerance, max_iterations): (f64, f64, usize),
) -> Option<Vec<f64>> {
    let n = total.len();
    for _ in 0..max_iterations {
        let shares = tabulate(n, |u| if total[u] == 0.0 { 0.0 } else { scores[u] / total[u] });
        let rest: f64 = scores.iter().zip(total).filter(|(_, total)| **total == 0.0).map(|(score, _)| score).sum();
        let next = tabulate(n, |v| {
            let pulled: f64 = into.arcs(v as u32).map(|(u, weight)| weight * shares[u as usize]).sum();
            damping * (pulled + rest * shared[v]) + (1.0 - damping) * anyway[v]
        });
        let changes = tabulate(n, |v| (next[v] - scores[v]).abs());
        scores = next;
        if filch_algorithms::sum(&changes) < n as f64 * tolerance {
            return Some(scores);
        }
    }
    None
}
