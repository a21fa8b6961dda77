//! Output formats, determined by the extension of a file name.

use std::path::Path;

use super::error::WriteError;
use crate::read::Compression;

/// The kind of contents of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// `.txt`, `.tsv`, `.el`: text with one line for each edge or value.
    Text,
    /// `.npy`: a NumPy array, format 1.0, little-endian.
    Npy,
    /// `.sg`: a serialized graph of the GAP Benchmark Suite.
    Sg,
    /// `.wsg`: the same with weights.
    Wsg,
    /// `.wel`: text with two vertices and a weight per line.
    WeightedText,
    /// `.mtx`: Matrix Market.
    MatrixMarket,
    /// `.gr`: a graph for shortest paths of the ninth DIMACS challenge.
    Dimacs,
    /// `.graph`, `.metis`: METIS.
    Metis,
    /// `.adj`: an adjacency graph of Ligra.
    Ligra,
}

impl Content {
    /// Whether this is text, which can be compressed.
    fn is_text(self) -> bool {
        !matches!(self, Content::Npy | Content::Sg | Content::Wsg)
    }

    /// The number of the first vertex in a graph of this format.
    pub fn first_vertex(self) -> usize {
        usize::from(matches!(self, Content::MatrixMarket | Content::Dimacs | Content::Metis))
    }

    /// Whether this is a form of graphs.
    pub fn is_of_graphs(self) -> bool {
        self != Content::Npy
    }
}

/// The extensions for graphs.
pub const GRAPH_ENDINGS: &str = ".sg, .wsg, .el, .txt, .wel, .mtx, .gr, .graph or .adj, all but the first two also \
with .gz or .zst";

/// The contents of a file and its compression. Text can be compressed, with a second extension `.gz` or `.zst`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Format {
    /// The kind of contents.
    pub content: Content,
    /// How the file is compressed.
    pub compression: Option<Compression>,
}

impl Format {
    /// The format for a file name, or `None` if the extension is unknown. Upper and lower case are equivalent.
    ///
    /// ```
    /// use filch_graph_io::read::Compression;
    /// use filch_graph_io::write::{Content, Format};
    ///
    /// let format = Format::of_name("web.el.gz".as_ref()).unwrap();
    /// assert_eq!((format.content, format.compression), (Content::Text, Some(Compression::Gzip)));
    /// assert_eq!(Format::of_name("web.sg.gz".as_ref()), None);
    /// ```
    pub fn of_name(path: &Path) -> Option<Format> {
        let ending = |path: &Path| path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let compression = match ending(path)?.as_str() {
            "gz" => Some(Compression::Gzip),
            "zst" => Some(Compression::Zstd),
            _ => None,
        };
        let inner = if compression.is_some() { ending(Path::new(path.file_stem()?))? } else { ending(path)? };
        let content = match inner.as_str() {
            "txt" | "tsv" | "el" => Content::Text,
            "npy" => Content::Npy,
            "sg" => Content::Sg,
            "wsg" => Content::Wsg,
            "wel" => Content::WeightedText,
            "mtx" => Content::MatrixMarket,
            "gr" => Content::Dimacs,
            "graph" | "metis" => Content::Metis,
            "adj" => Content::Ligra,
            _ => return None,
        };
        (compression.is_none() || content.is_text()).then_some(Format { content, compression })
    }

    /// The format for writing a graph to a file with this name.
    pub(super) fn of_graph(path: &Path) -> Result<Format, WriteError> {
        Format::of_name(path)
            .filter(|format| format.content.is_of_graphs())
            .ok_or_else(|| WriteError::UnknownEnding { path: path.to_owned(), expected: GRAPH_ENDINGS })
    }

    /// The format for writing values to a file with this name.
    pub(super) fn of_values(path: &Path) -> Result<Format, WriteError> {
        Format::of_name(path).filter(|format| matches!(format.content, Content::Text | Content::Npy)).ok_or_else(|| {
            WriteError::UnknownEnding { path: path.to_owned(), expected: ".npy, .txt, .tsv, or .txt.gz, .txt.zst" }
        })
    }
}
