//! Reads graphs and vertex names from files.
//!
//! [`read_graph`] reads any supported file: an edge list as text, plain or compressed, or a serialized graph of the GAP
//! Benchmark Suite. [`read_edge_list`] and [`read_sg`] read one of these formats, and [`Names`] reads a name for each
//! vertex.
//!
//! **Files must not change while they are being read.** Uncompressed regular files are mapped into memory. If such a
//! file is truncated meanwhile, the process is terminated by a signal (`SIGBUS`); if its contents change, the result is
//! unspecified. The caller of a function of this module must ensure that neither happens. Pipes and compressed files
//! are not mapped.
//!
//! The functions run on the pool of the surrounding run, or else on the global pool.

// Modules, from the bottom up: `compression`, `error`, `progress`, `options`; `append`, `source` (files) and `text`
// (lines in windows); `line`, `edge_list`, `sg` and `names` (one format each); `load` (any format). May import: `Csr`,
// its builder and what is below them, not the generators, algorithms or writers.

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
