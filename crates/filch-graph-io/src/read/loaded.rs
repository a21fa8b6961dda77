//! What is returned of a file.

use std::marker::PhantomData;
use std::time::{Duration, Instant};

use super::format::FileFormat;
use super::names::Names;
use super::options::{FirstVertex, ReadOptions};
use filch_graph::{Csr, WeightedCsr};

/// A graph that was read, and statistics about it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Loaded<V = u32, G = Csr<V>> {
    /// The graph.
    pub graph: G,
    /// The format of the file.
    pub format: FileFormat,
    /// The time to read the file into memory, as edges or as a serialized graph.
    pub reading: Duration,
    /// The time to build the graph from edges, or to make the graph that the options want of a serialized one.
    pub building: Duration,
    /// The number of bytes of text, after decompression. For a serialized graph, the size of the file.
    pub num_bytes: u64,
    /// The number of lines of a text. `None` for a serialized graph.
    pub num_lines: Option<u64>,
    /// The number of edges or arcs in the file.
    pub num_edges: u64,
    /// The number that the file gives to the first vertex.
    pub first_vertex: FirstVertex,
    /// What the file has besides vertices, arcs and their weights.
    pub left_out: Option<&'static str>,
    /// The names of the vertices, if the options say that they have names.
    pub names: Option<Names>,
    pub(super) vertex: PhantomData<fn() -> V>,
}

/// A graph from a file, with weights if the file has them.
#[derive(Clone, Debug, PartialEq)]
pub enum Kept<V = u32> {
    /// The file has no weights.
    Plain(Csr<V>),
    /// The file has weights.
    Weighted(WeightedCsr<V>),
}

impl<V> From<Csr<V>> for Kept<V> {
    fn from(graph: Csr<V>) -> Self {
        Kept::Plain(graph)
    }
}

impl<V, G> Loaded<V, G> {
    /// A graph that was read since `start` and in memory after `reading`.
    pub(super) fn new(graph: G, file: File, start: Instant, reading: Duration, options: &ReadOptions) -> Self {
        let File { format, num_bytes, num_lines, num_edges, left_out } = file;
        let (building, first_vertex) = (start.elapsed() - reading, format.first_vertex(options));
        Loaded {
            graph,
            format,
            reading,
            building,
            num_bytes,
            num_lines,
            num_edges,
            first_vertex,
            left_out,
            names: None,
            vertex: PhantomData,
        }
    }

    pub(super) fn map<H>(self, map: impl FnOnce(G) -> H) -> Loaded<V, H> {
        let Loaded { graph, format, reading, building, num_bytes, num_lines, num_edges, .. } = self;
        Loaded {
            graph: map(graph),
            format,
            reading,
            building,
            num_bytes,
            num_lines,
            num_edges,
            first_vertex: self.first_vertex,
            left_out: self.left_out,
            names: self.names,
            vertex: PhantomData,
        }
    }
}

/// What was found in a file besides the graph: see [`Loaded`].
pub(super) struct File {
    pub(super) format: FileFormat,
    pub(super) num_bytes: u64,
    pub(super) num_lines: Option<u64>,
    pub(super) num_edges: u64,
    pub(super) left_out: Option<&'static str>,
}
