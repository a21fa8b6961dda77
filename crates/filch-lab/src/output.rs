//! Output files that are there whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::interrupt;

/// Finds out now, not after ten minutes of measuring, whether `path` can be written.
pub fn check_writable(path: &Path) -> Result<(), Failure> {
    if path.is_dir() {
        return Err(Failure::Usage(format!("cannot write {}: it is a directory", path.display())));
    }
    let tried = interrupt::deferred(|| {
        let temporary = temporary_name(path)?;
        write_new(&temporary, b"")?;
        fs::remove_file(&temporary)
    });
    tried.map_err(|error| Failure::Usage(format!("cannot write {}: {error}", path.display())))
}

/// Refuses two options that name one file, of which the later would replace the earlier.
///
/// A link is not the file that it leads to: writing replaces the link.
pub fn check_distinct(named: &[(&str, &Path)]) -> Result<(), Failure> {
    for (place, (option, path)) in named.iter().enumerate() {
        if let Some((earlier, _)) = named[..place].iter().find(|(_, other)| resolved(other) == resolved(path)) {
            return Err(Failure::Usage(format!("{earlier} and {option} name the same file, {}", path.display())));
        }
    }
    Ok(())
}

/// The path with its directory by its only name.
fn resolved(path: &Path) -> PathBuf {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    path.file_name().map_or(directory.clone(), |name| directory.join(name))
}

/// Writes `content` under a temporary name beside `path`, then renames it.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let written = interrupt::deferred(|| {
        let temporary = temporary_name(path)?;
        let written = write_new(&temporary, content).and_then(|()| fs::rename(&temporary, path));
        if written.is_err() {
            // The error to report is the one that led here.
            let _ = fs::remove_file(&temporary);
        }
        written
    });
    written.map_err(|error| Failure::Failed(format!("cannot write {}: {error}", path.display())))
}

/// In the same directory, so that renaming stays within one file system.
fn temporary_name(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no file name"))?;
    let temporary = format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id());
    Ok(path.with_file_name(temporary))
}

fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(content)?;
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

    #[test]
    fn a_missing_directory_is_bad_usage_and_names_the_file() {
        let path = Path::new("no-such-directory/rows.json");
        let failure = check_writable(path).unwrap_err();
        assert!(matches!(failure, Failure::Usage(_)));
        assert!(failure.to_string().contains("no-such-directory/rows.json"));
    }
}
