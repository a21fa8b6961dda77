//! Searches on several processes: the same program runs on one machine or on many, and work moves between them.
//!
//! ```
//! use filch::{Node, Steps};
//! use filch_cluster::Cluster;
//!
//! let words = Steps::new(
//!     |word: &mut Vec<u8>| if word.len() == 6 { Node::Solution } else { Node::Choices(0..3_u8) },
//!     |word: &mut Vec<u8>, letter| word.push(letter),
//!     |word: &mut Vec<u8>, _| _ = word.pop(),
//! );
//! let cluster = Cluster::from_env()?;
//! let count = cluster.run(|c| c.search(&words, Vec::new()).count())?;
//! if cluster.rank() == 0 {
//!     assert_eq!(count, 729);
//! }
//! # Ok::<(), filch_cluster::ClusterError>(())
//! ```
//!
//! With the feature `mpi` and under `mpirun -n 4`, four processes share this search. Otherwise it runs on one.
//! `docs/cluster.md` has a first run, and says what moves and what it costs.
//!
//! | what | by |
//! |---|---|
//! | the ranks; what is known of them beforehand | [`Cluster`]; [`Started`] |
//! | a search; what can be asked of it; what ranks count meanwhile | [`Cluster::search`]; [`Searching`]; [`Tally`] |
//! | a function for each of many arguments | [`Cluster::map`] |
//! | items that are visited by the ranks that own them, and add others | [`Cluster::traverse`] |
//! | steps that all ranks take together | [`Cluster::exchange`], [`Cluster::all_reduce`], [`Cluster::gather`] |
//! | what workspaces and choices must be | [`Portable`] |
//! | how searches fail; what a rank has done | [`ClusterError`]; [`Counters`] |
//! | ranks that are threads, for tests; a network of your own | [`Loopback`]; [`Transport`] |

#![forbid(unsafe_code)]

mod calls;
mod cluster;
mod collective;
mod loopback;
mod search;
mod traverse;

// What ranks say to each other, and how.
mod operation;
mod protocol;
mod ranks;
mod transport;

mod counters;
mod error;
mod id;
mod message;
mod portable;
mod started;

pub use cluster::Cluster;
pub use counters::Counters;
pub use error::{ClusterError, Failure};
pub use id::Id;
pub use loopback::Loopback;
pub use portable::{Corrupt, Portable, Unportable};
pub use search::{Searching, Tally};
pub use started::Started;
pub use transport::Transport;
pub use traverse::{Outlet, TraversedHere};
