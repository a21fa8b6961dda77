//! What files are called.

use std::path::Path;

/// The path that stands for standard input. A file of this name is `./-`.
pub const STANDARD_INPUT: &str = "-";

/// Whether a path stands for standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new(STANDARD_INPUT)
}

/// A path as errors name it.
///
/// ```
/// use filch_text::named;
/// use std::path::Path;
///
/// assert_eq!(named(Path::new("a/b")), Path::new("a/b"));
/// assert_eq!(named(Path::new("-")), Path::new("standard input"));
/// ```
pub fn named(path: &Path) -> &Path {
    if is_standard_input(path) { Path::new("standard input") } else { path }
}
