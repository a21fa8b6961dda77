//! Clusters as text, such as `cluster:geometric,ranks=256,link=10us`.

use super::{Cluster, ClusterCosts, Link, Links, Shape, UnevenLinks};
use filch_policy::parse_time;
use std::str::FromStr;

/// What can be written, for a user.
pub const NOTATION: &str = "\
cluster:SHAPE[,nodes=N][,ranks=R][,workers=W][,link=LINK][,node=TIME][,pause=TIME]
                                        a search on R ranks of W workers; geometric or
                                        binomial, a tree of N nodes
LINK: the TIME of a message; 1us@4/10us@256, within groups of so many ranks";

/// The prefix of such a text.
pub const PREFIX: &str = "cluster:";

/// Why a text is no cluster.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseClusterError {
    /// The shape is not one.
    #[error("there is no tree of the shape `{0}`; expected geometric or binomial")]
    Shape(String),
    /// A setting has another name, or no value.
    #[error("`{0}`: expected one of nodes=, ranks=, workers=, link=, node=, pause=")]
    Setting(String),
    /// A value that cannot be read, or is not within its limits.
    #[error("`{value}` as {name}: expected {expected}")]
    Value {
        /// What was found.
        value: String,
        /// The name of the setting.
        name: String,
        /// What it should be.
        expected: &'static str,
    },
    /// The links.
    #[error("link: {0}")]
    Links(#[from] UnevenLinks),
}

const NODES: u64 = 1_000_000_000;
const RANKS: usize = 256;
const LATENCY_NS: u64 = 10_000;

/// The largest numbers, with which times fit into 64 bits and memory into a few GiB.
const MOST_NODES: u64 = 1_000_000_000_000;
const MOST_RANKS: usize = 4_096;
const MOST_WORKERS: usize = 1_024;

impl FromStr for Cluster {
    type Err = ParseClusterError;

    fn from_str(text: &str) -> Result<Self, ParseClusterError> {
        let mut parts = text.trim_start_matches(PREFIX).split(',');
        let shape = match parts.next().unwrap_or_default() {
            "geometric" => Shape::Geometric,
            "binomial" => Shape::Binomial,
            other => return Err(ParseClusterError::Shape(other.into())),
        };
        let mut cluster = Cluster::new(shape, NODES, Links::even(RANKS, LATENCY_NS));
        let mut links = None;
        for part in parts {
            let (name, value) = part.split_once('=').ok_or_else(|| ParseClusterError::Setting(part.into()))?;
            let expects = |expected| ParseClusterError::Value { value: value.into(), name: name.into(), expected };
            let count = |most: u64, expected| match value.parse() {
                Ok(number) if (1..=most).contains(&number) => Ok(number),
                _ => Err(expects(expected)),
            };
            match name {
                "nodes" => cluster.nodes = count(MOST_NODES, "a number from 1 to 10^12")?,
                "ranks" => cluster.ranks = count(MOST_RANKS as u64, "a number from 1 to 4096")? as usize,
                "workers" => cluster.workers = count(MOST_WORKERS as u64, "a number from 1 to 1024")? as usize,
                "node" => {
                    let node_ns = time_ns(value).filter(|ns| (1..=1_000_000).contains(ns));
                    let node_ns = node_ns.ok_or_else(|| expects("a time from 1ns to 1ms"))?;
                    cluster.costs = ClusterCosts { node_ns, ..cluster.costs };
                }
                "pause" => {
                    cluster.longest_pause_ns = Some(time_ns(value).ok_or_else(|| expects("a time such as 20us"))?);
                }
                "link" => {
                    let groups = value.split('/').map(|group| {
                        let (time, ranks) = group.split_once('@').unwrap_or((group, "4096"));
                        Some(Link { ranks: ranks.parse().ok()?, latency_ns: time_ns(time)? })
                    });
                    let groups: Option<Vec<Link>> = groups.collect();
                    links =
                        Some(groups.ok_or_else(|| expects("a time such as 10us, or times such as 1us@4/10us@256"))?);
                }
                _ => return Err(ParseClusterError::Setting(part.into())),
            }
        }
        if let Some(links) = links {
            cluster.links = Links::new(links)?;
        }
        Ok(cluster)
    }
}

fn time_ns(text: &str) -> Option<u64> {
    // Longer ones are not meant.
    parse_time(text).and_then(|time| u64::try_from(time.as_nanos()).ok()).filter(|&ns| ns <= 1_000_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_read_as_they_are_written_and_nothing_else_is() {
        let cluster: Cluster =
            "cluster:binomial,ranks=64,workers=4,nodes=1000,link=1us@4/10us@64,node=2us".parse().unwrap();
        assert_eq!((cluster.shape, cluster.ranks, cluster.workers), (Shape::Binomial, 64, 4));
        assert_eq!((cluster.nodes, cluster.costs.node_ns), (1_000, 2_000));
        assert_eq!(cluster.links.rings(5, 8), [vec![4, 6, 7], vec![0, 1, 2, 3]]);
        assert_eq!([4, 0].map(|other| cluster.links.latency_ns(5, other)), [1_000, 10_000]);
        for wrong in ["cluster:round", "cluster:binomial,ranks", "cluster:binomial,ranks=0", "cluster:geometric,x=3"] {
            assert!(wrong.parse::<Cluster>().is_err(), "{wrong}");
        }
        assert!("cluster:geometric,link=1us@4/10us@6".parse::<Cluster>().is_err());
    }
}
