//! Graphs that are spread over the ranks of a [`Cluster`](filch_cluster::Cluster): none needs room for the whole.
//!
//! Each rank owns a block of vertices and has their arcs. All ranks call the same functions in the same order.
//!
//! ```
//! use filch_cluster::Cluster;
//! use filch_cluster_graph::{ClusterGraph, GraphError, bfs, components};
//!
//! let cluster = Cluster::from_env()?;
//! let reached = cluster.run(|c| {
//!     let graph = ClusterGraph::<u32>::generate(c, &"kronecker(10)".parse()?, 1)?;
//!     assert!(components(c, &graph)?.count() > 1);
//!     Ok::<_, Box<dyn std::error::Error>>(bfs(c, &graph, 0)?.num_reached())
//! })?;
//! # let _ = reached;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | what | by |
//! |---|---|
//! | a graph that is generated, read from a file, or made of edges of which each rank has some | [`ClusterGraph`] |
//! | labels, a tree, ranks: each for the vertices of this rank | [`components()`], [`bfs()`], [`pagerank()`] |
//! | the values of all vertices, at rank 0 | [`gather`] |
//! | what can go wrong, the same on all ranks | [`GraphError`] |
//!
//! `docs/cluster.md` says what it costs.

#![forbid(unsafe_code)]

mod bfs;
mod components;
mod pagerank;

mod build;
mod graph;

mod blocks;
mod error;
mod ghosts;
mod wire;

pub use bfs::{BfsHere, Direction, bfs};
pub use components::{ComponentsHere, components};
pub use error::GraphError;
pub use graph::{ClusterGraph, gather};
pub use pagerank::{PageRankOptions, RanksHere, pagerank};
pub use wire::Wire;

// The Rust code on this page is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/cluster.md")]
struct Book;
