//! `cargo xtask models [NAME]`: searches the states of the models of protocols, and shows that the search can fail.
//!
//! Each `.pml` file in `crates/filch/models` models one protocol, and its first comment lists its runs. A model must
//! come out `ok`: all states searched, no assertion violated, no deadlock, the temporal claim kept. A mutant, the model
//! with one deliberate mistake, must come out `bug`.

mod header;

use crate::files::read;
use crate::process::{command, limited, output};
use header::{Run, runs};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

const MODELS: &str = "crates/filch/models";
const WORK: &str = "target/ci/models";

/// A search that takes longer has found nothing.
const LIMIT: Duration = Duration::from_secs(600);

/// Runs the models and mutants whose names begin so.
pub(crate) fn main(name: &str) -> Result<(), String> {
    let (mut count, mut unexpected) = (0, 0);
    for path in models()? {
        let model = path.file_stem().unwrap_or_default().to_string_lossy();
        for run in runs(&model, &read(&path)?)?.iter().filter(|run| run.name.starts_with(name)) {
            let (outcome, states) = search(&path, run)?;
            let is_expected = outcome == if run.finds_bug { Outcome::Bug } else { Outcome::Ok };
            let mark = if is_expected { "" } else { "UNEXPECTED " };
            println!("{mark}{}: {} ({states} states)", run.name, outcome.told());
            count += 1;
            unexpected += usize::from(!is_expected);
        }
    }
    match (count, unexpected) {
        (0, _) => Err(format!("models: no model's name begins with {name}")),
        (_, 0) => Ok(()),
        _ => Err(format!("models: {unexpected} of {count} have come out otherwise than expected")),
    }
}

fn models() -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(MODELS).map_err(|error| format!("{MODELS}: cannot be read: {error}"))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    paths.sort();
    Ok(paths)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    Ok,
    Bug,
    Unfinished,
}

impl Outcome {
    fn told(self) -> &'static str {
        match self {
            Outcome::Ok => "ok",
            Outcome::Bug => "bug",
            Outcome::Unfinished => "unfinished",
        }
    }
}

/// Has spin write the search as a C program, compiles it and runs it: what came out, and how many states it has seen.
fn search(model: &Path, run: &Run) -> Result<(Outcome, String), String> {
    let failed = |what: &str, error: std::io::Error| format!("{}: {what}: {error}", run.name);
    let model = model.canonicalize().map_err(|error| failed("cannot be found", error))?;
    let work = Path::new(WORK).join(&run.name);
    fs::create_dir_all(&work).map_err(|error| failed("no folder for it", error))?;
    let work = work.canonicalize().map_err(|error| failed("no folder for it", error))?;
    output(command("spin").args(&run.flags).arg("-a").arg(&model).current_dir(&work))?;
    let property = if run.claim.is_some() { "-DNFAIR=3" } else { "-DSAFETY" };
    output(
        command("gcc")
            .args([&run.optimisation, property, "-DCOLLAPSE", "-DMEMLIM=9000", "-DVECTORSZ=2048", "-w"])
            .args(["-o", "pan", "pan.c"])
            .current_dir(&work),
    )?;
    let log = File::create(work.join("pan.out")).map_err(|error| failed("no log", error))?;
    let mut search = command(work.join("pan"));
    match &run.claim {
        Some(claim) => search.args(["-a", "-f", "-N", claim, "-m8000000"]),
        None => search.arg("-m100000"),
    };
    let errors = log.try_clone().map_err(|error| failed("no log", error))?;
    limited(search.current_dir(&work).stdout(log).stderr(errors), LIMIT)
        .map_err(|error| failed("cannot be run", error))?;
    let said = read(&work.join("pan.out"))?;
    // Hundreds of these take gigabytes.
    fs::remove_dir_all(&work).map_err(|error| failed("its folder cannot be removed", error))?;
    Ok((outcome(&said), states(&said).to_owned()))
}

/// A search that is killed by the limit of time says nothing of errors.
fn outcome(said: &str) -> Outcome {
    let count = said.rsplit_once("errors: ").map(|(_, rest)| rest.split_whitespace().next().unwrap_or_default());
    let is_cut = said.contains("max search depth too small") || said.contains("Search not completed");
    match count {
        None => Outcome::Unfinished,
        Some("0") if is_cut => Outcome::Unfinished,
        Some("0") => Outcome::Ok,
        Some(_) => Outcome::Bug,
    }
}

fn states(said: &str) -> &str {
    let line = said.lines().find(|line| line.contains(" states, stored"));
    line.and_then(|line| line.split_whitespace().next()).unwrap_or("?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_spin_says_is_understood() {
        let ok = "State-vector 60 byte, depth reached 9, errors: 0\n     1234 states, stored\n";
        assert_eq!((outcome(ok), states(ok)), (Outcome::Ok, "1234"));
        assert_eq!(outcome(&ok.replace("errors: 0", "errors: 1")), Outcome::Bug);
        assert_eq!(outcome(&format!("error: max search depth too small\n{ok}")), Outcome::Unfinished);
        assert_eq!(outcome("Depth= 9 States= 1e+06"), Outcome::Unfinished);
    }
}
