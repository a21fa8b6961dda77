//! Names of vertices.

use std::cmp::Reverse;
use std::path::Path;

use filch_text::{BadText, Source, Stream, TextFault, decoded, named, shown};

use super::error::{BadLine, ReadError};
use super::fault::LineFault;

/// A name for each vertex. Line i of the file, counted from 0, has the name of vertex i.
///
/// Memory: the text, and 12 bytes for each name.
///
/// ```
/// use filch_graph_io::read::Names;
///
/// let names = Names::parse("libc6\nbash\nlibgcc-s1\n").unwrap();
/// assert_eq!(names.name(1), Some("bash"));
/// assert_eq!(names.vertex("libc6"), Some(0));
/// assert_eq!(names.similar("libgcc", 1), ["libgcc-s1"]);
/// ```
#[derive(Clone, Debug)]
pub struct Names {
    text: String,
    /// The end of each name in `text`. The names follow one another without separators.
    ends: Vec<usize>,
    /// The vertices, sorted by their names.
    by_name: Vec<u32>,
}

impl Names {
    /// Reads the names of the vertices of a graph, one per line. The crate [`filch_text`] says what a text is.
    ///
    /// Work: O(n log n) comparisons of names, serial.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, if the number of names is not `num_vertices`, or if a name is
    /// empty, not valid UTF-8, or equal to an earlier one.
    pub fn read(path: &Path, num_vertices: usize) -> Result<Names, ReadError> {
        let mut bytes = Vec::new();
        let source = Source::open(path)?;
        let path = named(path);
        match source {
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

    /// Parses names in memory, as [`read`](Self::read) does for a file, but accepts any number of them.
    ///
    /// # Errors
    ///
    /// Returns an error if a name is empty or equal to an earlier one. Error messages say `text` in place of a file
    /// name.
    pub fn parse(text: &str) -> Result<Names, ReadError> {
        Names::from_bytes(text.as_bytes().to_vec()).map_err(|bad| bad.of(Path::new("text")))
    }

    fn from_bytes(bytes: Vec<u8>) -> Result<Names, BadLine> {
        let fault = |BadText { line, column, fault }| BadLine { line, column, fault: fault.into() };
        let text = decoded(bytes).map_err(fault)?;
        let mut names = Names { text: String::with_capacity(text.len()), ends: Vec::new(), by_name: Vec::new() };
        for (line, name) in (1..).zip(text.lines()) {
            if name.is_empty() {
                return Err(BadLine { line, column: 1, fault: LineFault::NoName });
            }
            names.text.push_str(name);
            names.ends.push(names.text.len());
        }
        names.sort();
        // If several names are repeated, report the repetition that comes first in the file.
        let by_name = &names.by_name;
        let twice = by_name.windows(2).filter(|pair| names.at(pair[0] as usize) == names.at(pair[1] as usize));
        if let Some(pair) = twice.min_by_key(|pair| pair[1]) {
            let name = shown(names.at(pair[1] as usize).as_bytes());
            let fault = LineFault::SameName { name, earlier: u64::from(pair[0]) + 1 };
            return Err(BadLine { line: u64::from(pair[1]) + 1, column: 1, fault });
        }
        Ok(names)
    }

    /// These names, no two of which are the same.
    pub(super) fn of_different<'a>(all: impl Iterator<Item = &'a str>) -> Names {
        let mut names = Names { text: String::new(), ends: Vec::new(), by_name: Vec::new() };
        for name in all {
            names.text.push_str(name);
            names.ends.push(names.text.len());
        }
        names.sort();
        names
    }

    fn sort(&mut self) {
        // Assumes fewer than 2^32 names. As many different names would be more than 16 GiB of text.
        let mut by_name: Vec<u32> = (0..self.ends.len() as u32).collect();
        by_name.sort_unstable_by_key(|&vertex| (self.at(vertex as usize), vertex));
        self.by_name = by_name;
    }

    fn at(&self, vertex: usize) -> &str {
        let start = vertex.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[vertex]]
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The name of a vertex, or `None` if there is no such vertex.
    pub fn name(&self, vertex: usize) -> Option<&str> {
        (vertex < self.len()).then(|| self.at(vertex))
    }

    /// The vertex with this name, or `None` if there is none. Work: O(log n) comparisons.
    pub fn vertex(&self, name: &str) -> Option<usize> {
        let place = self.by_name.binary_search_by(|&vertex| self.at(vertex as usize).cmp(name));
        place.ok().map(|place| self.by_name[place] as usize)
    }

    /// Up to `most` names similar to `name`, the most similar first, for example to suggest corrections of a mistyped
    /// name.
    ///
    /// Names that begin with `name` come first, then other names with a high Jaro-Winkler similarity. Work: O(n)
    /// comparisons, in parallel.
    ///
    /// # Panics
    ///
    /// Panics if the global pool is needed and cannot be started; see [`filch::run`].
    pub fn similar(&self, name: &str, most: usize) -> Vec<&str> {
        /// Names below this similarity have little in common.
        const SIMILAR: f64 = 0.85;
        /// Converts similarities to integers, which can be ordered.
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

/// Appends the whole stream to `bytes`. Fails as soon as there are too many lines or a line is too long, because a pipe
/// may never end.
fn read_stream(mut stream: Stream, path: &Path, num_vertices: usize, bytes: &mut Vec<u8>) -> Result<(), ReadError> {
    /// The number of bytes that are read at a time.
    const PIECE: usize = 1 << 20;
    /// The length limit of a name in bytes.
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
            let fault = TextFault::TooLong { most: LONGEST_NAME }.into();
            return Err(BadLine { line: lines as u64 + 1, column: LONGEST_NAME as u64 + 1, fault }.of(path));
        }
        if filled.map_err(|error| stream.error(path, error, lines as u64))? {
            return Ok(());
        }
    }
}
