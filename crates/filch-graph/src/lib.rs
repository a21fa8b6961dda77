//! Graphs on Filch.
//!
//! A graph is whatever has [`Graph`]: most often a [`Csr`], built in parallel.
//! The algorithms run on the pool of the run that they are called in, or on the global one.

mod csr;
mod graph;
mod prefetch;
pub mod read;
mod vertex;
pub mod write;

pub use csr::Csr;
pub use graph::Graph;
pub use vertex::{AtomicVertex, Vertex};
