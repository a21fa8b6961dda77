//! The figures of a search, as written to the JSON file.

use serde::Serialize;

use super::args::Asked;

/// One object of the JSON array.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The program: "queens", "sudoku" and so on.
    pub program: &'static str,
    /// The size, or the file, and what distinguishes several problems in it.
    pub instance: String,
    /// What runs it: "filch:SCHEDULER".
    pub runner: String,
    /// The number of workers, of each rank.
    pub workers: usize,
    /// The number of ranks, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranks: Option<usize>,
    /// What was asked for.
    pub asked: Asked,
    /// The number of solutions; if one was asked for, at most 1.
    pub solutions: u64,
    /// The value of the best solution, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
    /// The solution, if one was asked for, line by line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<Vec<String>>,
    /// Whether every solution that was shown passed its check; absent if none was shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
    /// The number of nodes of the tree that were visited.
    pub nodes: u64,
    /// The time of the search.
    pub seconds: f64,
    /// Their quotient.
    pub nodes_per_s: f64,
}
