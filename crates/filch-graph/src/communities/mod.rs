//! Communities: sets of vertices with many edges inside and few between them, by their modularity.
//!
//! The modularity of a partition (see [`modularity()`]) compares the weight of the edges inside of communities with
//! what is expected of a random graph with the same degrees. To find the largest one is NP-hard (Brandes et al. 2008,
//! "On modularity clustering"). Two heuristics work in levels: vertices move to communities of neighbors while that is
//! a gain, then communities become the vertices of a smaller graph.
//!
//! - The Louvain method (Blondel, Guillaume, Lambiotte and Lefebvre 2008, "Fast unfolding of communities in large
//!   networks") may leave communities that are not connected.
//! - The Leiden algorithm (Traag, Waltman and van Eck 2019, "From Louvain to Leiden: guaranteeing well-connected
//!   communities") first splits communities into sets that are well connected. These become the vertices, and may move
//!   again. Its communities are connected.
//!
//! The heads of `moving.rs` and `refine.rs` say how workers share this. The result depends on the seed, and not on the
//! number of workers or on the schedule.

// Modules, from the bottom up: `error` and `workspace`; `net` (the graph of a level); `moving` and `refine`;
// `modularity` and `serial` are independent. May import: weighted rows, `sets` and `Watch`, not other algorithms,
// builders or readers.

mod error;
mod modularity;
mod moving;
mod net;
mod refine;
mod serial;
mod workspace;

pub use error::CommunitiesError;
pub use modularity::modularity;
pub use serial::serial;

use crate::cli_enum::cli_enum;
use crate::graph::WeightedGraph;
use crate::members::Members;
use crate::sets::Trees;
use crate::splitmix::SplitMix;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};
use filch::PerWorker;
use filch_algorithms::{sort_unstable_by_key, tabulate};
use net::{Net, Sets, renumber};
use workspace::Workspace;

/// The largest number of vertices, because communities are numbered in 32 bits, and two numbers are none.
const MOST_VERTICES: usize = u32::MAX as usize - 2;
/// The purpose of the random numbers that order vertices.
const FOR_ORDER: u64 = 0x636f_6d6d;

/// How communities are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The Leiden algorithm: communities are connected.
    #[default]
    Leiden,
    /// The Louvain method: quicker, and communities may be disconnected.
    Louvain,
}

cli_enum!(Method, "method", ParseMethodError: Leiden = "leiden", Louvain = "louvain");

/// A search for communities, as a builder. By default the Leiden algorithm with resolution 1, and three iterations.
#[derive(Clone, Copy)]
pub struct Communities<'w> {
    method: Method,
    resolution: f64,
    seed: u64,
    iterations: usize,
    keeps_levels: bool,
    watch: &'w dyn Watch,
}

impl Default for Communities<'_> {
    fn default() -> Self {
        Communities { method: Method::Leiden, resolution: 1.0, seed: 0, iterations: 3, keeps_levels: false, watch: &() }
    }
}

/// Communities of `graph`, as [`Communities::run`] finds them by default.
///
/// ```
/// use filch_graph::{Csr, communities::communities};
///
/// // Two triangles and an edge between them.
/// let edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3)];
/// let graph: Csr = Csr::builder(6).symmetrize(true).build(edges)?;
/// let found = communities(&graph)?;
/// assert_eq!(found.labels, [0, 0, 0, 3, 3, 3]);
/// assert_eq!(found.modularity, 6.0 / 7.0 - 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`Communities::run`].
///
/// # Panics
///
/// Panics as [`Communities::run`] does.
pub fn communities<G: WeightedGraph>(graph: &G) -> Result<Partition<G::Vertex>, CommunitiesError> {
    Communities::new().run(graph)
}

impl<'w> Communities<'w> {
    /// A search with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// How communities are found.
    #[must_use]
    pub fn method(self, method: Method) -> Self {
        Communities { method, ..self }
    }

