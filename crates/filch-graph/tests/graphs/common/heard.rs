//! A watch that remembers what it is told.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use filch_graph::{Pass, Watch};

/// The passes, and the reported progress of each.
#[derive(Default)]
pub(crate) struct Heard(Mutex<Vec<(Pass, AtomicUsize)>>);

impl Watch for Heard {
    fn begin(&self, pass: Pass) {
        self.0.lock().unwrap().push((pass, AtomicUsize::new(0)));
    }

    fn advance(&self, count: usize) {
        self.0.lock().unwrap().last().unwrap().1.fetch_add(count, Ordering::Relaxed);
    }
}

impl Heard {
    /// The names and totals of the passes, each of which must be complete.
    #[track_caller]
    pub(crate) fn passes(self) -> Vec<(&'static str, usize)> {
        let heard = self.0.into_inner().unwrap();
        let whole = |(pass, reported): (Pass, AtomicUsize)| {
            assert_eq!(reported.into_inner(), pass.total, "{pass:?}");
            (pass.name, pass.total)
        };
        heard.into_iter().map(whole).collect()
    }

    /// The names of the passes, each of which must be complete.
    #[track_caller]
    pub(crate) fn names(self) -> Vec<&'static str> {
        self.passes().into_iter().map(|(name, _)| name).collect()
    }
}
