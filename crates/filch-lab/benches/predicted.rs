//! Predicted against measured speed-up, on two workers unless told otherwise, for the programs of docs/benchmarks.md:
//! fourteen of forks, nine of loops.
//!
//! ```sh
//! cargo bench --profile measured -p filch-lab --bench predicted                  default sizes, 21 runs
//! cargo bench --profile measured -p filch-lab --bench predicted -- small 5 fib sums
//! cargo bench --profile measured -p filch-lab --bench predicted -- workers=16
//! ```
//!
//! The prediction is a simulation of one profile, which is recorded on one thread. What a simulation does not know is
//! what the workers share besides work: memory and caches. So the last column has the time of two serial runs of two
//! instances at the same time, relative to that of one alone. Where it is more than 1, no scheduler reaches 2. The
//! same of two loops that touch no memory tells whether the machine had two processors for this program at all.

use std::env;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use filch::{Pool, Scheduler};
use filch_bench::measure::clock::timed;
use filch_bench::measure::median::Median;
use filch_bench::measure::order::order;
use filch_kernels::{Instance, Program};
use filch_lab::recordings::profiled::recorded;
use filch_lab::simulation::costs::of_this_machine;
use filch_lab::simulation::predicted::predict;
use filch_programs::find;

const FORKS: [&str; 14] = [
    "fib",
    "fib-implicit",
    "tree-sum",
    "queens",
    "knary",
    "skew",
    "cilksort",
    "mergesort",
    "notempmul",
    "blockedmul",
    "strassen",
    "lu",
    "heat",
    "fft",
];

const LOOPS: [&str; 9] = [
    "spmv-random",
    "spmv-3",
    "spmv-powerlaw",
    "spmv-arrowhead",
    "nested",
    "mandelbrot",
    "histogram",
    "prefix-sums",
    "sums",
];

/// A sample is made of as many calls as take this long.
const SAMPLE_S: f64 = 0.02;

/// How far a prediction may be off.
const NEAR: f64 = 0.15;

type Error = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Error> {
    let (mut is_small, mut runs, mut workers, mut names) = (false, 21, 2, Vec::new());
    for argument in env::args().skip(1).filter(|argument| argument != "--bench") {
        match (argument.as_str(), argument.parse()) {
            ("small" | "default", _) => is_small = argument == "small",
            (_, Ok(number)) => runs = number,
            (argument, _) if argument.starts_with("workers=") => workers = argument["workers=".len()..].parse()?,
            _ => names.push(argument),
        }
    }
    if names.is_empty() {
        names.extend([&FORKS[..], &LOOPS].concat().into_iter().map(str::to_owned));
    }
    Pool::measure_costs();
    let costs = of_this_machine();
    println!("costs: give {} ns, take {} ns; {runs} runs", costs.give_ns, costs.take_ns);
    println!(
        "{:15}  {:>10}  {:>11}  {:>5}  {:>9}  {:22}  {:>11}  {:>9}  {:>7}",
        "program", "T1", "recorded/T1", "T1/T∞", "predicted", "measured", "pred./meas.", "2 at once", "2 loops"
    );
    for name in names {
        let program = find(&name).ok_or_else(|| format!("there is no program `{name}`"))?;
        println!("{}", of(program, is_small, runs, workers)?);
    }
    Ok(())
}

/// The line of a program.
fn of(program: &Program, is_small: bool, runs: usize, workers: usize) -> Result<String, Error> {
    let n = if is_small { program.sizes.small } else { program.sizes.default };
    let mut instance = program.prepare(n)?;
    let pools = [1, workers].map(|workers| Pool::builder().workers(workers).scheduler(Scheduler::default()).build());
    let pools = pools.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut time = |pool: &Pool, calls: usize| -> Result<f64, Error> {
        let begun = Instant::now();
        pool.run(|mut s| (0..calls).for_each(|_| instance.filch(s.reborrow())));
        let seconds = begun.elapsed().as_secs_f64();
        instance.verify()?;
        Ok(seconds / calls as f64)
    };
    // Once for warm-up.
    time(&pools[0], 1)?;
    let calls = (SAMPLE_S / time(&pools[0], 1)?.max(1e-9)).ceil().max(1.0) as usize;
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..runs {
        for place in order(round, 2) {
            times[place].push(time(&pools[place], calls)?);
        }
    }
    let ((), profile) = pools[1].profile(|mut s| (0..calls).for_each(|_| instance.filch(s.reborrow())));
    instance.verify()?;
    let (t1, measured) = (Median::of(times[0].clone()).value, Median::of_paired_ratios(&times[0], &times[1]));
    let recorded_s = profile.work().as_secs_f64() / calls as f64;
    let simulated = predict(&recorded(&profile)?, workers, of_this_machine(), &mut u64::MAX.clone())?;
    let predicted = simulated.map_or(f64::NAN, |it| profile.work().as_nanos() as f64 / it.time_ns.value);
    let (at_once, loops) = two_at_once(&mut *instance, &mut *program.prepare(n)?, calls, runs);
    let (ratio, shared) = (predicted / measured.value, predicted / at_once / measured.value);
    let verdict = match () {
        () if loops > 1.0 + NEAR / 2.0 => "  busy machine",
        () if (ratio - 1.0).abs() <= NEAR => "",
        () if at_once > 1.0 + NEAR / 2.0 && (shared - 1.0).abs() <= NEAR => "  bound by memory",
        () => "  off",
    };
    Ok(format!(
        "{:15}  {:>7.3} ms  {:>11.2}  {:>5.0}  {predicted:>9.2}  {:<22}  {ratio:>11.2}  {at_once:>9.2}  {loops:>7.2}\
         {verdict}",
        program.name,
        t1 * 1e3,
        recorded_s / t1,
        profile.parallelism(),
        measured.to_string(),
    ))
}

/// The time of two serial runs at the same time, each of an instance of its own, relative to that of one alone; and
/// that of two loops that take as long.
fn two_at_once(one: &mut dyn Instance, other: &mut dyn Instance, calls: usize, runs: usize) -> (f64, f64) {
    let serial = |instance: &mut dyn Instance| (0..calls).for_each(|_| instance.serial());
    let alone_s = timed(|| serial(one));
    let turns = (alone_s * 1e9) as u64;
    let ratios = (0..runs.min(7)).map(|_| {
        let alone_s = timed(|| serial(one));
        (together(|| serial(one), || serial(other)) / alone_s, {
            let alone_s = timed(|| turn(turns));
            together(|| turn(turns), || turn(turns)) / alone_s
        })
    });
    let (programs, loops): (Vec<f64>, Vec<f64>) = ratios.unzip();
    (Median::of(programs).value, Median::of(loops).value)
}

/// The time of the longer one of two that begin at the same time.
fn together(one: impl FnOnce(), other: impl FnOnce() + Send) -> f64 {
    let barrier = Barrier::new(2);
    let wait = |f: &mut dyn FnMut()| {
        barrier.wait();
        timed(f)
    };
    let (mut one, mut other) = (Some(one), Some(other));
    thread::scope(|scope| {
        let second = scope.spawn(|| wait(&mut || other.take().into_iter().for_each(|other| other())));
        let first_s = wait(&mut || one.take().into_iter().for_each(|one| one()));
        first_s.max(second.join().unwrap_or(f64::NAN))
    })
}

/// A loop without memory.
fn turn(turns: u64) {
    let last = (0..turns).fold(1_u64, |number, turn| black_box(number.rotate_left(5) ^ turn));
    black_box(last);
}
