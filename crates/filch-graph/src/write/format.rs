//! What a file is to hold, by the ending of its name.

use std::path::Path;

use super::error::WriteError;
use crate::read::Compression;

/// What is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// `.txt`, `.tsv`, `.el`: text, a line for each edge or value.
    Text,
    /// `.npy`: an array of NumPy, format 1.0, little-endian.
    Npy,
    /// `.sg`: a serialized graph of the GAP Benchmark Suite.
    Sg,
}

/// What is in a file, and how it is compressed, if it is: text may be, by a further ending `.gz` or `.zst`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Format {
    /// What is in it.
    pub content: Content,
    /// How it is compressed.
    pub compression: Option<Compression>,
}

impl Format {
    /// The format that a name asks for, if it is a known one. Capitals are as good.
    ///
    /// ```
    /// use filch_graph::read::Compression;
    /// use filch_graph::write::{Content, Format};
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
            _ => return None,
        };
        (compression.is_none() || content == Content::Text).then_some(Format { content, compression })
    }

    /// The format that a graph is written in by this name.
    pub(super) fn of_graph(path: &Path) -> Result<Format, WriteError> {
        Format::of_name(path).filter(|format| format.content != Content::Npy).ok_or_else(|| WriteError::UnknownEnding {
            path: path.to_owned(),
            expected: ".sg, .el, .txt, or .el.gz, .el.zst",
        })
    }

    /// The format that values are written in by this name.
    pub(super) fn of_values(path: &Path) -> Result<Format, WriteError> {
        Format::of_name(path).filter(|format| format.content != Content::Sg).ok_or_else(|| WriteError::UnknownEnding {
            path: path.to_owned(),
            expected: ".npy, .txt, .tsv, or .txt.gz, .txt.zst",
        })
    }
}