    /// The larger the resolution, the more and smaller communities there are: see [`modularity()`].
    ///
    /// # Panics
    ///
    /// Panics if it is negative, infinite or not a number.
    #[must_use]
    pub fn resolution(self, resolution: f64) -> Self {
        assert!(
            resolution.is_finite() && resolution >= 0.0,
            "the resolution is {resolution}: expected a number from 0"
        );
        Communities { resolution, ..self }
    }

    /// The seed of the random order in which vertices are looked at.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Communities { seed, ..self }
    }

    /// How often all levels are gone through, each time from the communities that were found before.
    ///
    /// # Panics
    ///
    /// Panics if it is 0.
    #[must_use]
    pub fn iterations(self, iterations: usize) -> Self {
        assert!(iterations > 0, "0 iterations: expected at least 1");
        Communities { iterations, ..self }
    }

    /// Whether the communities after each level of the last iteration are kept.
    #[must_use]
    pub fn levels(self, keeps_levels: bool) -> Self {
        Communities { keeps_levels, ..self }
    }

    /// Reports progress to `watch`: a pass over the vertices of each level, which are fewer and fewer.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        Communities { watch, ..self }
    }

    /// Finds communities. Arcs without weights weigh 1, so the arcs between two vertices count as often as there are.
    ///
    /// Work: O(n + m) for each round of a level, of which the first has some ten and the others are much smaller; there
    /// is no good bound. Span: that of the longest row for each of 16 batches of a round, the last moves of a level,
    /// which one worker makes, and, with [`Method::Leiden`], the arcs of the largest community. Memory: 12 bytes for
    /// each arc, as much again for the next level, some 60 bytes for each vertex, and 12 for each vertex and worker.
    ///
    /// # Errors
    ///
    /// [`CommunitiesError`]: the graph is directed, has a weight below 0, or weights whose sum is too large or too
    /// small.
    ///
    /// # Panics
    ///
    /// Panics if the graph has 2^32 - 2 vertices or more, or if the global pool is needed and cannot be started; see
    /// [`filch::run`].
    pub fn run<G: WeightedGraph>(self, graph: &G) -> Result<Partition<G::Vertex>, CommunitiesError> {
        let n = graph.num_vertices();
        assert!(n <= MOST_VERTICES, "communities of at most {MOST_VERTICES} vertices can be found, there are {n}");
        if !graph.is_symmetric() {
            return Err(CommunitiesError::Directed);
        }
        let net = Net::of(graph)?;
        if !net.total.is_finite() {
            return Err(CommunitiesError::TotalWeight);
        }
        if net.total > 0.0 && (1.0 / net.total).is_infinite() {
            return Err(CommunitiesError::LightWeight { total: net.total });
        }
        let workspaces = PerWorker::new(|| Workspace::new(n));
        let mut of: Vec<u32> = tabulate(n, |v| v as u32);
        let mut levels = Vec::new();
        for iteration in 0..self.iterations {
            levels.clear();
            let seed = SplitMix::new(self.seed, FOR_ORDER).of(iteration as u64);
            let keep = self.keeps_levels && iteration + 1 == self.iterations;
            let before = of.clone();
            of = self.iterate(&net, of, seed, &workspaces, |of| {
                if keep {
                    levels.push(smallest(of));
                }
            });
            if of == before {
                if self.keeps_levels && levels.is_empty() {
                    levels.push(smallest(&of));
                }
                break;
            }
        }
        let labels = match self.method {
            Method::Leiden => connected(&net, &of),
            Method::Louvain => smallest(&of),
        };
        if let Some(last) = levels.last_mut() {
            last.clone_from(&labels);
        }
        let modularity = modularity(graph, &labels, self.resolution);
        Ok(Partition { labels, modularity, levels })
    }

    /// Goes through all levels once, from communities of the vertices of `whole`. Returns the communities that were
    /// found, numbered from 0, and calls `note` with those of each level.
    fn iterate(
        self,
        whole: &Net,
        mut of: Vec<u32>,
        seed: SplitMix,
        workspaces: &PerWorker<Workspace, impl Fn() -> Workspace + Sync>,
        mut note: impl FnMut(&[u32]),
    ) -> Vec<u32> {
        // For each vertex of the whole, the vertex of the level that it is in.
        let mut inside: Option<Vec<u32>> = None;
        let mut merged: Option<Net> = None;
        for level in 0.. {
            let net = merged.as_ref().unwrap_or(whole);
            let draws = seed.of(level);
            let mut order = tabulate(net.len(), |v| v as u32);
            sort_unstable_by_key(&mut order, |&v| draws.at(u64::from(v)));
            self.watch.begin(Pass::new("moving", "vertices", net.len()));
            moving::move_all(net, &mut of, self.resolution, &order, workspaces, self.watch);
            let count = renumber(&mut of);
            let of_whole = match &inside {
                Some(inside) => tabulate(whole.len(), |v| of[inside[v] as usize]),
                None => of.clone(),
            };
            note(&of_whole);
            if count == net.len() {
                return of_whole;
            }
            let communities = Sets::new(of, count, &order);
            let (sets, num_sets) = match self.method {
                Method::Leiden if net.total > 0.0 => refine::refine(net, &communities, self.resolution, workspaces),
                _ => (communities.of.clone(), count),
            };
            // If no two vertices are joined, the next level would be the same.
            let (sets, num_sets) =
                if num_sets < net.len() { (sets, num_sets) } else { (communities.of.clone(), count) };
            of = vec![0; num_sets];
            sets.iter().zip(&communities.of).for_each(|(&set, &community)| of[set as usize] = community);
            inside = Some(match &inside {
                Some(inside) => tabulate(whole.len(), |v| sets[inside[v] as usize]),
                None => sets.clone(),
            });
            merged = Some(net.of_sets(&Sets::new(sets, num_sets, &order), workspaces));
        }
        unreachable!("each level has fewer vertices than the one before")
    }
}

