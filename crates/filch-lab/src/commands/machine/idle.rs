//! What idle workers cost, and how long it takes until they run again.
//!
//! The processor time is that of the whole process, as accounted by the system. Nothing else runs in the process.

use std::hint::spin_loop;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use filch::Pool;
use filch_bench::failure::Failure;
use filch_bench::measure::clock::spin;
use filch_bench::measure::median::FEWEST_FOR_CONFIDENCE;
use filch_bench::show::numbers::{number_of, seconds};
use filch_bench::show::progress::line::announce;

use super::args::MachineArgs;
use super::row::row;

/// The size of the pool that is measured: one worker besides the caller.
const WORKERS: usize = 2;

/// The number of empty runs per sample on a pool that is awake, since one of them hardly takes longer than reading the
/// clock.
const BATCH: u32 = 64;

/// How long a fork waits for another worker to notice it.
const PATIENCE: Duration = Duration::from_secs(1);

/// Measures all of it and shows a table.
pub fn show(args: &MachineArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let MachineArgs { samples, calls, forks, .. } = *args;
    let pool = Pool::builder().workers(WORKERS).build().map_err(Failure::usage)?;
    let workers = number_of(pool.num_workers(), "worker", "workers");
    let scheduler = pool.scheduler().clone();
    drop(pool);
    writeln!(out, "The cost of idle workers: {workers}, scheduler {scheduler}; medians [95 % interval]")?;
    if samples.min(calls).min(forks) < FEWEST_FOR_CONFIDENCE {
        writeln!(out, "(with fewer than {FEWEST_FOR_CONFIDENCE} samples, the interval is their range)")?;
    }
    let length = seconds(args.seconds.as_secs_f64());
    writeln!(out, "Processor time in {length}, beyond that of a busy caller:")?;
    for (name, beyond) in time_of_processors(args)? {
        row(out, name, beyond)?;
    }
    writeln!(out, "Elapsed time:")?;
    announce("running empty runs");
    let pool = Pool::builder().workers(WORKERS).build().map_err(Failure::usage)?;
    row(out, "reading the clock twice, for comparison", looks(calls))?;
    row(out, "run(|_| ()), pool awake, in a burst", awake(&pool, calls))?;
    row(out, "run(|_| ()), pool asleep", after(&pool, calls, || spin(args.pause)))?;
    row(out, "run(|_| ()), caller asleep, too", after(&pool, calls, || thread::sleep(args.pause)))?;
    announce("running first forks");
    let noticed = first_forks(&pool, forks, args.pause);
    let missed = forks - noticed.len();
    row(out, "first fork until its second branch begins", noticed)?;
    if missed > 0 {
        writeln!(
            out,
            "  (without {missed} of {forks} forks, which no worker noticed within {})",
            seconds(PATIENCE.as_secs_f64())
        )?;
    }
    Ok(())
}

/// What a caller does with a pool, with its name in the table.
type Situation<'a> = (&'static str, &'a dyn Fn(&Pool));

/// The processor time beyond that of the calling thread, in seconds, by situation and sample. Each sample uses a new
/// pool, and the situations take turns.
fn time_of_processors(args: &MachineArgs) -> Result<Vec<(&'static str, Vec<f64>)>, Failure> {
    let busy = |_: &Pool| spin(args.seconds);
    let asleep = |_: &Pool| thread::sleep(args.seconds);
    let fork = |pool: &Pool| {
        pool.run(|mut s| s.join(|_| (), |_| ()));
    };
    let situations: [Situation<'_>; 4] = [
        ("idle pool, never used", &asleep),
        ("idle pool, used once before", &|pool| {
            fork(pool);
            asleep(pool);
        }),
        ("one serial run, never forked", &|pool| pool.run(|_| busy(pool))),
        ("one serial run, forked once at its start", &|pool| {
            pool.run(|mut s| {
                s.join(|_| (), |_| ());
                busy(pool);
            });
        }),
    ];
    let mut rows: Vec<_> = situations.iter().map(|(name, _)| (*name, Vec::new())).collect();
    for sample in 1..=args.samples {
        announce(format_args!("running sample {sample} of {} of the processor time", args.samples));
        for ((_, situation), (_, values)) in situations.iter().zip(&mut rows) {
            let pool = Pool::builder().workers(WORKERS).build().map_err(Failure::usage)?;
            let others = || Some(cpu::process()?.saturating_sub(cpu::thread()?));
            let before = others();
            situation(&pool);
            if let Some((before, after)) = before.zip(others()) {
                values.push(after.saturating_sub(before).as_secs_f64());
            }
        }
    }
    Ok(rows)
}

/// The time that measuring nothing takes.
fn looks(samples: usize) -> Vec<f64> {
    (0..samples).map(|_| Instant::now().elapsed().as_secs_f64()).collect()
}

fn awake(pool: &Pool, samples: usize) -> Vec<f64> {
    let burst = || {
        let begin = Instant::now();
        (0..BATCH).for_each(|_| pool.run(|_| ()));
        begin.elapsed().as_secs_f64() / f64::from(BATCH)
    };
    burst(); // wakes the pool
    (0..samples).map(|_| burst()).collect()
}

/// The times of calls, each after a pause in which the pool falls asleep. A caller that has slept itself finds its
/// caches cold, whatever it calls.
fn after(pool: &Pool, samples: usize, pause: impl Fn()) -> Vec<f64> {
    let call = |_| {
        pause();
        let begin = Instant::now();
        pool.run(|_| ());
        begin.elapsed().as_secs_f64()
    };
    (0..samples).map(call).collect()
}

/// The times from the fork until another worker starts the second branch. The first branch waits for that, up to a
/// limit.
fn first_forks(pool: &Pool, samples: usize, pause: Duration) -> Vec<f64> {
    let sample = |_| {
        pool.run(|mut s| {
            spin(pause);
            let has_begun = AtomicBool::new(false);
            let begin = Instant::now();
            let ((), noticed) = s.join_context(
                |_, _| {
                    while !has_begun.load(Ordering::Relaxed) && begin.elapsed() < PATIENCE {
                        spin_loop();
                    }
                },
                |_, context| {
                    let time = begin.elapsed();
                    has_begun.store(true, Ordering::Relaxed);
                    context.migrated().then_some(time.as_secs_f64())
                },
            );
            noticed
        })
    };
    (0..samples).filter_map(sample).collect()
}

/// The processor time used so far; `None` if the system does not report it.
#[cfg(unix)]
mod cpu {
    use rustix::time::{ClockId, clock_gettime};
    use std::time::Duration;

    /// By this process.
    pub(super) fn process() -> Option<Duration> {
        clock_gettime(ClockId::ProcessCPUTime).try_into().ok()
    }

    /// By this thread.
    pub(super) fn thread() -> Option<Duration> {
        clock_gettime(ClockId::ThreadCPUTime).try_into().ok()
    }
}

/// The processor time used so far; `None` if the system does not report it.
#[cfg(not(unix))]
mod cpu {
    use std::time::Duration;

    /// By this process.
    pub(super) fn process() -> Option<Duration> {
        None
    }

    /// By this thread.
    pub(super) fn thread() -> Option<Duration> {
        None
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_spins_spends_its_own_time() {
        let before = cpu::thread().unwrap();
        while cpu::thread().unwrap() - before < Duration::from_millis(2) {
            spin_loop();
        }
        assert!(cpu::process().unwrap() >= cpu::thread().unwrap());
    }
}
