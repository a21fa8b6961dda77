//! The commands: one file or folder each, with the arguments and the help text beside the code.
//!
//! A command imports the layers below, but no other command. The crate `filch-cli` lists them.
//!
//! - [`machine`], [bench](mod@bench): measurements
//! - [`doctor`]: what this machine lets Filch do
//! - [`profile`]: how parallel any program on Filch is, where its span is, and how fast it would be on more workers
//! - [`simulate`]: the same on many virtual workers
//! - [`report`]: a page with the figures of all others
//! - [`stress`]: a search for faults
//! - [`forest`], [`components`], [`bfs`], [`generate`], [`graph`](mod@graph): graphs
//! - [`pagerank`], [`triangles`], [`cores`], [`scc`]: more problems on graphs
//! - [`solve`]: all others that need nothing but the graph
//! - [`msf`], [`sssp`]: graphs with weights
//! - [`search`]: puzzles and other searches
//! - [`top`]: what the workers of running programs do
//! - [`completions`]: completions for shells; [`man`]: pages for man(1)
//! - [`keep_busy`]: a hidden command, which other commands run

pub mod bench;
pub mod bfs;
pub mod completions;
pub mod components;
pub mod cores;
pub mod doctor;
pub mod forest;
pub mod generate;
pub mod graph;
pub mod keep_busy;
pub mod machine;
pub mod man;
pub mod msf;
pub mod pagerank;
pub mod profile;
pub mod report;
pub mod scc;
pub mod search;
pub mod simulate;
pub mod solve;
pub mod sssp;
pub mod stress;
pub mod top;
pub mod triangles;
