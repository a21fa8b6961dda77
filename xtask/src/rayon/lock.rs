//! A lock that is held across a join, on rayon and on Filch: the example `lock` of filch-rayon.

use crate::process::{command, limited, output};
use std::path::Path;
use std::time::Duration;

/// It takes some seconds if it ends.
const LIMIT: Duration = Duration::from_secs(30);

/// How often it is run with each. On rayon it hangs in most runs, but not in all of them.
const RUNS: usize = 3;

/// With Filch every run must end, with the same sum. With rayon the first run that hangs is enough.
pub(crate) fn main() -> Result<(), String> {
    output(command("cargo").args(["build", "--quiet", "--release", "-p", "filch-rayon", "--example", "lock"]))?;
    let run = |with| {
        let mut lock = command("target/release/examples/lock");
        limited(lock.arg(with), LIMIT, Path::new("target/ci/lock.out"))
    };
    let mut sums = Vec::new();
    for _ in 0..RUNS {
        match run("filch")? {
            (Some(true), sum) => sums.push(sum),
            (None, _) => return Err(format!("lock filch: expected an end within {} s", LIMIT.as_secs())),
            (Some(false), said) => return Err(format!("lock filch: failed\n{said}")),
        }
    }
    if sums.iter().any(|sum| *sum != sums[0]) {
        return Err(format!("lock filch: expected the same sum in all runs; found {sums:?}"));
    }
    println!("with Filch, {RUNS} of {RUNS} runs ended, with the sum {}", sums[0].trim());
    for tried in 1..=RUNS {
        if let (None, _) = run("rayon")? {
            println!("with rayon, run {tried} hung: it was stopped after {} s", LIMIT.as_secs());
            return Ok(());
        }
    }
    println!("with rayon, no run of {RUNS} hung this time");
    Ok(())
}
