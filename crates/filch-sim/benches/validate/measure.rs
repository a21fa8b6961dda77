//! What this machine costs, as far as the simulator has to know and the runtime does not: waking a thread, looking at
//! another worker, and a turn of a spin loop.

use filch_sim::Costs;
use std::hint::{black_box, spin_loop};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// So many samples of each; the medians count.
const SAMPLES: usize = 301;

/// How long the thread sleeps before it is woken: longer than it takes the system to put an idle processor to rest.
const SLEEP: Duration = Duration::from_micros(1_000);

/// These costs with what has been measured here.
pub(crate) fn measured(costs: Costs) -> Costs {
    let (call_ns, wake_ns) = wake();
    Costs { call_ns, wake_ns, look_ns: look(), miss_ns: miss(), turn_ns: turn(), ..costs }
}

fn median(mut samples: Vec<u64>) -> u64 {
    samples.sort_unstable();
    samples[samples.len() / 2]
}

fn ns_since(begun: Instant) -> u64 {
    begun.elapsed().as_nanos() as u64
}

/// How long it takes to wake a thread: until the caller goes on, and until the thread runs. The caller does not sleep
/// meanwhile, like a worker.
fn wake() -> (u64, u64) {
    let (begun, ran_ns, is_over) = (Instant::now(), AtomicU64::new(0), AtomicBool::new(false));
    let (mut calls, mut wakes) = (Vec::new(), Vec::new());
    thread::scope(|scope| {
        let sleeper = scope.spawn(|| {
            while !is_over.load(Ordering::Acquire) {
                thread::park();
                ran_ns.store(ns_since(begun), Ordering::Release);
            }
        });
        for _ in 0..SAMPLES {
            let slept = Instant::now();
            while slept.elapsed() < SLEEP {
                spin_loop();
            }
            ran_ns.store(0, Ordering::Release);
            let called_ns = ns_since(begun);
            sleeper.thread().unpark();
            calls.push(ns_since(begun) - called_ns);
            while ran_ns.load(Ordering::Acquire) == 0 {
                spin_loop();
            }
            wakes.push(ran_ns.load(Ordering::Acquire) - called_ns);
        }
        is_over.store(true, Ordering::Release);
        sleeper.thread().unpark();
    });
    (median(calls), median(wakes))
}

/// A word that shares its cache line, and the one that is fetched with it, with no other.
#[repr(align(128))]
struct Line(AtomicU64);

/// One look of a look around at as many workers as a pool can have, of which none has changed.
fn look() -> u64 {
    let lines: Vec<Line> = (0..filch_sim::MAX_WORKERS).map(|_| Line(AtomicU64::new(0))).collect();
    let around = || {
        let begun = Instant::now();
        black_box(lines.iter().filter(|line| line.0.load(Ordering::Acquire) > 0).count());
        ns_since(begun)
    };
    median((0..SAMPLES).map(|_| around()).collect()).div_ceil(lines.len() as u64)
}

/// An access to a line that another thread has just written: half of a round between two threads.
fn miss() -> u64 {
    const ROUNDS: u64 = 1_000;
    let line = Line(AtomicU64::new(0));
    let answer = || {
        for round in 0..ROUNDS {
            while line.0.load(Ordering::Acquire) != 2 * round + 1 {
                spin_loop();
            }
            line.0.store(2 * round + 2, Ordering::Release);
        }
    };
    let rounds = || {
        let mut samples = Vec::new();
        for round in 0..ROUNDS {
            let begun = Instant::now();
            line.0.store(2 * round + 1, Ordering::Release);
            while line.0.load(Ordering::Acquire) != 2 * round + 2 {
                spin_loop();
            }
            samples.push(ns_since(begun));
        }
        median(samples) / 2
    };
    thread::scope(|scope| {
        scope.spawn(answer);
        rounds()
    })
}

/// One turn of a spin loop.
fn turn() -> u64 {
    const TURNS: u64 = 10_000;
    let spin = || {
        let begun = Instant::now();
        (0..TURNS).for_each(|_| spin_loop());
        ns_since(begun) / TURNS
    };
    median((0..SAMPLES).map(|_| spin()).collect())
}
