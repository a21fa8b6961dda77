//! Reading text in windows of whole lines.

use std::mem;
use std::path::Path;

use crate::error::{FileError, TextFault};
use crate::mapped::MappedFile;
use crate::name::named;
use crate::progress::{OnProgress, Progress, report};
use crate::source::{Source, Stream};

/// The sizes of the pieces in which text is processed.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// The size of a window in bytes: enough work for all workers, but small compared to the graph.
    pub window: usize,
    /// The size in bytes of the chunks into which a window is cut, one for a worker at a time. A chunk and its edges
    /// fit in the cache of a core. Parsing a chunk takes about 200 µs, so the cost of distributing chunks is
    /// negligible.
    pub chunk: usize,
    /// The length limit of a line in bytes.
    pub longest_line: usize,
}

impl Sizes {
    /// The sizes for the number of workers of the current pool.
    pub fn of_pool() -> Sizes {
        const CHUNK: usize = 128 << 10;
        /// With several chunks per worker, no worker idles long at the end of a window.
        const CHUNKS_PER_WORKER: usize = 16;
        /// The cost of mapping is noticeable in smaller windows.
        const SMALLEST_WINDOW: usize = 4 << 20;
        // So that a fuzzer, whose files are short, meets the ends of windows and chunks everywhere
        // (crates/filch-graph-io/fuzz).
        if cfg!(fuzzing) {
            return Sizes { window: 64, chunk: 16, longest_line: 1 << 12 };
        }
        let window = (filch::num_workers() * CHUNKS_PER_WORKER * CHUNK).max(SMALLEST_WINDOW);
        Sizes { window, chunk: CHUNK, longest_line: 1 << 20 }
    }
}

/// A parser that consumes text window by window.
pub trait Consumer: Send {
    /// Why it stops.
    type Refusal: Send;

    /// Consumes the next lines.
    ///
    /// # Errors
    ///
    /// If it stops here.
    fn window(&mut self, text: &[u8]) -> Result<(), Self::Refusal>;
    /// The number of lines consumed so far.
    fn lines(&self) -> u64;
    /// The number of items parsed so far.
    fn items(&self) -> u64;
}

/// Why text was not read to its end.
#[derive(Debug)]
pub enum Failure<R> {
    /// The file could not be read.
    File(FileError),
    /// The consumer has stopped.
    Refused(R),
}

impl<R> From<FileError> for Failure<R> {
    fn from(error: FileError) -> Self {
        Failure::File(error)
    }
}

/// Passes the text of `source` to `consumer`, in order.
///
/// # Errors
///
/// If the file cannot be read, if a line is too long, if `consumer` stops, or if `on_progress` asks to.
pub fn feed<C: Consumer>(
    source: Source,
    path: &Path,
    sizes: Sizes,
    consumer: &mut C,
    on_progress: &mut OnProgress<'_>,
) -> Result<(), Failure<C::Refusal>> {
    match source {
        Source::Mapped(file) => feed_mapped(&file, path, sizes, consumer, on_progress),
        Source::Stream(stream) => feed_stream(stream, path, sizes, consumer, on_progress),
    }
}

/// Passes text in memory to `consumer`, in order. There is no limit on the length of a line.
///
/// # Errors
///
/// If `consumer` stops.
pub fn feed_memory<C: Consumer>(mut text: &[u8], sizes: Sizes, consumer: &mut C) -> Result<(), C::Refusal> {
    while !text.is_empty() {
        let len = sizes.window.min(text.len());
        let rest = || text[len..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |place| len + place + 1);
        let (lines, after) = text.split_at(cut(&text[..len], len == text.len()).unwrap_or_else(rest));
        consumer.window(lines)?;
        text = after;
    }
    Ok(())
}

fn feed_mapped<C: Consumer>(
    file: &MappedFile,
    path: &Path,
    sizes: Sizes,
    consumer: &mut C,
    on_progress: &mut OnProgress<'_>,
) -> Result<(), Failure<C::Refusal>> {
    let mut start = 0;
    while start < file.len() {
        let mut len = sizes.window;
        loop {
            let window = file.window(start, len).map_err(|error| FileError::io(path, error))?;
            let bytes = window.bytes();
            let at_end = start + bytes.len() as u64 == file.len();
            if let Some(cut) = cut(bytes, at_end) {
                start += cut as u64;
                consumer.window(&bytes[..cut]).map_err(Failure::Refused)?;
                break;
            }
            len = longer(len, sizes, consumer.lines(), path)?;
        }
        report(Progress::new(start, Some(file.len()), consumer.items()), path, on_progress)?;
    }
    Ok(file.check_unchanged()?)
}

/// While one window is consumed, the next one is read. For a compressed file, reading is most of the work.
fn feed_stream<C: Consumer>(
    mut stream: Stream,
    path: &Path,
    sizes: Sizes,
    consumer: &mut C,
    on_progress: &mut OnProgress<'_>,
) -> Result<(), Failure<C::Refusal>> {
    let (mut text, mut next) = (Vec::new(), Vec::new());
    let mut len = sizes.window;
    let mut at_end = false;
    let mut filled = stream.fill(&mut text, len);
    loop {
        match filled {
            Ok(end) => at_end |= end,
            // Consume the complete lines before the fault: an error in one of them comes first.
            Err(error) => {
                let whole = cut(&text, false).unwrap_or(0);
                consumer.window(&text[..whole]).map_err(Failure::Refused)?;
                return Err(stream.error(path, error, consumer.lines()).into());
            }
        }
        let Some(cut) = cut(&text, at_end) else {
            len = longer(len, sizes, consumer.lines(), path)?;
            filled = stream.fill(&mut text, len);
            continue;
        };
        next.clear();
        next.extend_from_slice(&text[cut..]);
        len = sizes.window;
        let done = stream.done();
        let mut consume = || consumer.window(&text[..cut]);
        let consumed;
        (consumed, filled) =
            if at_end { (consume(), Ok(true)) } else { filch::join(consume, || stream.fill(&mut next, len)) };
        consumed.map_err(Failure::Refused)?;
        report(Progress::new(done, stream.total(), consumer.items()), path, on_progress)?;
        if at_end {
            return Ok(());
        }
        mem::swap(&mut text, &mut next);
    }
}

/// The end of the last complete line, or `None` if there is none. At the end of the file, a line needs no newline.
fn cut(bytes: &[u8], at_end: bool) -> Option<usize> {
    if at_end { Some(bytes.len()) } else { bytes.iter().rposition(|&byte| byte == b'\n').map(|place| place + 1) }
}

/// A larger window for a line that does not fit: twice the length, up to the limit.
fn longer(len: usize, sizes: Sizes, lines: u64, path: &Path) -> Result<usize, FileError> {
    let most = sizes.longest_line;
    if len >= most {
        let (path, fault) = (named(path).to_owned(), TextFault::TooLong { most });
        return Err(FileError::Text { path, line: lines + 1, column: most as u64 + 1, fault });
    }
    Ok((2 * len).min(most.max(sizes.window)))
}
