//! Access to the bytes of a file: windows of a memory mapping, or a stream, which may be decompressed.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::compression::Compression;
use crate::error::FileError;
use crate::foreign::{Foreign, HEAD_BYTES};
use crate::mapped::MappedFile;
use crate::members::{Members, Trailing};
use crate::name::{is_standard_input, named};
use crate::progress::{OnProgress, Progress, report};

/// An open file.
#[derive(Debug)]
pub enum Source {
    /// An uncompressed regular file.
    Mapped(MappedFile),
    /// Anything else.
    Stream(Stream),
}

impl Source {
    /// Opens a file, or standard input if `path` is `-`, and detects how it is compressed.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, or its first bytes show that it cannot be read.
    pub fn open(path: &Path) -> Result<Source, FileError> {
        if is_standard_input(path) {
            let (input, head) = with_head(io::stdin(), path)?;
            return Ok(Source::Stream(Stream::new(head, Box::new(input), None, path)?));
        }
        let file = File::open(path).map_err(|error| FileError::io(path, error))?;
        let metadata = file.metadata().map_err(|error| FileError::io(path, error))?;
        if metadata.is_dir() {
            return Err(FileError::Directory { path: path.to_owned() });
        }
        let (mut file, head) = with_head(file, path)?;
        if Compression::of(&head).is_none() && metadata.is_file() && metadata.len() > 0 {
            refuse_foreign(&head, None, path)?;
            match MappedFile::of_file(file, &metadata, path) {
                Ok(file) => return Ok(Source::Mapped(file)),
                Err(other) => file = other,
            }
        }
        Ok(Source::Stream(Stream::new(head, Box::new(file), Some(&metadata), path)?))
    }

    /// Whether this is an uncompressed regular file.
    pub fn is_mapped(&self) -> bool {
        matches!(self, Source::Mapped(_))
    }

    /// The first `len` bytes, after decompression, or fewer if the file ends before. They can be read again. A fault of
    /// the file within them is reported when they are read.
    pub fn peek(&mut self, len: usize) -> Vec<u8> {
        match self {
            Source::Mapped(file) => file.window(0, len).map_or(Vec::new(), |window| window.bytes().to_vec()),
            Source::Stream(stream) => stream.peek(len),
        }
    }

    /// The size of the file in bytes, if it is known.
    pub fn len(&self) -> Option<u64> {
        match self {
            Source::Mapped(file) => Some(file.len()),
            Source::Stream(stream) => stream.total,
        }
    }

    /// Whether it is known to have no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0) || matches!(self, Source::Stream(stream) if stream.is_empty_file())
    }

    /// The file itself if it is mapped. Of a stream, the bytes after decompression, but at most so many, in memory.
    ///
    /// # Errors
    ///
    /// If the stream cannot be read, there is no memory, or `on_progress` asks to stop.
    pub fn into_mapped(
        self,
        path: &Path,
        most: u64,
        on_progress: &mut OnProgress<'_>,
    ) -> Result<MappedFile, FileError> {
        let mut stream = match self {
            Source::Mapped(file) => return Ok(file),
            Source::Stream(stream) => stream,
        };
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let mut bytes = Vec::new();
        loop {
            let wanted = most.min(bytes.len().saturating_add(PIECE_BYTES));
            bytes.try_reserve(wanted - bytes.len()).map_err(|error| FileError::io(path, error.into()))?;
            let filled = stream.fill(&mut bytes, wanted);
            let is_end = filled.map_err(|error| stream.error_after(path, error, bytes.len()))?;
            report(Progress::new(stream.done(), stream.total(), 0), path, on_progress)?;
            if is_end || bytes.len() == most {
                return Ok(MappedFile::of_bytes(bytes, path));
            }
        }
    }

    /// All bytes in order, after decompression. Their errors are for [`Stream::error`].
    ///
    /// # Errors
    ///
    /// If the file cannot be read from its beginning.
    pub fn into_stream(self) -> Result<Stream, FileError> {
        match self {
            Source::Stream(stream) => Ok(stream),
            Source::Mapped(file) => {
                let len = file.len();
                let (reader, done) = counted(Vec::new(), file.into_reader()?);
                let reader = Box::new(reader);
                Ok(Stream { reader, compression: None, is_empty_file: false, done, total: Some(len) })
            }
        }
    }
}

/// The bytes of a stream that are read at a time.
const PIECE_BYTES: usize = 4 << 20;

/// The first bytes of a file, and the file behind them.
fn with_head<R: Read>(mut reader: R, path: &Path) -> Result<(R, Vec<u8>), FileError> {
    let mut head = Vec::with_capacity(HEAD_BYTES);
    let read = reader.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head);
    read.map_err(|error| FileError::io(path, error))?;
    Ok((reader, head))
}

