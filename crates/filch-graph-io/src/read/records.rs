//! Formats with a header: some lines that are read one after the other, and then records, one a line, that workers read
//! in parallel.
//!
//! Nothing is allocated because a header says so. Records are stored as they are read, so memory is bounded by the size
//! of the file.

use super::append::append;
use super::error::{BadLine, ReadError, Refusal};
use super::fault::LineFault;
use super::line;
use super::numbers::{Fault, unexpected};
use super::options::ReadOptions;
use filch_text::{Consumer, OnProgress, Sizes, Source, feed, feed_memory};
use std::path::Path;

/// A format with a header.
pub(super) trait Dialect: Send + Sync {
    /// What a record is turned into, once or several times.
    type Item: Copy + Send + Sync;

    /// What the records are called in messages.
    const RECORDS: &'static str;

    /// Whether an empty line is a record, so that the last one may be an empty line without a newline.
    const MAY_BE_EMPTY: bool = false;

    /// Whether there is a header at all.
    const HAS_HEAD: bool = true;

    /// Reads a line of the header. Returns true if the header ends with it.
    fn head(&mut self, line: &[u8]) -> Result<bool, Fault> {
        let _ = line;
        Ok(true)
    }

    /// The fault of a file that ends within the header.
    fn no_head(&self) -> LineFault {
        unexpected("a header", None)
    }

    /// Reads the line at `at` if that is simple, and appends its item. Returns where the next line begins.
    #[inline(always)]
    fn quick(&self, text: &[u8], at: usize, items: &mut Vec<Self::Item>) -> Option<usize> {
        let _ = (text, at, items);
        None
    }

    /// Reads a line after the header, and appends its items. `before` is the number of records before it in its chunk.
    /// Returns false if the line is not a record, for example if it is a comment.
    fn record(&self, line: &[u8], before: usize, items: &mut Vec<Self::Item>) -> Result<bool, Fault>;

    /// The number of records that the header declares.
    fn declared(&self) -> u64 {
        0
    }

    /// The highest vertex of some items, if no header declares the number of vertices.
    fn highest(items: &[Self::Item]) -> Option<u64> {
        let _ = items;
        None
    }

    /// Whether a record is one too many if it comes after the declared number.
    fn is_excess(&self, line: &[u8]) -> bool {
        let _ = line;
        true
    }

    /// The item of a record before whose chunk there are `before` records.
    fn moved(item: Self::Item, before: u64) -> Self::Item {
        let _ = before;
        item
    }
}

/// What has been read of a file.
pub(super) struct Records<D: Dialect> {
    pub(super) dialect: D,
    /// The items, in the order of the file.
    pub(super) parts: Vec<Vec<D::Item>>,
    /// The number of records.
    pub(super) num_records: u64,
    pub(super) num_items: u64,
    pub(super) num_lines: u64,
    pub(super) num_bytes: u64,
    /// The highest vertex: see [`Dialect::highest`].
    pub(super) highest: Option<u64>,
    /// The number of lines up to the end of the header.
    head_lines: u64,
    in_head: bool,
    chunk_bytes: usize,
    /// Reused for each window.
    chunks: Vec<Chunk<D::Item>>,
}

/// The lines that begin within a range of bytes of a window.
struct Chunk<T> {
    index: usize,
    items: Vec<T>,
    lines: u64,
    records: u64,
    highest: Option<u64>,
    fault: Option<Fault>,
}

/// Reads the records of a file. Fails if there are fewer or more than the header declares.
pub(super) fn read_records<D: Dialect>(
    dialect: D,
    source: Source,
    path: &Path,
    on_progress: &mut OnProgress<'_>,
    sizes: Sizes,
) -> Result<Records<D>, ReadError> {
    let mut records = Records::new(dialect, sizes);
    feed(source, path, sizes, &mut records, on_progress).map_err(|failure| Refusal::of_feed(failure, path))?;
    records.finish(path)
}

/// Reads the records of a text in memory.
pub(super) fn parse_records<D: Dialect>(
    dialect: D,
    text: &[u8],
    path: &Path,
    sizes: Sizes,
) -> Result<Records<D>, ReadError> {
    let mut records = Records::new(dialect, sizes);
    feed_memory(text, sizes, &mut records).map_err(|refusal| refusal.of(path))?;
    records.finish(path)
}

impl<D: Dialect> Records<D> {
    fn new(dialect: D, sizes: Sizes) -> Self {
        Records {
            dialect,
            parts: Vec::new(),
            num_records: 0,
            num_items: 0,
            num_lines: 0,
            num_bytes: 0,
            highest: None,
            head_lines: 0,
            in_head: D::HAS_HEAD,
            chunk_bytes: sizes.chunk,
            chunks: Vec::new(),
        }
    }

    /// The number of vertices of an edge list. Fails if there is no edge and the options do not say it.
    pub(super) fn num_vertices(&self, options: &ReadOptions, path: &Path) -> Result<usize, ReadError> {
        if self.num_records == 0 && options.num_vertices.is_none() {
            return Err(ReadError::NoEdges { path: path.to_owned() });
        }
        Ok(options.num_vertices.unwrap_or_else(|| self.highest.map_or(0, |highest| highest as usize + 1)))
    }

    fn finish(mut self, path: &Path) -> Result<Self, ReadError> {
        if self.in_head {
            let fault = self.dialect.no_head();
            return Err(BadLine { line: self.num_lines + 1, column: 1, fault }.of(path));
        }
        let (declared, found) = (self.dialect.declared(), self.num_records);
        if found + u64::from(D::MAY_BE_EMPTY) < declared {
            return Err(self.of_header(LineFault::TooFew { what: D::RECORDS, declared, found }, path));
        }
        self.chunks = Vec::new();
        Ok(self)
    }

