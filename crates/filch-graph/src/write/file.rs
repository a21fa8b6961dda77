//! Files that are there whole or not at all.

use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::error::{Failure, WriteError};
use crate::read::Compression;

/// Finds out now, not after a long computation, whether `path` can be written.
///
/// A device, a pipe or a directory cannot be replaced by a file, or must not be: for root `/dev/null` would be a file
/// from then on. Nor is a file replaced that the user may not write to, though its directory would allow it.
///
/// # Errors
///
/// As the functions that write. How much room there is on the disk is not looked at.
pub fn check_writable(path: &Path) -> Result<(), WriteError> {
    temporary(path).map(drop)
}

/// Writes to `path` whatever `content` writes; not compressed, whatever the name.
///
/// It is there whole or not at all: under another name in its directory until all of it is on the disk, then renamed. A
/// link stays, and the file that it leads to is written; permissions of a file that is replaced are kept. To stop
/// half-way, `content` returns an error or panics: nothing is left then, and a file that was there before is as it was.
///
/// ```
/// use filch_graph::write::write_file;
///
/// # let directory = tempfile::tempdir().unwrap();
/// # let path = directory.path().join("figures.json");
/// write_file(&path, |out| out.write_all(b"[1, 2, 3]\n")).unwrap();
/// assert_eq!(std::fs::read(&path).unwrap(), b"[1, 2, 3]\n");
/// ```
///
/// # Errors
///
/// As [`check_writable`]; and those of `content` and of the system, as [`WriteError::Io`].
pub fn write_file(
    path: &Path,
    content: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> Result<(), WriteError> {
    write_whole(path, None, |out| {
        let mut out = BufWriter::new(out);
        content(&mut out)?;
        Ok(out.flush()?)
    })
}

/// Writes what `content` says to `path`, compressed if so asked.
pub(super) fn write_whole(
    path: &Path,
    compression: Option<Compression>,
    content: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), Failure>,
) -> Result<(), WriteError> {
    let (mut file, target) = temporary(path)?;
    // If this fails, the temporary file is removed when it is dropped.
    let written = (|| {
        match compression {
            None => content(file.as_file_mut())?,
            Some(Compression::Gzip) => {
                let mut encoder = flate2::write::GzEncoder::new(file.as_file_mut(), flate2::Compression::default());
                content(&mut encoder)?;
                encoder.finish()?;
            }
            Some(Compression::Zstd) => {
                let mut encoder = zstd::Encoder::new(file.as_file_mut(), zstd::DEFAULT_COMPRESSION_LEVEL)?;
                content(&mut encoder)?;
                encoder.finish()?;
            }
        }
        // A disk may be found full only now.
        file.as_file().sync_all()?;
        // Who might not read the file before may not now.
        if let Ok(earlier) = fs::metadata(&target) {
            file.as_file().set_permissions(earlier.permissions())?;
        }
        file.persist(&target).map_err(|error| error.error)?;
        Ok::<(), Failure>(())
    })();
    written.map_err(|failure| failure.of(path))
}

/// A file in the directory of the one that will be written, so that renaming stays within a file system; and that one.
fn temporary(path: &Path) -> Result<(NamedTempFile, PathBuf), WriteError> {
    let owned = path.to_owned();
    // Whether it exists or not.
    if path.as_os_str().as_encoded_bytes().ends_with(std::path::MAIN_SEPARATOR_STR.as_bytes()) {
        return Err(WriteError::Directory { path: owned });
    }
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(WriteError::Directory { path: owned }),
        Ok(found) if !found.is_file() => return Err(WriteError::NotAFile { path: owned }),
        Ok(_) => {
            // Not truncated: nothing comes of it but the error.
            let opened = fs::File::options().write(true).open(path);
            opened.map_err(|source| WriteError::Io { path: path.to_owned(), source })?;
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {} // or no directory: told below
        // A name too long, for one, which the temporary file would not have.
        Err(source) => return Err(WriteError::Io { path: owned, source }),
    }
    let target = target(path);
    let made = (|| {
        target.file_name().ok_or(ErrorKind::InvalidInput)?;
        let directory = directory_of(&target);
        // Short, whatever the name: with it, a long one would be too long. Random letters follow.
        let prefix = format!(".filch-{}-", std::process::id());
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".tmp");
        // As any new file: what the user's mask leaves. One that replaces another is nobody else's until it has its
        // permissions.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(if target.exists() { 0o600 } else { 0o666 }));
        builder.tempfile_in(directory)
    })();
    match made {
        Ok(file) => Ok((file, target)),
        // Their texts would name the temporary file.
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(WriteError::Io { path: owned, source: io::Error::new(error.kind(), "no such directory") })
        }
        Err(error) => Err(WriteError::Io { path: owned, source: error.kind().into() }),
    }
}

/// The file that writing to `path` makes or replaces: the one that a link leads to, also if it is not there yet. So the
/// link stays.
///
/// By its only name, if its directory is there: two paths lead to the same file if this is the same for both.
pub fn target(path: &Path) -> PathBuf {
    /// As many as Linux follows; a chain that is longer was an error before.
    const MOST_LINKS: usize = 40;
    if let Ok(found) = path.canonicalize() {
        return found;
    }
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = target.read_link() else { break };
        // Relative to where the link is, unless it begins at the root.
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    match (directory_of(&target).canonicalize(), target.file_name()) {
        (Ok(directory), Some(name)) => directory.join(name),
        _ => target,
    }
}

/// Of a mere name, the current one.
fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
