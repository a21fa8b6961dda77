//! A shape, which is the same work done in two ways, and the parts of shapes.

use std::thread;
use std::time::Duration;

use filch::{Pool, Scheduler, Strand};
use filch_bench::failure::Failure;
use filch_bench::show::numbers::number_of;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The same work done in two ways. Both functions return the time in seconds.
pub(super) struct Shape<'a> {
    pub(super) name: String,
    /// What Filch is compared with.
    pub(super) against: &'static str,
    pub(super) ours: Box<dyn Fn() -> f64 + 'a>,
    pub(super) theirs: Box<dyn Fn() -> f64 + 'a>,
}

impl<'a> Shape<'a> {
    pub(super) fn new(
        name: impl Into<String>,
        ours: impl Fn() -> f64 + 'a,
        against: &'static str,
        theirs: impl Fn() -> f64 + 'a,
    ) -> Self {
        Shape { name: name.into(), against, ours: Box::new(ours), theirs: Box::new(theirs) }
    }
}

pub(super) fn pool(scheduler: &Scheduler, workers: usize) -> Result<Pool, Failure> {
    Pool::builder().workers(workers).scheduler(scheduler.clone()).build().map_err(Failure::usage)
}

/// A pool of Filch and one of rayon with the same number of workers.
pub(super) struct Both {
    pub(super) ours: Pool,
    pub(super) rayon: ThreadPool,
}

impl Both {
    pub(super) fn of(scheduler: &Scheduler, workers: usize) -> Result<Self, Failure> {
        let rayon = ThreadPoolBuilder::new().num_threads(workers).build();
        let rayon = rayon.map_err(|error| {
            Failure::Usage(format!("cannot start rayon with {}: {error}", number_of(workers, "worker", "workers")))
        })?;
        Ok(Both { ours: pool(scheduler, workers)?, rayon })
    }
}

/// A balanced tree of forks with this many leaves.
pub(super) fn tree(mut s: Strand<'_>, leaves: usize, leaf: &(dyn Fn() + Sync)) {
    if leaves == 1 {
        return leaf();
    }
    s.join(|s| tree(s, leaves / 2, leaf), |s| tree(s, leaves - leaves / 2, leaf));
}

/// The same for rayon.
pub(super) fn tree_of_rayon(leaves: usize, leaf: &(dyn Fn() + Sync)) {
    if leaves == 1 {
        return leaf();
    }
    rayon::join(|| tree_of_rayon(leaves / 2, leaf), || tree_of_rayon(leaves - leaves / 2, leaf));
}

/// Waits long enough for all threads of a pool to fall asleep.
pub(super) fn let_them_sleep() {
    thread::sleep(Duration::from_millis(50));
}
