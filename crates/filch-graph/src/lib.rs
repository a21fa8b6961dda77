//! Graphs on Filch.
//!
//! A graph is whatever has [`Graph`]: most often a [`Csr`], built in parallel.
//! [`read`] takes graphs from files, [`write`](mod@write) puts graphs and results there.
//! The algorithms run on the pool of the run that they are called in, or on the global one.

pub mod bfs;
mod bitmap;
mod build;
pub mod components;
mod csr;
mod filled;
pub mod forest;
mod generate;
mod graph;
mod memory;
mod open;
#[cfg(feature = "petgraph")]
mod petgraph;
mod prefetch;
mod queue;
pub mod read;
pub mod verify;
mod vertex;
mod watch;
pub mod write;

pub use build::{BuildError, CsrBuilder, RelabelError};
pub use csr::Csr;
pub use generate::{GenerateError, GraphSpec, Labels, ParseSpecError, Shape};
pub use graph::Graph;
#[cfg(feature = "petgraph")]
pub use petgraph::Petgraph;
pub use vertex::{AtomicVertex, Vertex};
pub use watch::{Pass, Watch};
