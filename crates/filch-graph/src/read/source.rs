//! Access to the bytes of a file: windows of a memory mapping, or a stream, which may be decompressed.

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

/// The number of bytes at the beginning of a file that are needed to detect its format.
pub(super) const MAGIC_LEN: usize = 4;

/// An open file.
#[derive(Debug)]
pub(super) enum Source {
    Mapped(MappedFile),
    Stream(Stream),
}

impl Source {
    /// Opens a file and detects how it is compressed.
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
            // Not all file systems support mapping.
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
    /// Whether this is an uncompressed regular file.
    pub(super) fn is_mapped(&self) -> bool {
        matches!(self, Source::Mapped(_))
    }

    /// The first `len` bytes, after decompression, or fewer if the file ends before. They can be read again. A fault of
    /// the file within them is reported when they are read.
    pub(super) fn peek(&mut self, len: usize) -> Vec<u8> {
        match self {
            Source::Mapped(file) => file.window(0, len).map_or(Vec::new(), |window| window.bytes().to_vec()),
            Source::Stream(stream) => {
                let mut bytes = Vec::new();
                let fault = stream.fill(&mut bytes, len).err();
                let rest = std::mem::replace(&mut stream.reader, Box::new(io::empty()));
                let again = io::Cursor::new(bytes.clone()).chain(Fails(fault)).chain(rest);
                stream.reader = Box::new(again);
                bytes
            }
        }
    }

    /// The size of the file in bytes, if it is known.
    pub(super) fn len(&self) -> Option<u64> {
        match self {
            Source::Mapped(file) => Some(file.len),
            Source::Stream(stream) => stream.total,
        }
    }
}

/// The properties by which a change of a file is detected.
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

/// An uncompressed regular file. It is mapped one window at a time, so that only a small part is resident in memory.
#[derive(Debug)]
pub(super) struct MappedFile {
    file: File,
    pub(super) len: u64,
    /// The state when the file was opened.
    state: State,
    /// The first bytes of the file.
    pub(super) magic: Vec<u8>,
    path: PathBuf,
}

impl MappedFile {
    /// The `len` bytes from `start` on, or fewer at the end of the file. Advises the system to read the next `len`
    /// bytes ahead.
    pub(super) fn window(&self, start: u64, len: usize) -> io::Result<Window> {
        let left = usize::try_from(self.len.saturating_sub(start)).unwrap_or(usize::MAX);
        let (len, mapped) = (len.min(left), len.saturating_mul(2).min(left));
        // SAFETY: the contents of the mapping must not change while it exists, and the file must not be truncated. The
        // callers of the functions of `read` ensure this, as its documentation demands. No window outlives the call of
        // such a function, because it is dropped on return and on unwinding.
        let map = unsafe { MmapOptions::new().offset(start).len(mapped).map(&self.file) }?;
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::WillNeed); // an optimization; failure does not matter
        Ok(Window { map, len })
    }

    /// Fails if the file has changed since it was opened.
    pub(super) fn check_unchanged(&self) -> Result<(), ReadError> {
        let now = self.file.metadata().map_err(|error| ReadError::io(&self.path, error))?;
        if State::of(&now) == self.state {
            return Ok(());
        }
        Err(ReadError::Changed { path: self.path.clone() })
    }
}

/// A mapped part of a file. Dropping it unmaps the part.
#[derive(Debug)]
pub(super) struct Window {
    map: Mmap,
    /// The length without the part that is read ahead.
    len: usize,
}

impl Window {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.map[..self.len]
    }
}

/// A stream of bytes: a pipe, or a file that is decompressed.
pub(super) struct Stream {
    reader: Box<dyn Read + Send>,
    pub(super) compression: Option<Compression>,
    /// The first bytes of the file.
    magic: Vec<u8>,
    /// Whether this is a regular file.
    regular: bool,
    /// The number of bytes of the file that have been read, before decompression.
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

    /// Whether this is an empty regular file.
    pub(super) fn is_empty_file(&self) -> bool {
        self.regular && self.magic.is_empty()
    }

    /// The number of bytes of the file that have been read, before decompression.
    pub(super) fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Appends to `buffer` until it holds `len` bytes or the stream ends. Returns true at the end.
    pub(super) fn fill(&mut self, buffer: &mut Vec<u8>, len: usize) -> io::Result<bool> {
        let wanted = len.saturating_sub(buffer.len());
        buffer.reserve(wanted);
        Ok(self.reader.by_ref().take(wanted as u64).read_to_end(buffer)? < wanted)
    }

    /// Converts an error of [`fill`](Self::fill) that occurred after `lines` complete lines.
    pub(super) fn error(&self, path: &Path, error: io::Error, lines: u64) -> ReadError {
        let path_buf = path.to_owned();
        match self.compression {
            // Errors of the operating system have a number, errors of a decompressor have none.
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

/// A reader that fails once, if there is a fault to report, and is then empty.
struct Fails(Option<io::Error>);

impl Read for Fails {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// The size of the buffer for compressed bytes.
const COMPRESSED_BYTES: usize = 128 << 10;

/// A reader that counts the bytes it has read.
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
