//! The names of parts that have moved.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The name of a part of a search that has moved to another rank, or of the whole search. No two parts of a search have
/// the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Id {
    /// The rank that has given the part away, and waits for its result.
    pub rank: u32,
    /// The worker of that rank that has split it off.
    pub worker: u32,
    /// How many parts it is a part of: 0 for the whole search.
    pub depth: u32,
    /// How many parts the rank had given away before.
    pub sequence: u32,
}

impl Id {
    /// The whole search. Rank 0 has it.
    pub const WHOLE: Id = Id { rank: 0, worker: 0, depth: 0, sequence: 0 };
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Id { rank, worker, depth, sequence } = self;
        write!(f, "{rank}.{worker}.{depth}.{sequence}")
    }
}
