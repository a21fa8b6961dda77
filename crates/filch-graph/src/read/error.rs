//! Errors in input files.

use std::io;
use std::path::{Path, PathBuf};

use super::compression::Compression;
use crate::build::BuildError;

/// Why a file could not be read. The message names the file and, for errors in a line, the line and column, both
/// counted from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file does not exist.
    #[error("{}: no such file", path.display())]
    NotFound {
        /// The file.
        path: PathBuf,
    },
    /// The user may not read the file.
    #[error("{}: no permission to read it", path.display())]
    NoPermission {
        /// The file.
        path: PathBuf,
    },
    /// The path is a directory.
    #[error("{}: a directory, expected a file", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// The file is empty, or contains only comments and blank lines.
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
    /// A compressed file ends before its data does.
    #[error(
        "{}: the {compression} data ends early, in line {line} of the decompressed text; is the file complete?",
        path.display()
    )]
    Truncated {
        /// The file.
        path: PathBuf,
        /// How it is compressed.
        compression: Compression,
        /// The line of the decompressed text in which it ends, counted from 1.
        line: u64,
    },
    /// A compressed file cannot be decompressed.
    #[error("{}: corrupt {compression} data after line {line} of the decompressed text: {reason}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// How it is compressed.
        compression: Compression,
        /// The number of complete lines before the fault.
        line: u64,
        /// The message of the decompressor.
        reason: String,
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
    /// The file changed while it was being read.
    #[error("{}: the file changed while it was being read", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The progress callback asked to stop.
    #[error("{}: reading was stopped", path.display())]
    Stopped {
        /// The file.
        path: PathBuf,
    },
    /// Any other error of the operating system.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl ReadError {
    /// The error for `path`: a specific variant if there is one for this kind, otherwise [`ReadError::Io`].
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

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineFault {
    /// A word is not a whole number.
    #[error("expected the number of a vertex, found {found:?}")]
    NotANumber {
        /// The word, truncated if it is long.
        found: String,
    },
    /// A number is below 0.
    #[error("expected the number of a vertex, 0 or higher, found {found}")]
    Negative {
        /// The word.
        found: String,
    },
    /// A number is too high for the vertex type.
    #[error("{found} is too high, the highest vertex that this width can number is {highest}")]
    Overflow {
        /// The word, truncated if it is long.
        found: String,
        /// The highest possible number.
        highest: u64,
    },
    /// The file is in the Matrix Market format. Without this check, its size line would be read as an edge; its
    /// vertices are numbered from 1.
    #[error("a Matrix Market file, not an edge list: expected lines with two vertices each and no header")]
    MatrixMarket,
    /// The first byte is 0 or 1. No text begins with these, but a serialized graph does.
    #[error("expected text, found the first byte of a serialized graph (compressed .sg: decompress it first)")]
    Serialized,
    /// The file begins with a byte order mark of UTF-16.
    #[error("expected text in UTF-8, found the byte order mark of UTF-16 (iconv -f UTF-16 -t UTF-8 converts it)")]
    Utf16,
    /// The line has only one vertex.
    #[error("expected a second vertex, found the end of the line")]
    OneVertex,
    /// A vertex is beyond the number of vertices in the options.
    #[error("{}", match num_vertices {
        0 => format!("vertex {found} is out of range, there are no vertices"),
        _ => format!("vertex {found} is out of range, the last of {num_vertices} vertices is {highest}"),
    })]
    OutOfRange {
        /// The vertex.
        found: u64,
        /// The number of vertices in the options.
        num_vertices: usize,
        /// The highest possible number.
        highest: u64,
    },
    /// Vertex 0 in a file whose vertices are numbered from 1.
    #[error("vertex 0, but the options say that vertices are numbered from 1")]
    Zero,
    /// The line has more than two columns, and the options do not allow it.
    #[error("expected the end of the line after two vertices, found {found:?} (an option ignores extra columns)")]
    ExtraColumn {
        /// The word, truncated if it is long.
        found: String,
    },
    /// An extra column that should be ignored is not a number.
    #[error("expected a number in an extra column, found {found:?}")]
    BadExtraColumn {
        /// The word, truncated if it is long.
        found: String,
    },
    /// The line is too long for an edge list.
    #[error("a line of more than {most} bytes: is this a text file?")]
    TooLong {
        /// The length limit in bytes.
        most: usize,
    },
    /// A vertex has no name.
    #[error("expected the name of a vertex, found an empty line")]
    NoName,
    /// Two vertices have the same name.
    #[error("{name:?} is already the name in line {earlier}")]
    SameName {
        /// The name, truncated if it is long.
        name: String,
        /// The first line with that name, counted from 1.
        earlier: u64,
    },
    /// A name is not valid UTF-8.
    #[error("expected text in UTF-8, found the byte {byte:#04x}")]
    NotText {
        /// The first invalid byte.
        byte: u8,
    },
}

/// What is wrong with a serialized graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SgFault {
    /// The file is shorter than the header.
    #[error("{len} bytes, shorter than the header of {header}")]
    Short {
        /// The length of the file in bytes.
        len: u64,
        /// The length of the header in bytes.
        header: u64,
    },
    /// The file is a pipe or compressed.
    #[error("it is a pipe or compressed, expected a plain file")]
    NotPlain,
    /// The first byte is neither 0 (undirected) nor 1 (directed).
    #[error("the first byte is {found:#04x}, expected 0 (undirected) or 1 (directed)")]
    Direction {
        /// The byte.
        found: u8,
    },
    /// The number of vertices or of arcs is negative.
    #[error("the number of {what} is {found}")]
    Negative {
        /// Which of the two: `vertices` or `arcs`.
        what: &'static str,
        /// The number.
        found: i64,
    },
    /// The length of the file differs from the length that follows from the header.
    #[error("{found} bytes, expected {expected} for {num_vertices} vertices and {num_arcs} arcs{hint}")]
    Length {
        /// The length of the file in bytes.
        found: u64,
        /// The length that follows from the header.
        expected: u128,
        /// The number of vertices in the header.
        num_vertices: u64,
        /// The number of arcs in the header.
        num_arcs: u64,
        /// What the file may be instead, or an empty string.
        hint: &'static str,
    },
    /// The offsets of the rows are not ascending, or do not go from 0 to the number of arcs.
    #[error("the row of vertex {vertex} begins at {found}, expected {least} to {most}")]
    Offset {
        /// The vertex. For the end of the last row, the number of vertices.
        vertex: usize,
        /// The offset of its row.
        found: i64,
        /// The lowest valid offset.
        least: u64,
        /// The highest valid offset.
        most: u64,
    },
    /// An arc leads to a number that is not a vertex.
    #[error("arc {arc} leads to {found}, but there are only {num_vertices} vertices, numbered from 0")]
    Target {
        /// The position of the arc in the file, counted from 0.
        arc: usize,
        /// The number it leads to.
        found: i32,
        /// The number of vertices.
        num_vertices: usize,
    },
    /// In an undirected graph, an arc lacks its reverse; or in a directed graph, the arcs by source differ from the
    /// arcs by target.
    #[error("{}", if *directed {
        "its arcs by source differ from its arcs by target"
    } else {
        "it is marked undirected, but not every arc has its reverse"
    })]
    Asymmetric {
        /// Whether the file is marked as directed.
        directed: bool,
    },
}
