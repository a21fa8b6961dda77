//! Graphs and names from files.
//!
//! [`read_graph`] takes whatever a user has: an edge list as text, plain or compressed, or a serialized graph of the
//! GAP Benchmark Suite. What it does can be had in parts: [`read_edge_list`], [`read_sg`]; and [`Names`] names the
//! vertices.
//!
//! **Premise.** Files are mapped into memory, in windows. While a file is being read, nobody may change it: a file that
//! is cut short meanwhile ends the process by a signal (`SIGBUS`), one whose bytes change may be read as something it
//! never was. Who calls a function of this module sees to that. Pipes and compressed files are not mapped.
//!
//! Everything here runs on the pool of the run that it is called in, or on the global one. May import: the graph and
//! its builder, never the algorithms.

mod append;
mod compression;
mod edge_list;
mod error;
mod line;
mod load;
mod names;
mod options;
mod progress;
mod sg;
mod source;
mod text;

pub use compression::Compression;
pub use edge_list::{EdgeList, parse_edge_list, read_edge_list};
pub use error::{LineFault, ReadError, SgFault};
pub use load::{Loaded, read_graph, read_graph_watched};
pub use names::Names;
pub use options::{ExtraColumns, FirstVertex, ReadOptions};
pub use progress::{OnProgress, Progress};
pub(crate) use sg::MOST_VERTICES as MOST_SG_VERTICES;
pub use sg::read_sg;
