//! Whether the available memory is large enough for a program's input.

use filch_bench::failure::Failure;
use filch_bench::show::numbers::bytes;
use filch_kernels::{Extent, Program};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Fails if an instance of this size does not fit into the available memory, with its own cut-off or with `grain`. The
/// message names the largest size that fits.
pub fn check(program: &Program, size: Extent, grain: Option<u64>) -> Result<(), Failure> {
    match available() {
        Some(available) => {
            let grains = grain.into_iter().chain([program.own_grain()]);
            grains.into_iter().try_for_each(|grain| check_within(program, size, grain, available))
        }
        None => Ok(()), // unknown on this system
    }
}

/// Fails if what takes at least so many bytes does not fit into the available memory.
pub fn check_bytes(what: &str, needed: u64) -> Result<(), Failure> {
    match available() {
        Some(available) if needed > available => {
            let (needed, available) = (bytes(needed), bytes(available));
            Err(Failure::Usage(format!(
                "not enough memory for {what}: it takes at least {needed} and {available} are available"
            )))
        }
        _ => Ok(()),
    }
}

fn check_within(program: &Program, size: Extent, grain: u64, available: u64) -> Result<(), Failure> {
    let needed = program.memory(size, grain);
    if needed <= available {
        return Ok(());
    }
    let (size, allowed) = match (size, program.largest_within(available, grain)) {
        (Extent::Grid { .. }, _) => (size.to_string(), "ask for fewer rows or columns".into()),
        (Extent::Number(n), Some(largest)) => (format!("n = {n}"), format!("n may be at most {largest}")),
        (Extent::Number(n), None) => (format!("n = {n}"), "no size fits".into()),
    };
    Err(Failure::Usage(format!(
        "not enough memory for {} with {size}: it takes {} and {} are available; {allowed}",
        program.name,
        bytes(needed),
        bytes(available)
    )))
}

/// The number of bytes that this process can still allocate: the smallest of what the machine, the control group and
/// the limit of the process allow.
fn available() -> Option<u64> {
    let ram = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(ram);
    let machine = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    let group = system.cgroup_limits().map(|limits| limits.free_memory).filter(|&bytes| bytes > 0);
    machine.into_iter().chain(group).chain(address_space()).min()
}

/// The address space that is left, if it is limited (`ulimit -v`) and the system reports how much is in use.
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

/// No limit is known here.
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
        assert!(check_within(tree, n.into(), 1, 1 << 25).is_ok());
        let message = check_within(tree, n.into(), 1, 20 << 20).unwrap_err().to_string();
        assert_eq!(
            message,
            "not enough memory for tree-sum with n = 1048575: it takes 32.0 MiB and 20.0 MiB are available; \
             n may be at most 524287"
        );
        let message = check_within(tree, n.into(), 1, 1).unwrap_err().to_string();
        assert!(message.ends_with("no size fits"), "{message}");
    }

    #[test]
    fn a_shape_that_does_not_fit_is_refused_as_the_user_wrote_it() {
        let heat = filch_programs::find("heat").unwrap();
        let message = check_within(heat, Extent::Grid { rows: 3000, columns: 2000 }, 1, 1 << 20).unwrap_err();
        assert_eq!(
            message.to_string(),
            "not enough memory for heat with 3000x2000: it takes 229 MiB and 1.00 MiB are available; \
             ask for fewer rows or columns"
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_tells_how_much_memory_is_left() {
        assert!(available().unwrap() > 1 << 20);
    }
}
