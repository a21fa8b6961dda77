//! The progress of a measurement: a bar on a terminal, plain lines elsewhere.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use super::line::{Bar, announce, shows_lines, style};
use crate::show::numbers::scaled;

/// The length of a sample on the bar.
const SAMPLE: u64 = 1000;

/// A sample that takes longer than this tells how far it is, in a plain line.
const LONG: Duration = Duration::from_secs(10);

/// The progress of a measurement, on standard error.
#[derive(Debug)]
pub struct Samples {
    bar: Bar,
    lines: bool,
    done: Cell<u64>,
    /// What runs, and when a line last said so.
    name: RefCell<String>,
    said: Cell<Instant>,
}

impl Samples {
    /// Progress over `series` series, each of `runs` samples and one more for warm-up.
    pub fn new(series: usize, runs: usize) -> Self {
        let samples = series.saturating_mul(runs.saturating_add(1));
        // The bar moves between samples.
        let style = style("{msg:18} {wide_bar} {prefix}{percent:>3} %  {eta} left");
        Self { bar: Bar::new((samples as u64).saturating_mul(SAMPLE), style), lines: shows_lines(), ..Self::hidden() }
    }

    /// A progress that shows nothing.
    pub fn hidden() -> Self {
        let (done, name, said) = (Cell::new(0), RefCell::default(), Cell::new(Instant::now()));
        Self { bar: Bar::hidden(), lines: false, done, name, said }
    }

    /// The next program starts.
    pub fn begin(&self, name: &str) {
        if self.lines {
            announce(format_args!("running {name}"));
        }
        self.bar.set_message(name.to_owned());
        name.clone_into(&mut self.name.borrow_mut());
        self.said.set(Instant::now());
    }

    /// This share of the present sample is done, after so many events.
    pub fn part(&self, share: f64, events: u64) {
        self.bar.set_position(self.done.get() * SAMPLE + (share.clamp(0.0, 1.0) * SAMPLE as f64) as u64);
        if self.lines && self.said.get().elapsed() > LONG {
            let (name, percent) = (self.name.borrow(), 100.0 * share.min(1.0));
            announce(format_args!("running {name}: {percent:.2} % after {} events", scaled(events as f64)));
            self.said.set(Instant::now());
        }
    }

    /// One sample is done.
    pub fn step(&self) {
        self.done.set(self.done.get() + 1);
        self.bar.set_position(self.done.get() * SAMPLE);
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
