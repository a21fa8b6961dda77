//! Reads graphs and vertex names from files.
//!
//! [`read_graph`] reads any supported file, plain or compressed: an edge list, a Matrix Market, DIMACS or METIS file,
//! an adjacency graph of Ligra, a serialized graph of the GAP Benchmark Suite, or a BvGraph of the WebGraph framework.
//! [`read_kept`] also keeps weights. [`read_edge_list`] and [`read_sg`] read one of these formats, and [`Names`] reads
//! a name for each vertex.
//!
//! The crate [`filch_text`] opens the files: `-` is standard input, and compressed files are recognized by their first
//! bytes. **Files must not change while they are being read**, as it says.
//!
//! The functions run on the pool of the surrounding run, or else on the global pool.

// Modules, from the bottom up: `fault`, `error`, `options`; `append`; `line`, `edge_list`, `sg` and `names` (one format
// each); `numbers` and `records` (what formats with a header share), `matrix_market`, `dimacs`, `metis`, `ligra`,
// `weighted_list` and `webgraph` (one format each); `format` (which one it is); `arcs` (from records to graphs); `load`
// (any format). May import: `Csr`, its builder and what is below them, not the generators, algorithms or writers.

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
