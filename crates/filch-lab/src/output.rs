//! Output files that are there whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::failure::Failure;
use crate::interrupt;

/// So many bytes are written before the next look whether Ctrl-C came: some milliseconds on any disk.
const PIECE: usize = 4 << 20;

/// Finds out now, not after ten minutes of measuring, whether `path` can be written.
///
/// A device, a pipe or a directory cannot be replaced by a file, or must not be: for root `/dev/null` would be a file from
/// then on.
pub fn check_writable(path: &Path) -> Result<(), Failure> {
    let refused = |reason: String| Err(Failure::Usage(format!("cannot write {}: {reason}", path.display())));
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => return refused("it is a directory".into()),
        Ok(found) if !found.is_file() => return refused("it is no regular file".into()),
        _ => {} // a file, or nothing yet
    }
    let tried = interrupt::deferred(|| {
        let temporary = temporary_name(&target(path))?;
        write_new(&temporary, b"")?;
        fs::remove_file(&temporary)
    });
    tried.or_else(|error| refused(error.to_string()))
}

/// Refuses two options that name one file, of which the later would replace the earlier.
pub fn check_distinct(named: &[(&str, &Path)]) -> Result<(), Failure> {
    for (place, (option, path)) in named.iter().enumerate() {
        if let Some((earlier, _)) = named[..place].iter().find(|(_, other)| target(other) == target(path)) {
            return Err(Failure::Usage(format!("{earlier} and {option} name the same file, {}", path.display())));
        }
    }
    Ok(())
}

/// The file that is written: the one that a link leads to, by its only name. So the link stays.
fn target(path: &Path) -> PathBuf {
    if let Ok(existing) = path.canonicalize() {
        return existing;
    }
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    path.file_name().map_or(directory.clone(), |name| directory.join(name))
}

/// Writes `content` under a temporary name beside `path`, then renames it.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let written = interrupt::deferred(|| {
        let target = target(path);
        let temporary = temporary_name(&target)?;
        let written = write_new(&temporary, content).and_then(|()| fs::rename(&temporary, &target));
        if written.is_err() {
            // The error to report is the one that led here.
            let _ = fs::remove_file(&temporary);
        }
        written
    });
    written.map_err(|error| Failure::Usage(format!("cannot write {}: {error}", path.display())))
}

/// In the same directory, so that renaming stays within one file system; short, whatever the name of the file.
fn temporary_name(path: &Path) -> io::Result<PathBuf> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no file name"))?;
    let temporary = format!(".filch-{}-{}.tmp", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    Ok(path.with_file_name(temporary))
}

fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    for piece in content.chunks(PIECE) {
        if interrupt::came() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        file.write_all(piece)?;
    }
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left_in_its_directory() {
        let directory = std::env::temp_dir().join(format!("filch-output-{}", std::process::id()));
        fs::create_dir(&directory).unwrap();
        let path = directory.join("rows.json");

        check_writable(&path).unwrap();
        assert!(!path.exists(), "a check writes nothing");
        write_whole(&path, b"old").unwrap();
        write_whole(&path, b"new").unwrap();

        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn one_file_by_two_names_is_bad_usage_and_names_both_options() {
        let failure = check_distinct(&[("--json", Path::new("rows")), ("--svg", Path::new("./rows"))]).unwrap_err();
        assert!(matches!(failure, Failure::Usage(_)));
        assert_eq!(failure.to_string(), "--json and --svg name the same file, ./rows");
        check_distinct(&[("--json", Path::new("rows.json")), ("--svg", Path::new("rows.svg"))]).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_the_file_that_it_leads_to_is_written() {
        let directory = std::env::temp_dir().join(format!("filch-link-{}", std::process::id()));
        fs::create_dir_all(directory.join("elsewhere")).unwrap();
        let (file, link) = (directory.join("elsewhere/rows.json"), directory.join("latest.json"));
        fs::write(&file, b"old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();

        check_writable(&link).unwrap();
        check_distinct(&[("--json", &file), ("--svg", &link)]).unwrap_err();
        write_whole(&link, b"new").unwrap();

        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        fs::remove_dir_all(&directory).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_refused_and_stays_one() {
        let device = Path::new("/dev/null");
        let failure = check_writable(device).unwrap_err();
        assert!(matches!(failure, Failure::Usage(_)));
        assert_eq!(failure.to_string(), "cannot write /dev/null: it is no regular file");
    }

    #[test]
    fn a_missing_directory_is_bad_usage_and_names_the_file() {
        let path = Path::new("no-such-directory/rows.json");
        let failure = check_writable(path).unwrap_err();
        assert!(matches!(failure, Failure::Usage(_)));
        assert!(failure.to_string().contains("no-such-directory/rows.json"));
    }
}
