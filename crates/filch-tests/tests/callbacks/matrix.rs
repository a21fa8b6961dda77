//! Runs the cells.

use crate::common::{self, assert_usable};
use crate::row::Row;
use crate::rows;
use crate::site::{Pools, Site};
use crate::uses::{self, Use};
use crate::{exceptions, site};
use filch::{Pool, PoolBuilder, Scheduler, Topology};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
#[cfg(not(miri))]
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// How often each cell runs on each number of workers. Without it, each cell runs once, on one of the numbers.
const ROUNDS: &str = "FILCH_CALLBACKS_ROUNDS";
/// Only cells whose name contains this, such as `clone x join`.
const ONLY: &str = "FILCH_CALLBACKS_ONLY";
/// A number added to the seeds.
const SEED: &str = "FILCH_CALLBACKS_SEED";

/// The schedulers under which every cell runs, a quarter of them at each turn.
#[cfg(not(miri))]
const SCHEDULERS: &[&str] = &[
    "default",
    "default,period=0ns",
    "default,period=0ns,patience=0ns",
    "cilk5,period=0ns",
    "heartbeat",
    "heartbeat,period=30us",
    "heartbeat,period=30us,balancer=concurrent",
    "tascell",
    "lazy",
    "cab,boundary=3,period=0ns",
    "chaos",
    "serial",
];

/// Far longer than any cell takes.
const FOREVER: Duration = Duration::from_secs(120);

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} = {text}: expected a number")))
}

/// Runs the tests of this binary that use one scheduler in a process for each, since a process that dies cannot say
/// where.
#[cfg(not(miri))]
pub(crate) fn under_other_schedulers() {
    // Under a sanitizer a cell takes long, and with another fence it is not another cell: the scheduler of the tests is
    // enough there.
    if common::IS_VARIANT || common::is_under_another_scheduler() {
        return;
    }
    // Two at a time, since most of a cell runs on one thread.
    let (schedulers, next) = (Vec::from_iter(common::in_turn(SCHEDULERS, 4)), AtomicUsize::new(0));
    let work = || {
        while let Some(scheduler) = schedulers.get(next.fetch_add(1, Ordering::SeqCst)) {
            under(scheduler);
        }
    };
    std::thread::scope(|threads| {
        threads.spawn(work);
        work();
    });
}

#[cfg(not(miri))]
fn under(scheduler: &str) {
    let mut cells = std::process::Command::new(std::env::current_exe().expect("a test binary"));
    cells.args(["--exact", "every_callback_may_use_every_construct_on_one_pool", "--nocapture"]);
    cells.env("FILCH_TEST_SCHEDULER", scheduler).env("FILCH_CALLBACKS_TELLS", "1").env("RUST_BACKTRACE", "0");
    let output = cells.output().expect("it runs");
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
    let last: Vec<_> = said.lines().collect();
    let last = &last[last.len().saturating_sub(30)..];
    assert!(output.status.success(), "under {scheduler}, {}:\n{}", output.status, last.join("\n"));
}

/// Runs the cells under the scheduler of the tests.
pub(crate) fn here() {
    if !common::is_under_another_scheduler() && !cfg!(miri) && number(ROUNDS).is_some() {
        // The list of schedulers has it, too.
        return;
    }
    let only = std::env::var(ONLY).unwrap_or_default();
    let is_single = matches!(common::scheduler().to_string().as_str(), "serial");
    let workers: &[usize] = if is_single { &[1] } else { &[2, 4, 1] };
    let workers = if cfg!(miri) { &[2] } else { workers };
    let (rounds, base) = (number(ROUNDS), number(SEED).unwrap_or(0));
    let many = [workers, if is_single { &[] } else { &[16] }].concat();
    let server = Pool::builder().workers(1).own_threads(true).scheduler(Scheduler::default()).build();
    let server = Arc::new(server.expect("a small pool"));
    let pools: Vec<Arc<Pools>> =
        many.iter().map(|&workers| Arc::new(pools(workers, base, Arc::clone(&server)))).collect();
    let watch = Watch::start();
    let cells = rows::all().flat_map(|row| uses::ALL.iter().map(move |it| (row, it)));
    let cells = cells.filter(|(row, it)| !exceptions::forbids(row, it));
    let mut failures = Vec::new();
    for (index, (row, it)) in cells.enumerate() {
        let name = format!("{} x {}", row.name, it.name);
        if !name.contains(&only) || (cfg!(miri) && only.is_empty() && !is_for_miri(index)) {
            continue;
        }
        for round in 0..rounds.unwrap_or(1) {
            let chosen =
                if rounds.is_some() { 0..many.len() } else { index % workers.len()..index % workers.len() + 1 };
            for i in chosen {
                let seed = (base + (index as u64)) << 20 | round << 4 | i as u64;
                failures.extend(cell(&watch, &pools[i], row, it, seed, &format!("{name}, {} workers", many[i])));
            }
        }
    }
    assert!(failures.is_empty(), "{} cells:\n{}", failures.len(), failures.join("\n"));
}

