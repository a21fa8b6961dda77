//! The crate from outside. One program, since building takes longer than running.

mod betweenness;
mod bfs;
mod build;
mod cancelled;
mod closeness;
mod common;
mod communities;
mod components;
mod cores;
mod derive;
mod distances;
mod edge_betweenness;
mod forest;
mod generate;
mod generate_random;
mod incremental;
mod msf;
mod pagerank;
mod paths;
#[cfg(feature = "petgraph")]
mod petgraph;
mod scc;
mod shapes;
mod solving_watched;
mod sssp;
mod triangles;
mod verify;
mod verify_algorithms;
mod views;
mod walks;
mod watched;
mod weights;
