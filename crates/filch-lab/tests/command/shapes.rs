//! `filch shapes`.

use crate::helpers::{output, stdout};

#[test]
fn shapes_are_compared_with_rayon_and_with_joins() {
    let output = output(&["shapes", "--runs", "1"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    let rows = |whom: &str| text.lines().filter(|line| line.split_whitespace().any(|word| word == whom)).count();
    assert_eq!((rows("rayon"), rows("joins")), (9, 5 + 1), "one of rayon's is of joins: {text}");
    assert!(text.contains("(late_wakes): "), "{text}");
}
