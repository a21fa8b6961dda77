//! `filch paper knary`.

use std::fs;

use crate::helpers::{Directory, output, stdout};

#[test]
fn knary_shows_every_tree_on_one_worker_and_on_the_others_and_draws_them() {
    let directory = Directory::new("knary");
    let file = directory.0.join("figure-8.svg");
    let args =
        ["paper", "knary", "--nodes", "300", "--runs", "2", "--workers", "2,64", "--svg", file.to_str().unwrap()];
    let output = output(&args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let (_, table) = text.split_once("c∞\n").unwrap();
    let rows: Vec<&str> =
        table.lines().take_while(|line| line.starts_with("knary(") || line.starts_with(' ')).collect();
    for tree in rows.chunks(3) {
        assert!(tree[0].starts_with("knary(") && tree[0].contains(" 1 "), "{text}");
        assert!(tree[1].contains(" 2") && tree[2].contains(" 64"), "{text}");
    }
    assert_eq!(rows.len(), 3 * 9, "{text}");
    let svg = fs::read_to_string(file).unwrap();
    assert!(svg.contains("\nP = 64"), "{svg}");
    assert_eq!(directory.entries(), ["figure-8.svg"], "no temporary file is left");
}
