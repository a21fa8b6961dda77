//! What the benches have in common.

use std::hint::black_box;
use std::time::Instant;

/// A result, and the seconds that it has taken.
pub(crate) fn timed<R>(solve: impl FnOnce() -> R) -> (R, f64) {
    let begin = Instant::now();
    let result = black_box(solve());
    (result, begin.elapsed().as_secs_f64())
}

/// The lower quartile, the median and the upper one.
pub(crate) fn quartiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| values[quarter * (values.len() - 1) / 4])
}
