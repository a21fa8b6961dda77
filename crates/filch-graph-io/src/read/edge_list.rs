//! Edge lists: text with one edge per line, the format of the graphs published by the Stanford Network Analysis Project
//! (SNAP).

use std::path::Path;

use filch_text::{Consumer, OnProgress, Sizes, Source, feed, feed_memory, named};

use super::append::append;
use super::error::{BadLine, ReadError, Refusal};
use super::line::{self, Found, Rules};
use super::options::ReadOptions;
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
/// follow from the highest number, and the treatment of extra columns such as weights.
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

pub(super) fn read_source<V: Vertex>(
    source: Source,
    path: &Path,
    options: &ReadOptions,
    on_progress: &mut OnProgress<'_>,
    sizes: Sizes,
) -> Result<EdgeList<V>, ReadError> {
    let mut parsed = Parsed::<V>::new(path, options, sizes)?;
    feed(source, path, sizes, &mut parsed, on_progress).map_err(|failure| Refusal::of_feed(failure, path))?;
    parsed.finish(path)
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
    let path = Path::new("text");
    let mut parsed = Parsed::<V>::new(path, options, Sizes::of_pool())?;
    feed_memory(text, Sizes::of_pool(), &mut parsed).map_err(|refusal| refusal.of(path))?;
    parsed.finish(path)
}

/// What has been parsed so far.
struct Parsed<V> {
    rules: Rules,
    declared: Option<usize>,
    chunk_bytes: usize,
    /// Reused for each window, so that their memory stays in the cache.
    chunks: Vec<Chunk<V>>,
    parts: Vec<Vec<(V, V)>>,
    num_edges: u64,
    largest: u64,
    lines: u64,
    bytes: u64,
}

/// The lines that begin within a range of bytes of a window.
#[derive(Clone)]
struct Chunk<V> {
    index: usize,
    edges: Vec<(V, V)>,
    found: Found,
}

impl<V: Vertex> Parsed<V> {
    fn new(path: &Path, options: &ReadOptions, sizes: Sizes) -> Result<Self, ReadError> {
        Ok(Parsed {
            rules: Rules::of::<V>(path, options)?,
            declared: options.num_vertices,
            chunk_bytes: sizes.chunk,
            chunks: Vec::new(),
            parts: Vec::new(),
            num_edges: 0,
            largest: 0,
            lines: 0,
            bytes: 0,
        })
    }

    fn no_memory(&self) -> Refusal {
        Refusal::NoMemory { num_vertices: self.largest + 1, num_edges: self.num_edges }
    }

    fn finish(self, path: &Path) -> Result<EdgeList<V>, ReadError> {
        if self.num_edges == 0 && self.declared.is_none() {
            return Err(ReadError::NoEdges { path: path.to_owned() });
        }
        let num_vertices = self.declared.unwrap_or(self.largest as usize + 1);
        Ok(EdgeList { parts: self.parts, num_vertices, num_lines: self.lines, num_bytes: self.bytes })
    }
}

impl<V: Vertex> Consumer for Parsed<V> {
    type Refusal = Refusal;

    fn window(&mut self, text: &[u8]) -> Result<(), Refusal> {
        let opening = if self.bytes == 0 { line::opening(text) } else { Ok(0) };
        let before = opening.map_err(|fault| Refusal::Line(BadLine { line: 1, column: 1, fault }))?;
        self.bytes += text.len() as u64;
        let text = &text[before..];
        let count = text.len().div_ceil(self.chunk_bytes);
        for index in self.chunks.len()..count {
            self.chunks.push(Chunk { index, edges: Vec::new(), found: Found::default() });
        }
        let (rules, chunk_bytes) = (&self.rules, self.chunk_bytes);
        let chunks = &mut self.chunks[..count];
        filch::for_each(&mut *chunks, |_, chunk| chunk.parse(text, chunk_bytes, rules));

        for chunk in &mut *chunks {
            self.lines += chunk.found.lines;
            if let Some((column, fault)) = chunk.found.fault.take() {
                return Err(Refusal::Line(BadLine { line: self.lines + 1, column, fault }));
            }
            self.largest = self.largest.max(chunk.found.largest);
        }
        let pieces: Vec<&[(V, V)]> = self.chunks[..count].iter().map(|chunk| &chunk.edges[..]).collect();
        let added = pieces.iter().map(|edges| edges.len()).sum();
        self.num_edges += added as u64;
        let mut part = Vec::new();
        part.try_reserve_exact(added).map_err(|_| self.no_memory())?;
        append(&mut part, &pieces, 1, |_, edges| edges.iter().copied());
        if !part.is_empty() {
            self.parts.push(part);
        }
        Ok(())
    }

    fn lines(&self) -> u64 {
        self.lines
    }

    fn items(&self) -> u64 {
        self.num_edges
    }
}

impl<V: Vertex> Chunk<V> {
    fn parse(&mut self, text: &[u8], chunk_bytes: usize, rules: &Rules) {
        let start = self.index * chunk_bytes;
        let (start, end) = (next_line(text, start), next_line(text, start + chunk_bytes));
        self.edges.clear();
        self.found = line::parse(text, start, end, rules, &mut self.edges);
    }
}

/// The position of the first line that begins at or after `at`, or the length of the text if there is none.
pub(super) fn next_line(text: &[u8], at: usize) -> usize {
    if at == 0 {
        return 0;
    }
    let newline = text.get(at - 1..).and_then(|rest| rest.iter().position(|&byte| byte == b'\n'));
    newline.map_or(text.len(), |place| at + place)
}

#[cfg(test)]
mod tests;
