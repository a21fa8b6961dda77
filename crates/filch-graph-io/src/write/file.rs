//! Writing files atomically.

use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::error::{Failure, WriteError};
use crate::read::Compression;

/// Checks whether `path` can be written, so that a long computation does not fail only when its result is to be saved.
///
/// Devices, pipes and directories are rejected. Otherwise root could replace `/dev/null` by a regular file. A file that
/// the user may not write to is rejected, too, even if its directory would allow replacing it.
///
/// # Errors
///
/// [`WriteError`], as for the functions that write. Does not check whether there is enough space on the disk.
pub fn check_writable(path: &Path) -> Result<(), WriteError> {
    temporary(path).map(drop)
}

/// Writes the output of `content` to `path`. It is not compressed, regardless of the file name.
///
/// Either the whole file is written or nothing changes: the output goes to a temporary file in the same directory,
/// which is renamed when all data are on the disk. If `path` is a symbolic link, its target is written and the link
/// remains. The permissions of a file that is replaced are kept. If `content` returns an error or panics, the temporary
/// file is removed and an existing file is unchanged.
///
/// ```
/// use filch_graph_io::write::write_file;
///
/// # let directory = tempfile::tempdir().unwrap();
/// # let path = directory.path().join("figures.json");
/// write_file(&path, |out| out.write_all(b"[1, 2, 3]\n")).unwrap();
/// assert_eq!(std::fs::read(&path).unwrap(), b"[1, 2, 3]\n");
/// ```
///
/// # Errors
///
/// [`WriteError`], as for [`check_writable`]. Errors of `content` and of the operating system are returned as
/// [`WriteError::Io`].
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

/// Writes the output of `content` to `path`, compressed if `compression` is given.
pub(super) fn write_whole(
    path: &Path,
    compression: Option<Compression>,
    content: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), Failure>,
) -> Result<(), WriteError> {
    let (mut file, target) = temporary(path)?;
    // If this fails, dropping the temporary file removes it.
    let written = (|| {
        match compression {
            None => content(file.as_file_mut())?,
            Some(Compression::Gzip) => {
                let mut encoder = flate2::write::GzEncoder::new(file.as_file_mut(), flate2::Compression::default());
                content(&mut encoder)?;
                encoder.finish()?;
            }
            #[cfg(feature = "zstd")]
            Some(Compression::Zstd) => {
                let mut encoder = zstd::Encoder::new(file.as_file_mut(), zstd::DEFAULT_COMPRESSION_LEVEL)?;
                content(&mut encoder)?;
                encoder.finish()?;
            }
            Some(other) => {
                let is_not_written = format!("{other} is not written by this build");
                return Err(io::Error::new(ErrorKind::Unsupported, is_not_written).into());
            }
        }
        // Some file systems report a full disk only now.
        file.as_file().sync_all()?;
        // A user who could not read the old file must not be able to read the new one.
        if let Ok(earlier) = fs::metadata(&target) {
            file.as_file().set_permissions(earlier.permissions())?;
        }
        file.persist(&target).map_err(|error| error.error)?;
        Ok::<(), Failure>(())
    })();
    written.map_err(|failure| failure.of(path))
}

/// Creates a temporary file in the directory of the file to be written, so that renaming does not cross file systems.
/// Also returns the path of that file.
fn temporary(path: &Path) -> Result<(NamedTempFile, PathBuf), WriteError> {
    let owned = path.to_owned();
    // A path that ends in a separator names a directory, whether it exists or not.
    if path.as_os_str().as_encoded_bytes().ends_with(std::path::MAIN_SEPARATOR_STR.as_bytes()) {
        return Err(WriteError::Directory { path: owned });
    }
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(WriteError::Directory { path: owned }),
        Ok(found) if !found.is_file() => return Err(WriteError::NotAFile { path: owned }),
        Ok(_) => {
            // Check the permission to write. Opening without truncating does not change the file.
            let opened = fs::File::options().write(true).open(path);
            opened.map_err(|source| WriteError::Io { path: path.to_owned(), source })?;
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {} // a missing directory is reported below
        // For example, the file name may be too long, while that of the temporary file is not.
        Err(source) => return Err(WriteError::Io { path: owned, source }),
    }
    let target = target(path);
    let made = (|| {
        target.file_name().ok_or(ErrorKind::InvalidInput)?;
        let directory = directory_of(&target);
        // Independent of the file name, because a long name plus a prefix might be too long. Random letters follow.
        let prefix = format!(".filch-{}-", std::process::id());
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".tmp");
        // A new file gets the permissions that the user's mask leaves. If it replaces another file, only the owner can
        // access it until it gets the permissions of that file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(if target.exists() { 0o600 } else { 0o666 }));
        builder.tempfile_in(directory)
    })();
    match made {
        Ok(file) => Ok((file, target)),
        // The original error messages would name the temporary file.
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // In a directory that the kernel makes up, such as /proc, the system reports a new file as missing.
            let reason =
                if directory_of(&target).is_dir() { "no new file can be made there" } else { "no such directory" };
            Err(WriteError::Io { path: owned, source: io::Error::new(error.kind(), reason) })
        }
        Err(error) => Err(WriteError::Io { path: owned, source: error.kind().into() }),
    }
}

/// The file that is created or replaced by writing to `path`. If `path` is a symbolic link, this is the file that the
/// link leads to, even if that does not exist yet.
///
/// If the directory of the file exists, the result is canonical: two paths lead to the same file if their targets are
/// equal.
pub fn target(path: &Path) -> PathBuf {
    /// The limit of Linux. Writing through a longer chain is an error.
    const MOST_LINKS: usize = 40;
    if let Ok(found) = path.canonicalize() {
        return found;
    }
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = target.read_link() else { break };
        // A relative link starts at the directory that contains it.
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    match (directory_of(&target).canonicalize(), target.file_name()) {
        (Ok(directory), Some(name)) => directory.join(name),
        _ => target,
    }
}

/// The directory of a file. For a bare file name, the current directory.
fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
