//! Plain lines of progress.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes a line that ends in an ellipsis to standard error.
pub fn announce(what: impl Display) {
    // A failure to show the progress does not stop the command.
    let _ = writeln!(io::stderr(), "{what} ...");
}
