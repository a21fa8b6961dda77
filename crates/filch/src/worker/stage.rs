//! What the threads of a team are there for: first to be interrupted for the sake of measurement, then to work, then to
//! leave.

use crate::sync::{AtomicU64, AtomicUsize, Ordering, clock};
use std::time::Duration;

/// How long calibration waits for another thread to run, where there may be one processor only.
const PATIENCE: Duration = Duration::from_millis(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Stage {
    /// To keep a processor busy while the cost of a take is measured.
    Calibrating = 0,
    Working = 1,
    Leaving = 2,
}

/// Written by whoever builds and shuts down the pool, read by its threads.
pub(crate) struct StageCell {
    stage: AtomicUsize,
    /// Counts while a thread keeps a processor busy.
    beat: AtomicU64,
}

impl StageCell {
    pub(super) fn new() -> Self {
        StageCell { stage: AtomicUsize::new(Stage::Calibrating as usize), beat: AtomicU64::new(0) }
    }

    pub(super) fn set(&self, stage: Stage) {
        self.stage.store(stage as usize, Ordering::Release);
    }

    pub(super) fn is(&self, stage: Stage) -> bool {
        self.stage.load(Ordering::Acquire) == stage as usize
    }

    /// Shows that this thread is running.
    pub(super) fn beat(&self) {
        self.beat.fetch_add(1, Ordering::Relaxed);
        std::hint::spin_loop();
    }

    /// Returns once a thread has been seen running, or when patience has run out.
    pub(crate) fn see_running(&self) {
        let (seen, since) = (self.beat.load(Ordering::Relaxed), clock::now_ns());
        while self.beat.load(Ordering::Relaxed) == seen && clock::now_ns() - since < clock::as_ns(PATIENCE) {
            std::hint::spin_loop();
        }
    }
}
