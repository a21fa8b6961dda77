//! How long what rayon's users do takes with the drop-in, in times of what it takes with the original.
//!
//! One program (`crates/filch-rayon/bench`) is built with either. A round runs the original, the drop-in, and the
//! original again, whose ratio to the first says how far ratios can be trusted.

use super::packages::{Core, DROP_IN, copy};
use super::summary::{Rounds, rounds_of};
use crate::process::{command, output};
use std::path::{Path, PathBuf};

const PROGRAM: &str = "rayon-bench";

/// Runs of a kernel in one process.
const RUNS: &str = "9";

/// `[--rounds N] [KERNEL]...`
pub(super) fn main(words: &[&str]) -> Result<(), String> {
    let (rounds, names) = rounds_of(words)?;
    let [stock, patched] = Core::BOTH.map(build);
    let (stock, patched) = (stock?, patched?);
    let known = output(command(&stock).arg("--list"))?;
    let known: Vec<&str> = known.lines().collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        return Err(format!("bench: {unknown}: expected {}", known.join(", ")));
    }
    println!("{}", Rounds::HEAD);
    for name in if names.is_empty() { &known } else { names } {
        let rounds = Rounds::take(rounds, || time_ns(&stock, name), || time_ns(&patched, name))?;
        println!("{}", rounds.row(name));
    }
    Ok(())
}

fn build(core: Core) -> Result<PathBuf, String> {
    let folder = copy(&Path::new(DROP_IN).join("bench"), PROGRAM, core)?;
    let target = core.target()?;
    let mut cargo = command("cargo");
    cargo.args(["build", "--quiet", "--release"]).current_dir(folder).env("CARGO_TARGET_DIR", &target);
    output(&mut cargo)?;
    Ok(target.join("release").join(PROGRAM))
}

fn time_ns(program: &Path, kernel: &str) -> Result<f64, String> {
    let said = output(command(program).args([kernel, RUNS]))?;
    said.trim().parse().map_err(|_| format!("{PROGRAM} {kernel}: {said:?} is no time"))
}
