//! Writes graphs and results to files.
//!
//! Files are written atomically: the output goes to a temporary file in the same directory, which is renamed when all
//! data are on the disk. Items are formatted in parallel, while earlier ones are compressed and written, so a file is
//! never in memory as a whole.
//!
//! The extension of the file name determines the [`Format`]. The functions run on the pool of the surrounding run, or
//! else on the global pool.

// Modules, from the bottom up: `error`, `format`, `file` (atomic replacement), `pipe` (formatting in parallel), `arcs`
// (what a format can represent), then `sg` and `text` (formats), `graph` and `values`. May import: `read`, `Csr` and
// what is below them, not the generators and algorithms.

mod arcs;
mod error;
mod file;
mod format;
mod graph;
mod pipe;
mod sg;
mod text;
mod values;

pub use error::WriteError;
pub use file::{check_writable, target, write_file};
pub use format::{Content, Format, GRAPH_ENDINGS};
pub use graph::{check_graph, write_edge_list_to, write_edges, write_graph};
pub use values::{Number, write_lines, write_lines_to, write_values};
