//! The packages of Debian 12 and their dependencies: a real graph, built into the command.

use std::io::Read;
use std::sync::LazyLock;

use flate2::read::GzDecoder;

use crate::failure::Failure;
use crate::tips::similar;

static PACKAGES: &[u8] = include_bytes!("../data/debian12-packages.txt.gz");
static DEPENDENCIES: &[u8] = include_bytes!("../data/debian12-depends.el.gz");

/// The graph, unpacked when it is first used.
pub static DEBIAN: LazyLock<Debian> = LazyLock::new(Debian::unpack);

/// The number of a package: its index in [`Debian::names`].
pub type Package = u32;

/// The graph.
#[derive(Debug)]
pub struct Debian {
    /// The names of the packages, sorted by bytes.
    pub names: Vec<&'static str>,
    /// Pairs of a package and one that it depends on, sorted by the first.
    pub dependencies: Vec<(Package, Package)>,
}

impl Debian {
    fn unpack() -> Self {
        let names = text(PACKAGES).leak().lines().collect();
        let edges = text(DEPENDENCIES);
        let edge = |line: &str| {
            let (from, to) = line.split_once(' ')?;
            Some((from.parse().ok()?, to.parse().ok()?))
        };
        let lines = edges.lines().filter(|line| !line.starts_with('#'));
        let dependencies = lines.map(|line| edge(line).expect("the built-in data is well-formed")).collect();
        Self { names, dependencies }
    }

    /// The package with this name. The failure suggests similar ones.
    pub fn find(&self, name: &str) -> Result<Package, Failure> {
        /// The number of them in a message.
        const SIMILAR: usize = 5;
        self.names.binary_search(&name).map(|place| place as Package).map_err(|_| {
            let found: Vec<&str> = similar(name, self.names.iter().copied()).take(SIMILAR).collect();
            let hint = if found.is_empty() {
                "expected one such as gnome".into()
            } else {
                format!("similar: {}", found.join(", "))
            };
            Failure::Usage(format!("no package of Debian 12 has the name `{name}`; {hint}"))
        })
    }

    /// The number of dependencies of each package.
    pub fn dependencies_by_package(&self) -> Vec<u32> {
        self.count(|&(from, _)| from)
    }

    /// The number of packages that depend on each package.
    pub fn dependents_by_package(&self) -> Vec<u32> {
        self.count(|&(_, to)| to)
    }

    fn count(&self, end: impl Fn(&(Package, Package)) -> Package) -> Vec<u32> {
        let mut counts = vec![0; self.names.len()];
        for edge in &self.dependencies {
            counts[end(edge) as usize] += 1;
        }
        counts
    }
}

fn text(packed: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(packed).read_to_string(&mut text).expect("the built-in data can be unpacked");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers are those of `data/README.md`.
    #[test]
    fn the_graph_has_as_many_packages_and_dependencies_as_it_should() {
        assert_eq!(DEBIAN.names.len(), 63_436);
        assert_eq!(DEBIAN.dependencies.len(), 247_686);
        assert!(DEBIAN.names.is_sorted());
        let end = DEBIAN.names.len() as u32;
        assert!(DEBIAN.dependencies.iter().all(|&(from, to)| from < end && to < end));
    }

    #[test]
    fn a_package_is_found_by_its_name_and_similar_ones_are_suggested() {
        assert_eq!(DEBIAN.names[DEBIAN.find("libc6").unwrap() as usize], "libc6");
        let failure = DEBIAN.find("gnone").unwrap_err();
        assert!(matches!(failure, Failure::Usage(_)) && failure.to_string().contains("similar: gnome, "), "{failure}");
    }

    #[test]
    fn libc6_is_what_most_packages_depend_on() {
        let dependents = DEBIAN.dependents_by_package();
        let most = (0..dependents.len()).max_by_key(|&package| dependents[package]).unwrap();
        assert_eq!((DEBIAN.names[most], dependents[most]), ("libc6", 21_809));
        assert_eq!(DEBIAN.dependencies_by_package().iter().sum::<u32>(), 247_686);
    }
}
