//! The cells that the documentation forbids, each with the sentence that does.

use crate::row::Row;
use crate::uses::Use;

/// Cells that are left out.
#[derive(Debug)]
pub(crate) struct Exception {
    /// The beginning of the names of the rows.
    rows: &'static str,
    uses: &'static [&'static str],
    why: Why,
}

#[derive(Debug)]
enum Why {
    /// A text of the crate, and what it says.
    Documented(&'static str, &'static str),
    /// What the language does.
    Language(#[allow(dead_code, reason = "for readers")] &'static str),
}

const BUILDER: &str = include_str!("../../../filch/src/pool/builder.rs");
const STATE: &str = include_str!("../../../filch/src/constructs/speculate/state.rs");
const LOOKS: &str = "Neither may [broadcast](crate::broadcast()), which panics; and if they [yield](crate::yield_now), \
    nothing is run.";
const STAFFING: &str = include_str!("../../../filch/src/pool/staffing.rs");

const ALL: &[Exception] = &[
    Exception {
        rows: "panic_handler",
        uses: &["panic"],
        why: Why::Documented(BUILDER, "If the handler panics, the process aborts."),
    },
    Exception {
        rows: "unawaited_panic_handler",
        uses: &["panic"],
        why: Why::Documented(BUILDER, "If the handler panics, the process aborts."),
    },
    // What these would run may want the state.
    Exception { rows: "speculate, inlet", uses: &["yield", "broadcast"], why: Why::Documented(STATE, LOOKS) },
    Exception { rows: "speculate, look", uses: &["yield", "broadcast"], why: Why::Documented(STATE, LOOKS) },
    Exception {
        rows: "exit_handler",
        uses: &["spawn", "yield"],
        why: Why::Documented(STAFFING, "What it spawns may never run."),
    },
    Exception {
        rows: "thread-local destructor",
        uses: &["panic"],
        why: Why::Language("std aborts the process if the destructor of a thread-local value panics"),
    },
];

/// Whether the documentation forbids the cell.
pub(crate) fn forbids(row: &Row, it: &Use) -> bool {
    ALL.iter().any(|exception| row.name.starts_with(exception.rows) && exception.uses.contains(&it.name))
}

#[test]
fn each_exception_is_of_cells_that_there_are_and_is_documented() {
    for exception in ALL {
        assert!(crate::rows::all().any(|row| row.name.starts_with(exception.rows)), "{exception:?}");
        for name in exception.uses {
            assert!(crate::uses::ALL.iter().any(|it| it.name == *name), "{exception:?}");
        }
        if let Why::Documented(text, sentence) = exception.why {
            let words = |text: &str| {
                let words = text.split_whitespace().filter(|word| !matches!(*word, "///" | "//!"));
                words.collect::<Vec<_>>().join(" ")
            };
            assert!(words(text).contains(sentence), "the documentation does not say: {sentence}");
        }
    }
}
