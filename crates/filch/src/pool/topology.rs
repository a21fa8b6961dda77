//! Which processors are near each other: those that share a cache. The smaller the cache, the nearer they are.

use std::path::Path;
use std::{fs, iter};

/// Where Linux describes processors and their caches.
const SYSTEM: &str = "/sys/devices/system/cpu";

/// For each worker, the other workers in rings, the nearest ring first. Worker i is on `processors[i]`.
pub(super) fn rings(processors: &[usize]) -> Vec<Vec<Vec<usize>>> {
    rings_from(Path::new(SYSTEM), processors)
}

fn rings_from(system: &Path, processors: &[usize]) -> Vec<Vec<Vec<usize>>> {
    let caches: Vec<Vec<Vec<usize>>> = processors.iter().map(|&processor| shared(system, processor)).collect();
    let ring_of = |me: usize, other: usize| {
        // The smallest cache of `me` that `other` uses as well.
        caches[me].iter().position(|sharers| sharers.contains(&processors[other])).unwrap_or(usize::MAX)
    };
    let workers = 0..processors.len();
    let rings_of = |me: usize| {
        let mut others: Vec<(usize, usize)> =
            workers.clone().filter(|&other| other != me).map(|other| (ring_of(me, other), other)).collect();
        others.sort_unstable();
        others.chunk_by(|a, b| a.0 == b.0).map(|ring| ring.iter().map(|&(_, other)| other).collect()).collect()
    };
    workers.clone().map(rings_of).collect()
}

/// The sets of processors that share something with `processor`: one set for each of its caches, from the smallest set,
/// and one for its package. Empty except for `processor` itself if the system does not say.
fn shared(system: &Path, processor: usize) -> Vec<Vec<usize>> {
    let folder = system.join(format!("cpu{processor}"));
    let cache = |index: usize| fs::read_to_string(folder.join(format!("cache/index{index}/shared_cpu_list"))).ok();
    let caches = (0..).map_while(cache);
    let package = fs::read_to_string(folder.join("topology/package_cpus_list")).ok();
    let mut sets: Vec<Vec<usize>> = caches.chain(package).map(|list| parse_list(&list)).collect();
    // Instructions and data have separate caches, and caches of different levels may have the same sharers.
    sets.sort_by_key(Vec::len);
    sets.dedup();
    iter::once(vec![processor]).chain(sets).collect()
}

/// Parses a list in the format of Linux: `0-3,8,10-11`. Skips whatever is not a number.
fn parse_list(list: &str) -> Vec<usize> {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    list.split(',')
        .filter_map(|part| match part.split_once('-') {
            Some((first, last)) => Some(number(first)?..=number(last)?),
            None => number(part).map(|one| one..=one),
        })
        .flatten()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two packages of two cores with two threads each.
    fn system(name: &str) -> std::path::PathBuf {
        let system = std::env::temp_dir().join(format!("filch-topology-{}-{name}", std::process::id()));
        for processor in 0..8 {
            let (core, package) = (processor / 2 * 2, processor / 4 * 4);
            let write = |file: &str, text: String| {
                let file = system.join(format!("cpu{processor}/{file}"));
                fs::create_dir_all(file.parent().expect("it has one")).expect("a folder of its own");
                fs::write(file, text).expect("as above");
            };
            write("cache/index0/shared_cpu_list", format!("{core}-{}\n", core + 1));
            write("cache/index1/shared_cpu_list", format!("{core},{}\n", core + 1));
            write("cache/index2/shared_cpu_list", format!("{package}-{}\n", package + 3));
            write("topology/package_cpus_list", format!("{package}-{}\n", package + 3));
        }
        system
    }

    #[test]
    fn who_shares_the_smaller_cache_is_nearer() {
        let system = system("rings");
        let rings = rings_from(&system, &[0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(rings[0], [vec![1], vec![2, 3], vec![4, 5, 6, 7]]);
        assert_eq!(rings[5], [vec![4], vec![6, 7], vec![0, 1, 2, 3]]);
        // With more threads than processors, the threads on the same processor come first.
        assert_eq!(rings_from(&system, &[0, 2, 0])[0], [vec![2], vec![1]]);
        fs::remove_dir_all(system).expect("its own");
    }

    #[test]
    fn where_nothing_is_known_all_are_equally_near() {
        assert_eq!(rings_from(Path::new("/nowhere"), &[0, 1, 2]), [[vec![1, 2]], [vec![0, 2]], [vec![0, 1]]]);
    }

    #[test]
    fn lists_are_read_as_linux_writes_them() {
        assert_eq!(parse_list("0-2,5,8-9\n"), [0, 1, 2, 5, 8, 9]);
        assert_eq!(parse_list("\n"), []);
    }
}
