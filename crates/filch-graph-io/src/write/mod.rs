//! Writes graphs and results to files.
//!
//! Files are written atomically: the output goes to a temporary file in the same directory, which is renamed when all
//! data are on the disk. Items are formatted in parallel, while earlier ones are compressed and written, so a file is
//! never in memory as a whole.
//!
//! The extension of the file name determines the [`Format`].

// xtask/layers.txt has the order of the modules.

mod arcs;
mod error;
mod file;
mod format;
mod formats;
mod graph;
mod pipe;
mod values;

pub use error::WriteError;
pub use file::{check_writable, target, write_file};
pub use format::{Content, Format, GRAPH_ENDINGS};
pub use graph::{check_graph, write_edge_list_to, write_edges, write_graph};
pub use values::{Number, write_lines, write_lines_to, write_values};
