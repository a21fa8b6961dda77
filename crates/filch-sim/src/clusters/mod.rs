//! Clusters: a search on several ranks, each with a pool of workers and one communication thread.
//!
//! Where `run` has one pool and the joins of a program, this has hundreds of pools and one search: a tree whose oldest
//! untried choices move, in halves, within a rank and between ranks. Whom a rank asks and when, how long it waits, how
//! often it looks for messages, and when it gives and refuses is what `filch_policy::cluster` says; what is split off
//! is that of `filch_policy::backtracking`. The protocol is that of the crate `filch-cluster`.
//!
//! - `tree`: trees of a known size, drawn as they are walked
//! - `walk`: where a worker is in a part
//! - `rank`: what a rank knows: its workers, its messages, its parts
//! - `run`: the clock
//! - [`text`]: clusters as users write them
//!
//! ```
//! use filch_sim::clusters::{Cluster, Links, Shape};
//!
//! let cluster = Cluster { workers: 4, ..Cluster::new(Shape::Geometric, 1_000_000, Links::even(4, 10_000)) };
//! let outcome = cluster.run(1);
//! assert_eq!(outcome.nodes, 1_000_000);
//! assert!(outcome.efficiency(&cluster) > 0.8);
//! ```

mod rank;
mod run;
pub mod text;
mod tree;
mod walk;

pub use tree::Shape;

/// What is simulated.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// How many ranks there are.
    pub ranks: usize,
    /// How many workers each has. The communication thread has a processor of its own.
    pub workers: usize,
    /// How the tree is drawn.
    pub shape: Shape,
    /// The number of its nodes.
    pub nodes: u64,
    /// How far ranks are from each other.
    pub links: Links,
    /// How long communication threads pause at most. `None`: as the policy says.
    pub longest_pause_ns: Option<u64>,
    /// What steps cost.
    pub costs: ClusterCosts,
}

/// How far ranks are from each other: groups of ranks, the smallest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Links(Vec<Link>);

/// Groups of so many neighbouring ranks, and the time of a message within such a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// How many ranks a group has.
    pub ranks: usize,
    /// The time of a message between two of them that are in no smaller group together, in nanoseconds.
    pub latency_ns: u64,
}

/// What steps cost, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterCosts {
    /// A node: to compute it and to go on.
    pub node_ns: u64,
    /// For a worker, to split a part off and copy its workspace.
    pub split_ns: u64,
    /// From when a worker has found work of another one of its rank to when it begins.
    pub local_ns: u64,
    /// From when the communication thread hands a part to a worker to when that begins: it may sleep.
    pub wake_ns: u64,
    /// The bytes of a workspace for each level of the tree.
    pub level_bytes: u64,
    /// The bytes that a link moves in a microsecond.
    pub bytes_per_us: u64,
}

impl ClusterCosts {
    /// What is assumed: a node as the other programs of the simulator have it, a wake-up as
    /// [`Costs::ASSUMED`](crate::Costs::ASSUMED) has it, 24 bytes for each level as `filch_search::uts` has them, and
    /// 10 GB/s. On a current processor a node of T1 takes 0.1 µs (`filch search uts T1`), so that the same tree is less
    /// work for as many processors.
    pub const ASSUMED: ClusterCosts = ClusterCosts {
        node_ns: 1_000,
        split_ns: 2_000,
        local_ns: 2_000,
        wake_ns: 30_000,
        level_bytes: 24,
        bytes_per_us: 10_000,
    };
}

impl Links {
    /// Every rank is as far from each other one.
    pub fn even(ranks: usize, latency_ns: u64) -> Self {
        Links(vec![Link { ranks, latency_ns }])
    }

    /// Groups within groups, the smallest first.
    ///
    /// # Errors
    ///
    /// If there are none, or one is not larger than the one before.
    pub fn new(groups: Vec<Link>) -> Result<Self, UnevenLinks> {
        let grow = groups.windows(2).all(|pair| pair[1].ranks > pair[0].ranks && pair[1].ranks % pair[0].ranks == 0);
        if groups.first().is_some_and(|group| group.ranks > 0) && grow { Ok(Links(groups)) } else { Err(UnevenLinks) }
    }

    /// How many ranks there are in the largest group.
    pub fn ranks(&self) -> usize {
        self.0.last().map_or(0, |group| group.ranks)
    }

    fn latency_ns(&self, a: usize, b: usize) -> u64 {
        let link = self.0.iter().find(|group| a / group.ranks == b / group.ranks).or(self.0.last());
        link.map_or(0, |link| link.latency_ns)
    }

    /// The others, the nearest first.
    fn rings(&self, rank: usize, ranks: usize) -> Vec<Vec<usize>> {
        let mut inner = rank..rank + 1;
        let mut rings = Vec::new();
        for group in &self.0 {
            let begin = rank / group.ranks * group.ranks;
            let outer = begin..(begin + group.ranks).min(ranks);
            rings.push(outer.clone().filter(|other| !inner.contains(other)).collect());
            inner = outer;
        }
        rings.retain(|ring: &Vec<usize>| !ring.is_empty());
        rings
    }
}

/// Groups of ranks that are no groups within groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected groups of ranks, each a multiple of the one before, such as 4, 32 and 256")]
pub struct UnevenLinks;

/// What has happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClusterOutcome {
    /// When rank 0 knew the result.
    pub time_ns: u64,
    /// The nodes that were visited.
    pub nodes: u64,
    /// When nine workers of ten had begun a part.
    pub ramp_ns: u64,
    /// Messages that ask, those among them that were parked at a lifeline, and answers without a part.
    pub asks: u64,
    /// See [`asks`](Self::asks).
    pub parked: u64,
    /// See [`asks`](Self::asks).
    pub refusals: u64,
    /// Answers with pieces of the tree.
    pub gives: u64,
    /// The pieces in them, of one worker each.
    pub pieces: u64,
    /// The bytes of all messages.
    pub bytes: u64,
    /// Pieces that went to another worker of the same rank.
    pub local: u64,
    /// Looks of communication threads for messages.
    pub looks: u64,
}

impl Cluster {
    /// 256 ranks of 16 workers, or as many ranks as the links have, with the costs that are assumed.
    pub fn new(shape: Shape, nodes: u64, links: Links) -> Self {
        Cluster {
            ranks: links.ranks(),
            workers: 16,
            shape,
            nodes,
            links,
            longest_pause_ns: None,
            costs: ClusterCosts::ASSUMED,
        }
    }

    /// How many workers there are in all.
    pub fn all_workers(&self) -> usize {
        self.ranks * self.workers
    }

    /// The time on one worker.
    pub fn work_ns(&self) -> u64 {
        self.nodes * self.costs.node_ns
    }
}

impl ClusterOutcome {
    /// The time that all workers need for the nodes alone, by the time that the search has taken.
    pub fn efficiency(&self, cluster: &Cluster) -> f64 {
        cluster.work_ns() as f64 / (cluster.all_workers() as f64 * self.time_ns as f64)
    }
}
