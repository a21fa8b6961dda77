//! The crate from outside. One program, since building takes longer than running.

mod betweenness;
mod bfs;
mod biconnected;
mod bipartite;
mod build;
mod cancelled;
mod closeness;
mod clustering;
mod common;
mod components;
mod cores;
mod derive;
mod forest;
mod generate;
mod generate_random;
mod greedy;
mod msf;
mod pagerank;
mod paths;
#[cfg(feature = "petgraph")]
mod petgraph;
mod scc;
mod shapes;
mod solving_watched;
mod sssp;
mod topological_order;
mod triangles;
mod truss;
mod verify;
mod verify_algorithms;
mod views;
mod watched;
mod weights;
