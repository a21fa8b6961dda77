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
//! - [`Cluster`]: the ranks; [`Cluster::search`]; [`Cluster::map`]: a function for each of many arguments
//! - [`Searching`]: what can be asked of a search; [`Tally`]: what ranks count meanwhile
//! - [`Cluster::traverse`]: items that are visited by the ranks that own them, and add others
//! - [`Cluster::exchange`], [`all_reduce`](Cluster::all_reduce), [`gather`](Cluster::gather): steps that all ranks take
//!   together
//! - [`Portable`]: what workspaces and choices must be
//! - [`ClusterError`]: how searches fail
//! - [`Counters`]: what a rank has done
//! - [`Started`]: what is known of the ranks beforehand
//! - [`Loopback`]: ranks that are threads, for tests; [`Transport`]: a network of your own

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
