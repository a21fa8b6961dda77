//! A line of a table of times.

use std::io::{self, Write};

use filch_bench::measure::median::Median;
use filch_bench::show::numbers::seconds;

/// Shows the median of these times in seconds, its interval, and the number of times.
pub(super) fn row(out: &mut dyn Write, name: &str, times: Vec<f64>) -> io::Result<()> {
    if times.is_empty() {
        return writeln!(out, "{name:<43}{:>10}", "none");
    }
    let n = times.len();
    let Median { value, low, high } = Median::of(times);
    writeln!(out, "{name:<43}{:>10} [{}, {}] {n}", seconds(value), seconds(low), seconds(high))?;
    out.flush()
}
