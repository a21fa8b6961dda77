//! What the processors of this machine share: read from the files in which Linux describes them.
//!
//! Other systems have no such files, so there nothing is known and all processors are equally near.
//! `docs/decisions.md` says why no crate does this.

use super::limits::{WORKERS, available};
use super::pinning;
use filch_policy::topology::{Domain, Kind, Topology};
use std::fs;
use std::path::Path;

/// Where Linux describes processors and their caches.
const SYSTEM: &str = "/sys/devices/system/cpu";

/// The topology of workers on these processors: worker i is on `processors[i]`.
pub(super) fn of(processors: &[usize]) -> Topology {
    Topology::of_processors(processors, &domains(Path::new(SYSTEM), processors))
}

/// The topology of `workers` workers on the processors that this thread may use. `None` if the system does not list
/// them. If there are more workers than processors, numbering starts over.
pub(super) fn of_workers(workers: usize) -> Option<Topology> {
    let processors: Vec<usize> = pinning::processors().into_iter().cycle().take(workers).collect();
    (!processors.is_empty()).then(|| of(&processors))
}

/// The topology of a worker on each processor that this thread may use.
pub(super) fn detect() -> Topology {
    match &pinning::processors()[..] {
        [] => Topology::flat(available()),
        processors => of(&processors[..processors.len().min(*WORKERS.end())]),
    }
}

/// What these processors share, with each other and with others.
fn domains(system: &Path, processors: &[usize]) -> Vec<Domain> {
    let mut distinct = processors.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let mut domains = Vec::new();
    for processor in distinct {
        add_domains(&mut domains, &system.join(format!("cpu{processor}")));
    }
    domains
}

/// Adds what the processor that is described in `folder` shares.
fn add_domains(domains: &mut Vec<Domain>, folder: &Path) {
    for (kind, files) in [
        // The first name is the present one, the second that of kernels before 5.3.
        (Kind::Core, ["topology/core_cpus_list", "topology/thread_siblings_list"]),
        (Kind::Socket, ["topology/package_cpus_list", "topology/core_siblings_list"]),
    ] {
        if let Some(processors) = list(folder, &files) {
            domains.push(Domain { kind, cache_bytes: None, processors });
        }
    }
    let caches = (0..).map(|index| folder.join(format!("cache/index{index}"))).take_while(|cache| cache.is_dir());
    domains.extend(caches.filter_map(|cache| data_cache(&cache)));
}

/// The cache that is described in `folder`. `None` if it is for instructions only, or if it is not said who shares it.
fn data_cache(folder: &Path) -> Option<Domain> {
    let read = |file: &str| fs::read_to_string(folder.join(file)).ok();
    if read("type").is_some_and(|kind| kind.trim() == "Instruction") {
        return None;
    }
    let level = read("level")?.trim().parse().ok()?;
    let cache_bytes = read("size").and_then(|size| parse_size(size.trim()));
    Some(Domain { kind: Kind::Cache(level), cache_bytes, processors: list(folder, &["shared_cpu_list"])? })
}

/// The processors that are listed in the first of these files that exists. `None` if there are none.
fn list(folder: &Path, files: &[&str]) -> Option<Vec<usize>> {
    let text = files.iter().find_map(|file| fs::read_to_string(folder.join(file)).ok())?;
    Some(parse_list(&text)).filter(|processors| !processors.is_empty())
}

/// Parses a list in the format of Linux: `0-3,8,10-11`. Skips whatever is not a number.
fn parse_list(list: &str) -> Vec<usize> {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let ends = |part: &str| match part.split_once('-') {
        Some((first, last)) => Some((number(first)?, number(last)?)),
        None => number(part).map(|one| (one, one)),
    };
    let mut processors = Vec::new();
    for (first, last) in list.split(',').filter_map(ends) {
        processors.extend(first..=last);
    }
    processors
}

