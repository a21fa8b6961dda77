//! Runs something on the global pool, and prints what a recorder has got of it meanwhile.
//!
//! A program would install a recorder that sends metrics somewhere, such as that of `metrics-exporter-prometheus`.

use filch::{Pool, Strand};
use filch_metrics::Reporter;
use metrics_util::debugging::DebuggingRecorder;
use std::time::Duration;

fn fib(mut s: Strand<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
    a + b
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    recorder.install()?;
    let reporter = Reporter::start(Pool::global()?, Duration::from_millis(100))?;
    println!("fib(35) = {}", filch::run(|s| fib(s, 35)));
    drop(reporter);
    for (key, _, _, value) in snapshotter.snapshot().into_vec() {
        println!("{} = {value:?}", key.key());
    }
    Ok(())
}
