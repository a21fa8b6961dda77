//! What is returned of a file.

use std::time::{Duration, Instant};

use super::format::FileFormat;
use super::names::Names;
use super::options::{FirstVertex, ReadOptions};
use filch_graph::{Csr, WeightedCsr};

/// A graph that was read, and statistics about it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Loaded<G = Csr> {
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

impl Loaded<()> {
    /// A file that has been in memory since now, without the graph.
    pub(super) fn new(
        format: FileFormat,
        start: Instant,
        num_bytes: u64,
        num_edges: u64,
        options: &ReadOptions,
    ) -> Self {
        Loaded {
            graph: (),
            format,
            reading: start.elapsed(),
            building: Duration::ZERO,
            num_bytes,
            num_lines: None,
            num_edges,
            first_vertex: format.first_vertex(options),
            left_out: None,
            names: None,
        }
    }

    /// With the graph that has been built by now.
    pub(super) fn built<G>(self, graph: G, start: Instant) -> Loaded<G> {
        Loaded { building: start.elapsed() - self.reading, ..self }.map(|()| graph)
    }
}

impl<G> Loaded<G> {
    pub(super) fn map<H>(self, map: impl FnOnce(G) -> H) -> Loaded<H> {
        let Loaded { graph, format, reading, building, num_bytes, num_lines, num_edges, .. } = self;
        let Loaded { first_vertex, left_out, names, .. } = self;
        let graph = map(graph);
        Loaded { graph, format, reading, building, num_bytes, num_lines, num_edges, first_vertex, left_out, names }
    }
}
