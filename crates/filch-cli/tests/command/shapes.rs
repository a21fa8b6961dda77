//! `filch paper shapes`.

use crate::helpers::{output, stdout};

#[test]
fn shapes_are_compared_with_rayon_and_with_joins() {
    let output = output(&["paper", "shapes", "--runs", "1"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    // A peer stands between two times. Names of shapes may have the same words, and are broken where they fit.
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    let rows = |peer: &str| {
        words.windows(4).filter(|four| four[2] == peer && is_number(four[0]) && is_number(four[3])).count()
    };
    assert_eq!((rows("rayon"), rows("joins")), (9, 5), "{text}");
    assert!(text.contains("(late_wakes): "), "{text}");
}

#[test]
fn each_construct_has_a_row_of_how_many_workers_are_in_pieces_of_each_pool() {
    let output = output(&["paper", "shapes", "--asleep", "--runs", "1", "--scheduler", "cilk5"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    for construct in ["join", "for_each", "for_each_item", "scope", "speculate", "traverse", "search", "spawn"] {
        assert!(text.lines().any(|line| line.starts_with(construct)), "no {construct}: {text}");
    }
    for (column, workers) in [4.0, 16.0, 64.0].into_iter().enumerate() {
        let figures = text.lines().filter_map(|line| {
            let figures = line.split_whitespace().filter(|word| word.contains('.'));
            figures.filter_map(|word| word.parse::<f64>().ok()).nth(column)
        });
        let figures: Vec<f64> = figures.collect();
        assert!(figures.len() > 15 && figures.iter().all(|&at_once| at_once <= workers), "{text}");
    }
}
