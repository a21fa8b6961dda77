//! The processor and the operating system.

use std::env::consts;
use std::fs;
use std::process::Command;

/// The machine in one line.
pub fn in_short() -> String {
    let cores = std::thread::available_parallelism().map_or("? cores".into(), |n| match n.get() {
        1 => "1 core".into(),
        cores => format!("{cores} cores"),
    });
    format!("{}, {cores} available, {}", cpu().unwrap_or_else(|| consts::ARCH.into()), system())
}

/// The model of the processor, if the system reports it.
pub fn cpu() -> Option<String> {
    if cfg!(target_os = "macos") {
        let output = Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output().ok()?;
        return Some(String::from_utf8(output.stdout).ok()?.trim().to_owned());
    }
    let info = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The operating system, its kernel and the architecture.
pub fn system() -> String {
    let name = fs::read_to_string("/etc/os-release").ok().and_then(|release| {
        let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
        Some(name.trim_matches('"').to_owned())
    });
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease")
        .map_or(String::new(), |release| format!(", kernel {}", release.trim()));
    format!("{}{kernel}, {}", name.unwrap_or_else(|| consts::OS.into()), consts::ARCH)
}
