//! `filch bench zoo`.

use crate::helpers::{contains, done, figures, refused};

#[test]
fn the_zoo_is_measured_in_all_problems_and_the_worst_rows_are_shown_within_80_columns() {
    let (rows, text) = figures(&["bench", "zoo", "--vertices", "300", "--runs", "2", "--worst", "3"]);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    contains(&text, &["every answer is verified", "P = 1: ", "P = 2: "]);
    let rows = rows.as_array().unwrap();
    assert!(rows.len() > 100 * 3 * 3, "{} rows", rows.len());
    for program in ["forest", "components", "bfs"] {
        let own = rows.iter().filter(|row| row["program"] == program);
        assert_eq!(own.clone().count() * 3, rows.len());
        assert!(own.clone().all(|row| row["verified"] == true));
        assert!(own.filter(|row| row["runner"] != "serial").all(|row| row["ratios"][0]["against"] == "serial"));
    }
}

#[test]
fn graphs_that_are_named_are_measured_instead_of_the_zoo() {
    let text = done(&["bench", "zoo", "path(50),twice,reversed", "--problem", "bfs", "--workers", "2", "--runs", "1"]);
    contains(&text, &["1 graph;", "path(50),twice,reversed", "P = 2: 1 row,"]);
    refused(&["bench", "zoo", "ball(3)"], &["ball(3)", "no shape is called"]);
    refused(&["bench", "zoo", "--problem", "colouring"], &["colouring", "components"]);
    refused(&["bench", "zoo", "path(3)", "--vertices", "5"], &["--vertices"]);
}
