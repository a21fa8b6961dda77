//! A graph from whatever file a user has.

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

/// A graph and what was met on the way to it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Loaded<V = u32> {
    /// The graph.
    pub graph: Csr<V>,
    /// Time spent on the file until its edges, or the graph, were in memory.
    pub reading: Duration,
    /// Time spent on making a graph of edges; none for a serialized graph.
    pub building: Duration,
    /// Bytes of text that were read, decompressed ones; of a serialized graph, those of the file.
    pub num_bytes: u64,
    /// Lines of the text, if it was an edge list.
    pub num_lines: Option<u64>,
    /// Edges in the file, or arcs of a serialized graph.
    pub num_edges: u64,
}

/// So many vertices are fine for any number of edges: their rows take 128 MiB.
const FEW_VERTICES: u64 = 1 << 24;

/// More vertices than this for each edge are not what a list of edges is for.
const MOST_VERTICES_PER_EDGE: u64 = 64;

/// Reads a graph: a serialized one if the file's name ends in `.sg` or its first byte is 0 or 1, which no text begins
/// with; else an edge list, plain or compressed, which is then built into a graph as `options` say.
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
/// Work, span and memory: those of [`read_edge_list`](super::read_edge_list) or [`read_sg`](super::read_sg), and of
/// [`CsrBuilder::build_parts`](crate::CsrBuilder::build_parts). The premise of [the module](super) holds: nobody
/// changes the file meanwhile.
///
/// # Errors
///
/// [`ReadError`], whose message names the file, and the place in it. Unless `options` give the number of vertices, an
/// edge list whose highest vertex is beyond both 2^24 and 64 times the number of its edges is [`ReadError::FarVertex`].
///
/// # Panics
///
/// As [`filch::run`], where it comes to the global pool.
pub fn read_graph<V: Vertex>(
    path: &Path,
    options: &ReadOptions,
    on_progress: &mut OnProgress<'_>,
) -> Result<Loaded<V>, ReadError> {
    read_graph_watched(path, options, on_progress, &())
}

/// [`read_graph`]; once the file has been read, `watch` is told how far building has come.
///
/// # Errors
///
/// As there.
///
/// # Panics
///
/// As there, and if `watch` does.
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
    // A typing error must not ask for gigabytes.
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
