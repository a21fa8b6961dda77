//! `rayon-bench KERNEL RUNS`: runs a kernel so many times, and prints the median time in nanoseconds. `rayon-bench
//! --list` prints the kernels. It does not know which rayon-core it is built with.

mod kernels;

use kernels::KERNELS;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["--list"] => {
            KERNELS.iter().for_each(|kernel| println!("{}", kernel.name));
            ExitCode::SUCCESS
        }
        [name, runs] => match (KERNELS.iter().find(|kernel| kernel.name == name), runs.parse()) {
            (Some(kernel), Ok(runs @ 1..)) => {
                println!("{}", median_ns(kernel, runs));
                ExitCode::SUCCESS
            }
            (None, _) => refuse(&format!("{name}: no such kernel; see --list")),
            (_, _) => refuse(&format!("{runs}: expected a number of runs, at least 1")),
        },
        _ => refuse("usage: rayon-bench KERNEL RUNS, or rayon-bench --list"),
    }
}

fn refuse(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(2)
}

fn median_ns(kernel: &kernels::Kernel, runs: usize) -> u128 {
    let mut run = (kernel.prepare)();
    // The first run is another matter: it starts the pool.
    let runs = if kernel.is_first_run { 1 } else { run_and_forget(&mut run, runs) };
    let mut times: Vec<u128> = (0..runs)
        .map(|_| {
            let begun = Instant::now();
            run();
            begun.elapsed().as_nanos()
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

fn run_and_forget(run: &mut kernels::Run, runs: usize) -> usize {
    run();
    runs
}
