//! Reading a graph in any supported format.

use std::path::Path;
use std::time::{Duration, Instant};

use super::edge_list::{EdgeList, read_source};
use super::error::ReadError;
use super::options::ReadOptions;
use super::progress::OnProgress;
use super::sg::{self, read_opened};
use super::source::Source;
use super::text::Sizes;
use crate::build::BuildError;
use crate::csr::Csr;
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::Watch;

/// A graph that was read, and statistics about it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Loaded<V = u32> {
    /// The graph.
    pub graph: Csr<V>,
    /// The time to read the file into memory, as edges or as a serialized graph.
    pub reading: Duration,
    /// The time to build the graph from edges. Zero for a serialized graph.
    pub building: Duration,
    /// The number of bytes of text, after decompression. For a serialized graph, the size of the file.
    pub num_bytes: u64,
    /// The number of lines of an edge list. `None` for a serialized graph.
    pub num_lines: Option<u64>,
    /// The number of edges in an edge list, or of arcs in a serialized graph.
    pub num_edges: u64,
}

/// Up to this number of vertices is accepted for any number of edges: the offsets of their rows take 128 MiB.
const FEW_VERTICES: u64 = 1 << 24;

/// Beyond [`FEW_VERTICES`], more vertices per edge than this are reported as an error.
const MOST_VERTICES_PER_EDGE: u64 = 64;

/// Reads a graph. The file is read as a serialized graph if its name ends in `.sg` or its first byte is 0 or 1, and
/// otherwise as an edge list, plain or compressed, from which a graph is built according to `options`.
///
/// ```
/// use filch_graph::Graph;
/// use filch_graph::read::{ReadOptions, read_graph};
/// use std::ops::ControlFlow;
///
/// # let directory = tempfile::tempdir().unwrap();
/// # let path = directory.path().join("roads.el");
/// std::fs::write(&path, "# roads\n0 1\n1 2\n").unwrap();
/// let loaded = read_graph::<u32>(&path, &ReadOptions::default(), &mut |_| ControlFlow::Continue(())).unwrap();
/// assert_eq!((loaded.graph.num_vertices(), loaded.graph.num_arcs()), (3, 4));
/// ```
///
/// Work, span and memory: those of [`read_sg`](super::read_sg), or those of [`read_edge_list`](super::read_edge_list)
/// and [`CsrBuilder::build_parts`](crate::CsrBuilder::build_parts). The file must not change while it is being read;
/// see [the module documentation](super).
///
/// # Errors
///
/// [`ReadError`]. If `options` do not give the number of vertices, an edge list whose highest vertex exceeds both 2^24
/// and 64 times the number of its edges is rejected with [`ReadError::FarVertex`].
///
/// # Panics
///
/// Panics if the global pool is needed and cannot be started; see [`filch::run`].
pub fn read_graph<V: Vertex>(
    path: &Path,
    options: &ReadOptions,
    on_progress: &mut OnProgress<'_>,
) -> Result<Loaded<V>, ReadError> {
    read_graph_watched(path, options, on_progress, &())
}

/// Reads a graph as [`read_graph`] does, and reports the progress of building it to `watch`.
///
/// # Errors
///
/// As for [`read_graph`].
///
/// # Panics
///
/// Panics as [`read_graph`] does, or if `watch` does.
pub fn read_graph_watched<V: Vertex>(
    path: &Path,
    options: &ReadOptions,
    on_progress: &mut OnProgress<'_>,
    watch: &dyn Watch,
) -> Result<Loaded<V>, ReadError> {
    let start = Instant::now();
    let source = Source::open(path)?;
    if sg::is_named(path) || source.begins_with(&[0]) || source.begins_with(&[1]) {
        let num_bytes = source.len().unwrap_or(0);
        let graph = read_opened(source, path, options.trusted, on_progress)?;
        let (reading, num_edges) = (start.elapsed(), graph.num_arcs() as u64);
        return Ok(Loaded { graph, reading, building: Duration::ZERO, num_bytes, num_lines: None, num_edges });
    }
    let list = read_source(source, path, options, on_progress, Sizes::of_pool())?;
    let reading = start.elapsed();
    let num_edges = list.num_edges() as u64;
    // Protects from allocating gigabytes because of a typing error.
    let most = FEW_VERTICES.max(num_edges.saturating_mul(MOST_VERTICES_PER_EDGE));
    if options.num_vertices.is_none() && list.num_vertices as u64 > most {
        let highest = list.num_vertices as u64 - 1 + options.first_vertex.number();
        return Err(ReadError::FarVertex { path: path.to_owned(), highest, num_edges });
    }
    let EdgeList { parts, num_vertices, num_lines, num_bytes } = list;
    let builder = Csr::builder(num_vertices)
        .symmetrize(!options.directed)
        .remove_duplicates(options.remove_duplicates)
        .remove_self_loops(options.remove_self_loops);
    let graph = builder.build_watched(parts, watch).map_err(|error| match error {
        BuildError::OutOfMemory { .. } => {
            ReadError::NoMemory { path: path.to_owned(), num_vertices: num_vertices as u64, num_edges }
        }
        source => ReadError::Build { path: path.to_owned(), source },
    })?;
    let building = start.elapsed() - reading;
    Ok(Loaded { graph, reading, building, num_bytes, num_lines: Some(num_lines), num_edges })
}
