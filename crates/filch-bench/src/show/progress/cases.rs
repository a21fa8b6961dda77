//! The progress while cases run: a bar on a terminal, a few plain lines elsewhere.

use super::line::{Bar, announce, shows_lines, style};

/// The number of plain lines.
const LINES: u64 = 10;

/// The progress towards a goal, on standard error.
#[derive(Debug)]
pub struct Cases {
    bar: Bar,
    /// When the next plain line is due, in fractions of the goal; `None` on a terminal.
    next_line: Option<u64>,
    goal: u64,
}

impl Cases {
    /// Progress towards `goal`, in any unit.
    pub fn new(goal: u64) -> Self {
        let bar = Bar::new(goal, style("{msg:18} {wide_bar} {percent:>3} %  {elapsed}"));
        Self { bar, next_line: shows_lines().then_some(0), goal }
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
