//! Edge lists: text with one edge per line, the format of the graphs published by the Stanford Network Analysis Project
//! (SNAP).

use std::marker::PhantomData;
use std::path::Path;

use filch_text::{OnProgress, Sizes, Source, named};

use super::error::ReadError;
use super::line::{self, Rules};
use super::numbers::Fault;
use super::options::ReadOptions;
use super::records::{Dialect, Records, parse_records, read_records};
use filch_graph::Vertex;

/// The contents of an edge list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EdgeList<V = u32> {
    /// The edges in the order of the file, with vertices numbered from 0. Duplicates and self-loops are kept. The edges
    /// are in several parts, so that [`build_parts`](filch_graph::CsrBuilder::build_parts) can free each part as soon
    /// as it has been read.
    pub parts: Vec<Vec<(V, V)>>,
    /// The number of vertices: [`ReadOptions::num_vertices`] if it is given, otherwise one more than the highest
    /// vertex.
    pub num_vertices: usize,
    /// The number of lines, including comments and blank lines.
    pub num_lines: u64,
    /// The number of bytes of text. For a compressed file, the decompressed size.
    pub num_bytes: u64,
}

impl<V: Vertex> EdgeList<V> {
    fn of(records: Records<PlainList<V>>, options: &ReadOptions, path: &Path) -> Result<Self, ReadError> {
        let num_vertices = records.num_vertices(options, path)?;
        let Records { parts, num_lines, num_bytes, .. } = records;
        Ok(EdgeList { parts, num_vertices, num_lines, num_bytes })
    }

    /// The number of edges.
    pub fn num_edges(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }

    /// The edges, in the order of the file.
    pub fn edges(&self) -> impl Iterator<Item = (V, V)> + '_ {
        self.parts.iter().flatten().copied()
    }
}

/// Reads an edge list. Each line has the numbers of two vertices, separated by spaces or tabs.
///
/// Lines that begin with `#` or `%` are comments. Blank lines are skipped. Lines may end in CR LF, and the last line
/// may lack its newline. A byte order mark at the beginning is skipped. Files compressed by gzip or zstd are detected
/// by their first bytes. `options` determine the number of the first vertex, the number of vertices if it does not
/// follow from the highest number, and the treatment of extra columns such as weights. Their
/// [`renumber`](ReadOptions::renumber) is ignored: [`read_graph`](super::read_graph) reads names.
///
/// The file must not change while it is being read; see [the module documentation](super).
///
/// Work: linear in the number of bytes. Span: parsing about 100 kB for each window of 2 MiB per worker; for a
/// compressed file also decompression, which is serial and runs in parallel to parsing. Memory: the edges, and a few MB
/// for each worker.
///
/// # Errors
///
/// [`ReadError::Line`] for the first bad line, [`ReadError::NoEdges`] if there is no edge and `options` do not give the
/// number of vertices, and [`FileError`](filch_text::FileError) if the file cannot be read or `on_progress` asks to
/// stop.
///
/// # Panics
///
/// Panics if the global pool is needed and cannot be started; see [`filch::run`].
pub fn read_edge_list<V: Vertex>(
    path: &Path,
    options: &ReadOptions,
    on_progress: &mut OnProgress<'_>,
) -> Result<EdgeList<V>, ReadError> {
    read_source(Source::open(path)?, named(path), options, on_progress, Sizes::of_pool())
}

fn read_source<V: Vertex>(
    source: Source,
    path: &Path,
    options: &ReadOptions,
    on_progress: &mut OnProgress<'_>,
    sizes: Sizes,
) -> Result<EdgeList<V>, ReadError> {
    EdgeList::of(read_records(PlainList::new(path, options)?, source, path, on_progress, sizes)?, options, path)
}

/// Parses an edge list in memory, as [`read_edge_list`] does for a file. The text must not be compressed.
///
/// # Errors
///
/// As for [`read_edge_list`]. Error messages say `text` in place of a file name.
///
/// ```
/// use filch_graph_io::read::{ReadOptions, parse_edge_list};
///
/// let list = parse_edge_list::<u32>(b"# a triangle\n0 1\n1 2\n2 0\n", &ReadOptions::default()).unwrap();
/// assert_eq!((list.num_vertices, list.edges().collect()), (3, vec![(0, 1), (1, 2), (2, 0)]));
///
/// let error = parse_edge_list::<u32>(b"0 1\n1 two\n", &ReadOptions::default()).unwrap_err();
/// assert_eq!(error.to_string(), "text:2:3: expected the number of a vertex, found \"two\"");
/// ```
pub fn parse_edge_list<V: Vertex>(text: &[u8], options: &ReadOptions) -> Result<EdgeList<V>, ReadError> {
    let (path, sizes) = (Path::new("text"), Sizes::of_pool());
    EdgeList::of(parse_records(PlainList::new(path, options)?, text, path, sizes)?, options, path)
}

/// An edge list without weights. It has no header.
#[derive(Debug)]
pub(super) struct PlainList<V> {
    rules: Rules,
    vertex: PhantomData<fn() -> V>,
}

impl<V: Vertex> PlainList<V> {
    pub(super) fn new(path: &Path, options: &ReadOptions) -> Result<Self, ReadError> {
        Ok(PlainList { rules: Rules::of::<V>(path, options)?, vertex: PhantomData })
    }
}

impl<V: Vertex> Dialect for PlainList<V> {
    type Item = (V, V);
    const RECORDS: &'static str = "edges";
    const HAS_HEAD: bool = false;

    #[inline(always)]
    fn quick(&self, text: &[u8], at: usize, items: &mut Vec<(V, V)>) -> Option<usize> {
        let (u, v, next) = line::plain(text, at, &self.rules)?;
        items.push((V::new(u as usize), V::new(v as usize)));
        Some(next)
    }

    fn record(&self, line: &[u8], _: usize, items: &mut Vec<(V, V)>) -> Result<bool, Fault> {
        let Some((u, v)) = line::careful(line, &self.rules)? else { return Ok(false) };
        items.push((V::new(u as usize), V::new(v as usize)));
        Ok(true)
    }

    fn highest(items: &[(V, V)]) -> Option<u64> {
        items.iter().map(|&(u, v)| u.max(v)).max().map(|vertex| vertex.index() as u64)
    }
}

#[cfg(test)]
mod tests;
