//! Output files: there whole or not at all, which `filch_graph::write` sees to; here, what Ctrl-C and a user's mistakes
//! add.

use std::io::{self, Write};
use std::path::Path;

use filch_graph::write;

use crate::failure::Failure;
use crate::interrupt;

/// So many bytes are written before the next look whether Ctrl-C came: some milliseconds on any disk.
const PIECE: usize = 4 << 20;

/// Finds out now, not after ten minutes of measuring, whether `path` can be written.
pub fn check_writable(path: &Path) -> Result<(), Failure> {
    // A temporary file comes and goes.
    interrupt::deferred(|| write::check_writable(path)).map_err(Failure::usage)
}

/// Refuses two options that name one file, of which the later would replace the earlier: those that are written, and
/// what is read.
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

/// Writes `content`, as a file that is there whole or not at all. Ctrl-C ends the command soon, once nothing is left of
/// it.
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
