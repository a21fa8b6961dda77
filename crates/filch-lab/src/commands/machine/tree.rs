//! The tree of sockets, caches and squads.

use std::io::{self, Write};

use filch::Topology;
use filch::topology::{Group, Kind};
use filch_bench::show::numbers::bytes;

/// Shows the squads, and the tree.
pub(super) fn show(topology: &Topology, out: &mut dyn Write) -> io::Result<()> {
    let squads = topology.squads();
    let cache = squads.smallest_cache_bytes().map_or("unknown".into(), bytes);
    writeln!(out, "Who shares what: {topology}")?;
    writeln!(out, "{:<16}M = {}: the workers that share a last-level cache are a squad", "squads", squads.count())?;
    writeln!(out, "{:<16}S_c = {cache}: the smallest such cache", "their cache")?;
    tree(topology).iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// The lines of the tree.
fn tree(topology: &Topology) -> Vec<String> {
    let has_own_squads = topology.groups().iter().any(|group| group.squad.is_some());
    let all = Node {
        shared: if has_own_squads { "machine".into() } else { "machine, squad 0".into() },
        workers: (0..topology.workers()).collect(),
        alike: 1,
        inside: nested(topology.groups()),
    };
    let mut lines = vec![all.line(topology)];
    draw(&all.inside, topology, "", &mut lines);
    lines
}

/// A line of the tree: one or several groups.
#[derive(PartialEq)]
struct Node {
    /// What is shared.
    shared: String,
    /// The workers that share it; of all groups, if there are several.
    workers: Vec<usize>,
    /// The number of equal groups that this line stands for.
    alike: usize,
    inside: Vec<Node>,
}

/// The nodes for groups of which each comes before those inside of it.
fn nested(groups: &[Group]) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    for family in groups.chunk_by(|_, next| next.depth > groups[0].depth) {
        let mut shared = vec![described(&family[0])];
        // Groups of the same workers inside of each other are one line.
        let same = family.iter().take_while(|group| group.workers == family[0].workers).count();
        shared.extend(family[1..same].iter().map(described));
        let node = Node {
            shared: shared.join(", "),
            workers: family[0].workers.clone(),
            alike: 1,
            inside: nested(&family[same..]),
        };
        match nodes.last_mut() {
            Some(last) if last.is_like(&node) => {
                last.alike += 1;
                last.workers.extend(node.workers);
            }
            _ => nodes.push(node),
        }
    }
    nodes
}

impl Node {
    /// Whether `next` is one more of the same.
    fn is_like(&self, next: &Node) -> bool {
        let is_leaf = self.inside.is_empty() && next.inside.is_empty();
        is_leaf && self.shared == next.shared && self.workers.len() == self.alike * next.workers.len()
    }

    fn line(&self, topology: &Topology) -> String {
        let count = if self.alike > 1 { format!("{} × ", self.alike) } else { String::new() };
        let processors: Option<Vec<usize>> = self.workers.iter().map(|&worker| topology.processor(worker)).collect();
        let (name, numbers) = match processors {
            Some(processors) => ("processor", processors),
            None => ("worker", self.workers.clone()),
        };
        let plural = if numbers.len() > 1 { "s" } else { "" };
        format!("{count}{}: {name}{plural} {}", self.shared, list(numbers))
    }
}

fn draw(nodes: &[Node], topology: &Topology, indent: &str, lines: &mut Vec<String>) {
    for (place, node) in nodes.iter().enumerate() {
        let (branch, below) = if place + 1 < nodes.len() { ("├─ ", "│  ") } else { ("└─ ", "   ") };
        lines.push(format!("{indent}{branch}{}", node.line(topology)));
        draw(&node.inside, topology, &format!("{indent}{below}"), lines);
    }
}

/// What a group shares.
fn described(group: &Group) -> String {
    let name = match group.kind {
        Kind::Core => "core".into(),
        Kind::Cache(level) => format!("L{level}"),
        Kind::Socket => "socket".into(),
        _ => String::new(),
    };
    let size = group.cache_bytes.map(|size| match group.kind {
        Kind::Cache(_) => bytes(size),
        _ => format!("cache of {}", bytes(size)),
    });
    let words = [Some(name).filter(|name| !name.is_empty()), size];
    let squad = group.squad.map(|squad| format!("squad {squad}"));
    let shared: Vec<String> = words.into_iter().flatten().collect();
    [Some(shared.join(" ")).filter(|shared| !shared.is_empty()), squad]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}

/// Numbers as Linux lists them: `0-3,8`.
fn list(mut numbers: Vec<usize>) -> String {
    numbers.sort_unstable();
    numbers.dedup();
    let ranges = numbers.chunk_by(|a, b| a + 1 == *b).map(|range| match range {
        [one] => one.to_string(),
        range => format!("{}-{}", range[0], range[range.len() - 1]),
    });
    ranges.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use filch::topology::Domain;

    use super::*;

    fn drawn(topology: &Topology) -> String {
        let mut out = Vec::new();
        show(topology, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn squads_by_hand_are_drawn_with_their_workers() {
        let text = drawn(&"2+3,cache=6MiB".parse().unwrap());
        let expected = "\
Who shares what: 2+3,cache=6MiB
squads          M = 2: the workers that share a last-level cache are a squad
their cache     S_c = 6.00 MiB: the smallest such cache
machine: workers 0-4
├─ cache of 6.00 MiB, squad 0: workers 0-1
└─ cache of 6.00 MiB, squad 1: workers 2-4
";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_is_alike_is_one_line_and_so_is_what_the_same_workers_share() {
        let domain =
            |kind, cache_bytes, processors: &[usize]| Domain { kind, cache_bytes, processors: processors.to_vec() };
        let mut domains = vec![
            domain(Kind::Socket, None, &[0, 1, 4, 5]),
            domain(Kind::Socket, None, &[2, 3, 6, 7]),
            domain(Kind::Cache(3), Some(32 << 20), &[0, 1, 4, 5]),
            domain(Kind::Cache(3), Some(16 << 20), &[2, 3, 6, 7]),
        ];
        for core in 0..4 {
            domains.push(domain(Kind::Cache(2), Some(1 << 20), &[core, core + 4]));
            domains.push(domain(Kind::Core, None, &[core, core + 4]));
        }
        let text = drawn(&Topology::of_processors(&[0, 1, 2, 3, 4, 5, 6, 7], &domains));
        let expected = "\
machine: processors 0-7
├─ socket, L3 32.0 MiB, squad 0: processors 0-1,4-5
│  └─ 2 × L2 1.00 MiB, core: processors 0-1,4-5
└─ socket, L3 16.0 MiB, squad 1: processors 2-3,6-7
   └─ 2 × L2 1.00 MiB, core: processors 2-3,6-7
";
        assert!(text.ends_with(expected), "{text}");
        assert!(text.contains("M = 2") && text.contains("S_c = 16.0 MiB"), "{text}");
    }

    #[test]
    fn where_nothing_is_known_the_machine_is_the_squad() {
        let text = drawn(&Topology::of_processors(&[3, 5], &[]));
        assert!(text.ends_with("S_c = unknown: the smallest such cache\nmachine, squad 0: processors 3,5\n"), "{text}");
    }
}
