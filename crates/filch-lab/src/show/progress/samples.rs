//! The progress of a measurement: a bar on a terminal, plain lines elsewhere.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressStyle};

use super::line::announce;
use crate::interrupt::CleanLine;

/// The progress of a measurement, on standard error.
#[derive(Debug)]
pub struct Samples {
    bar: ProgressBar,
    lines: bool,
    _clean: Option<CleanLine>,
}

impl Samples {
    /// Progress over `series` series, each of `runs` samples and one more for warm-up.
    pub fn new(series: usize, runs: usize) -> Self {
        let samples = series.saturating_mul(runs.saturating_add(1));
        // Without a ticker, whose thread would compete with what is measured. The bar moves between samples.
        let bar = ProgressBar::new(samples as u64);
        // As wide as the terminal: if the bar took two lines, Ctrl-C would clear only one of them.
        let style = ProgressStyle::with_template("{msg:18} {wide_bar} {prefix}{percent:>3} %  {eta} left")
            .expect("the template is well-formed");
        bar.set_style(style);
        let lines = !io::stderr().is_terminal();
        Self { bar, lines, _clean: (!lines).then(CleanLine::begin) }
    }

    /// A progress that shows nothing.
    pub fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), lines: false, _clean: None }
    }

    /// The next program starts.
    pub fn begin(&self, name: &str) {
        if self.lines {
            announce(format_args!("running {name}"));
        }
        self.bar.set_message(name.to_owned());
    }

    /// One sample is done.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// One sample is done, at this rate. `rate` is called only if the bar is visible.
    pub fn step_at(&self, rate: impl FnOnce() -> String) {
        if !self.bar.is_hidden() {
            self.bar.set_prefix(rate() + "  ");
        }
        self.step();
    }

    /// Hides the bar while `print` writes to the terminal.
    pub fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }
}

impl Drop for Samples {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
