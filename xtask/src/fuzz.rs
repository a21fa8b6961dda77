//! `cargo xtask fuzz`: the readers of graphs on any bytes, for some seconds each, or on the same number of files each
//! in an order that is always the same.
//!
//! The targets, `crates/filch-graph-io/fuzz`, are those of `cargo fuzz`, but neither it nor a nightly toolchain is
//! needed: the compiler that builds everything else counts which code has run as well. What is missing then is
//! AddressSanitizer: `cargo +nightly fuzz run TARGET` has it.
//!
//! A run begins with the seeds that are committed. One for some seconds also begins with what earlier ones have found,
//! in `target/fuzz/found`; one on a number of files does not, since then its files would depend on these runs. A file
//! that breaks a reader is kept in `target/fuzz/broken`.

use crate::files::{chosen, clear, found, read};
use crate::process::{command, host, output};
use std::path::{Path, PathBuf};

const FOLDER: &str = "crates/filch-graph-io/fuzz";

/// What libFuzzer needs: a counter for each edge of the code, and the operands of comparisons.
const COUNTED: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                       -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
                       -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing -Dwarnings";

/// A file that takes longer than this is a finding: most take a millisecond, and the machine may be busy. The memory is
/// far above what the targets themselves allow, and below what would bother the machine.
const LIMITS: [&str; 2] = ["-timeout=60", "-rss_limit_mb=1024"];

/// The panic and its place are among so many last lines.
const LINES_OF_A_FINDING: usize = 60;

pub(crate) fn main(words: &[&str]) -> Result<(), String> {
    let (kind, number, wanted) = match words {
        [kind @ ("--seconds" | "--files"), number, names @ ..] => (*kind, *number, names),
        names => ("--seconds", "60", names),
    };
    if number.parse::<u32>().is_err() {
        return Err(format!("fuzz: {number:?} is no number"));
    }
    let manifest = read(&Path::new(FOLDER).join("Cargo.toml"))?;
    let targets = chosen(wanted, &targets(&manifest)).map_err(|error| format!("fuzz: {error}"))?;
    let binaries = build()?;
    let mut broken = Vec::new();
    for target in targets {
        if let Err(what) = run(&binaries.join(target), target, kind == "--files", number) {
            println!("{what}");
            broken.push(target);
        }
    }
    if broken.is_empty() { Ok(()) } else { Err(format!("fuzz: findings in {}", broken.join(", "))) }
}

/// The names of the binaries in the manifest.
fn targets(manifest: &str) -> Vec<&str> {
    found(r#"(?m)^\[\[bin\]\]\nname = "(\w+)""#, manifest)
}

/// Builds all targets, and says where.
fn build() -> Result<PathBuf, String> {
    let host = host()?;
    let to = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target/fuzz"), PathBuf::from);
    // With a target, build scripts are built without these flags.
    let mut cargo = command("cargo");
    cargo.args(["build", "--quiet", "--release", "--bins", "--locked", "--target", &host, "--manifest-path"]);
    cargo.arg(Path::new(FOLDER).join("Cargo.toml")).arg("--target-dir").arg(&to).env("RUSTFLAGS", COUNTED);
    output(&mut cargo)?;
    Ok(to.join(host).join("release"))
}

/// Runs a target for so many seconds, or on so many files.
fn run(binary: &Path, target: &str, is_repeated: bool, number: &str) -> Result<(), String> {
    let ours = |kind: &str| Path::new("target/fuzz").join(kind).join(target);
    let (limit, kind) = match is_repeated {
        true => (vec![format!("-runs={number}"), "-seed=1".to_owned()], "found-again"),
        false => (vec![format!("-max_total_time={number}")], "found"),
    };
    // The files that reach code which none before has reached. That of a repeated run is empty at first.
    let (found_in, broken) = (ours(kind), ours("broken"));
    if is_repeated {
        clear(&found_in)?;
    }
    for folder in [&found_in, &broken] {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let of_target = |kind: &str| Path::new(FOLDER).join(kind).join(target);
    let mut fuzzer = command(binary);
    fuzzer.arg(&found_in).arg(of_target("seeds")).args(LIMITS).args(limit).arg("-print_final_stats=1");
    fuzzer.arg(format!("-artifact_prefix={}/", broken.display()));
    let dictionary = of_target("dictionaries").with_extension("dict");
    if dictionary.exists() {
        fuzzer.arg(format!("-dict={}", dictionary.display()));
    }
    let ended = fuzzer.output().map_err(|error| format!("{}: cannot be run: {error}", binary.display()))?;
    let said = String::from_utf8_lossy(&ended.stderr);
    if !ended.status.success() {
        let lines: Vec<&str> = said.lines().collect();
        let last = lines[lines.len().saturating_sub(LINES_OF_A_FINDING)..].join("\n");
        return Err(format!("fuzz: {target} failed with {}\n{last}", ended.status));
    }
    let files = found(r"stat::number_of_executed_units: *(\d+)", &said).concat();
    println!("fuzz: {target}: {files} files, nothing found");
    Ok(())
}

#[test]
fn every_target_has_seeds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(FOLDER);
    let manifest = read(&folder.join("Cargo.toml")).expect("it can be read");
    let targets = targets(&manifest);
    assert_eq!(targets.len(), manifest.matches("[[bin]]").count());
    for name in targets {
        let seeds = folder.join("seeds").join(name);
        assert!(std::fs::read_dir(&seeds).is_ok_and(|mut seeds| seeds.next().is_some()), "{}", seeds.display());
    }
}
