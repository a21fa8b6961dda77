//! The progress while cases run: a bar on a terminal, a few plain lines elsewhere.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressStyle};

use super::line::announce;
use crate::interrupt::CleanLine;

/// The number of plain lines.
const LINES: u64 = 10;

/// The progress towards a goal, on standard error.
#[derive(Debug)]
pub struct Cases {
    bar: ProgressBar,
    /// When the next plain line is due, in fractions of the goal; `None` on a terminal.
    next_line: Option<u64>,
    goal: u64,
    _clean: Option<CleanLine>,
}

impl Cases {
    /// Progress towards `goal`, in any unit.
    pub fn new(goal: u64) -> Self {
        let bar = ProgressBar::new(goal);
        // As wide as the terminal: if the bar took two lines, Ctrl-C would clear only one of them.
        let style = ProgressStyle::with_template("{msg:18} {wide_bar} {percent:>3} %  {elapsed}")
            .expect("the template is well-formed");
        bar.set_style(style);
        let terminal = io::stderr().is_terminal();
        Self { bar, next_line: (!terminal).then_some(0), goal, _clean: terminal.then(CleanLine::begin) }
    }

    /// `part` of the goal is reached, after `cases` cases.
    pub fn reach(&mut self, part: u64, cases: u64) {
        self.bar.set_position(part);
        self.bar.set_message(format!("{cases} cases"));
        if let Some(next) = self.next_line.filter(|&next| part * LINES >= next * self.goal && part < self.goal) {
            let percent = 100 * part / self.goal.max(1);
            announce(format_args!("running, {cases} cases, {percent} %"));
            self.next_line = Some(next.max(part * LINES / self.goal.max(1)) + 1);
        }
    }
}

impl Drop for Cases {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