/// Parses a size in the format of Linux: `32768K`.
fn parse_size(size: &str) -> Option<u64> {
    let number = size.trim_end_matches(['K', 'M', 'G']);
    let unit = match &size[number.len()..] {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(unit).filter(|&bytes| bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// Two sockets of two cores with two threads each, as an old kernel describes them or a present one.
    fn system(name: &str, is_old: bool) -> PathBuf {
        let system = std::env::temp_dir().join(format!("filch-topology-{}-{name}", std::process::id()));
        let [core_list, package_list] = match is_old {
            true => ["topology/thread_siblings_list", "topology/core_siblings_list"],
            false => ["topology/core_cpus_list", "topology/package_cpus_list"],
        };
        for processor in 0..8 {
            let (core, package) = (processor / 2 * 2, processor / 4 * 4);
            let write = |file: &str, text: String| {
                let file = system.join(format!("cpu{processor}/{file}"));
                fs::create_dir_all(file.parent().expect("it has one")).expect("a folder of its own");
                fs::write(file, text + "\n").expect("as above");
            };
            let on_core = format!("{core},{}", core + 1);
            let on_package = format!("{package}-{}", package + 3);
            let caches = [
                ("Data", 1, "48K", &on_core),
                ("Instruction", 1, "32K", &on_core),
                ("Unified", 2, "2048K", &on_core),
                ("Unified", 3, "30720K", &on_package),
            ];
            for (index, (kind, level, size, sharers)) in caches.into_iter().enumerate() {
                write(&format!("cache/index{index}/type"), kind.to_owned());
                write(&format!("cache/index{index}/level"), level.to_string());
                write(&format!("cache/index{index}/size"), size.to_owned());
                write(&format!("cache/index{index}/shared_cpu_list"), sharers.clone());
            }
            write(core_list, on_core.clone());
            write(package_list, on_package.clone());
        }
        system
    }

    fn topology(system: &Path, processors: &[usize]) -> Topology {
        Topology::of_processors(processors, &domains(system, processors))
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow there, and without unsafe code")]
    fn caches_sockets_and_cores_are_read_from_old_and_present_kernels() {
        for (name, is_old) in [("old", true), ("present", false)] {
            let system = system(name, is_old);
            let topology = topology(&system, &[0, 1, 2, 3, 4, 5, 6, 7]);
            assert_eq!(topology.rings(0), [vec![1], vec![2, 3], vec![4, 5, 6, 7]]);
            assert_eq!(topology.rings(5), [vec![4], vec![6, 7], vec![0, 1, 2, 3]]);
            assert_eq!(topology.to_string(), "2x4,cache=30MiB");
            let kinds: Vec<Kind> = topology.groups().iter().take(5).map(|group| group.kind).collect();
            assert_eq!(kinds, [Kind::Socket, Kind::Cache(3), Kind::Cache(2), Kind::Cache(1), Kind::Core]);
            assert_eq!(topology.groups()[3].cache_bytes, Some(48 << 10), "that of the data");
            fs::remove_dir_all(system).expect("its own");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow there, and without unsafe code")]
    fn a_process_that_may_use_some_processors_has_squads_of_those() {
        let system = system("part", false);
        let topology = topology(&system, &[3, 4, 6]);
        assert_eq!(topology.to_string(), "1+2,cache=30MiB");
        assert_eq!(topology.rings(1), [vec![2], vec![0]]);
        fs::remove_dir_all(system).expect("its own");
    }

    #[test]
    fn where_the_system_says_nothing_all_are_equally_near() {
        let topology = topology(Path::new("/nowhere"), &[0, 1, 2]);
        assert_eq!((topology.rings(0), topology.squads().count()), (vec![vec![1, 2]], 1));
        assert_eq!(topology.squads().smallest_cache_bytes(), None);
    }

    #[test]
    fn lists_and_sizes_are_read_as_linux_writes_them() {
        assert_eq!(parse_list("0-2,5,8-9\n"), [0, 1, 2, 5, 8, 9]);
        assert_eq!(parse_list("\n"), []);
        assert_eq!(
            ["32768K", "1M", "64", "K", "", "12Q", "0K"].map(parse_size),
            [Some(32 << 20), Some(1 << 20), Some(64), None, None, None, None]
        );
    }
}
