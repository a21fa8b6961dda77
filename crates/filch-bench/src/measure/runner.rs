//! Runners: what runs a program, which is the calling thread or a pool of some library.

use std::hint::black_box;
use std::num::NonZero;
use std::time::{Duration, Instant};

use filch::{Counters, Scheduler};
use filch_kernels::runtime::Tunings;
use filch_kernels::{Instance, Library, Program};

use super::pools::Pools;
use crate::failure::Failure;
use crate::show::numbers::number_of;

/// The name of the serial elision in reports.
pub const SERIAL: &str = "serial";
/// The name of the serial elision when it is measured a second time, to show the noise.
pub const SERIAL_AGAIN: &str = "serial-again";
/// The name of the serial elision with its own cut-off, when the other runners use another one.
pub const SERIAL_WITH_CUT_OFF: &str = "serial-cut-off";
/// The name of rayon in reports.
pub const RAYON: &str = "rayon";
/// The name in reports of rayon with its loops tuned by hand.
pub const RAYON_TUNED: &str = "rayon-tuned";
/// The name of chili in reports.
pub const CHILI: &str = "chili";

/// Something that runs instances: the calling thread, or a pool whose threads live as long as the runner.
#[derive(Debug)]
pub struct Runner {
    /// The name in reports.
    pub name: String,
    /// The number of workers.
    pub workers: usize,
    /// The scheduler, if the runner is Filch.
    pub scheduler: Option<Scheduler>,
    engine: Engine,
}

/// The cut-offs of a program under `--grain`.
#[derive(Clone, Copy, Debug)]
pub struct Grains {
    /// The cut-off that the user asks for.
    pub asked: u64,
    /// The program's own cut-off.
    pub own: u64,
}

#[derive(Debug)]
enum Engine {
    Caller,
    Rival,
    Filch(filch::Pool),
    Rayon(rayon::ThreadPool),
    RayonTuned(rayon::ThreadPool),
    Chili(chili::ThreadPool),
}

impl Runner {
    /// The serial elision on the calling thread.
    pub fn serial(name: &str) -> Self {
        Self { name: name.into(), workers: 1, scheduler: None, engine: Engine::Caller }
    }

    /// The best serial program on the calling thread: the rival of the program, or the serial elision if that is it
    /// (see [`Kernel::rival`](filch_kernels::Kernel::rival)).
    pub fn best_serial() -> Self {
        Self { name: "best serial".into(), workers: 1, scheduler: None, engine: Engine::Rival }
    }

    /// A Filch pool.
    pub fn filch(pools: &Pools, scheduler: &Scheduler, workers: usize) -> Result<Self, Failure> {
        let pool = pools.builder(scheduler, workers).build().map_err(Failure::usage)?;
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

    /// The time of `calls` calls, one after another inside a single run of the pool. `tunings` applies to runners that
    /// are [tuned](Self::is_tuned).
    pub fn sample(&self, instance: &mut dyn Instance, calls: u64, tunings: Tunings) -> Duration {
        // So that the compiler cannot know which instance this is.
        let instance = black_box(instance);
        let start = Instant::now();
        match &self.engine {
            Engine::Caller => (0..calls).for_each(|_| instance.serial()),
            Engine::Rival => (0..calls).for_each(|_| {
                if !instance.rival() {
                    instance.serial();
                }
            }),
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

    /// Whether it takes part in comparisons of this program. Without loops there is nothing to tune.
    pub fn takes_part_in(&self, program: &Program) -> bool {
        match self.engine {
            Engine::RayonTuned(_) => !program.loops.is_empty(),
            Engine::Rayon(_) => program.libraries.contains(&Library::Rayon),
            Engine::Chili(_) => program.libraries.contains(&Library::Chili),
            Engine::Caller | Engine::Rival | Engine::Filch(_) => true,
        }
    }

    /// The cut-off with which it runs the program.
    pub fn grain(&self, grains: Grains) -> u64 {
        if self.name == SERIAL_WITH_CUT_OFF { grains.own } else { grains.asked }
    }

    /// The pool, if the runner is Filch.
    pub fn pool(&self) -> Option<&filch::Pool> {
        match &self.engine {
            Engine::Filch(pool) => Some(pool),
            _ => None,
        }
    }

    /// The runtime's counters so far; only for Filch.
    pub fn counters(&self) -> Option<Counters> {
        self.pool().map(filch::Pool::counters)
    }
}

fn rayon_pool(workers: usize) -> Result<rayon::ThreadPool, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build();
    let workers = number_of(workers, "worker", "workers");
    pool.map_err(|error| Failure::Usage(format!("cannot start rayon with {workers}: {error}")))
}
