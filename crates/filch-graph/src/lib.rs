//! Graphs on Filch.
//!
//! An algorithm runs on any type that implements [`Graph`], usually a [`Csr`]. Build one from edges with
//! [`Csr::builder`] or `collect`, take arrays that you have with [`Csr::from_parts`], borrow them in a [`CsrView`],
//! generate a graph from a [`GraphSpec`], or read one from a file with the crate `filch-graph-io`. Then solve a
//! problem, and check the result with [`verify`]:
//!
//! | | |
//! |---|---|
//! | what is connected | [`components`], [`forest`], [`scc`], [`biconnected`] |
//! | ways and orders | [`bfs`], [`distances`], [`topological_order`], [`walks`] |
//! | with weights, on a [`WeightedGraph`] | [`sssp`], [`msf`] |
//! | how central vertices are | [`pagerank`], [`betweenness`], [`closeness`] |
//! | what is dense | [`cores`], [`triangles`], [`truss`], [`clustering`], [`communities`] |
//! | choices without conflicts | [`maximal_independent_set`], [`maximal_matching`], [`colouring`], [`bipartite`] |
//!
//! The interface of each problem is the same: a function for the plain case, and a builder of the same name for options
//! and, where solving may take seconds, for a [`Watch`].
//!
//! ```
//! use filch_graph::bfs::{Bfs, Output, bfs};
//! use filch_graph::{Csr, GraphSpec};
//!
//! let graph: Csr = "torus(10)".parse::<GraphSpec>()?.generate(1)?;
//! assert_eq!(bfs(&graph, 0).max_depth(), 10);
//! assert!(Bfs::new().output(Output::Parents).run(&graph, 0).depths.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The algorithms run on the pool of the surrounding [`run`](filch::Pool::run), or else on the global pool. All of
//! them, and building, generating and reading graphs, end soon after a [`CancelToken`](filch::CancelToken) is cancelled
//! or its time is over:
//!
//! ```
//! use filch::{CancelToken, Cancelled};
//! use filch_graph::{Csr, scc::scc};
//! use std::time::Duration;
//!
//! let graph: Csr = [(0, 1), (1, 0), (1, 2)].into_iter().collect();
//! let in_time = CancelToken::after(Duration::from_secs(10)).run(|_| scc(&graph).count());
//! assert_eq!(in_time, Ok(2));
//! let token = CancelToken::new();
//! token.cancel();
//! assert_eq!(token.run(|_| scc(&graph).count()), Err(Cancelled));
//! ```

// Which items need a feature is shown at docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]

// xtask/layers.txt has the layers. No module imports the re-exports of this file.

pub mod betweenness;
pub mod bfs;
pub mod biconnected;
pub mod bipartite;
mod build;
mod choose;
mod cli_enum;
pub mod closeness;
pub mod clustering;
pub mod colouring;
pub mod communities;
pub mod components;
pub mod cores;
mod csr;
pub mod distances;
pub mod forest;
mod generate;
mod graph;
pub mod maximal_independent_set;
pub mod maximal_matching;
mod members;
pub mod msf;
pub mod pagerank;
mod parallel_vec;
mod path;
mod peeling;
#[cfg(feature = "petgraph")]
mod petgraph;
mod prefetch;
mod rooted;
pub mod scc;
mod sets;
mod simple;
mod splitmix;
#[cfg(feature = "sprs")]
mod sprs;
pub mod sssp;
pub mod topological_order;
pub mod triangles;
pub mod truss;
pub mod verify;
mod vertex;
pub mod walks;
mod watch;
mod weight;

pub use build::{BuildError, CsrBuilder, Edge, RelabelError, Rules};
pub use choose::Facts;
pub use csr::{Csr, CsrView, Index, Rows, RowsError, RowsView, WeightedCsr};
pub use generate::{EdgeParts, GenerateError, GraphSpec, Labels, ParseSpecError, Shape};
pub use graph::{DirectedError, Graph, WeightedGraph};
pub use members::Members;
#[cfg(feature = "petgraph")]
pub use petgraph::Petgraph;
pub use vertex::{AtomicVertex, Vertex};
pub use watch::{Pass, Watch};
pub use weight::{Distance, InDigits, Weight};
