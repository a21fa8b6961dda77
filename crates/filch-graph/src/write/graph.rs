//! Writing graphs and edge lists.

use std::path::Path;

use super::error::WriteError;
use super::file::write_whole;
use super::format::{Content, Format};
use super::pipe::{Pipe, push_number};
use super::sg;
use crate::csr::Csr;
use crate::graph::Graph;
use crate::read::{MOST_SG_VERTICES, OnProgress};
use crate::vertex::Vertex;

/// Writes a graph: with the extension `.sg` in compressed sparse rows, which can be read in a fraction of the time, and
/// otherwise as an edge list.
///
/// The edge list of a symmetric graph contains each edge once, from the higher vertex to the lower one. The edge list
/// of a directed graph contains each arc. An edge list does not contain the number of vertices: isolated vertices at
/// the end are lost, unless the number of vertices is given when the list is read.
///
/// Work: linear. Memory: a few MB.
///
/// # Errors
///
/// [`WriteError`]. In particular, `.sg` supports at most 2^31 vertices.
///
/// # Panics
///
/// Panics if the global pool is needed and cannot be started; see [`filch::run`].
pub fn write_graph<V: Vertex>(path: &Path, graph: &Csr<V>, on_progress: &mut OnProgress<'_>) -> Result<(), WriteError> {
    let format = Format::of_graph(path)?;
    let (num_vertices, most) = (graph.num_vertices(), MOST_SG_VERTICES);
    if format.content == Content::Sg && num_vertices > most {
        return Err(WriteError::TooManyVertices { path: path.to_owned(), num_vertices, most });
    }
    write_whole(path, format.compression, |out| {
        let mut pipe = Pipe::new(out, on_progress);
        if format.content == Content::Sg {
            return sg::write(graph, &mut pipe);
        }
        let rows = graph.out_rows();
        pipe.items(graph.num_arcs(), true, |arcs, buffer| {
            // The last row that begins at or before the first arc. Empty rows may begin at the same offset.
            let mut u = rows.offsets.partition_point(|&offset| offset <= arcs.start) - 1;
            for arc in arcs {
                while rows.offsets[u + 1] <= arc {
                    u += 1;
                }
                let v = rows.targets[arc].index();
                if v <= u || !graph.is_symmetric() {
                    push_edge(buffer, u, v);
                }
            }
        })
    })
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
                push_edge(buffer, u.index(), v.index());
            }
        })
    })
}

fn push_edge(buffer: &mut Vec<u8>, u: usize, v: usize) {
    push_number(buffer, u);
    buffer.push(b' ');
    push_number(buffer, v);
    buffer.push(b'\n');
}
