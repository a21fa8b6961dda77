//! Output files: there whole or not at all.

use crate::helpers::{Directory, refused};

#[test]
fn no_file_is_touched_when_something_else_is_wrong() {
    let directory = Directory::new("untouched");
    let file = directory.0.join("rows.json");
    refused(&["bench", "fib", "--n", "99", "--json", file.to_str().unwrap()], &["from 0 to 60"]);
    assert!(directory.entries().is_empty());
}
