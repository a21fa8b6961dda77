//! From edges, of which each rank has some, to a graph of which each rank has a block.
//!
//! The edges are gone through twice, and not kept. First, ranks count the arcs of vertices, each for a block of as many
//! vertices; from that they agree on blocks of as many arcs. Then the arcs go to their owners, who know where each
//! belongs. Both happen in rounds, so that what is under way is small.

mod count;
mod place;
mod source;
mod text;

use crate::error::GraphError;
use crate::graph::ClusterGraph;
use crate::wire::Wire;
use filch_cluster::Cluster;
use filch_graph::{GraphSpec, Rules, Vertex};
use filch_graph_io::read::ReadOptions;
use source::{Formula, Source};
use std::path::Path;

impl<V: Vertex + Wire> ClusterGraph<V> {
    /// Generates a graph: the same as [`GraphSpec::generate`], each rank a part. All ranks must call this.
    ///
    /// # Errors
    ///
    /// If the specification is not one that can be [generated in parts](GraphSpec::in_parts), or if a rank is lost or
    /// fails.
    pub fn generate(cluster: &Cluster, spec: &GraphSpec, seed: u64) -> Result<Self, GraphError> {
        let parts = spec.in_parts(seed)?;
        let simple = Rules { symmetrize: true, remove_duplicates: true, remove_self_loops: true };
        let edges = |range, to: &mut Vec<_>| parts.edges(range, to);
        let share = share(cluster, parts.len());
        build(cluster, parts.num_vertices(), &mut Formula::new(share, edges), simple)
    }

    /// A graph of vertices 0 to `num_vertices` - 1. `edges[i]` is known to any rank by its number i, below `num_edges`;
    /// each rank asks for some of them, twice. All ranks must call this, with the same arguments.
    ///
    /// ```
    /// use filch_cluster::Cluster;
    /// use filch_cluster_graph::ClusterGraph;
    /// use filch_graph::Rules;
    ///
    /// let arcs = Cluster::loopback(3, |c| {
    ///     let undirected = Rules { symmetrize: true, ..Rules::default() };
    ///     let path = ClusterGraph::<u32>::from_edges(c, 100, 99, |i| (i as u32, i as u32 + 1), undirected)?;
    ///     assert!(path.here().all(|v| path.row(v).len() == if v % 99 == 0 { 1 } else { 2 }));
    ///     Ok::<_, filch_cluster_graph::GraphError>(path.num_arcs())
    /// })?;
    /// assert_eq!(arcs, [Ok(198), Ok(198), Ok(198)]);
    /// # Ok::<(), filch_cluster::ClusterError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a rank is lost or fails, or if an edge leads to a number that is not a vertex.
    pub fn from_edges(
        cluster: &Cluster,
        num_vertices: usize,
        num_edges: usize,
        edge: impl Fn(usize) -> (V, V) + Send + Sync,
        rules: Rules,
    ) -> Result<Self, GraphError> {
        let edges = |range: std::ops::Range<usize>, to: &mut Vec<_>| to.extend(range.map(&edge));
        build(cluster, num_vertices, &mut Formula::new(share(cluster, num_edges), edges), rules)
    }

    /// Reads an edge list that all ranks can open, in the format of [`filch_graph_io::read::read_edge_list`]: each rank
    /// reads a part of its bytes, three times, or five times for a directed graph. It must not be compressed, and must
    /// not change meanwhile. Of the options, `renumber` and `trusted` do not matter. An undirected graph has each line
    /// as an edge: a file that lists both directions needs `remove_duplicates`. All ranks must call this.
    ///
    /// # Errors
    ///
    /// [`GraphError::Input`] on all ranks, with the place, for the first bad line; or if a rank is lost or fails.
    pub fn read(cluster: &Cluster, path: &Path, options: &ReadOptions) -> Result<Self, GraphError> {
        let mut text = text::Text::open::<V>(cluster, path, options)?;
        let rules = Rules {
            symmetrize: !options.directed,
            remove_duplicates: options.remove_duplicates,
            remove_self_loops: options.remove_self_loops,
        };
        let num_vertices = text.num_vertices();
        build(cluster, num_vertices, &mut text, rules)
    }
}

/// This rank's share of so many things.
fn share(cluster: &Cluster, len: usize) -> std::ops::Range<usize> {
    let (rank, ranks) = (cluster.rank() as u128, cluster.size() as u128);
    let start = |rank: u128| (len as u128 * rank / ranks) as usize;
    start(rank)..start(rank + 1)
}

fn build<V: Vertex + Wire>(
    cluster: &Cluster,
    num_vertices: usize,
    source: &mut impl Source<V>,
    rules: Rules,
) -> Result<ClusterGraph<V>, GraphError> {
    let (blocks, starts) = count::count(cluster, num_vertices, source, rules)?;
    source.rewind();
    let (out, into) = place::place(cluster, &blocks, starts, source, rules)?;
    let num_arcs = cluster.all_reduce(&(out.targets.len() as u64), |a, b| a + b)?;
    let here = blocks.of(cluster.rank());
    Ok(ClusterGraph { blocks, here, out, into, num_arcs })
}
