//! How Filch opens files: graphs, names of vertices, problems to be searched and recordings, all in the same way.
//!
//! ```
//! # let directory = tempfile::tempdir()?;
//! let path = directory.path().join("names.txt");
//! std::fs::write(&path, "\u{feff}ann\nbob\n")?;
//! assert_eq!(filch_text::read_text(&path, 1 << 20)?, "ann\nbob\n");
//! let missing = filch_text::read_text(&directory.path().join("none.txt"), 1 << 20).unwrap_err();
//! assert!(missing.to_string().contains("none.txt"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Source`] opens a path, or standard input, which is called `-`. It decompresses gzip and, with the
//!   features `zstd`, `bzip2` and `xz`, these. Archives and other compressions are recognized by their first bytes and
//!   refused with what to do.
//! - [`feed`] passes text to a [`Consumer`] in windows of whole lines, which it may divide among workers.
//! - [`read_text`] returns a small text as a whole, [`read_bytes`] any small file.
//! - [`FileError`] says what is wrong with a file whatever its format is, [`TextFault`] what is wrong in a line.
//!
//! A text is in UTF-8. A byte order mark at its beginning is no part of it. Lines end in LF or CR LF, and the last one
//! may lack its end.
//!
//! **Files must not change while they are being read.** Uncompressed regular files are mapped into memory. If such a
//! file is truncated meanwhile, the process is terminated by a signal (`SIGBUS`); if its contents change, the result is
//! unspecified. The caller must ensure that neither happens. Pipes and compressed files are not mapped.
//!
//! The functions run on the pool of the surrounding run, or else on the global pool.

// Which items need a feature is shown at docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Layers, from the bottom up (xtask/layers.txt): `name`, `words`, `compression`; `foreign`; `error`; `start`,
// `progress`; `mapped` and `members`; `source`; `window` and `whole`.

mod compression;
mod error;
mod foreign;
mod mapped;
mod members;
mod name;
mod progress;
mod source;
mod start;
mod whole;
mod window;
mod words;

pub use compression::Compression;
pub use error::{FileError, TextFault};
pub use foreign::Foreign;
pub use mapped::{MappedFile, Window};
pub use name::{STANDARD_INPUT, is_standard_input, named};
pub use progress::{OnProgress, Progress, report};
pub use source::{Source, Stream};
pub use start::{BYTE_ORDER_MARK, text_start};
pub use whole::{BadText, check_text, decoded, read_bytes, read_text};
pub use window::{Consumer, Failure, Sizes, feed, feed_memory};
pub use words::{Words, is_space, shown};
