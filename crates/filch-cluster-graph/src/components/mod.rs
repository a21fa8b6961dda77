//! Connected components.
//!
//! 1. Each rank finds the components of its own vertices, by the algorithm of [`filch_graph::components`]. Each is
//!    called by its smallest vertex.
//! 2. The ranks tell each other these names of the ghosts, and each unites its components with those of other ranks to
//!    which arcs lead. So what is left of its arcs is a forest of names.
//! 3. The forests are merged in pairs: after as many rounds as p ranks can be halved, rank 0 has one forest. It tells
//!    each rank which of its names have become others.
//!
//! In directed graphs, arcs are followed in both directions. The label of a vertex is the smallest of its component,
//! so labels depend neither on the ranks nor on the schedule.

mod local;
mod merge;

use crate::error::GraphError;
use crate::ghosts::Ghosts;
use crate::graph::ClusterGraph;
use crate::wire::{Wire, bytes_of, pairs_of};
use filch_cluster::Cluster;
use filch_graph::Vertex;
use std::collections::HashMap;

/// The components of a graph, as a rank knows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentsHere<V = u32> {
    /// For each vertex of this rank, the smallest vertex of its component.
    pub labels: Vec<V>,
    count: u64,
}

impl<V> ComponentsHere<V> {
    /// The number of components of the whole graph.
    pub fn count(&self) -> u64 {
        self.count
    }
}

/// The components of a graph. All ranks must call this.
///
/// Memory of a rank, beside the graph: two vertices for each of its vertices, two bits for each vertex of the graph,
/// and three vertices for each ghost, which is a vertex of another rank that is a neighbor of one of this rank. Rank 0
/// also needs room for the names that the forests of all ranks unite. In the worst case these are all vertices; in
/// graphs with a giant component they are few.
///
/// ```
/// use filch_cluster::Cluster;
/// use filch_cluster_graph::{ClusterGraph, components, gather};
///
/// let labels = Cluster::loopback(3, |c| {
///     let graph = ClusterGraph::<u32>::generate(c, &"cycles(2,4)".parse().expect("a graph"), 1)?;
///     gather(c, &components(c, &graph)?.labels)
/// })?;
/// assert_eq!(labels[0], Ok(vec![0, 0, 0, 0, 4, 4, 4, 4]));
/// # Ok::<(), filch_cluster::ClusterError>(())
/// ```
///
/// # Errors
///
/// If a rank is lost or fails.
pub fn components<V: Vertex + Wire>(
    cluster: &Cluster,
    graph: &ClusterGraph<V>,
) -> Result<ComponentsHere<V>, GraphError> {
    let mut labels = cluster.pool().run(|_| local::labels(graph));
    // A vertex is united with its ghosts along the arcs that leave it. The reverse of an arc is not needed.
    let ghosts = Ghosts::new(cluster, graph, &graph.out)?;
    let start = graph.here.start;
    let names = ghosts.refresh(cluster, |place| V::new(start + labels[place].index()))?;
    let forest = cluster.pool().run(|_| local::forest(graph, &labels, &ghosts, names));
    drop(ghosts);
    let renamed = merged(cluster, graph, forest)?;
    cluster.pool().run(|_| {
        let renamed = &renamed;
        let new = |label: V| {
            let name = V::new(start + label.index());
            renamed.get(&name).copied().unwrap_or(name)
        };
        filch::for_each(&mut labels[..], |_, label| *label = new(*label));
    });
    let count = (start..).zip(&labels).filter(|(vertex, label)| label.index() == *vertex).count() as u64;
    let count = cluster.all_reduce(&count, |a, b| a + b)?;
    Ok(ComponentsHere { labels, count })
}

/// What the names of this rank have become, of those that have changed.
fn merged<V: Vertex + Wire>(
    cluster: &Cluster,
    graph: &ClusterGraph<V>,
    mut forest: Vec<(V, V)>,
) -> Result<HashMap<V, V>, GraphError> {
    let (rank, ranks) = (cluster.rank(), cluster.size());
    let bytes_of_pairs = |pairs: &[(V, V)]| bytes_of(pairs.iter().flat_map(|&(a, b)| [a, b]));
    forest = merge::star(forest);
    let mut stride = 1;
    while stride < ranks {
        let mut outgoing = vec![Vec::new(); ranks];
        if rank % (2 * stride) == stride {
            outgoing[rank - stride] = bytes_of_pairs(&std::mem::take(&mut forest));
        }
        let incoming = cluster.exchange(outgoing)?;
        if incoming.iter().any(|bytes| !bytes.is_empty()) {
            forest.extend(incoming.iter().flat_map(|bytes| pairs_of(bytes)));
            drop(incoming);
            forest = merge::star(forest);
        }
        stride *= 2;
    }
    let mut outgoing = vec![Vec::new(); ranks];
    for (name, new) in forest {
        let to = &mut outgoing[graph.blocks.owner(name.index())];
        name.put(to);
        new.put(to);
    }
    let incoming = cluster.exchange(outgoing)?;
    Ok(incoming.iter().flat_map(|bytes| pairs_of(bytes)).collect())
}
