//! Reads and writes graphs of the crate [`filch_graph`], in parallel.
//!
//! ```
//! use filch_graph::Graph;
//! use filch_graph_io::read::{Progress, ReadOptions, read_graph};
//! use filch_graph_io::write::write_graph;
//! use std::ops::ControlFlow;
//!
//! # let directory = tempfile::tempdir()?;
//! let (list, matrix) = (directory.path().join("roads.el"), directory.path().join("roads.mtx.zst"));
//! std::fs::write(&list, "# three towns\n0 1\n1 2\n")?;
//!
//! let mut on_progress = |_: Progress| ControlFlow::Continue(());
//! let roads = read_graph::<u32>(&list, &ReadOptions::default(), &mut on_progress)?.graph;
//! assert_eq!((roads.num_vertices(), roads.num_arcs()), (3, 4));
//! write_graph(&matrix, &roads, &mut on_progress)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`read`](mod@read) reads any of these files, plain or compressed, and [`write`](mod@write) writes all but the last:
//!
//! | format | names | begins with | vertices from | weights |
//! |---|---|---|---|---|
//! | edge list (SNAP, GAPBS) | `.el`, `.txt`, `.wel` | two or three columns | 0, or by an option | third column |
//! | Matrix Market, coordinates | `.mtx` | `%%MatrixMarket`, also with one `%` | 1 | pattern, integer or real |
//! | ninth DIMACS challenge, shortest paths | `.gr` | `c` or `p sp` | 1 | whole numbers |
//! | METIS | `.graph`, `.metis` | two to four numbers | 1 | whole numbers above 0, or none |
//! | Ligra | `.adj` | `AdjacencyGraph` or `WeightedAdjacencyGraph` | 0 | in the second form |
//! | GAPBS (GAP Benchmark Suite), serialized | `.sg`, `.wsg` | a byte 0 or 1 | 0 | `.wsg`: 32-bit integers |
//! | WebGraph framework, BvGraph | `.graph` beside `.properties` | `graphclass=` in the properties | 0 | none |
//!
//! A graph is the same in every format that has it. Compressed files are recognized by their first bytes: gzip is
//! always read, zstd, bzip2 and xz with the features of these names, of which `zstd` is on by default and compiles C.
//! gzip and zstd are written, too.
//!
//! **Limits.** A vertex has 32 or 64 bits, as the type says that is read; serialized graphs have at most 2^31 vertices.
//! Weights have 32 bits, and a whole number that would be rounded is refused: see [`FileWeight`].
//! Nothing is allocated because a header says so. A file that names more than 2^21 vertices, and more than 64 for each
//! of its edges, must be confirmed by [`ReadOptions::num_vertices`](read::ReadOptions::num_vertices). What is
//! compressed, BvGraph too, may take a thousand times the memory of its file. **A file must not change while it is
//! being read**: plain files are mapped into memory.
//!
//! **Errors.** [`ReadError`](read::ReadError) names the file, and for text the line and the column, with what was
//! expected and what was found. [`WriteError`](write::WriteError) means that nothing has been written: files are
//! replaced as a whole. A callback hears of progress and may stop both.
//!
//! The functions run on the pool of the surrounding [`run`](filch::Pool::run), or else on the global pool.

// Which items need a feature is shown at docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]

// xtask/layers.txt has the layers.

pub mod read;
mod weight;
pub mod write;

pub use weight::FileWeight;