/// Miri runs a part of the cells, in which every row and every use occurs.
fn is_for_miri(index: usize) -> bool {
    index.is_multiple_of(23)
}

/// The pools of cells on so many workers.
fn pools(workers: usize, seed: u64, server: Arc<Pool>) -> Pools {
    let build = move || builder(workers, seed);
    Pools {
        pool: build().build().expect("a small pool"),
        other: builder(2, seed).own_threads(true).build().expect("a small pool"),
        server,
        build: Box::new(move || builder(2, seed)),
    }
}

fn builder(workers: usize, seed: u64) -> PoolBuilder {
    let scheduler = common::scheduler();
    let name = scheduler.to_string();
    let scheduler = if scheduler == Scheduler::chaos(0) { Scheduler::chaos(seed) } else { scheduler };
    let workers = if name == "serial" { 1 } else { workers };
    let builder = Pool::builder().workers(workers).scheduler(scheduler);
    if !name.starts_with("cab") {
        return builder;
    }
    // 2x2, and the like.
    let squads: Vec<usize> = (0..workers.div_ceil(2)).map(|squad| 2.min(workers - 2 * squad)).collect();
    builder.topology(Topology::of_squads(&squads))
}

/// Runs a cell, and says what is wrong with it.
fn cell(watch: &Watch, pools: &Arc<Pools>, row: &Row, it: &'static Use, seed: u64, name: &str) -> Option<String> {
    let chaos = common::scheduler() == Scheduler::chaos(0);
    // Such a pool costs little, and so each cell gets seeds of its own.
    let own = chaos.then(|| Arc::new(self::pools(pools.pool.num_workers(), seed, Arc::clone(&pools.server))));
    let pools = own.as_ref().unwrap_or(pools);
    for run in 0..row.runs as u64 {
        let seed = seed ^ run << 40;
        let site = Arc::new(Site::new(pools, it, seed, row.calls));
        watch.begin(&format!("{name}, seed {seed}"), &site);
        let checked = catch_unwind(AssertUnwindSafe(|| {
            let payload = catch_unwind(AssertUnwindSafe(|| (row.run)(&site))).err();
            site.check(row.may_lose, payload);
            assert_usable(&pools.other);
            assert_eq!(pools.pool.run(|mut s| s.join(|_| 1, |_| 2)), (1, 2));
        }));
        watch.end();
        if let Err(payload) = checked {
            return Some(format!("{name}, seed {seed}: {}", text_of(&*payload)));
        }
    }
    None
}

fn text_of(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().cloned();
    let text = text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
    text.unwrap_or_else(|| if payload.is::<site::Thrown>() { "a panic of the use" } else { "a payload" }.to_owned())
}

/// The cell that runs, where, and since when.
type Now = Arc<Mutex<Option<(String, Arc<Site>, Instant)>>>;

/// Names the cell that hangs, or in which the process ends.
struct Watch {
    now: Now,
    tells: bool,
    /// Ends the thread.
    _end: mpsc::Sender<()>,
}

impl Watch {
    fn start() -> Self {
        let (end, is_over) = mpsc::channel::<()>();
        let now = Now::default();
        let its_now = Arc::clone(&now);
        if !cfg!(miri) {
            std::thread::spawn(move || {
                while is_over.recv_timeout(Duration::from_secs(1)) == Err(mpsc::RecvTimeoutError::Timeout) {
                    let now = its_now.lock().unwrap_or_else(PoisonError::into_inner);
                    if let Some((name, site, since)) = &*now
                        && since.elapsed() > number("FILCH_CALLBACKS_SECONDS").map_or(FOREVER, Duration::from_secs)
                    {
                        say(&format!("{name} waits for ever: {}", site.numbers()));
                        std::process::abort();
                    }
                }
            });
        }
        Watch { now, tells: std::env::var_os("FILCH_CALLBACKS_TELLS").is_some(), _end: end }
    }

    fn begin(&self, name: &str, site: &Arc<Site>) {
        if self.tells {
            say(name);
        }
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) =
            Some((name.to_owned(), Arc::clone(site), Instant::now()));
    }

    fn end(&self) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Says it at once, also where the output of a test is kept back.
fn say(text: &str) {
    _ = writeln!(std::io::stderr(), "{text}");
}
