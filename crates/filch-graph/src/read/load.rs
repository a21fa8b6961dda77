//! A graph from whatever file a user has.

use std::path::Path;
use std::time::{Duration, Instant};

use super::edge_list::read_edge_list;
use super::error::ReadError;
use super::line::{ExtraColumns, FirstVertex};
use super::sg::read_sg;
use super::source::{MappedFile, Source};
use super::text::OnProgress;
use crate::{Csr, Vertex};

/// How a file is to be understood. The default is for the undirected graphs of SNAP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Edge lists: what the lowest number stands for.
    pub first_vertex: FirstVertex,
    /// Edge lists: as many vertices as there are. If it is not given, the highest number in the file is the last one.
    pub num_vertices: Option<usize>,
    /// Edge lists: what to do with more than two columns.
    pub extra_columns: ExtraColumns,
    /// Edge lists: an edge leads only from the first vertex to the second, and not back.
    pub directed: bool,
    /// Edge lists: of edges between the same vertices only one is kept.
    pub remove_duplicates: bool,
    /// Edge lists: edges from a vertex to itself are dropped.
    pub remove_self_loops: bool,
    /// Serialized graphs: that arcs come in pairs is taken on trust, see [`read_sg`].
    pub trusted: bool,
}

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
