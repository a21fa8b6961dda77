//! `cargo xtask systems [NAME]...`: tests that run on other systems, by the emulators of QEMU where these have other
//! processors.
//!
//! The tests are those of what depends on the system: the fences of the ladder and what forks, waits and shares on top
//! of them, and the readers and writers of files, some of which are binary. Debian has what this needs, and
//! `xtask/need` gets it.

use crate::files::chosen;
use crate::process::{command, output, test};
use std::path::Path;

struct System {
    name: &'static str,
    target: &'static str,
    /// Its C compiler, which also links, and the package that has it.
    compiler: [&'static str; 2],
    /// What runs its programs, and the folder of its libraries. None: this machine runs them.
    emulator: Option<[&'static str; 2]>,
}

const SYSTEMS: [System; 4] = [
    System {
        name: "aarch64",
        target: "aarch64-unknown-linux-gnu",
        compiler: ["aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu"],
        emulator: Some(["qemu-aarch64", "/usr/aarch64-linux-gnu"]),
    },
    System {
        name: "riscv64",
        target: "riscv64gc-unknown-linux-gnu",
        compiler: ["riscv64-linux-gnu-gcc", "gcc-riscv64-linux-gnu"],
        emulator: Some(["qemu-riscv64", "/usr/riscv64-linux-gnu"]),
    },
    // The highest byte of a number comes first.
    System {
        name: "s390x",
        target: "s390x-unknown-linux-gnu",
        compiler: ["s390x-linux-gnu-gcc", "gcc-s390x-linux-gnu"],
        emulator: Some(["qemu-s390x", "/usr/s390x-linux-gnu"]),
    },
    System { name: "musl", target: "x86_64-unknown-linux-musl", compiler: ["musl-gcc", "musl-tools"], emulator: None },
];

const TESTS: &str = "-p filch -p filch-tests --test joins --test loops --test scopes --test search --test soak \
                     -p filch-geometry -p filch-text --test opening \
                     -p filch-graph-io --features filch-graph-io/bzip2,filch-graph-io/xz --test formats --lib \
                     -- --skip delaunay:: --skip hull:: --skip neighbours:: --skip rays::";

/// A program that an emulator runs cannot start itself again, as the tests do for each scheduler. Under a scheduler
/// that is named, here the one that they use anyway, they do not, and do less.
const SCHEDULER: (&str, &str) = ("FILCH_TEST_SCHEDULER", "default,period=0ns");

pub(crate) fn main(names: &[&str]) -> Result<(), String> {
    let names = chosen(names, &SYSTEMS.map(|system| system.name)).map_err(|error| format!("systems: {error}"))?;
    for System { name, target, compiler, emulator } in SYSTEMS.iter().filter(|system| names.contains(&system.name)) {
        let need = |need: &[&str]| output(command("xtask/need").args(need)).map(drop);
        need(&["target", target])?;
        need(&["command", compiler[0], "of", compiler[1]])?;
        let mut cargo = command("cargo");
        let variable = |name: &str| format!("CARGO_TARGET_{}_{name}", target.to_uppercase().replace('-', "_"));
        cargo.env(format!("CC_{}", target.replace('-', "_")), compiler[0]);
        if let Some([emulator, libraries]) = emulator {
            need(&["command", emulator, "of", "qemu-user"])?;
            cargo.env(variable("LINKER"), compiler[0]).env(variable("RUNNER"), format!("{emulator} -L {libraries}"));
        }
        cargo.args(["test", "--no-fail-fast", "--target", target]).args(TESTS.split_whitespace());
        cargo.env(SCHEDULER.0, SCHEDULER.1).env("FILCH_SOAK_TAKES", "300");
        // An emulator makes slow code ten times slower.
        cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
        test(&mut cargo, name, &Path::new("target/systems").join(name))?;
    }
    Ok(())
}
