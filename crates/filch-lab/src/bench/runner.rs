//! Who runs a program.

use std::hint::black_box;
use std::num::NonZero;
use std::time::{Duration, Instant};

use filch::{Counters, Scheduler};
use filch_programs::runtime::Tunings;
use filch_programs::{Instance, Program};

use super::Comparison;
use crate::cli::Peer;
use crate::failure::Failure;

/// The serial elision's name in reports.
pub const SERIAL: &str = "serial";
/// The serial elision a second time: how far the two differ is the noise.
pub const SERIAL_AGAIN: &str = "serial-again";
/// The serial elision's name where it has its own cut-off and the others are asked to have another.
pub const SERIAL_WITH_CUT_OFF: &str = "serial-cut-off";
/// The name of rayon in reports.
pub const RAYON: &str = "rayon";
/// The name of rayon with its loops tuned by hand in reports.
pub const RAYON_TUNED: &str = "rayon-tuned";
/// The name of chili in reports.
pub const CHILI: &str = "chili";

/// Somebody who can run an instance; its threads live as long as it does.
#[derive(Debug)]
pub struct Runner {
    /// The name in reports.
    pub name: String,
    /// How many workers it has.
    pub workers: usize,
    /// Filch's scheduler, where it is Filch.
    pub scheduler: Option<Scheduler>,
    engine: Engine,
}

/// The cut-offs of a program under `--grain`.
#[derive(Clone, Copy, Debug)]
pub struct Grains {
    /// What the user asked for.
    pub asked: u64,
    /// The program's own.
    pub own: u64,
}

#[derive(Debug)]
enum Engine {
    Caller,
    Filch(filch::Pool),
    Rayon(rayon::ThreadPool),
    RayonTuned(rayon::ThreadPool),
    Chili(chili::ThreadPool),
}

/// The runners of a comparison. Serial comes twice: how far the two differ is the noise.
pub fn line_up(comparison: &Comparison) -> Result<Vec<Runner>, Failure> {
    let mut runners = Vec::new();
    if comparison.against.contains(&Peer::Serial) {
        runners.push(Runner::serial(SERIAL));
        runners.push(Runner::serial(SERIAL_AGAIN));
        if comparison.grain.is_some() {
            runners.push(Runner::serial(SERIAL_WITH_CUT_OFF));
        }
    }
    for scheduler in &comparison.schedulers {
        // The serial scheduler has one worker, whatever the others have.
        let only_one = *scheduler == Scheduler::serial();
        let workers = if only_one { &[1] } else { &comparison.workers[..] };
        for &workers in workers {
            runners.push(Runner::filch(scheduler, workers)?);
        }
    }
    if comparison.against.contains(&Peer::Rayon) {
        for &workers in &comparison.workers {
            runners.push(Runner::rayon(workers)?);
        }
    }
    if comparison.against.contains(&Peer::RayonTuned) {
        for &workers in &comparison.workers {
            runners.push(Runner::rayon_tuned(workers)?);
        }
    }
    if comparison.against.contains(&Peer::Chili) {
        runners.extend(comparison.workers.iter().map(|&w| Runner::chili(w)));
    }
    Ok(runners)
}

impl Runner {
    /// The serial elision on the calling thread.
    pub fn serial(name: &str) -> Self {
        Self { name: name.into(), workers: 1, scheduler: None, engine: Engine::Caller }
    }

    /// A Filch pool.
    pub fn filch(scheduler: &Scheduler, workers: usize) -> Result<Self, Failure> {
        let pool =
            filch::Pool::builder().workers(workers).scheduler(scheduler.clone()).build().map_err(Failure::usage)?;
        Ok(Self {
            name: format!("filch:{scheduler}"),
            workers: pool.num_workers(),
            scheduler: Some(scheduler.clone()),
            engine: Engine::Filch(pool),
        })
    }

    /// A rayon pool.
    pub fn rayon(workers: usize) -> Result<Self, Failure> {
        let engine = Engine::Rayon(rayon_pool(workers)?);
        Ok(Self { name: RAYON.into(), workers, scheduler: None, engine })
    }

    /// A rayon pool for loops tuned by hand.
    pub fn rayon_tuned(workers: usize) -> Result<Self, Failure> {
        let engine = Engine::RayonTuned(rayon_pool(workers)?);
        Ok(Self { name: RAYON_TUNED.into(), workers, scheduler: None, engine })
    }

    /// A chili pool.
    pub fn chili(workers: usize) -> Self {
        let config = chili::Config { thread_count: NonZero::new(workers), ..chili::Config::default() };
        Self {
            name: CHILI.into(),
            workers,
            scheduler: None,
            engine: Engine::Chili(chili::ThreadPool::with_config(config)),
        }
    }

    /// The time that so many calls take, one after another inside one run of the pool. Who [can be
    /// tuned](Self::is_tuned) is tuned like that.
    pub fn sample(&self, instance: &mut dyn Instance, calls: u64, tunings: Tunings) -> Duration {
        // The compiler shall not know which instance this is.
        let instance = black_box(instance);
        let start = Instant::now();
        match &self.engine {
            Engine::Caller => (0..calls).for_each(|_| instance.serial()),
            Engine::Filch(pool) => {
                pool.run(|mut s| (0..calls).for_each(|_| instance.filch(s.reborrow())));
            }
            Engine::Rayon(pool) => {
                pool.install(|| (0..calls).for_each(|_| instance.rayon()));
            }
            Engine::RayonTuned(pool) => {
                pool.install(|| (0..calls).for_each(|_| instance.rayon_tuned(tunings)));
            }
            Engine::Chili(pool) => {
                let mut scope = pool.scope();
                (0..calls).for_each(|_| instance.chili(&mut scope));
            }
        }
        start.elapsed()
    }

    /// Whether its loops are tuned by hand.
    pub fn is_tuned(&self) -> bool {
        matches!(self.engine, Engine::RayonTuned(_))
    }

    /// Whether it has a form of its own of this program: without loops there is nothing to tune.
    pub fn takes_part_in(&self, program: &Program) -> bool {
        !self.is_tuned() || !program.loops.is_empty()
    }

    /// With which of these cut-offs it runs the program.
    pub fn grain(&self, grains: Grains) -> u64 {
        if self.name == SERIAL_WITH_CUT_OFF { grains.own } else { grains.asked }
    }

    /// What the runtime has counted so far; Filch only.
    pub fn counters(&self) -> Option<Counters> {
        match &self.engine {
            Engine::Filch(pool) => Some(pool.counters()),
            _ => None,
        }
    }
}

fn rayon_pool(workers: usize) -> Result<rayon::ThreadPool, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build();
    pool.map_err(|error| Failure::Usage(format!("rayon cannot have {workers} workers: {error}")))
}
