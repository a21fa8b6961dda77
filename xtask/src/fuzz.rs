//! `cargo xtask fuzz`: the readers of graphs on any bytes, for some seconds each, or on the same number of files each
//! in an order that is always the same.
//!
//! The targets, `crates/filch-graph/fuzz`, are those of `cargo fuzz`, but neither it nor a nightly toolchain is needed:
//! the compiler that builds everything else counts which code has run as well. What is missing then is
//! AddressSanitizer: `cargo +nightly fuzz run TARGET` has it.
//!
//! A run begins with the seeds that are committed. One for some seconds also begins with what earlier ones have found,
//! in `target/fuzz/found`; one on a number of files does not, since then its files would depend on these runs. A file
//! that breaks a reader is kept in `target/fuzz/broken`.

use crate::files::read;
use crate::process::{command, output};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

const FOLDER: &str = "crates/filch-graph/fuzz";

/// How long to run each target.
enum Limit {
    /// With other files each time.
    Seconds(u32),
    /// With the same files each time.
    Files(u32),
}

impl Limit {
    const DEFAULT: Limit = Limit::Seconds(60);

    fn arguments(&self) -> Vec<String> {
        match self {
            Limit::Seconds(seconds) => vec![format!("-max_total_time={seconds}")],
            Limit::Files(files) => vec![format!("-runs={files}"), "-seed=1".to_owned()],
        }
    }

    /// The folder of the files that reach code which none before has reached. That of a run on a number of files is
    /// empty at first.
    fn found(&self) -> &'static str {
        match self {
            Limit::Seconds(_) => "found",
            Limit::Files(_) => "found-again",
        }
    }
}

/// What libFuzzer needs: a counter for each edge of the code, and the operands of comparisons.
const COUNTED: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                       -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
                       -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing -Dwarnings";

/// A file that takes longer than this is a finding. Most take a millisecond; the machine may be busy.
const SLOWEST_SECONDS: u32 = 60;

/// Far above what the targets themselves allow, and below what would bother the machine.
const MOST_MEGABYTES: u32 = 1024;

pub(crate) fn main(words: &[&str]) -> Result<(), String> {
    let number = |text: &str| text.parse().map_err(|_| format!("fuzz: {text:?} is no number"));
    let (limit, wanted) = match words {
        ["--seconds", seconds, names @ ..] => (Limit::Seconds(number(seconds)?), names),
        ["--files", files, names @ ..] => (Limit::Files(number(files)?), names),
        names => (Limit::DEFAULT, names),
    };
    let targets = targets()?;
    if let Some(unknown) = wanted.iter().find(|name| !targets.iter().any(|target| target == *name)) {
        return Err(format!("fuzz: no target {unknown:?}, there are: {}", targets.join(", ")));
    }
    let build = Instant::now();
    let binaries = build_targets()?;
    println!("fuzz: built in {} s", build.elapsed().as_secs());
    let mut broken = Vec::new();
    for target in targets.iter().filter(|target| wanted.is_empty() || wanted.contains(&target.as_str())) {
        if let Err(what) = run(&binaries.join(target), target, &limit) {
            println!("{what}");
            broken.push(target.as_str());
        }
    }
    if broken.is_empty() { Ok(()) } else { Err(format!("fuzz: findings in {}", broken.join(", "))) }
}

/// The names of the binaries in the manifest.
fn targets() -> Result<Vec<String>, String> {
    let manifest = read(&Path::new(FOLDER).join("Cargo.toml"))?;
    let bins = manifest.split("[[bin]]").skip(1);
    let name =
        |bin: &str| bin.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"')).map(str::to_owned);
    Ok(bins.filter_map(name).collect())
}

/// Builds all targets, and says where.
fn build_targets() -> Result<PathBuf, String> {
    let about = output(command("rustc").arg("-vV"))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc -vV: names no host")?;
    let to = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target/fuzz"), PathBuf::from);
    // With a target, build scripts are built without these flags.
    let mut cargo = command("cargo");
    cargo.args(["build", "--quiet", "--release", "--bins", "--locked", "--target", host, "--manifest-path"]);
    cargo.arg(Path::new(FOLDER).join("Cargo.toml")).arg("--target-dir").arg(&to).env("RUSTFLAGS", COUNTED);
    output(&mut cargo)?;
    Ok(to.join(host).join("release"))
}

fn run(binary: &Path, target: &str, limit: &Limit) -> Result<(), String> {
    let [found, broken] = [limit.found(), "broken"].map(|kind| Path::new("target/fuzz").join(kind).join(target));
    let failed = |folder: &Path, error: io::Error| format!("{}: {error}", folder.display());
    if matches!(limit, Limit::Files(_)) && found.exists() {
        std::fs::remove_dir_all(&found).map_err(|error| failed(&found, error))?;
    }
    for folder in [&found, &broken] {
        std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    }
    let of_target = |kind: &str| Path::new(FOLDER).join(kind).join(target);
    let mut fuzzer = command(binary);
    fuzzer.arg(&found).arg(of_target("seeds"));
    fuzzer.args(limit.arguments()).arg(format!("-timeout={SLOWEST_SECONDS}"));
    fuzzer.arg(format!("-rss_limit_mb={MOST_MEGABYTES}")).arg("-print_final_stats=1");
    fuzzer.arg(format!("-artifact_prefix={}/", broken.display()));
    let dictionary = of_target("dictionaries").with_extension("dict");
    if dictionary.exists() {
        fuzzer.arg(format!("-dict={}", dictionary.display()));
    }
    let ended = fuzzer.output().map_err(|error| format!("{}: cannot be run: {error}", binary.display()))?;
    let said = String::from_utf8_lossy(&ended.stderr);
    if !ended.status.success() {
        let last: Vec<&str> = said.lines().rev().take(LINES_OF_A_FINDING).collect();
        let last: Vec<&str> = last.into_iter().rev().collect();
        return Err(format!("fuzz: {target} failed with {}\n{}", ended.status, last.join("\n")));
    }
    let runs = said.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    println!("fuzz: {target}: {} files, nothing found", runs.unwrap_or(" unknown number of").trim());
    Ok(())
}

/// The panic and its place are among the last lines.
const LINES_OF_A_FINDING: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_seeds() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let manifest = read(&root.join(FOLDER).join("Cargo.toml")).unwrap();
        let names: Vec<&str> =
            manifest.lines().filter_map(|line| line.strip_prefix("path = \"fuzz_targets/")).collect();
        assert!(!names.is_empty());
        for name in names {
            let seeds = root.join(FOLDER).join("seeds").join(name.strip_suffix(".rs\"").unwrap());
            assert!(std::fs::read_dir(&seeds).unwrap().count() > 0, "{}", seeds.display());
        }
    }
}
