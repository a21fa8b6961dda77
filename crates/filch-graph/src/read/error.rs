//! What can be wrong with a file, told so that it can be mended.

use std::io;
use std::path::{Path, PathBuf};

use super::compression::Compression;
use crate::build::BuildError;

/// Why a file could not be read. Its message names the file and, where there is one, line and column, both from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// There is no such file.
    #[error("{}: no such file", path.display())]
    NotFound {
        /// The file.
        path: PathBuf,
    },
    /// The user may not read it.
    #[error("{}: no permission to read it", path.display())]
    NoPermission {
        /// The file.
        path: PathBuf,
    },
    /// It is a directory.
    #[error("{}: a directory, expected a file", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// A file of no bytes, or of nothing but comments and blank lines.
    #[error("{}: no edges in it, expected a line of two vertices for each", path.display())]
    NoEdges {
        /// The file.
        path: PathBuf,
    },
    /// A line that is not what it should be.
    #[error("{}:{line}:{column}: {fault}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1, comments and blank lines counted; of what a compressed file holds.
        line: u64,
        /// The byte within the line, from 1.
        column: u64,
        /// What is wrong with it.
        fault: LineFault,
    },
    /// A compressed file ends before its data does.
    #[error("{}: the {compression} data ends early, in line {line} of what it holds; is the file complete?", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// How it is compressed.
        compression: Compression,
        /// The line of the text that it breaks off in, from 1.
        line: u64,
    },
    /// A compressed file that cannot be decompressed.
    #[error("{}: bad {compression} data after line {line} of what it holds: {reason}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// How it is compressed.
        compression: Compression,
        /// How many lines came before.
        line: u64,
        /// What the decompressor says.
        reason: String,
    },
    /// A serialized graph that is none.
    #[error("{}: not a serialized graph of the GAP Benchmark Suite: {fault}", path.display())]
    Sg {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: SgFault,
    },
    /// More vertices than the chosen width of a vertex can number.
    #[error("{}: {num_vertices} vertices, at most {most} can be numbered in this width", path.display())]
    TooManyVertices {
        /// The file.
        path: PathBuf,
        /// How many there are, or how many the options ask for.
        num_vertices: u64,
        /// How many there may be.
        most: usize,
    },
    /// An edge list whose highest vertex is far beyond its number of edges, which no option asked for: more likely a
    /// bad number, or numbers that were never meant to be dense, than a graph with millions of vertices without an
    /// edge.
    #[error(
        "{}: highest vertex {highest}, number of edges {num_edges}: give the number of vertices if that is meant",
        path.display()
    )]
    FarVertex {
        /// The file.
        path: PathBuf,
        /// The highest vertex, as the file numbers it.
        highest: u64,
        /// As many edges as were found.
        num_edges: u64,
    },
    /// The graph does not fit into memory.
    #[error("{}: a graph of {num_vertices} vertices and {num_edges} edges does not fit into memory", path.display())]
    NoMemory {
        /// The file.
        path: PathBuf,
        /// As many vertices as were found.
        num_vertices: u64,
        /// As many edges as were found.
        num_edges: u64,
    },
    /// A file of names for a graph that has more vertices, or fewer.
    #[error("{}: {found} names, expected {expected}, one for each vertex of the graph", path.display())]
    NumberOfNames {
        /// The file.
        path: PathBuf,
        /// How many vertices the graph has.
        expected: usize,
        /// How many names the file has.
        found: usize,
    },
    /// A file of names that goes on beyond those of the graph's vertices. Of a pipe or a compressed file, which are not
    /// read to their ends then.
    #[error("{}: more than {expected} names, expected one for each vertex of the graph", path.display())]
    TooManyNames {
        /// The file.
        path: PathBuf,
        /// How many vertices the graph has.
        expected: usize,
    },
    /// The edges make no graph; see there.
    #[error("{}: {source}", path.display())]
    Build {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: BuildError,
    },
    /// The file changed while it was being read.
    #[error("{}: it was changed while it was being read", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The caller's closure asked to stop.
    #[error("{}: reading was stopped", path.display())]
    Stopped {
        /// The file.
        path: PathBuf,
    },
    /// Whatever else the system says.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl ReadError {
    /// The error of this path, by its kind where that says more.
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => ReadError::NotFound { path },
            io::ErrorKind::PermissionDenied => ReadError::NoPermission { path },
            io::ErrorKind::IsADirectory => ReadError::Directory { path },
            _ => ReadError::Io { path, source },
        }
    }

    pub(crate) fn sg(path: &Path, fault: SgFault) -> Self {
        ReadError::Sg { path: path.to_owned(), fault }
    }
}

