//! Files with the tree of forks of a real program, and the times of its parts: `filch bench --record` writes them,
//! `filch simulate` reads them.
//!
//! A file is the line [`MAGIC`] and a gzip stream. In it is a line of JSON, the [`Header`], and then one number for
//! each segment: its work in nanoseconds times two, plus one if it forks. Numbers have seven bits in each byte, the
//! lowest first; the eighth bit says that more follow. Segments come in the order of a serial run: after a fork those
//! of its first branch, those of its second one, and what comes after the join.
//!
//! - [`mod@write`]: a file, segment by segment
//! - [`read`]: a program of the simulator from a file

pub mod read;
pub mod write;

use serde::{Deserialize, Serialize};

/// The first line, not compressed, so that other tools can tell what the file is. The number is the format's.
pub const MAGIC: &str = "filch-recording 1\n";

/// What a file says about its program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The name of the program.
    pub program: String,
    /// Its size.
    pub n: String,
    /// The time of the serial elision in the same process, in nanoseconds.
    pub serial_ns: u64,
}
