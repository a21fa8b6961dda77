//! Graphs and edges.

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

/// Writes a graph: `.sg` in rows, which are read again in a fraction of the time; else as an edge list.
///
/// The edge list of a symmetric graph has each edge once, from the higher vertex to the lower one; of a directed one,
/// each arc. It does not tell how many vertices there are: those after the last one that has an edge are lost, unless
/// their number is given when it is read.
///
/// Work: linear. Memory: some MB.
///
/// # Errors
///
/// [`WriteError`]; of a graph of more than 2^31 vertices, also that `.sg` cannot number them.
///
/// # Panics
///
/// As [`filch::run`], where it comes to the global pool.
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
            // The last row that begins at or before the first arc; empty rows before it begin there, too.
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

/// Writes an edge list, in the order given, with nothing added or left out.
///
/// Work: linear. Memory: some MB.
///
/// # Errors
///
/// [`WriteError`]; the name must end as that of a text does.
///
/// # Panics
///
/// As [`filch::run`], where it comes to the global pool.
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
