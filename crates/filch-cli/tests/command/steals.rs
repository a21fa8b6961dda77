//! `filch paper steals`.

use crate::helpers::{output, stdout};

#[test]
fn steals_shows_every_tree_on_every_pool() {
    let args = ["paper", "steals", "--nodes", "2000", "--runs", "1", "--workers", "2,3", "--scheduler", "default"];
    let output = output(&args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    for workers in [2.0, 3.0] {
        let table = text.split_once(&format!("\ndefault on P = {workers}\n")).unwrap_or_else(|| panic!("{text}")).1;
        let rows = table.lines().skip(1).take(4).map(|line| {
            let numbers = line.split_whitespace().map(|number| number.parse::<f64>().unwrap());
            numbers.collect::<Vec<_>>()
        });
        let rows: Vec<_> = rows.collect();
        assert!(rows.is_sorted_by(|a, b| a[1] < b[1]), "longer and longer spans: {text}");
        for row in rows {
            assert_eq!((row.len(), row[0]), (6, 2000.0), "{text}");
            let quotient = row[2] / (workers * row[1]);
            // The table shows two or three digits, and at most three decimals.
            assert!((quotient - row[4]).abs() <= 0.05 * quotient + 0.001, "{quotient}: {text}");
        }
    }
}
