//! Files whose bytes can be looked at in any order.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use memmap2::{Mmap, MmapOptions};

use crate::error::FileError;

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

/// A file whose bytes can be looked at in any order: an uncompressed regular file, which is mapped one window at a
/// time, so that only a small part is resident in memory, or [what a stream had](crate::Source::into_mapped).
#[derive(Debug)]
pub struct MappedFile {
    contents: Contents,
    len: u64,
    path: PathBuf,
}

#[derive(Debug)]
enum Contents {
    /// A file, and its state when it was opened.
    File {
        file: File,
        state: State,
    },
    Memory(Vec<u8>),
}

impl MappedFile {
    /// The file, or the same again if its file system does not support mapping.
    pub(crate) fn of_file(file: File, metadata: &Metadata, path: &Path) -> Result<Self, File> {
        match mapped(&file, 0, 1) {
            Ok(_) => {
                let contents = Contents::File { file, state: State::of(metadata) };
                Ok(MappedFile { contents, len: metadata.len(), path: path.to_owned() })
            }
            Err(_) => Err(file),
        }
    }

    /// These bytes, which were read from `path`.
    pub(crate) fn of_bytes(bytes: Vec<u8>, path: &Path) -> Self {
        MappedFile { len: bytes.len() as u64, contents: Contents::Memory(bytes), path: path.to_owned() }
    }

    /// All bytes in order.
    pub(crate) fn into_reader(self) -> Result<Box<dyn Read + Send>, FileError> {
        match self.contents {
            Contents::File { mut file, .. } => {
                file.rewind().map_err(|error| FileError::io(&self.path, error))?;
                Ok(Box::new(file))
            }
            Contents::Memory(bytes) => Ok(Box::new(io::Cursor::new(bytes))),
        }
    }

    /// The number of bytes.
    #[allow(clippy::len_without_is_empty)] // a file without bytes is not mapped
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The `len` bytes from `start` on, or fewer at the end of the file. Advises the system to read the next `len`
    /// bytes ahead.
    ///
    /// # Errors
    ///
    /// If the system cannot map them.
    pub fn window(&self, start: u64, len: usize) -> io::Result<Window<'_>> {
        let left = usize::try_from(self.len.saturating_sub(start)).unwrap_or(usize::MAX);
        let (len, ahead) = (len.min(left), len.saturating_mul(2).min(left));
        let bytes = match &self.contents {
            Contents::File { file, .. } => Bytes::Mapped(mapped(file, start, ahead)?),
            Contents::Memory(bytes) => Bytes::Borrowed(&bytes[bytes.len() - left..]),
        };
        Ok(Window { bytes, len })
    }

    /// Checks that the file has not changed since it was opened.
    ///
    /// # Errors
    ///
    /// [`FileError::Changed`] if it has.
    pub fn check_unchanged(&self) -> Result<(), FileError> {
        let Contents::File { file, state } = &self.contents else { return Ok(()) };
        let now = file.metadata().map_err(|error| FileError::io(&self.path, error))?;
        if State::of(&now) == *state {
            return Ok(());
        }
        Err(FileError::Changed { path: self.path.clone() })
    }
}

fn mapped(file: &File, start: u64, len: usize) -> io::Result<Mmap> {
    // SAFETY: the contents of the mapping must not change while it exists, and the file must not be truncated. The
    // callers of the functions of this crate ensure this, as its documentation demands.
    let map = unsafe { MmapOptions::new().offset(start).len(len).map(file) }?;
    #[cfg(unix)]
    let _ = map.advise(memmap2::Advice::WillNeed); // an optimization; failure does not matter
    Ok(map)
}

/// A part of a file. Dropping it unmaps the part.
#[derive(Debug)]
pub struct Window<'a> {
    bytes: Bytes<'a>,
    /// The length without the part that is read ahead.
    len: usize,
}

#[derive(Debug)]
enum Bytes<'a> {
    Mapped(Mmap),
    Borrowed(&'a [u8]),
}

impl Window<'_> {
    /// The bytes that were asked for.
    pub fn bytes(&self) -> &[u8] {
        let bytes = match &self.bytes {
            Bytes::Mapped(map) => map,
            Bytes::Borrowed(bytes) => *bytes,
        };
        &bytes[..self.len]
    }
}
