//! `filch shapes`: how soon work is shared that comes late, all at once, or out of loops that are not what they were.
//!
//! Pieces of work sleep, or keep a processor busy by the clock, so that no figure depends on how many cores there are.
//! Each is compared with what a user would write otherwise: the same for rayon, or the same as joins.
//!
//! - [`args`]: what a user may say
//! - `late`: work after a serial stretch
//! - `ramp`: when the last of many pieces begins
//! - `dear`: loops whose iterations turn dear, or that stand above an older fork

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

/// Two ways to have the same work done, and what they take, in seconds.
struct Shape<'a> {
    name: String,
    /// With whom it is compared.
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
        writeln!(out, "{scheduler}: medians of {}, taking turns; the ratio with its 95 % interval", args.runs)?;
        let mut table = plain_table(["shape", "filch", "against", "its time", "ratio"].map(str::to_owned).to_vec());
        let shapes = late::shapes(&two).into_iter().chain(ramp::shapes(&many)).chain(dear::shapes(&loops, &forks));
        for shape in shapes {
            table.add_row(measure(&shape, args.runs));
        }
        let late_wakes: u64 =
            [&two.ours, &many.ours, &loops, &forks].map(|pool| pool.counters().late_wakes).iter().sum();
        writeln!(out, "{}\nsleeps that lasted though there was work (late_wakes): {late_wakes}\n", text(table))?;
        out.flush()?;
    }
    Ok(())
}

fn measure(shape: &Shape<'_>, runs: usize) -> Vec<String> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for run in 0..=runs {
        let (a, b) = ((shape.ours)(), (shape.theirs)());
        // The first is for whatever starts lazily.
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

/// Pools of the same size.
struct Both {
    ours: Pool,
    rayon: ThreadPool,
}

impl Both {
    fn of(scheduler: &Scheduler, workers: usize) -> Result<Self, Failure> {
        let rayon = ThreadPoolBuilder::new().num_threads(workers).build();
        let rayon = rayon.map_err(|error| Failure::Failed(format!("rayon's pool of {workers}: {error}")))?;
        Ok(Both { ours: pool(scheduler, workers)?, rayon })
    }
}

fn timed(f: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    f();
    begin.elapsed().as_secs_f64()
}

/// A balanced tree of forks with so many leaves.
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

/// Long enough for all threads of a pool to fall asleep.
fn let_them_sleep() {
    thread::sleep(Duration::from_millis(50));
}
