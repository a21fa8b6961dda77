//! What a program of the suite is: a [`Work`] that stands on Filch's libraries.

use std::sync::LazyLock;

use filch::{Grain, Pool, Scheduler, Strand};
use filch_kernels::{Instance, Library, Mismatch};

/// The libraries of a program that has a rival on rayon.
pub(super) const ON_RAYON: &[Library] = &[Library::Rayon];

/// A program on an input in memory.
pub(super) trait Work: Send {
    /// The program, on the surrounding pool.
    fn run(&mut self);

    /// The best serial program. Returns whether there is one.
    fn serial_rival(&mut self) -> bool {
        false
    }

    /// What a user of rayon would take. Only for programs that have it among their [libraries](ON_RAYON).
    fn rayon_rival(&mut self) {}

    /// Checks what the last call has left, and forgets it.
    fn verify(&mut self) -> Result<(), Mismatch>;
}

/// A [`Work`] as an instance.
pub(super) struct OfLibrary<W>(pub(super) W);

/// The pool of the elisions.
static ELISION: LazyLock<Pool> = LazyLock::new(|| {
    let pool = Pool::builder().workers(1).scheduler(Scheduler::serial()).build();
    pool.expect("a pool without threads can be built")
});

impl<W: Work> Instance for OfLibrary<W> {
    fn serial(&mut self) {
        ELISION.run(|_| self.0.run());
    }

    fn rival(&mut self) -> bool {
        self.0.serial_rival()
    }

    fn filch(&mut self, _: Strand<'_>) {
        self.0.run();
    }

    fn rayon(&mut self) {
        self.0.rayon_rival();
    }

    fn chili(&mut self, _: &mut chili::Scope<'_>) {}

    /// The joins under a scheduler that sees each of them.
    fn count_threads(&mut self, workers: usize) -> Option<u64> {
        let scheduler = Scheduler::chaos(0).with_grain(Grain::Automatic);
        let pool = Pool::builder().workers(workers).scheduler(scheduler).build().ok()?;
        pool.run(|_| self.0.run());
        Some(pool.counters().attends)
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.0.verify()
    }

    fn set_grain(&mut self, _: u64) {}
}

/// An error that says what was expected.
pub(super) fn wrong(found: impl Into<String>, expected: impl Into<String>) -> Mismatch {
    Mismatch::Wrong { found: found.into(), expected: expected.into() }
}

/// Positive if `c` lies to the left of the line from `a` to `b`, negative if it lies to the right; exact.
pub(super) fn orientation(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    let [a, b, c] = [a, b, c].map(|[x, y]| robust::Coord { x, y });
    robust::orient2d(a, b, c)
}

/// Whether all points lie on one line, or in one place.
pub(super) fn on_a_line(points: &[[f64; 2]]) -> bool {
    let Some(&first) = points.first() else { return true };
    let Some(&other) = points.iter().find(|&&point| point != first) else { return true };
    points.iter().all(|&point| orientation(first, other, point) == 0.0)
}
