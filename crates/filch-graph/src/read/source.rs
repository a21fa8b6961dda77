//! Where the bytes of a file come from: windows of a mapping, or a stream that may be decompressed on its way.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use memmap2::{Mmap, MmapOptions};

use super::compression::Compression;
use super::error::ReadError;

/// As many of the first bytes as tell what a file is.
pub(super) const MAGIC_LEN: usize = 4;

/// An open file.
#[derive(Debug)]
pub(super) enum Source {
    Mapped(MappedFile),
    Stream(Stream),
}

impl Source {
    /// Opens the file and looks at its first bytes.
    pub(super) fn open(path: &Path) -> Result<Source, ReadError> {
        let mut file = File::open(path).map_err(|error| ReadError::io(path, error))?;
        let metadata = file.metadata().map_err(|error| ReadError::io(path, error))?;
        if metadata.is_dir() {
            return Err(ReadError::Directory { path: path.to_owned() });
        }
        let mut magic = Vec::with_capacity(MAGIC_LEN);
        let sniffed = file.by_ref().take(MAGIC_LEN as u64).read_to_end(&mut magic);
        sniffed.map_err(|error| ReadError::io(path, error))?;
        let compression = Compression::of_magic(&magic);
        if compression.is_none() && metadata.is_file() && metadata.len() > 0 {
            let mapped =
                MappedFile { file, len: metadata.len(), state: State::of(&metadata), magic, path: path.to_owned() };
            // Some file systems do not map.
            return Ok(if mapped.window(0, 1).is_ok() {
                Source::Mapped(mapped)
            } else {
                Source::Stream(Stream::new(mapped.magic, mapped.file, None, &metadata, path)?)
            });
        }
        Ok(Source::Stream(Stream::new(magic, file, compression, &metadata, path)?))
    }
}

impl Source {
    /// Whether these are the first bytes. Of a compressed file, not those that it is decompressed to.
    pub(super) fn begins_with(&self, bytes: &[u8]) -> bool {
        match self {
            Source::Mapped(file) => file.magic.starts_with(bytes),
            Source::Stream(stream) => stream.magic.starts_with(bytes),
        }
    }

    /// How many bytes the file has, where that is known.
    pub(super) fn len(&self) -> Option<u64> {
        match self {
            Source::Mapped(file) => Some(file.len),
            Source::Stream(stream) => stream.total,
        }
    }
}

/// What tells that a file has changed.
#[derive(Debug, PartialEq, Eq)]
struct State {
    len: u64,
    modified: Option<SystemTime>,
}

impl State {
    fn of(metadata: &Metadata) -> State {
        State { len: metadata.len(), modified: metadata.modified().ok() }
    }
}

/// A regular file, not compressed, that is looked at through windows: so the part of it that is resident stays small.
#[derive(Debug)]
pub(super) struct MappedFile {
    file: File,
    pub(super) len: u64,
    /// Of the time it was opened.
    state: State,
    /// Its first bytes.
    pub(super) magic: Vec<u8>,
    path: PathBuf,
}

impl MappedFile {
    /// The bytes from `start` on, `len` of them or as many as there are. The system is asked to read as many again
    /// ahead.
    pub(super) fn window(&self, start: u64, len: usize) -> io::Result<Window> {
        let left = usize::try_from(self.len.saturating_sub(start)).unwrap_or(usize::MAX);
        let (len, mapped) = (len.min(left), len.saturating_mul(2).min(left));
        // SAFETY: nobody changes the file while the window lives: a premise of the module, which its users keep. The
        // window is dropped before the function that they have called returns, also on unwinding.
        let map = unsafe { MmapOptions::new().offset(start).len(mapped).map(&self.file) }?;
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::WillNeed); // a hint, without which all is well
        Ok(Window { map, len })
    }

    /// Fails if the file has been written to since it was opened.
    pub(super) fn check_unchanged(&self) -> Result<(), ReadError> {
        let now = self.file.metadata().map_err(|error| ReadError::io(&self.path, error))?;
        if State::of(&now) == self.state {
            return Ok(());
        }
        Err(ReadError::Changed { path: self.path.clone() })
    }
}

/// Some bytes of a file, which are given back to the system when this is dropped.
#[derive(Debug)]
pub(super) struct Window {
    map: Mmap,
    /// Without what is read ahead.
    len: usize,
}

impl Window {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.map[..self.len]
    }
}

/// Bytes that come once, in order: of a pipe, or decompressed.
pub(super) struct Stream {
    reader: Box<dyn Read + Send>,
    pub(super) compression: Option<Compression>,
    /// The first bytes.
    magic: Vec<u8>,
    /// Whether it is a regular file, and not one of those without a length that the system makes up.
    regular: bool,
    /// Bytes of the file that have been read, compressed ones.
    done: Arc<AtomicU64>,
    pub(super) total: Option<u64>,
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("compression", &self.compression).field("total", &self.total).finish()
    }
}

impl Stream {
    fn new(
        magic: Vec<u8>,
        file: File,
        compression: Option<Compression>,
        metadata: &Metadata,
        path: &Path,
    ) -> Result<Stream, ReadError> {
        let done = Arc::new(AtomicU64::new(0));
        let raw = Counted { inner: io::Cursor::new(magic.clone()).chain(file), done: Arc::clone(&done) };
        let reader: Box<dyn Read + Send> = match compression {
            None => Box::new(raw),
            Some(Compression::Gzip) => {
                let raw = io::BufReader::with_capacity(COMPRESSED_BYTES, raw);
                Box::new(flate2::bufread::MultiGzDecoder::new(raw))
            }
            Some(Compression::Zstd) => {
                let raw = io::BufReader::with_capacity(COMPRESSED_BYTES, raw);
                Box::new(zstd::Decoder::with_buffer(raw).map_err(|error| ReadError::io(path, error))?)
            }
        };
        let total = (metadata.is_file() && metadata.len() > 0).then_some(metadata.len());
        Ok(Stream { reader, compression, magic, regular: metadata.is_file(), done, total })
    }

    /// Whether it is a file with nothing in it.
    pub(super) fn is_empty_file(&self) -> bool {
        self.regular && self.magic.is_empty()
    }

    /// How many bytes of the file have been read.
    pub(super) fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Adds to `buffer` until it holds `len` bytes or the end is reached. True at the end.
    pub(super) fn fill(&mut self, buffer: &mut Vec<u8>, len: usize) -> io::Result<bool> {
        let wanted = len.saturating_sub(buffer.len());
        buffer.reserve(wanted);
        Ok(self.reader.by_ref().take(wanted as u64).read_to_end(buffer)? < wanted)
    }

    /// What an error of [`fill`](Self::fill) means, after so many lines.
    pub(super) fn error(&self, path: &Path, error: io::Error, lines: u64) -> ReadError {
        let path_buf = path.to_owned();
        match self.compression {
            // Errors of the system have a number, those of a decompressor have none.
            Some(compression) if error.raw_os_error().is_none() => {
                if error.kind() == io::ErrorKind::UnexpectedEof {
                    ReadError::Truncated { path: path_buf, compression, line: lines + 1 }
                } else {
                    ReadError::Corrupt { path: path_buf, compression, line: lines, reason: error.to_string() }
                }
            }
            _ => ReadError::io(path, error),
        }
    }
}

/// Compressed bytes that are read at once.
const COMPRESSED_BYTES: usize = 128 << 10;

/// A reader that says how much it has read.
struct Counted<R> {
    inner: R,
    done: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.done.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
