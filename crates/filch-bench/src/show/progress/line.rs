//! A bar on standard error, and plain lines where that is not a terminal.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

use crate::interrupt::CleanLine;
use crate::ranks;

/// Whether the user wants to see no progress.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// From now on, no progress is shown.
pub fn be_quiet() {
    IS_QUIET.store(true, Ordering::Relaxed);
}

/// Of several ranks, the first one shows something.
fn shows_something() -> bool {
    ranks::speaks() && !IS_QUIET.load(Ordering::Relaxed)
}

/// Whether plain lines are shown instead of bars.
pub fn shows_lines() -> bool {
    shows_something() && !io::stderr().is_terminal()
}

/// Writes a line that ends in an ellipsis to standard error.
pub fn announce(what: impl Display) {
    if shows_something() {
        // A failure to show the progress does not stop the command.
        let _ = writeln!(io::stderr(), "{what} ...");
    }
}

/// A bar, or nothing where lines are shown. It is removed when it is dropped, and by Ctrl-C. There is no ticker, whose
/// thread would compete with what is measured.
#[derive(Debug)]
pub struct Bar {
    bar: ProgressBar,
    _clean: Option<CleanLine>,
}

impl Bar {
    /// A bar with this style, which must be as wide as the terminal: if it took two lines, Ctrl-C would clear only one.
    pub fn new(length: u64, style: ProgressStyle) -> Self {
        if shows_lines() || !shows_something() {
            return Self::hidden();
        }
        Self { bar: ProgressBar::new(length).with_style(style), _clean: Some(CleanLine::begin()) }
    }

    /// A bar that is not shown.
    pub fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), _clean: None }
    }
}

impl Deref for Bar {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.bar
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The style of a template.
pub fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well-formed")
}
