//! Reads graphs and vertex names from files.
//!
//! [`read_graph`] reads any format, and [`read_kept`] also keeps weights. [`read_edge_list`] and [`read_sg`] read one
//! format, and [`Names`] reads a name for each vertex.
//!
//! The crate [`filch_text`] opens the files: `-` is standard input. **Files must not change while they are being
//! read**, as it says.

// xtask/layers.txt has the order of the modules.

mod append;
mod arcs;
mod dimacs;
mod edge_list;
mod error;
mod fault;
mod format;
mod ligra;
mod line;
mod load;
mod loaded;
mod matrix_market;
mod metis;
mod named_list;
mod names;
mod numbers;
mod options;
mod records;
mod sg;
mod webgraph;
mod weighted_list;

pub use arcs::is_far;
pub use edge_list::{EdgeList, parse_edge_list, read_edge_list};
pub use error::ReadError;
pub use fault::{BvFault, LineFault, RowFault, SgFault};
pub use filch_text::{Compression, FileError, Foreign, OnProgress, Progress, TextFault};
pub use format::FileFormat;
pub use load::{read_graph, read_graph_watched, read_kept};
pub use loaded::{Kept, Loaded};
pub use names::Names;
pub use options::{ExtraColumns, FirstVertex, ReadOptions};
pub(crate) use sg::MOST_VERTICES as MOST_SG_VERTICES;
pub use sg::read_sg;
