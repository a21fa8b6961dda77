//! What a user sees of a stage, such as reading: a bar with its rate on a terminal, a plain line elsewhere; and its time.

use std::io::{self, IsTerminal, Write};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use crate::interrupt::CleanLine;

/// A stage that has begun.
#[derive(Debug)]
pub struct Stage {
    bar: ProgressBar,
    begun: Instant,
    _clean: Option<CleanLine>,
}

/// What the rate of a stage counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of a file.
    Bytes,
    /// Nothing: it is not known how far the stage has come.
    Unknown,
}

impl Stage {
    /// Begins a stage: "reading", and of what.
    pub fn begin(doing: &str, what: &str, unit: Unit) -> Self {
        let lines = !io::stderr().is_terminal();
        if lines {
            // Progress that nobody reads is no reason to stop.
            let _ = writeln!(io::stderr(), "{doing} {what} ...");
        }
        // As wide as the terminal: of a bar that takes two lines, Ctrl-C would clear one. No ticker: its thread would run
        // beside what is timed.
        let template = match unit {
            Unit::Bytes => "{msg:18} {wide_bar} {binary_bytes_per_sec:>14}  {eta} left",
            Unit::Unknown => "{wide_msg}",
        };
        // Nothing of one, until more is known.
        let bar = if lines { ProgressBar::hidden() } else { ProgressBar::new(1) };
        bar.set_style(ProgressStyle::with_template(template).expect("the template is well-formed"));
        bar.set_message(if unit == Unit::Unknown { format!("{doing} {what}") } else { doing.to_owned() });
        bar.tick();
        Self { bar, begun: Instant::now(), _clean: (!lines).then(CleanLine::begin) }
    }

    /// It has come so far, of so much, if that is known.
    pub fn at(&self, done: u64, total: Option<u64>) {
        if let Some(total) = total {
            self.bar.set_length(total);
        }
        self.bar.set_position(done);
    }

    /// It goes on with something else.
    pub fn now(&self, doing: &'static str) {
        self.bar.set_message(doing);
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

impl Drop for Stage {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
