//! Graphs and results into files.
//!
//! A file is there whole or not at all: it is written under another name in its directory, and renamed when all of it
//! is on the disk. Numbers are formatted in parallel, while what came before is compressed and written; so a file is
//! never in memory as a whole.
//!
//! The ending of a name says what is written: [`Format`]. Everything here runs on the pool of the run that it is called
//! in, or on the global one. May import: the graph and [`read`](crate::read), never the algorithms.

mod error;
mod file;
mod format;
mod graph;
mod pipe;
mod sg;
mod values;

pub use error::WriteError;
pub use file::{check_writable, target, write_file};
pub use format::{Content, Format};
pub use graph::{write_edges, write_graph};
pub use values::{Number, write_lines, write_lines_to, write_values};
