//! A graph of which each rank has a block.

use crate::blocks::Blocks;
use crate::error::GraphError;
use crate::wire::{Wire, bytes_of, numbers_of};
use filch_cluster::Cluster;
use filch_graph::Vertex;
use std::ops::Range;

/// A graph of which each rank has the arcs of its own vertices, whose numbers follow each other. The blocks of the
/// ranks have about as many arcs each; but a vertex is never divided.
///
/// Memory of a rank: a word for each of its vertices, and a vertex for each of its arcs. A directed graph has each arc
/// twice, at both of its ends.
#[derive(Clone, Debug)]
pub struct ClusterGraph<V = u32> {
    pub(crate) blocks: Blocks,
    pub(crate) here: Range<usize>,
    pub(crate) out: Block<V>,
    /// The sources of the arcs that lead to each vertex. `None` for a symmetric graph, in which they equal `out`.
    pub(crate) into: Option<Block<V>>,
    pub(crate) num_arcs: u64,
}

/// The arcs of the vertices of a rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block<V> {
    /// One more than there are vertices here.
    pub(crate) offsets: Vec<usize>,
    /// By the numbers of the whole graph, in ascending order within each row.
    pub(crate) targets: Vec<V>,
}

impl<V: Vertex> Block<V> {
    /// The neighbors of the vertex in this place of the block.
    #[inline(always)]
    pub(crate) fn row(&self, place: usize) -> &[V] {
        &self.targets[self.offsets[place]..self.offsets[place + 1]]
    }

    #[inline(always)]
    pub(crate) fn degree(&self, place: usize) -> usize {
        self.offsets[place + 1] - self.offsets[place]
    }
}

impl<V: Vertex> ClusterGraph<V> {
    /// The number of vertices of the whole graph.
    pub fn num_vertices(&self) -> usize {
        self.blocks.num_vertices()
    }

    /// The number of arcs of the whole graph.
    pub fn num_arcs(&self) -> u64 {
        self.num_arcs
    }

    /// Whether the reverse of each arc is there, too.
    pub fn is_symmetric(&self) -> bool {
        self.into.is_none()
    }

    /// The vertices of this rank.
    pub fn here(&self) -> Range<usize> {
        self.here.clone()
    }

    /// The rank that owns a vertex.
    ///
    /// # Panics
    ///
    /// If it is not a vertex of the graph.
    pub fn owner(&self, vertex: usize) -> usize {
        assert!(vertex < self.num_vertices(), "vertex {vertex} of {}", self.num_vertices());
        self.blocks.owner(vertex)
    }

    /// The targets of the arcs that leave a vertex of this rank, in ascending order.
    ///
    /// # Panics
    ///
    /// If it is not a vertex of this rank.
    pub fn row(&self, vertex: usize) -> &[V] {
        self.out.row(self.place(vertex))
    }

    /// The sources of the arcs that lead to a vertex of this rank, in ascending order.
    ///
    /// # Panics
    ///
    /// If it is not a vertex of this rank.
    pub fn in_row(&self, vertex: usize) -> &[V] {
        self.into().row(self.place(vertex))
    }

    fn place(&self, vertex: usize) -> usize {
        assert!(self.here.contains(&vertex), "vertex {vertex} is not one of this rank, {:?}", self.here);
        vertex - self.here.start
    }

    pub(crate) fn into(&self) -> &Block<V> {
        self.into.as_ref().unwrap_or(&self.out)
    }

    /// The part of a row that leads to vertices of this rank, and the parts before and behind it.
    #[inline(always)]
    pub(crate) fn split<'r>(&self, row: &'r [V]) -> [&'r [V]; 3] {
        let own = row.partition_point(|v| v.index() < self.here.start);
        let (before, rest) = row.split_at(own);
        let (own, behind) = rest.split_at(rest.partition_point(|v| v.index() < self.here.end));
        [before, own, behind]
    }
}

/// At rank 0 the values of all vertices, of which each rank gives those of its own; nothing at the other ranks. Rank 0
/// needs room for all of them.
///
/// # Errors
///
/// If a rank is lost or fails.
pub fn gather<T: Wire>(cluster: &Cluster, here: &[T]) -> Result<Vec<T>, GraphError> {
    let blocks = cluster.gather(bytes_of(here.iter().copied()))?;
    Ok(blocks.iter().flat_map(|bytes| numbers_of(bytes)).collect())
}
