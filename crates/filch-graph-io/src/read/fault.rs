//! What is wrong in a file: in a line, in the row of a vertex, in a BvGraph, or in a serialized graph.

use filch_text::TextFault;
use std::path::PathBuf;

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
    /// A word has a comma where a vertex should be, as in a file of comma-separated values.
    #[error("expected columns separated by spaces or tabs, not by commas, found {found:?}")]
    Comma {
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
    #[error("a serialized graph, not an edge list: expected text")]
    Serialized,
    /// It is no text.
    #[error(transparent)]
    Text(#[from] TextFault),
    /// A bipartite network of KONECT. Both kinds of its vertices are numbered from 1, so they would become one.
    #[error("a bipartite network, whose two kinds of vertices have the same numbers: expected one kind of vertices")]
    Bipartite,
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
    /// A word or a number is not what the format has in this place.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What was expected.
        expected: String,
        /// The word, truncated if it is long, or what is there instead.
        found: String,
    },
    /// A header declares more than the file contains.
    #[error("the header declares {declared} {what}, but the file has {found}")]
    TooFew {
        /// What is counted, for example `entries`.
        what: &'static str,
        /// The number in the header.
        declared: u64,
        /// The number in the file.
        found: u64,
    },
    /// A line is beyond what the header declares.
    #[error("the header declares {declared} {what}, but here is another one")]
    TooMany {
        /// What is counted, for example `entries`.
        what: &'static str,
        /// The number in the header.
        declared: u64,
    },
    /// A header declares vertices far beyond the number of edges, and the options do not confirm it.
    #[error(
        "the header declares {num_vertices} vertices, but there are only {num_edges} edges: \
         give the number of vertices if this is intended"
    )]
    FarHeader {
        /// The number of vertices in the header.
        num_vertices: u64,
        /// The number of edges in the file.
        num_edges: u64,
    },
    /// A weight is not a number.
    #[error("expected a weight, found {found:?}")]
    NotAWeight {
        /// The word, truncated if it is long.
        found: String,
    },
    /// A weight is infinite, not a number, or too large for 32 bits.
    #[error("expected a finite weight, found {found}")]
    NotFinite {
        /// The word, truncated if it is long.
        found: String,
    },
    /// A whole number that the 32 bits of a weight cannot represent, see [`FileWeight`](crate::FileWeight).
    #[error("the weight {found} would be rounded: weights are 32-bit floating-point numbers, exact up to 16777216")]
    InexactWeight {
        /// The word, truncated if it is long.
        found: String,
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
}

/// How the row of a vertex contradicts the rest of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowFault {
    /// In a format of undirected graphs, a vertex has a neighbor that does not have it.
    #[error("its neighbor {neighbor} does not have it as a neighbor as often, or with another weight")]
    OneWay {
        /// The neighbor, as numbered in the file.
        neighbor: u64,
    },
    /// In a format without self-loops, a vertex is its own neighbor.
    #[error("it is its own neighbor, which this format does not allow")]
    SelfLoop,
    /// A compressed row ends beyond the end of the file.
    #[error("the file ends within its row")]
    Ends,
    /// A vertex has more arcs than vertices, or arcs, are left.
    #[error("{found} arcs leave it, expected at most {most}")]
    Degree {
        /// The number of its arcs.
        found: u64,
        /// The number of vertices, or of arcs that are left of those that are declared.
        most: u64,
    },
    /// A compressed row copies one that is too far before it.
    #[error("its row copies that of the vertex {found} before it, expected at most {most}")]
    Reference {
        /// The distance of the vertices.
        found: u64,
        /// The largest possible distance.
        most: u64,
    },
    /// A compressed row copies or skips more of another row than there is.
    #[error("its row copies or skips {found} arcs of another row, of which {left} are left")]
    Block {
        /// The number of arcs.
        found: u64,
        /// The number of arcs that are left.
        left: u64,
    },
    /// The parts of a compressed row are longer than the row.
    #[error("the parts of its row are longer than the row, which has {degree} arcs")]
    TooLong {
        /// The number of its arcs.
        degree: u64,
    },
    /// An arc leads to a number that is not a vertex.
    #[error("{} but there are only {num_vertices} vertices, numbered from 0", match found {
        Some(found) => format!("an arc leads to {found},"),
        None => "an arc leads to a number below 0 or above 2^64,".to_owned(),
    })]
    Target {
        /// The number it leads to, if it has 64 bits.
        found: Option<u64>,
        /// The number of vertices.
        num_vertices: u64,
    },
    /// In a format without parallel arcs, two arcs lead to the same vertex.
    #[error("two arcs lead to {target}, which this format does not allow")]
    Twice {
        /// The vertex they lead to.
        target: u64,
    },
}

/// What is wrong with the files of a BvGraph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BvFault {
    /// One of the two files is missing.
    #[error("a BvGraph needs {} beside it", missing.display())]
    Missing {
        /// The missing file.
        missing: PathBuf,
    },
    /// The properties are no short text.
    #[error("no text, or more than 64 KiB: expected the properties of a BvGraph")]
    NoProperties,
    /// The properties do not say what they are about.
    #[error("no line graphclass=it.unimi.dsi.webgraph.BVGraph: expected the properties of a BvGraph")]
    NoClass,
    /// The file is too short for the number of vertices: the row of a vertex takes a bit or more.
    #[error("{len} bytes are too few for the {num_vertices} vertices that {} declares", properties.display())]
    Short {
        /// The length of the file in bytes.
        len: u64,
        /// The number of vertices.
        num_vertices: u64,
        /// The file that declares it.
        properties: PathBuf,
    },
    /// There are fewer arcs than declared.
    #[error("{found} arcs, but {} declares {declared}", properties.display())]
    Arcs {
        /// The number of arcs.
        found: u64,
        /// The number of arcs in the properties.
        declared: u64,
        /// The file that declares it.
        properties: PathBuf,
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
    #[error(
        "{found} bytes, expected {expected} for {num_vertices} vertices and {num_arcs} arcs{}",
        if weighted == expected { String::new() } else { format!(", or {weighted} with weights") }
    )]
    Length {
        /// The length of the file in bytes.
        found: u64,
        /// The length that follows from the header.
        expected: u128,
        /// The number of vertices in the header.
        num_vertices: u64,
        /// The number of arcs in the header.
        num_arcs: u64,
        /// The length that would follow from the header if arcs had weights.
        weighted: u128,
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
    /// The number of vertices is not that of the options.
    #[error("{found} vertices, expected {expected}, as the options say")]
    NumVertices {
        /// The number of vertices in the file.
        found: usize,
        /// The number of vertices in the options.
        expected: usize,
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
    /// A whole number that the 32 bits of a weight cannot represent, see [`FileWeight`](crate::FileWeight).
    #[error("the weight of arc {arc} is {found}, which would be rounded: weights are 32-bit floating-point numbers")]
    Weight {
        /// The position of the arc in the file, counted from 0.
        arc: usize,
        /// The weight.
        found: i32,
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
