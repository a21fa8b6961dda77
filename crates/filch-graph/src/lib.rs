//! Graphs on Filch.
//!
//! A graph is whatever has [`Graph`]: most often a [`Csr`], built in parallel.
//! The algorithms run on the pool of the run that they are called in, or on the global one.

pub mod bfs;
mod bitmap;
mod build;
pub mod components;
mod csr;
mod filled;
mod generate;
mod graph;
mod open;
mod prefetch;
mod queue;
pub mod read;
mod vertex;
pub mod write;

pub use build::{BuildError, CsrBuilder, RelabelError};
pub use csr::Csr;
pub use generate::{GenerateError, GraphSpec, Labels, ParseSpecError, Shape};
pub use graph::Graph;
pub use vertex::{AtomicVertex, Vertex};
