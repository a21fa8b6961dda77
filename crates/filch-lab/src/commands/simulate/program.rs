//! What is simulated: a program that is described, or a recording.

use std::path::Path;

use filch_sim::program::Boxed;
use filch_sim::program::text::{ParseProgramError, parse};

use crate::failure::Failure;
use crate::recordings::read::read;

/// Whether this is how a file is called, which may not be there.
fn looks_like_a_file(path: &Path) -> bool {
    path.components().count() > 1 || path.extension().is_some()
}

/// The program that a text describes, or that is in the file with this name. Without caches nothing counts what a
/// recorded program has touched.
pub(super) fn program(text: &str, has_caches: bool) -> Result<Boxed, Failure> {
    let path = Path::new(text);
    match parse(text) {
        Ok(program) => Ok(program),
        Err(ParseProgramError::Name(_)) if path.exists() || !text.contains(':') && looks_like_a_file(path) => {
            if !path.exists() {
                let expected = "expected a file of filch bench --record, or a program such as fib:30";
                return Err(Failure::Usage(format!("PROGRAM {text}: there is no such file; {expected}")));
            }
            let (_, recorded) = read(path)?;
            Ok(Box::new(if has_caches { recorded } else { recorded.without_touches() }))
        }
        Err(error @ ParseProgramError::Name(_)) => {
            Err(Failure::Usage(format!("PROGRAM: {error}, or a file of filch bench --record")))
        }
        Err(error) => Err(Failure::Usage(format!("PROGRAM: {error}"))),
    }
}