/// Fails if a file that begins so cannot be read.
fn refuse_foreign(head: &[u8], within: Option<Compression>, path: &Path) -> Result<(), FileError> {
    let again = || within.and(Compression::of(head)).map(Foreign::Again);
    match Foreign::of(head).or_else(again) {
        Some(what) => Err(FileError::Foreign { path: named(path).to_owned(), within, what }),
        None => Ok(()),
    }
}

/// A stream of bytes: a pipe, or a file that is decompressed.
pub struct Stream {
    reader: Box<dyn Read + Send>,
    compression: Option<Compression>,
    is_empty_file: bool,
    /// The number of bytes of the file that have been read, before decompression.
    done: Arc<AtomicU64>,
    total: Option<u64>,
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("compression", &self.compression).field("total", &self.total).finish()
    }
}

impl Stream {
    /// The bytes of `head`, and then those of `rest`.
    fn new(
        head: Vec<u8>,
        rest: Box<dyn Read + Send>,
        metadata: Option<&Metadata>,
        path: &Path,
    ) -> Result<Stream, FileError> {
        refuse_foreign(&head, None, path)?;
        let compression = Compression::of(&head);
        let is_file = metadata.is_some_and(Metadata::is_file);
        let total = metadata.map(Metadata::len).filter(|&len| is_file && len > 0);
        let is_empty_file = is_file && head.is_empty();
        let (raw, done) = counted(head, rest);
        let Some(compression) = compression else {
            return Ok(Stream { reader: Box::new(raw), compression: None, is_empty_file, done, total });
        };
        if !compression.is_readable() {
            let what = Foreign::NotBuilt(compression);
            return Err(FileError::Foreign { path: named(path).to_owned(), within: None, what });
        }
        let reader = Box::new(Members::new(compression, raw).map_err(|error| FileError::io(path, error))?);
        let mut stream = Stream { reader, compression: Some(compression), is_empty_file, done, total };
        refuse_foreign(&stream.peek(HEAD_BYTES), Some(compression), path)?;
        Ok(stream)
    }

    /// How it is compressed.
    pub fn compression(&self) -> Option<Compression> {
        self.compression
    }

    /// Whether this is an empty regular file.
    pub fn is_empty_file(&self) -> bool {
        self.is_empty_file
    }

    /// The number of bytes of the file that have been read, before decompression.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// The size of the file in bytes, if it is known.
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    fn peek(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let fault = self.fill(&mut bytes, len).err();
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(io::Cursor::new(bytes.clone()).chain(Fails(fault)).chain(rest));
        bytes
    }

    /// Appends to `buffer` until it holds `len` bytes or the stream ends. Returns true at the end.
    ///
    /// # Errors
    ///
    /// If reading fails. [`error`](Self::error) says why.
    pub fn fill(&mut self, buffer: &mut Vec<u8>, len: usize) -> io::Result<bool> {
        let wanted = len.saturating_sub(buffer.len());
        buffer.reserve(wanted);
        Ok(self.reader.by_ref().take(wanted as u64).read_to_end(buffer)? < wanted)
    }

    /// Converts an error of reading that occurred after so many bytes, which are no text.
    fn error_after(&self, path: &Path, error: io::Error, len: usize) -> FileError {
        match self.compression {
            // Errors of a decompressor have no number.
            Some(compression) if error.raw_os_error().is_none() => {
                let what = format!("{len} bytes of the decompressed data are good, and then {compression}: {error}");
                FileError::io(path, io::Error::other(what))
            }
            _ => FileError::io(path, error),
        }
    }

    /// Converts an error of reading that occurred after `lines` complete lines.
    pub fn error(&self, path: &Path, error: io::Error, lines: u64) -> FileError {
        let Some(compression) = self.compression else { return FileError::io(path, error) };
        // Errors of the operating system have a number, errors of a decompressor have none.
        if error.raw_os_error().is_some() {
            return FileError::io(path, error);
        }
        let path = named(path).to_owned();
        if let Some(Trailing { found }) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
            return FileError::Trailing { path, compression, line: lines, found: found.clone() };
        }
        if error.kind() == io::ErrorKind::UnexpectedEof {
            return FileError::Truncated { path, compression, line: lines + 1 };
        }
        FileError::Corrupt { path, compression, line: lines, reason: error.to_string() }
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

/// A reader that fails once, if there is a fault to report, and is then empty.
struct Fails(Option<io::Error>);

impl Read for Fails {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// A reader that counts the bytes it has read.
struct Counted<R> {
    inner: R,
    done: Arc<AtomicU64>,
}

/// The bytes of `head` and then those of `rest`, counted.
fn counted(head: Vec<u8>, rest: Box<dyn Read + Send>) -> (impl Read + Send + 'static, Arc<AtomicU64>) {
    let done = Arc::new(AtomicU64::new(0));
    (Counted { inner: io::Cursor::new(head).chain(rest), done: Arc::clone(&done) }, done)
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.done.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