    /// The error of a fault of the header as a whole.
    pub(super) fn of_header(&self, fault: LineFault, path: &Path) -> ReadError {
        BadLine { line: self.head_lines, column: 1, fault }.of(path)
    }

    fn bad(&self, lines: u64, (column, fault): Fault) -> Refusal {
        Refusal::Line(BadLine { line: lines + 1, column: column as u64 + 1, fault })
    }

    /// The first line of a chunk that is beyond what the header declares, if `allowed` records are left.
    fn excess(&self, text: &[u8], index: usize, allowed: u64) -> Option<Refusal> {
        let start = index * self.chunk_bytes;
        let (mut at, end) = (next_line(text, start), next_line(text, start + self.chunk_bytes));
        let (mut lines, mut records, mut scratch) = (0, 0, Vec::new());
        while at < end {
            let (line, next) = line_at(text, at);
            scratch.clear();
            let is_record = self.dialect.record(line, 0, &mut scratch).unwrap_or(false);
            if is_record && records >= allowed && self.dialect.is_excess(line) {
                let fault = LineFault::TooMany { what: D::RECORDS, declared: self.dialect.declared() };
                return Some(self.bad(self.num_lines + lines, (0, fault)));
            }
            records += u64::from(is_record);
            lines += 1;
            at = next;
        }
        None
    }
}

impl<D: Dialect> Consumer for Records<D> {
    type Refusal = Refusal;

    fn window(&mut self, text: &[u8]) -> Result<(), Refusal> {
        let opening = match self.num_bytes {
            0 if D::HAS_HEAD => line::text_start(text),
            0 => line::opening(text),
            _ => Ok(0),
        };
        let mut at = opening.map_err(|fault| self.bad(0, (0, fault)))?;
        self.num_bytes += text.len() as u64;
        while self.in_head && at < text.len() {
            let (line, next) = line_at(text, at);
            let is_last = self.dialect.head(line).map_err(|fault| self.bad(self.num_lines, fault))?;
            self.num_lines += 1;
            self.head_lines = self.num_lines;
            self.in_head = !is_last;
            at = next;
        }
        let text = &text[at.min(text.len())..];
        let count = text.len().div_ceil(self.chunk_bytes);
        for index in self.chunks.len()..count {
            self.chunks.push(Chunk { index, items: Vec::new(), lines: 0, records: 0, highest: None, fault: None });
        }
        let (dialect, chunk_bytes) = (&self.dialect, self.chunk_bytes);
        filch::for_each(&mut self.chunks[..count], |_, chunk| chunk.read(text, chunk_bytes, dialect));

        let mut before = Vec::with_capacity(count);
        for index in 0..count {
            let Chunk { lines, records, highest, .. } = self.chunks[index];
            let allowed = self.dialect.declared().saturating_sub(self.num_records);
            if D::HAS_HEAD
                && records > allowed
                && let Some(refusal) = self.excess(text, index, allowed)
            {
                return Err(refusal);
            }
            if let Some(fault) = self.chunks[index].fault.take() {
                return Err(self.bad(self.num_lines + lines, fault));
            }
            before.push(self.num_records);
            self.num_lines += lines;
            self.num_records += records;
            self.highest = self.highest.max(highest);
        }
        let pieces: Vec<&[D::Item]> = self.chunks[..count].iter().map(|chunk| &chunk.items[..]).collect();
        let added = pieces.iter().map(|items| items.len()).sum();
        self.num_items += added as u64;
        let mut part = Vec::new();
        let no_memory = |_| Refusal::NoMemory {
            num_vertices: self.highest.map_or(0, |highest| highest + 1),
            num_edges: self.num_items,
        };
        part.try_reserve_exact(added).map_err(no_memory)?;
        append(&mut part, &pieces, 1, |index, items| {
            let before = before[index];
            items.iter().map(move |&item| D::moved(item, before))
        });
        if !part.is_empty() {
            self.parts.push(part);
        }
        Ok(())
    }

    fn lines(&self) -> u64 {
        self.num_lines
    }

    fn items(&self) -> u64 {
        self.num_items
    }
}

impl<T> Chunk<T> {
    fn read<D: Dialect<Item = T>>(&mut self, text: &[u8], chunk_bytes: usize, dialect: &D) {
        let start = self.index * chunk_bytes;
        let (mut at, end) = (next_line(text, start), next_line(text, start + chunk_bytes));
        self.items.clear();
        (self.lines, self.records, self.fault) = (0, 0, None);
        while at < end {
            if let Some(next) = dialect.quick(text, at, &mut self.items) {
                self.records += 1;
                at = next;
            } else {
                let (line, next) = line_at(text, at);
                match dialect.record(line, self.records as usize, &mut self.items) {
                    Ok(is_record) => self.records += u64::from(is_record),
                    Err(fault) => {
                        self.fault = Some(fault);
                        return;
                    }
                }
                at = next;
            }
            self.lines += 1;
        }
        self.highest = D::highest(&self.items);
    }
}

/// The line that begins at `at`, without its end, and where the next one begins.
fn line_at(text: &[u8], at: usize) -> (&[u8], usize) {
    let rest = &text[at..];
    let len = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    let line = &rest[..len];
    (line.strip_suffix(b"\r").unwrap_or(line), at + len + 1)
}

/// The position of the first line that begins at or after `at`, or the length of the text if there is none.
fn next_line(text: &[u8], at: usize) -> usize {
    if at == 0 {
        return 0;
    }
    let newline = text.get(at - 1..).and_then(|rest| rest.iter().position(|&byte| byte == b'\n'));
    newline.map_or(text.len(), |place| at + place)
}
