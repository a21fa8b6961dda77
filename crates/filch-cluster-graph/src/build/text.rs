//! An edge list of which each rank reads the lines that begin in its part of the bytes.

use super::source::{Lists, Source};
use crate::error::GraphError;
use filch::Pool;
use filch_cluster::Cluster;
use filch_graph::Vertex;
use filch_graph_io::read::{Compression, EdgeList, ReadError, ReadOptions, is_far, parse_edge_list};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How many bytes are read at a time. A line that is longer is read whole nevertheless.
const WINDOW_BYTES: u64 = 1 << 20;

/// A line that is a comment. Before a window that is not the first one, it keeps what belongs at the beginning of a
/// file, such as a byte order mark, from being accepted there.
const NOT_THE_FIRST: &[u8] = b"#\n";

pub(super) struct Text {
    file: File,
    path: PathBuf,
    options: ReadOptions,
    num_vertices: usize,
    /// The lines of this rank.
    share: Range<u64>,
    at: u64,
}

/// What a rank has found in its lines, up to the first that is bad.
#[derive(Default)]
struct Found {
    lines: u64,
    edges: u64,
    highest: Option<u64>,
    /// Its line among those of the rank, its column, and what is wrong.
    bad_line: Option<(u64, u64, String)>,
}

/// Whole lines of a file.
struct Window {
    text: Vec<u8>,
    /// How many lines are not of the file.
    comments: u64,
}

impl Text {
    /// Goes through the file once, to see that each line is right, and how many vertices there are.
    pub(super) fn open<V: Vertex>(cluster: &Cluster, path: &Path, options: &ReadOptions) -> Result<Self, GraphError> {
        let opened = Self::open_here(cluster, path, options).and_then(|mut text| {
            let found = text.scan::<V>(cluster.pool())?;
            Ok((text, found))
        });
        let (text, found) = match opened {
            Ok((text, found)) => (Ok(text), found),
            Err(error) => (Err(error), Found::default()),
        };
        let Found { lines, edges, highest, bad_line } = found;
        let found = cluster.all_gather(&(lines, edges, highest, bad_line, text.as_ref().err().cloned()))?;
        let mut lines_before = 0;
        for (lines, .., bad_line, error) in &found {
            if let Some(error) = error {
                return Err(GraphError::Input(error.clone()));
            }
            if let Some((line, column, fault)) = bad_line {
                let line = lines_before + line;
                return Err(GraphError::Input(format!("{}:{line}:{column}: {fault}", path.display())));
            }
            lines_before += lines;
        }
        let num_edges = found.iter().map(|found| found.1).sum::<u64>();
        let highest = found.iter().filter_map(|found| found.2).max();
        let num_vertices = num_vertices(path, options, V::MAX_COUNT, num_edges, highest)?;
        text.map(|text| Text { num_vertices, ..text }).map_err(GraphError::Input)
    }

    pub(super) fn num_vertices(&self) -> usize {
        self.num_vertices
    }

    fn open_here(cluster: &Cluster, path: &Path, options: &ReadOptions) -> Result<Self, String> {
        let error = |error: std::io::Error| format!("{}: {error}", path.display());
        let mut file = File::open(path).map_err(error)?;
        let metadata = file.metadata().map_err(error)?;
        if !metadata.is_file() {
            return Err(format!("{}: expected a file, of which ranks can read parts", path.display()));
        }
        let mut head = [0; 16];
        let read = file.read(&mut head).map_err(error)?;
        if let Some(compression) = Compression::of(&head[..read]) {
            let text = "expected a text of which ranks can read parts, so decompress it first";
            return Err(format!("{}: compressed by {compression}; {text}", path.display()));
        }
        let (rank, ranks, len) = (cluster.rank() as u128, cluster.size() as u128, metadata.len());
        let mut start = |rank: u128| line_start(&mut file, (u128::from(len) * rank / ranks) as u64, len);
        let share = start(rank).map_err(error)?..start(rank + 1).map_err(error)?;
        let (path, options) = (path.to_owned(), *options);
        Ok(Text { file, path, options, num_vertices: 0, at: share.start, share })
    }

