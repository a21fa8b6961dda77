//! The progress of a stage, such as reading: a bar with its rate on a terminal, a plain line elsewhere. A stage also
//! measures its time.

use std::fmt;
use std::time::Instant;

use filch_graph::{Pass, Watch};
use indicatif::{ProgressState, ProgressStyle};

use super::line::{self, Bar, announce, shows_lines};
use crate::show::numbers::scaled;

/// A stage that has started. While a graph is built or generated, the workers advance the bar, with a new bar for each
/// [`Pass`].
#[derive(Debug)]
pub struct Stage {
    bar: Bar,
    /// The name of the stage in front of the names of passes.
    in_passes: String,
    begun: Instant,
}

/// What the rate of a stage counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of a file.
    Bytes,
    /// Whatever a pass over the graph counts.
    Passes,
}

impl Stage {
    /// Starts a stage: `doing`, such as "reading", and its object.
    pub fn begin(doing: &str, what: &str, unit: Unit) -> Self {
        if shows_lines() {
            announce(format_args!("{doing} {what}"));
        }
        let (template, message, in_passes) = match unit {
            // A file that has been read is built into a graph next.
            Unit::Bytes => {
                ("{msg:18} {wide_bar} {binary_bytes_per_sec:>14}  {eta} left", doing.into(), "building".into())
            }
            Unit::Passes => ("{wide_msg}", format!("{doing} {what}"), doing.to_owned()),
        };
        // Empty until the length is known.
        let bar = Bar::new(1, style(template));
        bar.set_message(message);
        bar.tick();
        Self { bar, in_passes, begun: Instant::now() }
    }

    /// Shows that `done` of `total` is done, if `total` is known.
    pub fn at(&self, done: u64, total: Option<u64>) {
        if let Some(total) = total {
            self.bar.set_length(total);
        }
        self.bar.set_position(done);
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Ends the stage and returns its time in seconds.
    pub fn end(self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }
}

/// The bar of a pass. The rate is followed by what it counts.
const PASS: &str = "{msg:24} {wide_bar} {rate:>9} {prefix}/s  {eta} left";

/// A style with this template, in which `rate` is the rate per second with three digits.
fn style(template: &str) -> ProgressStyle {
    let rate = |state: &ProgressState, text: &mut dyn fmt::Write| {
        // Writing into a string cannot fail.
        let _ = text.write_str(&scaled(state.per_sec()));
    };
    line::style(template).with_key("rate", rate)
}

impl Watch for Stage {
    fn begin(&self, pass: Pass) {
        // First, so that the state of the last pass is not drawn under the name of this one.
        self.bar.reset();
        self.bar.set_length(pass.total as u64);
        self.bar.set_style(style(PASS));
        self.bar.set_prefix(pass.unit);
        self.bar.set_message(format!("{}: {}", self.in_passes, pass.name));
    }

    fn advance(&self, count: usize) {
        self.bar.inc(count as u64);
    }
}
