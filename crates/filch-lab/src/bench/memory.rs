//! Whether a program's input fits into the memory that is left.

use filch_programs::Program;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use crate::failure::Failure;
use crate::numbers::bytes;

/// Refuses a size for which there is not enough memory with the program's own cut-off or the one asked for, and says
/// which one there is enough for.
pub fn check(program: &Program, n: u64, grain: Option<u64>) -> Result<(), Failure> {
    match available() {
        Some(available) => {
            let grains = grain.into_iter().chain([program.own_grain()]);
            grains.into_iter().try_for_each(|grain| check_within(program, n, grain, available))
        }
        None => Ok(()), // the system does not tell
    }
}

fn check_within(program: &Program, n: u64, grain: u64, available: u64) -> Result<(), Failure> {
    let needed = (program.bytes)(n, grain);
    if needed <= available {
        return Ok(());
    }
    let allowed = match program.largest_within(available, grain) {
        Some(largest) => format!("n may be {largest} at most"),
        None => "there is no size that fits".into(),
    };
    Err(Failure::Usage(format!(
        "{} has no room for n = {n}: that takes {} of memory, and {} are available; {allowed}",
        program.name,
        bytes(needed),
        bytes(available)
    )))
}

/// How many bytes this process can still have, by the machine, by its control group and by its own limit.
fn available() -> Option<u64> {
    let ram = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(ram);
    let machine = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    let group = system.cgroup_limits().map(|limits| limits.free_memory).filter(|&bytes| bytes > 0);
    machine.into_iter().chain(group).chain(address_space()).min()
}

/// How much address space is left, where it is limited (`ulimit -v`) and the system tells what is taken.
#[cfg(unix)]
fn address_space() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    const KIB: u64 = 1024;
    let limit = getrlimit(Resource::As).current?;
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let taken: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(limit.saturating_sub(taken * KIB))
}

/// Nothing limits it.
#[cfg(not(unix))]
fn address_space() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_that_does_not_fit_is_refused_with_the_largest_that_does() {
        let tree = filch_programs::find("tree-sum").unwrap();
        let n = (1 << 20) - 1;
        assert!(check_within(tree, n, 1, 1 << 25).is_ok());
        let message = check_within(tree, n, 1, 20 << 20).unwrap_err().to_string();
        assert_eq!(
            message,
            "tree-sum has no room for n = 1048575: that takes 32.0 MiB of memory, and 20.0 MiB are available; \
             n may be 524287 at most"
        );
        let message = check_within(tree, n, 1, 1).unwrap_err().to_string();
        assert!(message.ends_with("there is no size that fits"), "{message}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_tells_how_much_memory_is_left() {
        assert!(available().unwrap() > 1 << 20);
    }
}