/// What is wrong with a line, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineFault {
    /// Something that is no whole number.
    #[error("expected the number of a vertex, found {found:?}")]
    NotANumber {
        /// The word found, cut short if it is long.
        found: String,
    },
    /// A number below 0.
    #[error("expected the number of a vertex, 0 or higher, found {found}")]
    Negative {
        /// The word found.
        found: String,
    },
    /// A number that does not fit the chosen width of a vertex.
    #[error("{found} is too high, the highest vertex that this width can number is {highest}")]
    Overflow {
        /// The word found.
        found: String,
        /// The highest number that would do.
        highest: u64,
    },
    /// The first line of a file of the Matrix Market, whose next line would be taken for an edge, and whose vertices
    /// are numbered from 1.
    #[error("a matrix of the Matrix Market, not an edge list: expected lines of two vertices and nothing before them")]
    MatrixMarket,
    /// A first byte of 0 or 1, which no text begins with.
    #[error("expected text, found the first byte of a serialized graph (compressed .sg: decompress it first)")]
    Serialized,
    /// A byte order mark of UTF-16.
    #[error("expected text in UTF-8, found the byte order mark of UTF-16 (iconv -f UTF-16 -t UTF-8 converts it)")]
    Utf16,
    /// Only one vertex in the line.
    #[error("expected a second vertex, found the end of the line")]
    OneVertex,
    /// A vertex that is not among as many as the caller said there are.
    #[error("{}", match num_vertices {
        0 => format!("vertex {found} is out of range, there are no vertices"),
        _ => format!("vertex {found} is out of range, the last of {num_vertices} vertices is {highest}"),
    })]
    OutOfRange {
        /// The vertex found.
        found: u64,
        /// How many there should be.
        num_vertices: usize,
        /// The highest number that would do.
        highest: u64,
    },
    /// A vertex 0 where they are numbered from 1.
    #[error("vertex 0, but vertices were said to be numbered from 1")]
    Zero,
    /// More than two words, which was not asked for.
    #[error(
        "expected the end of the line after two vertices, found {found:?} (extra columns are ignored if asked for)"
    )]
    ExtraColumn {
        /// The word found, cut short if it is long.
        found: String,
    },
    /// An extra column, ignored as asked, that is no number.
    #[error("expected a number in an extra column, found {found:?}")]
    BadExtraColumn {
        /// The word found, cut short if it is long.
        found: String,
    },
    /// A line too long for any edge list.
    #[error("a line of more than {most} bytes: is this a text file?")]
    TooLong {
        /// How long a line may be.
        most: usize,
    },
    /// A vertex without a name.
    #[error("expected the name of a vertex, found an empty line")]
    NoName,
    /// Two vertices of one name.
    #[error("{name:?} is the name of line {earlier}, too")]
    SameName {
        /// The name, cut short if it is long.
        name: String,
        /// The first line of that name, from 1.
        earlier: u64,
    },
    /// A name that is not text.
    #[error("expected text in UTF-8, found the byte {byte:#04x}")]
    NotText {
        /// The first byte that does not belong.
        byte: u8,
    },
}

/// What is wrong with a serialized graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SgFault {
    /// Not even the header.
    #[error("{len} bytes, shorter than the header of {header}")]
    Short {
        /// The length of the file.
        len: u64,
        /// That of a header.
        header: u64,
    },
    /// It is a pipe, or compressed.
    #[error("it is a pipe or compressed, expected a plain file")]
    NotPlain,
    /// The first byte says neither directed nor undirected.
    #[error("the first byte is {found:#04x}, expected 0 (undirected) or 1 (directed)")]
    Direction {
        /// The byte.
        found: u8,
    },
    /// A negative number of vertices or arcs.
    #[error("the number of {what} is {found}")]
    Negative {
        /// Of what.
        what: &'static str,
        /// The number.
        found: i64,
    },
    /// The header promises another length.
    #[error("{found} bytes, expected {expected} for {num_vertices} vertices and {num_arcs} arcs{hint}")]
    Length {
        /// The length of the file.
        found: u64,
        /// What follows from the header.
        expected: u128,
        /// Vertices, by the header.
        num_vertices: u64,
        /// Arcs, by the header.
        num_arcs: u64,
        /// What the file may be instead, if that is plain to see.
        hint: &'static str,
    },
    /// The places where rows begin fall, or do not go from 0 to the number of arcs.
    #[error("the row of vertex {vertex} begins at {found}, expected {least} to {most}")]
    Offset {
        /// The vertex; one after the last for the end of the last row.
        vertex: usize,
        /// Where its row begins.
        found: i64,
        /// Where it may begin, at the least.
        least: u64,
        /// And at the most.
        most: u64,
    },
    /// A neighbour that is no vertex.
    #[error("arc {arc} leads to vertex {found}, of {num_vertices} vertices numbered from 0")]
    Target {
        /// The arc, from 0, in the order of the file.
        arc: usize,
        /// What it leads to.
        found: i32,
        /// How many vertices there are.
        num_vertices: usize,
    },
    /// An undirected graph in which an arc has no reverse; a directed one whose arcs differ by the end they are kept
    /// at.
    #[error("{}", if *directed {
        "its arcs by source are not its arcs by target"
    } else {
        "it is marked undirected, but not every arc has its reverse"
    })]
    Asymmetric {
        /// Whether the file says that it is directed.
        directed: bool,
    },
}
