//! Rows for the tests of tables and pictures.

use super::row::Row;
use crate::measure::ratio::Ratio;

/// A row whose ratio against `serial` is low, median and high.
pub fn row(program: &'static str, runner: &str, workers: usize, serial: Option<[f64; 3]>) -> Row {
    let ratio = |[low, median, high]: [f64; 3]| Ratio { against: "serial".into(), median, low, high };
    Row {
        program,
        size: "small",
        n: 1_048_575,
        columns: None,
        grain: None,
        runner: runner.into(),
        tuning: None,
        workers,
        busy: 0,
        others_cores: None,
        runs: 21,
        runs_per_block: 1,
        median_s: 1.0,
        min_s: 1.0,
        max_s: 1.0,
        overhead: serial.map(|[_, median, _]| median).filter(|_| workers == 1),
        speedup: serial.map(|[_, median, _]| median.recip()),
        ratios: serial.map(ratio).into_iter().collect(),
        verified: true,
        counters: Vec::new(),
        idle: None,
        instructions_per_fork: None,
        machine: "a machine".into(),
        is_filch: runner.starts_with("filch"),
        calls: 1,
    }
}
