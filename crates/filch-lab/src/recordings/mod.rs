//! Files with the tree of forks of a real program, the times of its parts, and what they touch: `filch bench --record`
//! writes them, `filch simulate` reads them. It reads profiles, too, whose format is that of the runtime.
//!
//! A file is the line [`MAGIC`] and a gzip stream. In it is a line of JSON, the [`Header`], and then numbers. Numbers
//! have seven bits in each byte, the lowest first; the eighth bit says that more follow. Segments come in the order of
//! a serial run: after a fork those of its first branch, those of its second one, and what comes after the join. A
//! segment is:
//!
//! 1. its work in nanoseconds times four, plus one if it forks, plus two if it touches memory;
//! 2. if it does, the number of its touches, and for each of them
//!    - the distance from where the last one in the file has ended to where it begins: twice that, or if it is
//!      negative, twice its absolute value less one, so that small distances are small numbers. Addresses count from
//!      the block of 4 KiB in which the first touch begins;
//!    - its bytes times two, plus one if it writes.
//!
//! Files of format 1 have no touches, and their segments are the work times two, plus one if it forks. They are read.
//!
//! - [`mod@write`]: a file, segment by segment
//! - [`read`]: a program of the simulator from a file
//! - [`profiled`]: the same from a profile

pub mod profiled;
pub mod read;
#[cfg(test)]
mod tests;
pub mod write;

use serde::{Deserialize, Serialize};

/// The first line, not compressed, so that other tools can tell what the file is. The number is the format's.
pub const MAGIC: &str = "filch-recording 2\n";

/// The first line of files without touches.
const MAGIC_1: &str = "filch-recording 1\n";

/// What a file says about its program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The name of the program.
    pub program: String,
    /// Its size.
    pub n: String,
    /// The time of the serial elision in the same process, in nanoseconds.
    pub serial_ns: u64,
    /// The bytes of the array that it divides, 0 if it is bound by the processor, `None` in old files: see
    /// `filch_kernels::Program::data_bytes_of_bound`.
    #[serde(default)]
    pub data_bytes: Option<u64>,
}
