//! What is simulated: a program that is described, or a recording.

use std::ffi::OsStr;
use std::path::Path;

use filch_bench::failure::Failure;
use filch_sim::program::Boxed;
use filch_sim::program::text::{ParseProgramError, parse};
use filch_text::is_standard_input;

use crate::recordings::read::read;

/// Whether this looks like the name of a file, which need not exist.
fn looks_like_a_file(path: &Path) -> bool {
    path.components().count() > 1 || path.extension().is_some()
}

/// The program that a text describes, or that is in the file with this name. Without caches, the memory that a recorded
/// program has touched is ignored.
pub(super) fn program(program: &OsStr, has_caches: bool) -> Result<Boxed, Failure> {
    let (path, text) = (Path::new(program), &*program.to_string_lossy());
    let is_there = path.exists() || is_standard_input(path);
    match parse(text) {
        Ok(program) => Ok(program),
        Err(ParseProgramError::Name(_)) if is_there || !text.contains(':') && looks_like_a_file(path) => {
            if !is_there {
                let expected =
                    "expected a file of filch bench --record or filch profile --save, or a program such as fib:30";
                return Err(Failure::Usage(format!("{text}: no such file; {expected}")));
            }
            let recorded = read(path)?;
            Ok(Box::new(if has_caches { recorded } else { recorded.without_touches() }))
        }
        Err(error @ ParseProgramError::Name(_)) => {
            Err(Failure::Usage(format!("PROGRAM: {error}, or a file of filch bench --record or filch profile --save")))
        }
        Err(error) => Err(Failure::Usage(format!("PROGRAM: {error}"))),
    }
}
