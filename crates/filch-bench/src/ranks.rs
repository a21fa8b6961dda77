//! Several processes that `mpirun` has started with the same command line, the ranks: rank 0 speaks for all.
//!
//! The others write nothing, neither results nor progress nor errors. What fails on one of them is told by rank 0,
//! which learns it from `Cluster::give_up` of `filch-cluster` or from its search.

/// Whether this process writes what is meant for people and files: rank 0, or the only one.
pub fn speaks() -> bool {
    place().is_none_or(|(rank, _)| rank == 0)
}

/// How many ranks there are, if there are several.
pub fn several() -> Option<usize> {
    place().map(|(_, ranks)| ranks).filter(|&ranks| ranks > 1)
}

/// Which rank this is, and of how many. `None` if `mpirun` has not started it, and without the feature `lab`.
fn place() -> Option<(usize, usize)> {
    #[cfg(feature = "lab")]
    return filch_cluster::Started::from_env().map(|started| (started.rank, started.ranks));
    #[cfg(not(feature = "lab"))]
    None
}
