//! Names of vertices, so that results name things.

use std::cmp::Reverse;
use std::path::Path;

use super::error::{LineFault, ReadError};
use super::line::{BYTE_ORDER_MARK, shown};
use super::source::{Source, Stream};
use super::text::BadLine;

/// A name for each vertex: that of vertex i is in line i of a file, counted from 0.
///
/// Memory: the text, and 12 bytes for each name.
///
/// ```
/// use filch_graph::read::Names;
///
/// let names = Names::parse("libc6\nbash\nlibgcc-s1\n").unwrap();
/// assert_eq!(names.name(1), Some("bash"));
/// assert_eq!(names.vertex("libc6"), Some(0));
/// assert_eq!(names.similar("libgcc", 1), ["libgcc-s1"]);
/// ```
#[derive(Clone, Debug)]
pub struct Names {
    text: String,
    /// Where in the text names end; they follow one another.
    ends: Vec<usize>,
    /// The vertices, by their names.
    by_name: Vec<u32>,
}

impl Names {
    /// Reads the names of a graph's vertices: text in UTF-8, a name a line. Files compressed by gzip or zstd are known
    /// by their first bytes. Lines may end in CR LF, the last one need not end at all. A byte order mark is
    /// skipped.
    ///
    /// Work: O(n log n) comparisons of names, serial.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, if there are not `num_vertices` names, or, by line, if a name is empty, not text or
    /// another vertex's, too.
    pub fn read(path: &Path, num_vertices: usize) -> Result<Names, ReadError> {
        let mut bytes = Vec::new();
        match Source::open(path)? {
            Source::Mapped(file) => {
                let window = file.window(0, usize::MAX).map_err(|error| ReadError::io(path, error))?;
                bytes.extend_from_slice(window.bytes());
                file.check_unchanged()?;
            }
            Source::Stream(stream) => read_stream(stream, path, num_vertices, &mut bytes)?,
        }
        let names = Names::from_bytes(bytes).map_err(|bad| bad.of(path))?;
        if names.len() != num_vertices {
            let (expected, found) = (num_vertices, names.len());
            return Err(ReadError::NumberOfNames { path: path.to_owned(), expected, found });
        }
        Ok(names)
    }

    /// The names in a text, as [`read`](Self::read) finds them in a file, however many.
    ///
    /// # Errors
    ///
    /// By line, if a name is empty or another vertex's, too; in place of the file they say `text`.
    pub fn parse(text: &str) -> Result<Names, ReadError> {
        Names::from_bytes(text.as_bytes().to_vec()).map_err(|bad| bad.of(Path::new("text")))
    }

    fn from_bytes(mut bytes: Vec<u8>) -> Result<Names, BadLine> {
        if bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let (good, bad) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
            let start = good.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
            let line = good.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
            BadLine { line, column: (good.len() - start) as u64 + 1, fault: LineFault::NotText { byte: bad[0] } }
        })?;
        let mut names = Names { text: String::with_capacity(text.len()), ends: Vec::new(), by_name: Vec::new() };
        for (line, name) in (1..).zip(text.lines()) {
            if name.is_empty() {
                return Err(BadLine { line, column: 1, fault: LineFault::NoName });
            }
            names.text.push_str(name);
            names.ends.push(names.text.len());
        }
        // More than 2^32 names do not come: they would be 8 GiB of text, every one of them different.
        let mut by_name: Vec<u32> = (0..names.ends.len() as u32).collect();
        by_name.sort_unstable_by_key(|&vertex| (names.at(vertex as usize), vertex));
        // Of all names that come twice, the one that does so first in the file.
        let twice = by_name.windows(2).filter(|pair| names.at(pair[0] as usize) == names.at(pair[1] as usize));
        if let Some(pair) = twice.min_by_key(|pair| pair[1]) {
            let name = shown(names.at(pair[1] as usize).as_bytes());
            let fault = LineFault::SameName { name, earlier: u64::from(pair[0]) + 1 };
            return Err(BadLine { line: u64::from(pair[1]) + 1, column: 1, fault });
        }
        names.by_name = by_name;
        Ok(names)
    }

    fn at(&self, vertex: usize) -> &str {
        let start = vertex.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[vertex]]
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The name of a vertex, if there is such a vertex.
    pub fn name(&self, vertex: usize) -> Option<&str> {
        (vertex < self.len()).then(|| self.at(vertex))
    }

    /// The vertex of this name, if any has it. Work: O(log n) comparisons.
    pub fn vertex(&self, name: &str) -> Option<usize> {
        let place = self.by_name.binary_search_by(|&vertex| self.at(vertex as usize).cmp(name));
        place.ok().map(|place| self.by_name[place] as usize)
    }

    /// Up to `most` names that are like `name`, the most similar one first: for who has mistyped one.
    ///
    /// Names that begin with it, the shortest first; then those at a high similarity of Jaro and Winkler.
    /// Work: O(n) comparisons, in parallel.
    ///
    /// # Panics
    ///
    /// As [`filch::run`], where it comes to the global pool.
    pub fn similar(&self, name: &str, most: usize) -> Vec<&str> {
        /// Below it, names have little more than letters in common.
        const SIMILAR: f64 = 0.85;
        /// Of similarity, so that it can be compared; two for names that begin alike.
        const SCALE: f64 = 1e6;
        let alike = |vertex: usize| {
            let found = self.at(vertex);
            let similarity = strsim::jaro_winkler(name, found);
            let begins = !name.is_empty() && found.starts_with(name);
            let score = ((similarity + f64::from(u8::from(begins))) * SCALE) as u64;
            (begins || similarity >= SIMILAR).then_some((Reverse(score), found.len(), vertex))
        };
        let mut found = filch::map_reduce(
            0..self.len(),
            Vec::new,
            |_, vertex| alike(vertex).into_iter().collect(),
            |mut a: Vec<_>, mut b| {
                a.append(&mut b);
                if a.len() > 2 * most {
                    a.sort_unstable();
                    a.truncate(most);
                }
                a
            },
        );
        found.sort_unstable();
        found.truncate(most);
        found.into_iter().map(|(.., vertex)| self.at(vertex)).collect()
    }
}

/// Adds all lines to `bytes`; fails as soon as they are no list of as many names, since a pipe may go on for ever.
fn read_stream(mut stream: Stream, path: &Path, num_vertices: usize, bytes: &mut Vec<u8>) -> Result<(), ReadError> {
    /// Bytes that are read at once.
    const PIECE: usize = 1 << 20;
    /// Bytes of a name that is put up with.
    const LONGEST_NAME: usize = 1 << 20;
    let (mut lines, mut line_start) = (0, 0);
    loop {
        let before = bytes.len();
        let filled = stream.fill(bytes, before + PIECE);
        for place in (before..bytes.len()).filter(|&place| bytes[place] == b'\n') {
            (lines, line_start) = (lines + 1, place + 1);
        }
        if lines > num_vertices {
            return Err(ReadError::TooManyNames { path: path.to_owned(), expected: num_vertices });
        }
        if bytes.len() - line_start > LONGEST_NAME {
            let fault = LineFault::TooLong { most: LONGEST_NAME };
            return Err(BadLine { line: lines as u64 + 1, column: LONGEST_NAME as u64 + 1, fault }.of(path));
        }
        if filled.map_err(|error| stream.error(path, error, lines as u64))? {
            return Ok(());
        }
    }
}