/// For each vertex, the smallest one that is connected with it inside of its community.
fn connected<V: Vertex>(net: &Net, of: &[u32]) -> Vec<V> {
    let trees = Trees::<V>::new(of.len());
    filch::for_each(0..of.len(), |_, v| {
        let inner = net.arcs(v as u32).map(|(u, _)| u as usize).filter(|&u| u < v && of[u] == of[v]);
        inner.for_each(|u| _ = trees.link(V::new(u), V::new(v)));
    });
    trees.flatten(None);
    trees.into_vertices()
}

/// For each vertex, the smallest vertex with the same number.
fn smallest<V: Vertex>(of: &[u32]) -> Vec<V> {
    let mut first = vec![V::NONE; of.len()];
    let label = |(v, &of): (usize, &u32)| {
        first[of as usize] = first[of as usize].min(V::new(v));
        first[of as usize]
    };
    of.iter().enumerate().map(label).collect()
}

/// Communities.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition<V = u32> {
    /// For each vertex, the smallest vertex of its community.
    pub labels: Vec<V>,
    /// The modularity, with the resolution that was asked for.
    pub modularity: f64,
    /// The labels after each level, the last of which are those above: communities of communities. Empty unless they
    /// were [requested](Communities::levels).
    pub levels: Vec<Vec<V>>,
}

impl<V: Vertex> Partition<V> {
    /// The number of communities. Work: O(n), serial.
    pub fn count(&self) -> usize {
        self.labels.iter().enumerate().filter(|(v, label)| label.index() == *v).count()
    }

    /// The vertices of each community. Work: O(n), in parallel. Memory: three words for each vertex.
    ///
    /// # Panics
    ///
    /// Panics if there is not enough memory.
    pub fn members(&self) -> Members<V> {
        Members::new(&self.labels)
    }
}
