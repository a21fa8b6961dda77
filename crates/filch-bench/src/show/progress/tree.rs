//! The progress of a search through a tree: a bar on a terminal, a few plain lines elsewhere.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::line::{Bar, announce, shows_lines, style};
use crate::show::numbers::scaled;

/// How often something new is shown. The workers of the search do it, so it should be seldom.
const PAUSE: Duration = Duration::from_millis(100);
/// The number of plain lines.
const LINES: f64 = 10.0;
/// The length of the bar: the whole tree.
const WHOLE: f64 = 1e6;

/// The progress of a search, on standard error. All workers may advance it.
#[derive(Debug)]
pub struct Tree {
    bar: Bar,
    begun: Instant,
    due: Mutex<Due>,
}

/// When something new is shown.
#[derive(Debug)]
struct Due {
    at: Instant,
    /// The share of the tree from which on, if lines are shown.
    share: Option<f64>,
}

impl Tree {
    /// A search begins.
    pub fn begin(what: &str) -> Self {
        if shows_lines() {
            announce(format_args!("searching {what}"));
        }
        let bar = Bar::new(WHOLE as u64, style("{msg:40} {wide_bar} {percent:>3} %  {elapsed}"));
        let begun = Instant::now();
        let due = Due { at: begun + PAUSE, share: shows_lines().then_some(1.0 / LINES) };
        Self { bar, begun, due: Mutex::new(due) }
    }

    /// So many nodes have been visited, which is about this share of the tree. If there is a best solution, this is its
    /// value.
    pub fn reach(&self, nodes: u64, share: f64, best: Option<i64>) {
        // One worker at a time shows something, and none waits for that.
        let Ok(mut due) = self.due.try_lock() else { return };
        let now = Instant::now();
        if now < due.at || due.share.is_some_and(|least| share < least) {
            return;
        }
        due.at = now + PAUSE;
        let rate = nodes as f64 / (now - self.begun).as_secs_f64();
        let best = best.map_or(String::new(), |best| format!(", best {best}"));
        let message = format!("{} nodes, {}/s{best}", scaled(nodes as f64), scaled(rate));
        match &mut due.share {
            Some(least) => {
                announce(format_args!("searching, {message}, {:.0} %", 100.0 * share));
                *least = ((share * LINES).floor() + 1.0) / LINES;
            }
            None => {
                self.bar.set_message(message);
                self.bar.set_position((share * WHOLE) as u64);
            }
        }
    }

    /// Hides the bar while `print` writes to the terminal.
    pub fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }
}