    fn scan<V: Vertex>(&mut self, pool: &Pool) -> Result<Found, String> {
        let mut found = Found::default();
        while let Some(window) = self.window().map_err(|error| format!("{}: {error}", self.path.display()))? {
            let Window { text, comments } = window;
            match parsed::<V>(pool, &text, &self.options) {
                Ok(list) => {
                    found.edges += list.iter().map(|part| part.len() as u64).sum::<u64>();
                    let highest = list.iter().flatten().map(|&(u, v)| u.max(v).index() as u64).max();
                    found.highest = found.highest.max(highest);
                }
                Err(ReadError::Line { line, column, fault, .. }) => {
                    found.bad_line = Some((found.lines + line - comments, column, fault.to_string()));
                    break;
                }
                Err(error) => return Err(error.to_string()),
            }
            found.lines += text.iter().filter(|&&byte| byte == b'\n').count() as u64 - comments;
        }
        Ok(found)
    }

    /// The next whole lines. `None` at the end.
    fn window(&mut self) -> std::io::Result<Option<Window>> {
        let start = self.at;
        if start == self.share.end {
            return Ok(None);
        }
        let mut text = if start == 0 { Vec::new() } else { NOT_THE_FIRST.to_vec() };
        let prefix = text.len();
        self.file.seek(SeekFrom::Start(start))?;
        loop {
            let left = self.share.end - start - (text.len() - prefix) as u64;
            let read = (&self.file).take(left.min(WINDOW_BYTES)).read_to_end(&mut text)? as u64;
            if read == 0 {
                return Err(std::io::Error::other("the file has become shorter"));
            }
            let last = text[prefix..].iter().rposition(|&byte| byte == b'\n');
            let whole = if read == left { Some(text.len()) } else { last.map(|last| prefix + last + 1) };
            if let Some(whole) = whole {
                text.truncate(whole);
                self.at = start + (whole - prefix) as u64;
                return Ok(Some(Window { text, comments: u64::from(prefix > 0) }));
            }
        }
    }
}

impl<V: Vertex> Source<V> for Text {
    fn rewind(&mut self) {
        self.at = self.share.start;
    }

    fn next(&mut self, pool: &Pool) -> Result<Option<Lists<V>>, String> {
        let window = self.window().map_err(|error| format!("{}: {error}", self.path.display()))?;
        let parsed = window.map(|window| parsed(pool, &window.text, &self.options));
        parsed.transpose().map_err(|error| error.to_string())
    }
}

/// The edges of a window.
fn parsed<V: Vertex>(pool: &Pool, text: &[u8], options: &ReadOptions) -> Result<Lists<V>, ReadError> {
    match pool.run(|_| parse_edge_list(text, options)) {
        Ok(EdgeList { parts, .. }) => Ok(parts),
        Err(ReadError::NoEdges { .. }) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Where the first line begins that does not begin before `from`.
fn line_start(file: &mut File, from: u64, len: u64) -> std::io::Result<u64> {
    if from == 0 {
        return Ok(0);
    }
    let mut at = from - 1;
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = [0; 1 << 12];
    while at < len {
        let read = file.read(&mut bytes)?;
        if let Some(end) = bytes[..read].iter().position(|&byte| byte == b'\n') {
            return Ok(at + end as u64 + 1);
        }
        if read == 0 {
            break;
        }
        at += read as u64;
    }
    Ok(len)
}

/// The number of vertices of a file without bad lines, if the options allow it.
fn num_vertices(
    path: &Path,
    options: &ReadOptions,
    most: usize,
    num_edges: u64,
    highest: Option<u64>,
) -> Result<usize, GraphError> {
    let error = |error: ReadError| Err(GraphError::Input(error.to_string()));
    let path = path.to_owned();
    match (options.num_vertices, highest) {
        (Some(num_vertices), _) if num_vertices > most => {
            error(ReadError::TooManyVertices { path, num_vertices: num_vertices as u64, most })
        }
        (Some(num_vertices), _) => Ok(num_vertices),
        (None, None) => error(ReadError::NoEdges { path }),
        (None, Some(highest)) if is_far(highest + 1, num_edges) => {
            let highest = highest + options.first_vertex.number();
            error(ReadError::FarVertex { path, highest, num_edges })
        }
        (None, Some(highest)) => Ok(highest as usize + 1),
    }
}
