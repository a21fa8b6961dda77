//! All checks of the project. `cargo xtask ci --list` prints them.

use super::needs::Need;
use super::step::{Step, step};
use crate::files::read;
use crate::process::{command, output};
use std::path::Path;

/// Cargo's usual folders, one for each profile.
const DEBUG: &str = "target/debug";
const RELEASE: &str = "target/release";

const FILCH: &str = "target/release/filch";

/// What holds in all of them: nothing is built twice, so nothing is kept for building it again.
pub(crate) const COMMON: [(&str, &str); 2] = [("CARGO_TERM_COLOR", "never"), ("CARGO_INCREMENTAL", "0")];

pub(crate) fn steps() -> Result<Vec<Step>, String> {
    Ok(list(&host()?, &rust_version()?))
}

/// The list, for a machine of that target and that oldest version of Rust.
fn list(host: &str, version: &str) -> Vec<Step> {
    let mut steps = vec![
        // The cheap ones that are most likely to fail.
        step("formatting", 2, "cargo fmt --all --check").early(),
        step("formatting of the fuzzer", 1, "cargo fmt --check --manifest-path crates/filch-graph/fuzz/Cargo.toml")
            .early(),
        step("layers of modules", 1, "xtask layers").early(),
        step("lengths of lines and files", 1, "xtask lines").early(),
        step("names in the documentation", 2, "xtask docs").early(),
        step("clippy", 90, "cargo clippy --quiet --workspace --all-targets -- -D warnings").builds_in(DEBUG).early(),
        step("cargo run --release", 120, "xtask tour").builds_in(RELEASE).early(),
        step("documentation", 25, "cargo doc --quiet --workspace --no-deps --document-private-items")
            .builds_in(DEBUG)
            .variable("RUSTDOCFLAGS", "-D warnings")
            .early(),
        // The tests.
        step("cargo test --workspace", 520, "cargo test --workspace").builds_in(DEBUG),
        step("an adapter of graphs", 15, "cargo test --quiet -p filch-graph --features petgraph --test petgraph")
            .builds_in(DEBUG)
            .after("cargo test --workspace"),
        // Readers on any bytes, the same each time. Half of the time is for building.
        step("readers of graphs, fuzzed", 90, "xtask fuzz --files 2000")
            .builds_in("target/fuzz")
            .needs(Need::Tool("g++", "g++")),
        step("soak, a million tasks", 60, "cargo test --quiet --release -p filch --test soak")
            .builds_in(RELEASE)
            .after("cargo run --release")
            .variable("FILCH_SOAK_TAKES", "1000000"),
        // The program that has been built for the first command.
        on_filch(step("disassembly of a fork", 5, &format!("xtask disassembly {FILCH}")))
            .needs(Need::Tool("objdump", "binutils")),
        on_filch(step("instructions per fork", 60, &format!("xtask instructions {FILCH}")))
            .needs(Need::Tool("valgrind", "valgrind")),
        on_filch(step("stress", 35, &format!("{FILCH} stress --seconds 30 --seed 1"))),
        on_filch(step(
            "stress, a million gives and takes",
            40,
            &format!(
                "{FILCH} stress --tasks 1000000 --seed 1 --workers 2,3,5 --scheduler default,period=0ns \
                 --scheduler default,period=0ns,patience=0ns --scheduler default,period=0ns,patience=3us \
                 --scheduler cilk5,period=0ns"
            ),
        )),
        // Protocols under the model checkers.
        step("protocol models", 350, "xtask models").needs(Need::Tool("spin", "spin")).needs(Need::Tool("gcc", "gcc")),
        step("model checker on the sources", 170, "xtask loom").builds_in("target/ci/loom"),
        // Variants of the build. The examples do not know which fence they run on.
        variant(step("real owner's fence", 140, "cargo test --quiet -p filch --tests"), "target/ci/real-fence")
            .variable("RUSTFLAGS", r#"-D warnings --cfg filch_fence="real""#),
        variant(
            step("decisions, made again", 45, "cargo test --quiet -p filch-sim --test simulator tested"),
            "target/ci/decisions",
        )
        .variable("RUSTFLAGS", r#"-D warnings --cfg filch_decisions="tested""#),
        quickly(variant(step("panic = abort", 95, "cargo build --quiet --release -p filch-lab"), "target/ci/abort"))
            .variable("RUSTFLAGS", "-D warnings -C panic=abort"),
        step("panic = abort, run", 2, "target/ci/abort/release/filch bench fib --n 20 --runs 3").after("panic = abort"),
        variant(
            step(
                format!("MSRV {version}"),
                90,
                &format!("rustup run {version} cargo check --quiet --workspace --all-targets"),
            ),
            "target/ci/msrv",
        )
        .variable("RUSTFLAGS", "-D warnings")
        .needs(Need::Toolchain(version.to_owned())),
    ];
    steps.extend(drop_in());
    steps.extend(targets());
    steps.extend(miri());
    steps.extend(thread_sanitizer(host));
    steps
}

/// It looks at the program that the first command has built.
fn on_filch(step: Step) -> Step {
    step.after("cargo run --release")
}

/// A variant of the build, which warns like the others.
fn variant(step: Step, folder: &'static str) -> Step {
    step.builds_apart_in(folder)
}

/// What it builds for release is compiled fast: whether it builds and runs does not depend on how well it is optimised,
/// which takes minutes.
fn quickly(step: Step) -> Step {
    step.variable("CARGO_PROFILE_RELEASE_LTO", "off")
        .variable("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
        .variable("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
}

/// The drop-in for rayon-core, which is a workspace of its own, and the tests of rayon on it.
fn drop_in() -> [Step; 10] {
    const BENCH: &str = "crates/filch-rayon/bench/Cargo.toml";
    const MANIFEST: &str = "crates/filch-rayon/Cargo.toml";
    let of = |step: Step| step.builds_apart_in("target/ci/rayon");
    let cargo = |name, seconds, command: &str| of(step(name, seconds, &format!("cargo {command}")));
    let rayon = |name, seconds, what| step(name, seconds, &format!("xtask rayon {what}")).builds_in("target/rayon");
    [
        step("drop-in: formatting", 1, &format!("cargo fmt --check --manifest-path {MANIFEST}")).early(),
        step("drop-in: formatting of the bench", 1, &format!("cargo fmt --check --manifest-path {BENCH}")).early(),
        cargo(
            "drop-in: clippy",
            20,
            &format!("clippy --quiet --manifest-path {MANIFEST} --all-targets -- -D warnings"),
        )
        .early(),
        cargo("drop-in: clippy on the bench", 15, &format!("clippy --quiet --manifest-path {BENCH} -- -D warnings")),
        cargo(
            "drop-in: documentation",
            10,
            &format!("doc --quiet --manifest-path {MANIFEST} --no-deps --document-private-items"),
        )
        .variable("RUSTDOCFLAGS", "-D warnings"),
        cargo("drop-in: tests", 40, &format!("test --quiet --manifest-path {MANIFEST}")),
        rayon("drop-in: rayon-core's tests", 25, "core"),
        rayon("drop-in: rayon's tests", 85, "iterators"),
        rayon("drop-in: interface", 20, "interface").needs(Need::Nightly(&["rust-src"])),
        quickly(rayon("drop-in: three programs", 180, "clients b3sum parallel-disk-usage du-dust")),
    ]
}

/// Other systems. The last two: no 64-bit atomics; no threads, no clock.
fn targets() -> Vec<Step> {
    const TARGETS: [&str; 6] = [
        "x86_64-apple-darwin",
        "aarch64-apple-darwin",
        "x86_64-pc-windows-msvc",
        "aarch64-unknown-linux-gnu",
        "powerpc-unknown-linux-gnu",
        WASM,
    ];
    const WASM: &str = "wasm32-unknown-unknown";
    let other = |step: Step, target| {
        step.builds_apart_in("target/ci/targets").variable("RUSTFLAGS", "-D warnings").needs(Need::Target(target))
    };
    let check = |target| {
        let command = format!("cargo check --quiet -p filch --target {target}");
        other(step(format!("check for {target}"), 8, &command), target)
    };
    let run = format!("cargo test --quiet -p filch --target {WASM} --test one_worker");
    let run = other(step(format!("run on {WASM}"), 20, &run), WASM)
        .variable("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", ".ci/wasm")
        .needs(Need::Tool("node", "nodejs"));
    TARGETS.into_iter().map(check).chain([run]).collect()
}

/// In parts, since its test binaries run one after the other, each on one processor. They share what they build. Many
/// panics are expected, and a single backtrace takes up to half a minute.
fn miri() -> [Step; 5] {
    let part = |name, seconds, package: &str, tests: &str| {
        step(name, seconds, &format!("cargo +nightly miri test --quiet -p {package} {tests}"))
            .builds_apart_in("target/ci/miri")
            .variable("RUSTFLAGS", "-D warnings")
            .variable("RUST_BACKTRACE", "0")
            .variable("MIRIFLAGS", "-Zmiri-disable-isolation -Zmiri-strict-provenance")
            .needs(Need::Nightly(&["miri", "rust-src"]))
            .needs(Need::MiriSetup)
    };
    [
        part(
            "Miri: joins, pools, scopes, spawn loops and speculation",
            710,
            "filch",
            "--lib --test joins --test pools --test soak --test scopes --test items --test spawns --test speculate",
        ),
        part("Miri: loops, reducers and traversals", 700, "filch", "--test loops --test reducers --test traverse"),
        part("Miri: searches", 270, "filch", "--test search"),
        part("Miri: every callback in every construct", 260, "filch", "--test callbacks every_callback"),
        part("Miri: parallel iterators", 40, "filch-rayon", "--lib --test panics"),
    ]
}

/// Data races on the real machine. The standard library is built with it.
fn thread_sanitizer(host: &str) -> [Step; 2] {
    let sanitized = |name, seconds, arguments: &str| {
        step(name, seconds, &format!("cargo +nightly {}", arguments.replace("HOST", host)))
            .builds_apart_in("target/ci/tsan")
            .variable("RUSTFLAGS", r#"-Zsanitizer=thread --cfg filch_sanitizer="thread""#)
            .variable("FILCH_SOAK_TAKES", "20000")
            .needs(Need::Nightly(&["rust-src"]))
    };
    [
        sanitized("ThreadSanitizer", 260, "test --quiet -p filch -Zbuild-std --target HOST --tests"),
        sanitized(
            "stress, ThreadSanitizer",
            200,
            "run --quiet -p filch-lab -Zbuild-std --target HOST -- stress --seconds 30 --seed 1 --limit 200",
        ),
    ]
}

/// The target of this machine.
fn host() -> Result<String, String> {
    let about = output(command("rustc").arg("-vV"))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV: names no host".to_owned())
}

/// The oldest version of Rust that the workspace promises to build with.
fn rust_version() -> Result<String, String> {
    let manifest = read(Path::new("Cargo.toml"))?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    version.map(str::to_owned).ok_or_else(|| "Cargo.toml: no rust-version".to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::schedule::expected;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_and_logs_of_steps_differ() {
        let steps = list("host", "1.0");
        let names: BTreeSet<String> = steps.iter().map(Step::file_name).collect();
        assert_eq!(names.len(), steps.len());
    }

    #[test]
    fn every_step_that_is_awaited_is_there() {
        let steps = list("host", "1.0");
        for step in &steps {
            let is_there = |name| steps.iter().any(|other| other.name == name && other.after != Some(&*step.name));
            assert!(step.after.is_none_or(is_there), "{}", step.name);
        }
    }

    #[test]
    fn all_steps_are_expected_to_take_at_most_45_minutes_on_two_cores() {
        let expected = expected(&list("host", "1.0"), 2);
        assert!(expected <= 45 * 60, "{expected} s");
    }
}
