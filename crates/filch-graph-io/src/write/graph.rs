//! Writing graphs and edge lists.

use crate::weight::FileWeight;
use std::io::{self, Write};
use std::path::Path;

use super::arcs::check;
use super::error::{Failure, WriteError};
use super::file::write_whole;
use super::format::{Content, Format};
use super::formats;
use super::pipe::Pipe;
use crate::read::OnProgress;
use filch_graph::{Csr, Vertex};

/// Writes a graph in the format that the name of the file says, with its weights if it has any.
///
/// | name | format | weights |
/// |---|---|---|
/// | `.el`, `.txt`, `.wel` | edge list | if the graph has them; `.wel` requires them |
/// | `.sg` | GAP Benchmark Suite, read in a fraction of the time | none |
/// | `.wsg` | the same with weights | required, whole numbers |
/// | `.mtx` | Matrix Market | pattern without, integer or real with them |
/// | `.gr` | DIMACS shortest paths | required, whole numbers |
/// | `.graph`, `.metis` | METIS; the graph is symmetric and has no self-loops | whole numbers above 0, or none |
/// | `.adj` | Ligra | if the graph has them |
///
/// Whole numbers are those below 2^31. Weights that a format does not have are never dropped, and never invented;
/// [`Csr::without_weights`] and [`Csr::with_uniform_weights`] do that.
///
/// Parallel arcs are written as often as they are there. A Matrix Market file contains each edge of a symmetric graph
/// once, and says so. All other files contain each arc, so that what is read is the same graph. An edge list does not
/// contain the number of vertices: isolated vertices at the end are lost, unless the number of vertices is given when
/// the list is read.
///
/// Work: linear. Memory: a few MB.
///
/// # Errors
///
/// [`WriteError`]: the format cannot represent the graph, or the file cannot be written. In particular, `.sg` supports
/// at most 2^31 vertices.
///
/// # Panics
///
/// Panics if the global pool is needed and cannot be started; see [`filch::run`].
pub fn write_graph<V: Vertex, W: FileWeight>(
    path: &Path,
    graph: &Csr<V, W>,
    on_progress: &mut OnProgress<'_>,
) -> Result<(), WriteError> {
    let format = Format::of_graph(path)?;
    check(path, graph, format.content)?;
    write_whole(path, format.compression, |out| {
        let mut pipe = Pipe::new(out, on_progress);
        match format.content {
            Content::Sg | Content::Wsg => formats::serialized(graph, &mut pipe),
            Content::MatrixMarket => formats::matrix_market(graph, &mut pipe),
            Content::Dimacs => formats::dimacs(graph, &mut pipe),
            Content::Metis => formats::metis(graph, &mut pipe),
            Content::Ligra => formats::ligra(graph, &mut pipe),
            Content::Text | Content::WeightedText | Content::Npy => formats::edge_list(graph, &mut pipe),
        }
    })
}

/// Writes a graph as an edge list to a pipe or the standard output, as [`write_graph`] does to a file `.el`. What has
/// been written remains written if an error occurs.
///
/// # Errors
///
/// The errors of `out`, and [`io::ErrorKind::Interrupted`] if `on_progress` asks to stop.
///
/// # Panics
///
/// Panics as [`write_graph`] does.
pub fn write_edge_list_to<V: Vertex, W: FileWeight>(
    out: &mut (dyn Write + Send),
    graph: &Csr<V, W>,
    on_progress: &mut OnProgress<'_>,
) -> io::Result<()> {
    formats::edge_list(graph, &mut Pipe::new(out, on_progress)).map_err(Failure::into_io)
}

/// Checks whether the format that the name of the file says can represent the graph, as [`write_graph`] does before it
/// writes.
///
/// Work: O(n + m) if the format restricts weights or self-loops, in parallel.
///
/// # Errors
///
/// [`WriteError`]: the name says no format of graphs, or the format cannot represent the graph.
///
/// # Panics
///
/// Panics as [`write_graph`] does.
pub fn check_graph<V: Vertex, W: FileWeight>(path: &Path, graph: &Csr<V, W>) -> Result<(), WriteError> {
    check(path, graph, Format::of_graph(path)?.content)
}

/// Writes an edge list, with all edges in the given order.
///
/// Work: linear. Memory: a few MB.
///
/// # Errors
///
/// [`WriteError`]. The extension must be one for text.
///
/// # Panics
///
/// Panics if the global pool is needed and cannot be started; see [`filch::run`].
pub fn write_edges<V: Vertex>(
    path: &Path,
    edges: &[(V, V)],
    on_progress: &mut OnProgress<'_>,
) -> Result<(), WriteError> {
    let format = Format::of_graph(path)?;
    if format.content != Content::Text {
        return Err(WriteError::UnknownEnding { path: path.to_owned(), expected: ".el, .txt, or .el.gz, .el.zst" });
    }
    write_whole(path, format.compression, |out| {
        Pipe::new(out, on_progress).items(edges.len(), true, |range, buffer| {
            for (u, v) in &edges[range] {
                formats::push_arc::<()>(buffer, u.index(), v.index(), ());
            }
        })
    })
}
