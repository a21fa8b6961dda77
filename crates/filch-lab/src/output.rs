//! Output files, which are written completely or not at all. `filch_graph::write` does that; this module adds Ctrl-C
//! and checks for mistakes of the user.

use std::io::{self, Write};
use std::path::Path;

use filch_graph::write;

use crate::failure::Failure;
use crate::interrupt;

/// The number of bytes between two checks whether Ctrl-C came: some milliseconds on any disk.
const PIECE: usize = 4 << 20;

/// Checks that `path` can be written, so that this does not fail after minutes of measuring.
pub fn check_writable(path: &Path) -> Result<(), Failure> {
    // A temporary file is created and removed.
    interrupt::deferred(|| write::check_writable(path)).map_err(Failure::usage)
}

/// Fails if two options name the same file: two files to be written, or one to be written and one to be read.
pub fn check_distinct<'r>(
    read: impl IntoIterator<Item = (&'static str, &'r Path)>,
    written: &[(&str, &Path)],
) -> Result<(), Failure> {
    let read: Vec<_> = read.into_iter().collect();
    for (place, (option, path)) in written.iter().enumerate() {
        let same = |(_, other): &&(&str, &Path)| write::target(other) == write::target(path);
        if let Some((earlier, _)) = read.iter().chain(&written[..place]).find(same) {
            return Err(Failure::Usage(format!("{earlier} and {option} name the same file, {}", path.display())));
        }
    }
    Ok(())
}

/// Writes `content` to a file, completely or not at all. Ctrl-C ends the command soon, after the partial file has been
/// removed.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let write_pieces = |out: &mut (dyn Write + Send)| {
        content.chunks(PIECE).try_for_each(|piece| {
            if interrupt::came() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            out.write_all(piece)
        })
    };
    interrupt::deferred(|| write::write_file(path, write_pieces)).map_err(Failure::usage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_by_two_names_is_bad_usage_and_names_both_options() {
        let failure = check_distinct([], &[("--json", Path::new("rows")), ("--svg", Path::new("./rows"))]).unwrap_err();
        assert!(matches!(failure, Failure::Usage(_)));
        assert_eq!(failure.to_string(), "--json and --svg name the same file, ./rows");
        check_distinct([], &[("--json", Path::new("rows.json")), ("--svg", Path::new("rows.svg"))]).unwrap();
        let read = ("GRAPH", Path::new("rows"));
        assert!(check_distinct([read], &[("--json", Path::new("./rows"))]).is_err());
        check_distinct([read, ("--labels", Path::new("rows"))], &[]).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_written_is_bad_usage_that_names_it() {
        for (path, reason) in [
            ("/dev/null", "it is no regular file"),
            ("/", "it is a directory"),
            ("no-such-directory/rows.json", "no such directory"),
        ] {
            for failure in [check_writable(Path::new(path)), write_whole(Path::new(path), b"[]")] {
                let failure = failure.unwrap_err();
                assert!(matches!(failure, Failure::Usage(_)));
                assert_eq!(failure.to_string(), format!("cannot write {path}: {reason}"));
            }
        }
    }
}
