//! What a user sees of a stage, such as reading: a bar with its rate on a terminal, a plain line elsewhere; and its
//! time.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::Instant;

use filch_graph::{Pass, Watch};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::interrupt::CleanLine;
use crate::numbers::scaled;

/// A stage that has begun. While a graph is built or generated, its workers move the bar: a bar for each [`Pass`].
#[derive(Debug)]
pub struct Stage {
    bar: ProgressBar,
    /// What is done in passes, if any come.
    in_passes: String,
    begun: Instant,
    _clean: Option<CleanLine>,
}

/// What the rate of a stage counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of a file.
    Bytes,
    /// What the passes of building a graph go over.
    Passes,
}

impl Stage {
    /// Begins a stage: "reading", and of what.
    pub fn begin(doing: &str, what: &str, unit: Unit) -> Self {
        let lines = !io::stderr().is_terminal();
        if lines {
            // Progress that nobody reads is no reason to stop.
            let _ = writeln!(io::stderr(), "{doing} {what} ...");
        }
        // As wide as the terminal: of a bar that takes two lines, Ctrl-C would clear one. No ticker: its thread would
        // run beside what is timed.
        let (template, message, in_passes) = match unit {
            // What has been read is built.
            Unit::Bytes => {
                ("{msg:18} {wide_bar} {binary_bytes_per_sec:>14}  {eta} left", doing.into(), "building".into())
            }
            Unit::Passes => ("{wide_msg}", format!("{doing} {what}"), doing.to_owned()),
        };
        // Nothing of one, until more is known.
        let bar = if lines { ProgressBar::hidden() } else { ProgressBar::new(1) };
        bar.set_style(style(template));
        bar.set_message(message);
        bar.tick();
        Self { bar, in_passes, begun: Instant::now(), _clean: (!lines).then(CleanLine::begin) }
    }

    /// It has come so far, of so much, if that is known.
    pub fn at(&self, done: u64, total: Option<u64>) {
        if let Some(total) = total {
            self.bar.set_length(total);
        }
        self.bar.set_position(done);
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Ends it. Its time in seconds.
    pub fn end(self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }
}

/// The line of a pass. Its rate is followed by what it counts.
const PASS: &str = "{msg:24} {wide_bar} {rate:>9} {prefix}/s  {eta} left";

/// The style of this template, in which `rate` is a number a second, with three digits.
fn style(template: &str) -> ProgressStyle {
    let rate = |state: &ProgressState, text: &mut dyn fmt::Write| {
        // Text takes all.
        let _ = text.write_str(&scaled(state.per_sec()));
    };
    ProgressStyle::with_template(template).expect("the template is well-formed").with_key("rate", rate)
}

impl Watch for Stage {
    fn begin(&self, pass: Pass) {
        // First, so that nothing of the last pass is drawn with the name of this one.
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

impl Drop for Stage {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
