//! Errors in input files.

use std::io;
use std::path::{Path, PathBuf};

use filch_text::{Failure, FileError, named};

use super::fault::{BvFault, LineFault, RowFault, SgFault};
use filch_graph::BuildError;

/// Why a file could not be read. The message names the file and, for errors in a line, the line and column, both
/// counted from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It cannot be opened or decompressed, or is no text.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is empty, or contains only comments and blank lines, and the options do not say how many vertices there
    /// are.
    #[error("{}: no edges found, expected lines with two vertices each", path.display())]
    NoEdges {
        /// The file.
        path: PathBuf,
    },
    /// A line is malformed.
    #[error("{}:{line}:{column}: {fault}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1, including comments and blank lines. For a compressed file, the line of the
        /// decompressed text.
        line: u64,
        /// The byte within the line, counted from 1.
        column: u64,
        /// What is wrong with the line.
        fault: LineFault,
    },
    /// A file is not a valid serialized graph.
    #[error("{}: not a serialized graph of the GAP Benchmark Suite: {fault}", path.display())]
    Sg {
        /// The file.
        path: PathBuf,
        /// What is wrong with the file.
        fault: SgFault,
    },
    /// The graph has more vertices than the vertex type or the format can number.
    #[error("{}: {num_vertices} vertices, at most {most} can be numbered in this width", path.display())]
    TooManyVertices {
        /// The file.
        path: PathBuf,
        /// The number of vertices in the file or in the options.
        num_vertices: u64,
        /// The largest possible number of vertices.
        most: usize,
    },
    /// The highest vertex of an edge list is far beyond the number of its edges, and the options do not give the number
    /// of vertices. This is more likely a typing error, or a file with sparse numbers, than a graph with millions of
    /// isolated vertices.
    #[error(
        "{}: highest vertex {highest}, but number of edges {num_edges}: \
         give the number of vertices if this is intended",
        path.display()
    )]
    FarVertex {
        /// The file.
        path: PathBuf,
        /// The highest vertex, as numbered in the file.
        highest: u64,
        /// The number of edges that were found.
        num_edges: u64,
    },
    /// The graph does not fit into memory.
    #[error("{}: a graph of {num_vertices} vertices and {num_edges} edges does not fit into memory", path.display())]
    NoMemory {
        /// The file.
        path: PathBuf,
        /// The number of vertices that were found so far.
        num_vertices: u64,
        /// The number of edges that were found so far.
        num_edges: u64,
    },
    /// The row of a vertex contradicts the rest of the file.
    #[error("{}: vertex {vertex}: {fault}", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// The vertex, as numbered in the file.
        vertex: u64,
        /// What is wrong with its row.
        fault: RowFault,
    },
    /// The files of a BvGraph do not fit each other, or are no BvGraph.
    #[error("{}: {fault}", path.display())]
    Bv {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: BvFault,
    },
    /// A file of names has more or fewer names than the graph has vertices.
    #[error("{}: {found} names, expected {expected}, one for each vertex of the graph", path.display())]
    NumberOfNames {
        /// The file.
        path: PathBuf,
        /// The number of vertices of the graph.
        expected: usize,
        /// The number of names in the file.
        found: usize,
    },
    /// A file of names has more names than the graph has vertices. Reported for pipes and compressed files, which are
    /// not read to their end in this case.
    #[error("{}: more than {expected} names, expected one for each vertex of the graph", path.display())]
    TooManyNames {
        /// The file.
        path: PathBuf,
        /// The number of vertices of the graph.
        expected: usize,
    },
    /// The graph cannot be built from the edges.
    #[error("{}: {source}", path.display())]
    Build {
        /// The file.
        path: PathBuf,
        /// The error of the builder.
        source: BuildError,
    },
}

impl ReadError {
    /// An error of the operating system.
    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        FileError::io(path, source).into()
    }

    pub(crate) fn sg(path: &Path, fault: SgFault) -> Self {
        ReadError::Sg { path: named(path).to_owned(), fault }
    }
}

/// A bad line. Its file is added by [`BadLine::of`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BadLine {
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) fault: LineFault,
}

impl BadLine {
    pub(super) fn of(self, path: &Path) -> ReadError {
        let BadLine { line, column, fault } = self;
        ReadError::Line { path: named(path).to_owned(), line, column, fault }
    }
}

/// Why a consumer of text stopped.
#[derive(Debug)]
pub(super) enum Refusal {
    Line(BadLine),
    NoMemory { num_vertices: u64, num_edges: u64 },
}

impl Refusal {
    pub(super) fn of(self, path: &Path) -> ReadError {
        match self {
            Refusal::Line(bad) => bad.of(path),
            Refusal::NoMemory { num_vertices, num_edges } => {
                ReadError::NoMemory { path: path.to_owned(), num_vertices, num_edges }
            }
        }
    }

    /// The error of a text that was not read to its end.
    pub(super) fn of_feed(failure: Failure<Refusal>, path: &Path) -> ReadError {
        match failure {
            Failure::File(error) => error.into(),
            Failure::Refused(refusal) => refusal.of(path),
        }
    }
}
