//! What a step needs of the machine, and how it is had where it is missing. Debian, as root, for packages.

use crate::process::command;
use crate::process::{output, succeeds};

/// Something without which a step cannot be made.
pub(crate) enum Need {
    /// A command, and the Debian package that has it.
    Tool(&'static str, &'static str),
    /// The standard library for a target.
    Target(&'static str),
    /// A toolchain of that version.
    Toolchain(String),
    /// Components of the nightly toolchain.
    Nightly(&'static [&'static str]),
    /// The standard library as Miri wants it.
    MiriSetup,
}

impl Need {
    /// Looks whether it is there, and gets it if not. The error says what is missing and cannot be had.
    pub(crate) fn meet(&self) -> Result<(), String> {
        let (is_met, missing) = match self {
            Need::Tool(command, package) => {
                (has_command(command) || install(package), format!("no {command}, and no package {package} to be had"))
            }
            Need::Target(target) => (
                is_installed(&["target", "list"], target) || succeeds("rustup", &["target", "add", target]),
                format!("rustup has no target {target} here"),
            ),
            Need::Toolchain(version) => (
                succeeds("rustup", &["run", version, "rustc", "--version"])
                    || succeeds("rustup", &["toolchain", "install", version, "--profile", "minimal"]),
                format!("rustup cannot install the toolchain {version} here"),
            ),
            Need::Nightly(components) => {
                let add = [&["component", "add"], *components, &["--toolchain", "nightly"]].concat();
                let all = components.join(",");
                let install = ["toolchain", "install", "nightly", "--profile", "minimal", "--component", &all];
                let is_met = succeeds("rustup", &add) || succeeds("rustup", &install);
                (is_met, format!("no nightly toolchain with {all} to be had"))
            }
            Need::MiriSetup => (
                succeeds("cargo", &["+nightly", "miri", "setup"]),
                "Miri's standard library cannot be built".to_owned(),
            ),
        };
        if is_met { Ok(()) } else { Err(missing) }
    }
}

fn has_command(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

fn install(package: &str) -> bool {
    succeeds("apt-get", &["update", "-qq"]) && succeeds("apt-get", &["install", "-y", "-qq", package])
}

fn is_installed(list: &[&str], name: &str) -> bool {
    output(command("rustup").args(list).arg("--installed")).is_ok_and(|text| text.lines().any(|line| line == name))
}
