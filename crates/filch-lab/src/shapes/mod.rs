//! `filch shapes`: how soon work is shared that comes late, all at once, or from loops whose iterations become
//! expensive.

pub mod args;
mod dear;
mod late;
mod ramp;

use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use filch::{Pool, Scheduler, Strand};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::bench::table::{plain_table, text};
use crate::failure::Failure;
use crate::machine::idle::spin;
use crate::numbers::seconds;
use crate::stats::Median;

/// The same work done in two ways. Both functions return the time in seconds.
struct Shape<'a> {
    name: String,
    /// What Filch is compared with.
    against: &'static str,
    ours: Box<dyn Fn() -> f64 + 'a>,
    theirs: Box<dyn Fn() -> f64 + 'a>,
}

impl<'a> Shape<'a> {
    fn new(
        name: impl Into<String>,
        ours: impl Fn() -> f64 + 'a,
        against: &'static str,
        theirs: impl Fn() -> f64 + 'a,
    ) -> Self {
        Shape { name: name.into(), against, ours: Box::new(ours), theirs: Box::new(theirs) }
    }
}

/// Runs `filch shapes`.
pub fn run(args: &args::ShapesArgs, out: &mut dyn Write) -> Result<(), Failure> {
    for scheduler in &args.scheduler {
        let (two, many) = (Both::of(scheduler, late::WORKERS)?, Both::of(scheduler, ramp::WORKERS)?);
        let (loops, forks) = (pool(scheduler, dear::WORKERS)?, pool(scheduler, dear::WORKERS_ABOVE)?);
        writeln!(
            out,
            "{scheduler}: medians of {} runs, which take turns; the ratio with its 95 % interval",
            args.runs
        )?;
        let mut table = plain_table(["shape", "filch", "against", "its time", "ratio"].map(str::to_owned).to_vec());
        let shapes = late::shapes(&two).into_iter().chain(ramp::shapes(&many)).chain(dear::shapes(&loops, &forks));
        for shape in shapes {
            table.add_row(measure(&shape, args.runs));
        }
        let late_wakes: u64 =
            [&two.ours, &many.ours, &loops, &forks].map(|pool| pool.counters().late_wakes).iter().sum();
        writeln!(out, "{}\nsleeps that lasted although there was work (late_wakes): {late_wakes}\n", text(table))?;
        out.flush()?;
    }
    Ok(())
}

fn measure(shape: &Shape<'_>, runs: usize) -> Vec<String> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for run in 0..=runs {
        let (a, b) = ((shape.ours)(), (shape.theirs)());
        // The first run is for warm-up.
        if run > 0 {
            ours.push(a);
            theirs.push(b);
        }
    }
    let ratio = Median::of_paired_ratios(&ours, &theirs);
    let [ours, theirs] = [ours, theirs].map(|times| seconds(Median::of(times).value));
    vec![shape.name.clone(), ours, shape.against.to_owned(), theirs, ratio.to_string()]
}

fn pool(scheduler: &Scheduler, workers: usize) -> Result<Pool, Failure> {
    Pool::builder().workers(workers).scheduler(scheduler.clone()).build().map_err(Failure::usage)
}

/// A pool of Filch and one of rayon with the same number of workers.
struct Both {
    ours: Pool,
    rayon: ThreadPool,
}

impl Both {
    fn of(scheduler: &Scheduler, workers: usize) -> Result<Self, Failure> {
        let rayon = ThreadPoolBuilder::new().num_threads(workers).build();
        let rayon =
            rayon.map_err(|error| Failure::Failed(format!("cannot start rayon with {workers} workers: {error}")))?;
        Ok(Both { ours: pool(scheduler, workers)?, rayon })
    }
}

fn timed(f: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    f();
    begin.elapsed().as_secs_f64()
}

/// A balanced tree of forks with this many leaves.
fn tree(mut s: Strand<'_>, leaves: usize, leaf: &(dyn Fn() + Sync)) {
    if leaves == 1 {
        return leaf();
    }
    s.join(|s| tree(s, leaves / 2, leaf), |s| tree(s, leaves - leaves / 2, leaf));
}

/// The same for rayon.
fn tree_of_rayon(leaves: usize, leaf: &(dyn Fn() + Sync)) {
    if leaves == 1 {
        return leaf();
    }
    rayon::join(|| tree_of_rayon(leaves / 2, leaf), || tree_of_rayon(leaves - leaves / 2, leaf));
}

/// Waits long enough for all threads of a pool to fall asleep.
fn let_them_sleep() {
    thread::sleep(Duration::from_millis(50));
}
