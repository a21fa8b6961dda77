//! What ranks cost: one rank against a plain pool, and two ranks of one worker, as threads, against a pool of two.
//! Prints quartiles of ratios of interleaved runs.
//!
//! ```text
//! cargo bench -p filch-cluster --bench overhead -- 13 21
//! ```

#[path = "../tests/loopback/problems.rs"]
#[allow(dead_code, reason = "only one of the problems is measured")]
mod problems;

use filch::Pool;
use filch_cluster::{Cluster, ClusterError, Loopback};
use problems::{Board, Queens};
use std::sync::Mutex;
use std::time::Instant;

fn seconds(run: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    run();
    begun.elapsed().as_secs_f64()
}

fn quartiles(mut ratios: Vec<f64>) -> [f64; 3] {
    ratios.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| ratios[(ratios.len() - 1) * quarter / 4])
}

fn main() -> Result<(), ClusterError> {
    let mut numbers =
        std::env::args().skip(1).filter(|argument| argument != "--bench").filter_map(|argument| argument.parse().ok());
    let (n, rounds) = (numbers.next().unwrap_or(13), numbers.next().unwrap_or(21).max(1));
    let pool = |workers| Pool::builder().workers(workers).own_threads(true).build().expect("a pool");
    let (one, two) = (pool(1), pool(2));
    let alone = Cluster::from_env_with(pool(1))?;
    let time = |pool: &Pool| seconds(|| _ = pool.run(|mut s| s.search(&Queens(n), Board::default()).count()));
    let (mut by_one, mut by_two) = (Vec::new(), Vec::new());
    let (mut parts, mut messages) = (0, 0);
    for _ in 0..rounds {
        let ranked = seconds(|| _ = alone.search(&Queens(n), Board::default()).count());
        by_one.push(ranked / time(&one));
        // Without the start of the pools.
        let slowest = Mutex::new(0.0_f64);
        let counters = Loopback::new(2).run(|c| {
            let ranked = seconds(|| _ = c.search(&Queens(n), Board::default()).count());
            let mut slowest = slowest.lock().expect("no panic");
            *slowest = slowest.max(ranked);
            c.counters()
        })?;
        parts += counters.iter().map(|counters| counters.parts).sum::<u64>();
        messages += counters.iter().map(|counters| counters.messages).sum::<u64>();
        by_two.push(slowest.into_inner().expect("no panic") / time(&two));
    }
    println!("{n} queens, {rounds} rounds; quartiles of ratios");
    println!("one rank / plain pool of one worker       {:.3?}", quartiles(by_one));
    println!("two ranks of one / plain pool of two      {:.3?}", quartiles(by_two));
    let (parts, messages) = (parts as f64 / rounds as f64, messages as f64 / rounds as f64);
    println!("parts that moved {parts:.1}, messages {messages:.1} a search");
    Ok(())
}
